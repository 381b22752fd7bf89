"""The board of Monster Hide and Seek: one canvas, touched, lit and animated."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any, TypeAlias

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from app.boards.motion import Motion, style
from app.boards.room import clear_of
from app.boards.seek_layout import SeekLayout
from app.boards.seek_marks import ground_marks, over_marks
from app.boards.seek_play import Borders, Play
from app.boards.seek_stage import Stage
from app.boards.shapes import Point, fill
from app.model.hide_and_seek import NOTHING, Cell, HideAndSeekAct, Kind, Phase
from app.model.hide_and_seek_story import Beat, Told, tell
from app.model.hide_and_seek_touch import Hand
from app.model.live import Acted
from app.theme import theme

Step: TypeAlias = "Beat | Hand"
"""Something to be seen, or the position it led to."""

MOST_WAITING = 60
"""With more steps waiting than this the board jumps to the present."""
HURRY_AT = 8
"""So many steps waiting make everything twice as fast."""
FINGER_DP = 24
"""Half of the smallest target (ADR 0032)."""


class HideAndSeekBoard(Widget):
    """Shows positions, animates what leads from one to the next, and turns touches into acts.

    Events: `on_act(act)` when a touch means an action; `on_hint(text)` when it means nothing and
    why; `on_shown(hand)` when a position has come to rest on the board; `on_aim(hand)` when a touch
    changed what is aimed at.
    """

    cover = ObjectProperty(None, allownone=True)
    """What lies over this place (x, y, width, height); the board goes where it can be seen."""

    __events__ = ("on_act", "on_hint", "on_shown", "on_aim")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.hand = Hand(NOTHING, (), 0)
        self.stage = Stage(self.canvas)
        self.play = Play(self.stage)
        self.borders = Borders()
        self._untold: list[Told] = []
        """What was done since the last position that was told of."""
        self._told = NOTHING
        self._steps: deque[Step] = deque()
        self._motion: Motion | None = None
        self._beat: Beat | None = None
        self._dealing = False
        self._done_s = 0.0
        self._ticking: Any = None
        self._pressed: tuple[Any, Cell] | None = None
        self._redraw = Clock.create_trigger(self.redraw, -1)
        self.bind(pos=self._redraw, size=self._redraw, cover=self._covered)
        theme.follow(self.redraw)

    def reset(self, key: str = "") -> None:
        """Forget everything: the match `key` is coming."""
        self._steps.clear()
        self._stop()
        self._untold.clear()
        self._told = NOTHING
        self._pressed = None
        self.borders = Borders(key)
        self.hand = Hand(NOTHING, (), 0)
        self._redraw()

    # --- what happens -----------------------------------------------------------------------

    def acted(self, change: Acted) -> None:
        """Somebody acted: what there is to see, the next position says."""
        act = change.act
        if change.past or not isinstance(act, HideAndSeekAct) or act.kind is Kind.DEAL:
            return
        self._untold.append((change.actor, act))

    def push(self, hand: Hand) -> None:
        """Show how a match stands after all that was told before, and what led there."""
        if hand.view != self._told:
            beats = tell(self._told, self._untold, hand.view)
            if not beats:
                self.borders.catch_up(self._told, hand.view)
            self._steps += beats
            self._untold.clear()
            self._told = hand.view
        self._steps.append(hand)
        if len(self._steps) > MOST_WAITING:
            self.skip()
        elif self._motion is None:
            self._next()

    def skip(self) -> None:
        """Jump to the present, and forget what was done but is not there: it was refused."""
        if self._dealing:
            self._end()  # Cut short, the cards would lie nowhere.
        self._untold.clear()
        self._stop()
        while self._steps:
            self._pass(self._steps.popleft(), quiet=any(isinstance(s, Hand) for s in self._steps))

    def hurry(self) -> bool:
        """End the motion of the moment: nothing that moves may keep a person waiting. Whether there
        was one."""
        if self._motion is None:
            return False
        self._end()
        return True

    @property
    def resting(self) -> bool:
        """Whether nothing moves."""
        return self._motion is None and not self._steps

    def _next(self) -> None:
        while self._steps and self._motion is None:
            step = self._steps.popleft()
            if isinstance(step, Hand):
                first = self.hand.view is NOTHING
                ends = self.hand.view.phase is not Phase.OVER and step.view.phase is Phase.OVER
                self._show(step)
                if first and step.view.cards and not step.view.turns:
                    self._deal()
                elif ends and not first:
                    self._start(self._rain())
            else:
                self._dim()
                self._beat = step
                self._start(self.play.motion(step, self.borders, own=step.actor == self.hand.seat))

    def _pass(self, step: Step, *, quiet: bool) -> None:
        """A step that nobody sees."""
        if isinstance(step, Hand):
            self._show(step, quiet=quiet)
        else:
            for turned in step.turned:
                self.borders.flip(turned.cell)

    def _deal(self) -> None:
        self._dim()
        self._start(self.play.deal())
        self._dealing = True

    def _rain(self) -> Motion:
        root = self.parent or self
        return self.play.rain((root.x, root.right, root.y, root.top))

    def _start(self, motion: Motion) -> None:
        self._motion, self._done_s = motion, 0.0
        motion.frame(0.0)
        motion.sound(-1.0, 0.0)
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, 0)

    def _tick(self, passed_s: float) -> None:
        motion = self._motion
        if motion is None:
            return
        before = self._done_s / motion.seconds
        self._done_s += passed_s / style.pace * (1 + len(self._steps) / HURRY_AT)
        motion.frame(min(1.0, self._done_s / motion.seconds))
        motion.sound(before, min(1.0, self._done_s / motion.seconds))
        if self._done_s >= motion.seconds:
            self._end()

    def _end(self) -> None:
        """The motion is over: on to the next, or the lights go on again."""
        if self._motion is not None:
            self._motion.frame(1.0)
        self._motion = self._beat = None
        self._dealing = False
        self._next()
        if self._motion is None:
            self._stop()
            self._draw_marks()

    def _stop(self) -> None:
        self._motion = self._beat = None
        self._dealing = False
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    # --- drawing ------------------------------------------------------------------------------

    def redraw(self, *_: object) -> None:
        """Draw everything anew, after a change of size or colours or a lost context."""
        self.stage.redraw(self._layout())
        dealing = self._dealing
        self._stop()
        while self._steps:
            self._pass(self._steps.popleft(), quiet=True)
        self._show(self.hand)
        if dealing:
            self._deal()  # Its first frame comes before the board has its place.

    def _layout(self) -> SeekLayout:
        grid = (self.hand.view.columns, self.hand.view.rows)
        place = (self.x, self.y, self.width, self.height)
        turned = SeekLayout.fit(place, *grid).turned  # Never for the sake of what lies over it.
        return clear_of(
            self.cover,
            place,
            lambda rect: SeekLayout.fit(rect, *grid, turned),
            lambda one: one.drawn,
        )

    def _covered(self, *_: object) -> None:
        if self._layout() != self.stage.layout:
            self._redraw()

    def _show(self, hand: Hand, *, quiet: bool = False) -> None:
        """Put `hand` on the board as it is; `quiet`: another one follows at once."""
        if hand is not self.hand and hand.may_act and hand.legal == self.hand.legal:
            # The same decision again, as after a lost connection: keep what was aimed at.
            hand = replace(hand, aimed=self.hand.aimed, proposed=self.hand.proposed)
        before, self.hand = self.hand.view, hand
        self.borders.meet(hand.view)
        if (before.columns, before.rows) != (hand.view.columns, hand.view.rows):
            self.stage.redraw(self._layout())
        if quiet:
            return
        self.stage.show(hand.view, self.borders.night)
        self._draw_marks()
        self.dispatch("on_shown", hand)

    def _dim(self) -> None:
        """Nothing can be touched while something moves."""
        self.stage.marks.clear()
        self.stage.over.clear()

    def _draw_marks(self) -> None:
        fill(self.stage.marks, ground_marks(self.stage.layout, self.hand))
        fill(self.stage.over, over_marks(self.stage.layout, self.hand))

    # --- touches ------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        if self._motion is not None:
            quick = self._may_be_quick
            self.hurry()
            if not quick:
                return True
        self._let_go()
        cell = self.aim(*touch.pos)
        self._pressed = (touch, cell)
        if cell in self.hand.cards:
            self.stage.rest(cell, raised=True)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if self._pressed is None or self._pressed[0] is not touch:
            return False
        if self.aim(*touch.pos) != self._pressed[1]:
            self._let_go()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if self._pressed is None or self._pressed[0] is not touch:
            return False
        cell = self._pressed[1]
        self._let_go()
        if self.aim(*touch.pos) == cell and self._motion is None:
            self.touch_cell(cell)
        return True

    def _let_go(self) -> None:
        if self._pressed is not None:
            self.stage.rest(self._pressed[1], raised=self._pressed[1] in self._chosen)
        self._pressed = None

    @property
    def _chosen(self) -> frozenset[Cell | None]:
        return frozenset({self.hand.view.flipped, self.hand.aimed})

    @property
    def _may_be_quick(self) -> bool:
        """Whether a touch during this motion can already mean a card: the second of a try while
        one's own first is still turning, and the first of all while they are still dealt."""
        own = self._beat is not None and self._beat.actor == self.hand.seat
        last = self._steps[-1] if self._steps else None
        return self._dealing or (
            own
            and isinstance(last, Hand)
            and len(self._steps) == 1
            and last.may_act
            and last.view.flipped is not None
        )

    def aim(self, x: float, y: float) -> Cell:
        """The cell that a finger at a pixel means: a touch on a cell that means nothing counts for
        one that does when its middle is within reach (ADR 0032)."""
        layout = self.stage.layout
        cell = layout.cell_at(x, y)
        lit = self.hand.lit
        if cell in lit or not lit:
            return cell

        def away(other: Cell) -> float:
            middle: Point = layout.middle(other)
            return max(abs(middle[0] - x), abs(middle[1] - y))

        nearest = min(sorted(lit), key=away)
        return nearest if away(nearest) <= dp(FINGER_DP) else cell

    def touch_cell(self, cell: Cell) -> None:
        """Do what a touch on `cell` means."""
        touched = self.hand.touch(cell)
        if touched.act is not None:
            self.make(touched.act)
            return
        if touched.hand != self.hand:
            self._take(touched.hand)
        if touched.hint:
            self.dispatch("on_hint", touched.hint)

    def propose(self, act: HideAndSeekAct) -> None:
        """Light `act` up, as something to do."""
        self.skip()
        self._take(self.hand.propose(act))

    def _take(self, hand: Hand) -> None:
        """Aim at something else."""
        for where in self._chosen:
            if where is not None:
                self.stage.rest(where)
        self.hand = hand
        for where in self._chosen:
            if where is not None:
                self.stage.rest(where, raised=True)
        self._draw_marks()
        self.dispatch("on_aim", self.hand)

    def make(self, act: HideAndSeekAct) -> None:
        """Make `act`; nothing more can be done until its answer is there."""
        self.hand = Hand(self.hand.view, (), self.hand.seat, waits=True)
        self._draw_marks()
        for cell in act.flips:
            self.stage.rest(cell, raised=True)
        self.dispatch("on_act", act)

    def on_act(self, act: HideAndSeekAct) -> None:
        """A touch means `act`."""

    def on_hint(self, text: str) -> None:
        """A touch means nothing: `text` says why."""

    def on_shown(self, hand: Hand) -> None:
        """`hand` is on the board."""

    def on_aim(self, hand: Hand) -> None:
        """Something else is aimed at."""
