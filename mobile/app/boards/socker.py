"""The Socker board: one canvas, touched, lit and animated."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any, TypeAlias

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

from app.boards import socker_motion as motions
from app.boards.motion import Motion, style
from app.boards.pitch import Layout, pitch
from app.boards.room import Rect, clear_of
from app.boards.shapes import fill
from app.boards.socker_marks import arrows, ground_marks, trace_marks
from app.boards.socker_pieces import lying, standing, wool_ball
from app.boards.sprite import Sprite
from app.model.live import Acted
from app.model.socker import Cell, Kind, Phase, Side, SockerAct, SockerView, ball_rests
from app.model.socker_touch import Hand
from app.model.socker_trace import Trace
from app.theme import theme

Step: TypeAlias = "Acted | Hand"
"""Something that happened, or the position it led to."""

MOST_WAITING = 6
"""With more steps waiting than this the board jumps to the present."""

NOTHING = SockerView((), None, Phase.UNKNOWN, Side.UNKNOWN, 0, None, (0, 0))
FINGER_DP = 24
"""Half of the smallest target, so that a target has 48 dp also where cells are smaller."""


class SockerBoard(Widget):
    """Shows positions, animates what leads from one to the next, and turns touches into acts.

    Events: `on_act(act)` when a touch means an action; `on_hint(text)` when it means nothing
    and why; `on_shown(hand)` when a position has come to rest on the board; `on_aim(hand)` when
    another socker was picked up, or something was suggested.
    """

    flipped = BooleanProperty(False)
    cover = ObjectProperty(None, allownone=True)
    """What lies over this place (x, y, width, height); the board goes where it can be seen."""

    def __init__(self, **kwargs: Any) -> None:
        for event in ("on_act", "on_hint", "on_shown", "on_aim"):
            self.register_event_type(event)
        super().__init__(**kwargs)
        self.hand = Hand(NOTHING, (), Side.UNKNOWN)
        self.trace = Trace()
        self.place = Layout(0, 0, 1)
        self._steps: deque[Step] = deque()
        self._motion: Motion | None = None
        self._done_s = 0.0
        self._ticking: Any = None
        self._ball: Sprite | None = None
        self._sprites: dict[Cell, Sprite] = {}
        self._spare: dict[tuple[Side, bool], list[Sprite]] = {}
        self._kinds: dict[Cell, tuple[Side, bool]] = {}
        self._ground, self._marks, self._pieces, self._over = (InstructionGroup() for _ in range(4))
        for group in (self._ground, self._marks, self._pieces, self._over):
            self.canvas.add(group)
        self._redraw = Clock.create_trigger(self.redraw, -1)
        self.bind(pos=self._redraw, size=self._redraw, flipped=self._redraw, cover=self._covered)
        theme.follow(self.redraw)

    def reset(self) -> None:
        """Forget everything: another match is coming."""
        self._steps.clear()
        self._motion = None
        self._stop_ticking()
        self.trace = Trace()
        self.hand = Hand(NOTHING, (), Side.UNKNOWN)
        self._redraw()

    # --- what happens -----------------------------------------------------------------------

    def push(self, step: Step) -> None:
        """Show `step` after all steps before it."""
        self._steps.append(step)
        if len(self._steps) > MOST_WAITING:
            self.skip()
        elif self._motion is None:
            self._next()

    def skip(self) -> None:
        """Jump to the present: nothing that moves may keep a person waiting."""
        self._motion = None
        self._stop_ticking()
        while self._steps:
            step = self._steps.popleft()
            if isinstance(step, Hand):
                self._show(step, quiet=any(isinstance(later, Hand) for later in self._steps))
            else:
                self._note(step)

    @property
    def resting(self) -> bool:
        """Whether nothing moves."""
        return self._motion is None and not self._steps

    def _next(self, *_: object) -> None:
        while self._steps:
            step = self._steps.popleft()
            if isinstance(step, Hand):
                self._show(step)
                continue
            motion = None if step.past else self._motion_of(step)
            self._note(step)
            if motion is not None:
                self._start(motion)
                return

    def _start(self, motion: Motion) -> None:
        self._motion, self._done_s = motion, 0.0
        self._marks.clear()
        self._over.clear()
        self._draw_trace()
        motion.frame(0.0)
        motion.sound(-1.0, 0.0)
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, 0)

    def _tick(self, passed_s: float) -> None:
        motion = self._motion
        if motion is None:
            return
        before = self._done_s / motion.seconds
        self._done_s += passed_s / style.pace
        motion.frame(min(1.0, self._done_s / motion.seconds))
        motion.sound(before, min(1.0, self._done_s / motion.seconds))
        if self._done_s >= motion.seconds:
            self._motion = None
            self._next()
            if self._motion is None:
                self._stop_ticking()

    def _stop_ticking(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def _note(self, step: Acted) -> None:
        if isinstance(step.act, SockerAct):
            view = None if step.past else self.hand.view
            self.trace = self.trace.after(step.actor, step.act, view)

    def _motion_of(self, step: Acted) -> Motion | None:
        act, place = step.act, self.place
        if not isinstance(act, SockerAct) or act.target is None:
            return None
        target = place.middle(act.target)
        if act.kind is Kind.PLACE:
            sprite = self._take((Side(step.actor) if step.actor in (0, 1) else Side.UNKNOWN, False))
            self._pieces.add(sprite)
            self._sprites[act.target], self._kinds[act.target] = sprite, (Side(step.actor), False)
            return motions.land(sprite, target, place.cell)
        if act.kind is Kind.RECENTRE and self._ball is not None:
            return motions.glide(self._ball, self._ball.spot, target)
        if act.origin is None or act.lands is None:
            return None
        start, lands = place.middle(act.origin), place.middle(act.lands)
        mover = self._sprites.get(act.origin)
        if act.kind is Kind.MOVE and mover is not None:
            self._carry(act.origin, act.target)
            return motions.hop(mover, start, target, place.cell)
        if act.kind is Kind.KICK and self._ball is not None:
            way = [target, lands]
            rests = ball_rests(act, self.hand.view)
            if rests is not None and rests != act.lands:
                way.append(place.middle(rests))
            return motions.kick(mover, self._ball, start, way)
        pushed = self._sprites.get(act.target)
        if act.kind is Kind.SOCK and pushed is not None:
            self._carry(act.target, act.lands)
            return motions.sock(mover, pushed, start, target, lands)
        return None

    def _carry(self, origin: Cell, target: Cell) -> None:
        self._sprites[target] = self._sprites.pop(origin)
        self._kinds[target] = self._kinds.pop(origin)

    # --- drawing ------------------------------------------------------------------------------

    def redraw(self, *_: object) -> None:
        """Draw everything anew, after a change of size or colours or a lost context."""
        self.place = self._layout()
        self._sprites.clear()
        self._kinds.clear()
        self._spare.clear()
        self._ball = None
        fill(self._ground, pitch(self.place))
        self.skip()
        self._show(self.hand)

    def _layout(self) -> Layout:
        margin, flipped = dp(6), self.flipped

        def fit(rect: Rect, sideways: bool | None = None) -> Layout:
            x, y, width, height = rect
            wide, high = max(1, width - 2 * margin), max(1, height - 2 * margin)
            return Layout.fit(x + margin, y + margin, wide, high, flipped, sideways)

        place = (self.x, self.y, self.width, self.height)
        lies = fit(place).sideways  # Never turned for the sake of what lies over it.
        return clear_of(self.cover, place, lambda rect: fit(rect, lies), lambda one: one.drawn)

    def _covered(self, *_: object) -> None:
        if self._layout() != self.place:
            self._redraw()

    def _show(self, hand: Hand, *, quiet: bool = False) -> None:
        """Put `hand` on the board as it is; `quiet`: another one follows at once."""
        picked = hand.picked if hand.picked is not None else self._still_picked(hand)
        same = hand.view == self.hand.view and hand.legal == self.hand.legal
        proposed = self.hand.proposed if same else None
        self.hand = replace(hand, picked=picked, proposed=proposed)
        if quiet:
            return
        self._draw_pieces()
        self._draw_marks()
        self.dispatch("on_shown", self.hand)

    def _still_picked(self, hand: Hand) -> Cell | None:
        picked = self.hand.picked
        if picked in hand.actors:
            return picked
        # While the server's answer is under way nothing is legal yet: keep the choice.
        waiting = not hand.legal and hand.view.turn is hand.side
        return picked if waiting and hand.view == self.hand.view else None

    def _draw_pieces(self) -> None:
        for cell, sprite in self._sprites.items():
            self._spare.setdefault(self._kinds[cell], []).append(sprite)
        self._sprites.clear()
        self._kinds.clear()
        self._pieces.clear()
        standers: list[tuple[float, Sprite]] = []
        for piece in self.hand.view.pieces:
            kind = (piece.side, piece.lying)
            sprite = self._take(kind)
            x, y = self.place.middle(piece.cell)
            sprite.place(x, y)
            self._sprites[piece.cell], self._kinds[piece.cell] = sprite, kind
            standers.append((y, sprite))
        if self.hand.view.ball is not None:
            if self._ball is None:
                self._ball = Sprite(wool_ball(self.place.cell))
            x, y = self.place.middle(self.hand.view.ball)
            self._ball.place(x, y)
            standers.append((y, self._ball))
        elif self._ball is not None and self.hand.view.phase is Phase.RECENTRE:
            standers.append((self._ball.spot[1], self._ball))
        for _, sprite in sorted(standers, key=lambda one: -one[0]):
            self._pieces.add(sprite)

    def _take(self, kind: tuple[Side, bool]) -> Sprite:
        spare = self._spare.get(kind)
        if spare:
            return spare.pop()
        side, lies = kind
        return Sprite((lying if lies else standing)(side, self.place.cell))

    def _draw_marks(self) -> None:
        fill(self._marks, trace_marks(self.place, self.trace))
        for instruction in ground_marks(self.place, self.hand):
            self._marks.add(instruction)
        fill(self._over, arrows(self.place, self.hand))

    def _draw_trace(self) -> None:
        fill(self._marks, trace_marks(self.place, self.trace))

    # --- touches ------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        self.skip()
        place = self.place.place(*touch.pos)
        reach = max(0.5, dp(FINGER_DP) / self.place.cell)
        self.touch_cell(self.hand.aim(*place, reach))
        return True

    def touch_cell(self, cell: Cell) -> None:
        """Do what a touch on `cell` means."""
        touched = self.hand.touch(cell)
        if touched.act is not None:
            self.make(touched.act)
            return
        if touched.picked != self.hand.picked or self.hand.proposed is not None:
            self.hand = replace(self.hand, picked=touched.picked, proposed=None)
            self._draw_marks()
            self.dispatch("on_aim", self.hand)
        if touched.hint:
            self.dispatch("on_hint", touched.hint)

    def propose(self, act: SockerAct) -> None:
        """Light `act` up, as something to do."""
        self.skip()
        self.hand = self.hand.propose(act)
        self._draw_marks()
        self.dispatch("on_aim", self.hand)

    def make(self, act: SockerAct) -> None:
        """Make `act`; nothing more can be done until its answer is there."""
        picked = act.target if act.kind is Kind.MOVE else self.hand.picked
        self.hand = replace(self.hand, legal=(), picked=picked, proposed=None, waits=True)
        self._draw_marks()
        self.dispatch("on_aim", self.hand)
        self.dispatch("on_act", act)

    def on_act(self, act: SockerAct) -> None:
        """A touch means `act`."""

    def on_hint(self, text: str) -> None:
        """A touch means nothing: `text` says why."""

    def on_shown(self, hand: Hand) -> None:
        """`hand` is on the board."""

    def on_aim(self, hand: Hand) -> None:
        """Something else is picked up or suggested."""
