"""The board of Sock Monsters: one canvas, touched, lit and animated."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any, TypeAlias

from kivy.clock import Clock
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from app.boards import house_motion as motions
from app.boards.house import HouseLayout
from app.boards.house_marks import ground_marks, over_marks
from app.boards.house_play import Play
from app.boards.house_stage import Stage
from app.boards.motion import Motion, style
from app.boards.room import clear_of
from app.boards.shapes import Point, fill
from app.boards.socks import Needle, sock
from app.model.live import Acted
from app.model.sock_monsters import (
    NOTHING,
    Cell,
    Kind,
    Phase,
    Shown,
    Sock,
    SockMonstersAct,
    SockMonstersView,
)
from app.model.sock_monsters_touch import Choice, Hand, Touched
from app.theme import theme

Step: TypeAlias = "Acted | Hand"
"""Something that happened, or the position it led to."""

MOST_WAITING = 60
"""With more steps waiting than this the board jumps to the present."""
HURRY_AT = 8
"""So many steps waiting make everything twice as fast."""
COLOURED = tuple(Sock)[:5]


class SockMonstersBoard(Widget):
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
        self._steps: deque[Step] = deque()
        self._motion: Motion | None = None
        self._done_s = 0.0
        self._ticking: Any = None
        self.looking_at: Cell | None = None
        """The tile whose face is shown for a moment."""
        self._unseen = False
        """Whether a tile was lifted or peeked at that has not been shown yet."""
        self._begin = Clock.create_trigger(self._next)
        self._redraw = Clock.create_trigger(self.redraw, -1)
        self.bind(pos=self._redraw, size=self._redraw, cover=self._covered)
        theme.follow(self.redraw)

    def reset(self) -> None:
        """Forget everything: another match is coming."""
        self._steps.clear()
        self._stop()
        self._unseen = False
        self.hand = Hand(NOTHING, (), 0)
        self._redraw()

    def stand(self, spots: dict[int, Point], bag: Point) -> None:
        """Where each seat's placard and the bag are, for socks that fly there."""
        self.play.spots, self.play.bag = spots, bag

    # --- what happens -----------------------------------------------------------------------

    def push(self, step: Step) -> None:
        """Show `step` after all steps before it. What comes together is looked at together: the
        tile that a lift has turned is in the position that follows."""
        self._steps.append(step)
        if len(self._steps) > MOST_WAITING:
            self.skip()
        elif self._motion is None:
            self._begin()

    def skip(self) -> None:
        """Jump to the present: nothing that moves may keep a person waiting."""
        self._stop()
        self._unseen = False
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
        if self._motion is not None:
            return
        while self._steps:
            step = self._steps.popleft()
            motion = self._motion_before(step)
            if motion is not None:
                self._steps.appendleft(step)
            elif isinstance(step, Hand):
                before = self.hand.view
                self._show(step)
                motion = self._after(before, step)
            else:
                motion = self._motion_of(step)
                self._note(step)
            if motion is not None:
                self._start(motion)
                return

    def _motion_before(self, step: Step) -> Motion | None:
        """A tile that was turned is seen before the socks it brings, and before what follows."""
        if not self._unseen:
            return None
        known = [later for later in (step, *self._steps) if isinstance(later, Hand)]
        if not known or known[0].view.shown is None:
            self._unseen = isinstance(step, Acted)
            return None
        return self._reveal(known[0], known[0].view.shown)

    def _after(self, before: SockMonstersView, hand: Hand) -> Motion | None:
        """What follows a position: on coming back the tile last seen; at the end, socks."""
        if before is NOTHING:
            shown = hand.view.shown
            return None if shown is None else self._reveal(hand, shown)
        won = hand.view.phase is Phase.THREE_PAIRS and before.phase is not Phase.THREE_PAIRS
        return self._rain() if won else None

    def _lights_out(self) -> None:
        """Nothing can be touched while something moves."""
        self.stage.marks.clear()
        self.stage.over.clear()

    def _reveal(self, hand: Hand, shown: Shown) -> Motion | None:
        self._lights_out()
        self._unseen = False
        motion = self.play.reveal(hand.view, shown)
        self.looking_at = shown.cell if motion is not None else None
        return motion

    def _rain(self) -> Motion:
        root = self.parent or self
        size = self.stage.layout.cell * 0.55
        drops = [self.stage.fly(sock(COLOURED[i % 5], Needle(0, 0, size))) for i in range(30)]
        for drop in drops:
            drop.place(0, root.top * 2)
        return motions.rain(drops, root.x, root.right, root.y - size, root.top + size)

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
        self._motion = self.looking_at = None
        self._next()
        if self._motion is None:
            self._stop()
            self._draw_marks()

    def _stop(self) -> None:
        self._motion = self.looking_at = None
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def _note(self, step: Acted) -> None:
        if isinstance(step.act, SockMonstersAct):
            self.play.note(step.act, step.actor)
            self._unseen = self._unseen or (_is(step, Kind.LIFT, Kind.PEEK) and not step.past)

    def _motion_of(self, step: Acted) -> Motion | None:
        if step.past or not isinstance(step.act, SockMonstersAct):
            return None
        self._lights_out()
        return self.play.motion(step.act, step.actor)

    # --- drawing ------------------------------------------------------------------------------

    def redraw(self, *_: object) -> None:
        """Draw everything anew, after a change of size or colours or a lost context."""
        looking = self.looking_at is not None
        self._stop()
        self.stage.redraw(self._layout())
        self._show(self.hand)
        if looking:  # The tile comes again: it may not have been seen.
            self._unseen = True
            if not self._steps:
                self._steps.append(self.hand)
        self._begin()

    def _layout(self) -> HouseLayout:
        place = (self.x, self.y, self.width, self.height)
        return clear_of(
            self.cover, place, lambda rect: HouseLayout.fit(*rect), lambda one: one.drawn
        )

    def _covered(self, *_: object) -> None:
        if self._layout() != self.stage.layout:
            self._redraw()

    def _show(self, hand: Hand, *, quiet: bool = False) -> None:
        """Put `hand` on the board as it is; `quiet`: another one follows at once."""
        if hand is not self.hand and hand.may_act and hand.legal == self.hand.legal:
            # The same decision again, as after a lost connection: keep what was aimed at.
            hand = replace(hand, aimed=self.hand.aimed, opened=self.hand.opened)
        self.hand = hand
        self.play.german = hand.german
        self.play.sync(hand.view)
        if quiet:
            return
        self.stage.show(hand.view, memory=hand.memory)
        self._draw_marks()
        self.dispatch("on_shown", hand)

    def _draw_marks(self) -> None:
        fill(self.stage.marks, ground_marks(self.stage.layout, self.hand))
        fill(self.stage.over, over_marks(self.stage.layout, self.hand))

    # --- touches ------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        if not self.hurry():
            self.touch_cell(self.stage.layout.cell_at(*touch.pos))
        return True

    def hurry(self) -> bool:
        """What a touch does while something moves: end it, and nothing else, since nobody has seen
        yet what it would touch. Tiles are still shown, if only for a moment: an impatient finger
        must not cost a player what there was to see. Whether there was something to end."""
        if self.resting:
            return False
        if self.looking_at is not None and self._done_s < motions.GLANCE_S:
            return True
        self._stop()
        while self._steps:
            tile = self._motion_before(self._steps[0])
            if tile is not None:
                self._start(tile)
                return True
            step = self._steps.popleft()
            if isinstance(step, Hand):
                self._show(step)
            else:
                self._note(step)
        self._draw_marks()
        return True

    def touch_cell(self, cell: Cell) -> None:
        """Do what a touch on `cell` means."""
        self._follow(self.hand.touch(cell))

    def choose(self, choice: Choice) -> None:
        """Do what a touch on a choice of the row means."""
        if not self.hurry():
            self._follow(self.hand.choose(choice))

    def propose(self, act: SockMonstersAct) -> None:
        """Aim at `act`, as the first touch does."""
        self.skip()
        self._follow(Touched(self.hand.propose(act)))

    def _follow(self, touched: Touched) -> None:
        if touched.act is not None:
            self.make(touched.act)
            return
        if touched.hand != self.hand:
            self.hand = touched.hand
            self._draw_marks()
            self.dispatch("on_aim", self.hand)
        if touched.hint:
            self.dispatch("on_hint", touched.hint)

    def make(self, act: SockMonstersAct) -> None:
        """Make `act`; nothing more can be done until its answer is there."""
        self.hand = replace(self.hand, legal=(), aimed=None, opened=None, waits=True)
        self._draw_marks()
        self.dispatch("on_aim", self.hand)
        self.dispatch("on_act", act)

    def on_act(self, act: SockMonstersAct) -> None:
        """A touch means `act`."""

    def on_hint(self, text: str) -> None:
        """A touch means nothing: `text` says why."""

    def on_shown(self, hand: Hand) -> None:
        """`hand` is on the board."""

    def on_aim(self, hand: Hand) -> None:
        """Something else is aimed at."""


def _is(step: Acted, *kinds: Kind) -> bool:
    return isinstance(step.act, SockMonstersAct) and step.act.kind in kinds
