"""A lesson: a short position on the real board, and one thing to do in it."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, StringProperty

from app.i18n import tr
from app.model.games import offer
from app.model.lessons import Lesson, Progress, lessons, said
from app.model.live import Acted
from app.model.look import look_of
from app.model.values import Act
from app.model.words import seat_names
from app.net.lesson import LessonMatch
from app.screens.base import OddScreen, load_kv
from app.screens.match.part import GamePart
from app.screens.match.parts import make_part

LOOK_EVERY_S = 0.05
RESTED_S = 0.4
"""How long what was done is left on show before something is said about it."""


class LessonScreen(OddScreen):
    """`key` says of which offer, `number` which lesson (0 is the first)."""

    bar = StringProperty("")
    told = BooleanProperty(False)
    """Whether the sheet with words is on show."""
    place = StringProperty("")
    heading = StringProperty("")
    words = StringProperty("")
    button = StringProperty("")
    solved = BooleanProperty(False)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.part: GamePart | None = None
        self._parts: dict[str, GamePart] = {}
        self.match: LessonMatch | None = None
        self._resting: Any = None
        self.bind(wide=self._arrange)
        self._make_way = Clock.create_trigger(self._uncover, -1)
        self.ids.sheet.bind(pos=self._make_way, size=self._make_way)

    def _uncover(self, *_: object) -> None:
        """The board gets the room that the words leave."""
        if self.part is not None:
            sheet = self.ids.sheet
            self.part.ids.board.cover = (*sheet.pos, *sheet.size)

    def _arrange(self, *_: object) -> None:
        if self.part is not None:
            self.part.wide = self.wide

    @property
    def key(self) -> str:
        """Of which offer."""
        return self.params["key"]

    @property
    def number(self) -> int:
        """Which lesson."""
        number = self.params.get("number", "0")
        return min(int(number) if number.isdecimal() else 0, len(lessons(self.key)) - 1)

    @property
    def lesson(self) -> Lesson:
        """The lesson itself."""
        return lessons(self.key)[self.number]

    # --- coming and going -------------------------------------------------------------------

    def open(self) -> None:
        game = offer(self.key).game
        self.ids.place.clear_widgets()
        self.part = self._part_of(game)
        if self.part is None:
            self.back()
            return
        self.part.wide = self.wide
        self.part.left = self.app.session.settings.now.left_handed
        self.ids.place.add_widget(self.part)
        self._make_way()
        self.place = tr(
            "Lesson {number} of {count}", number=self.number + 1, count=len(lessons(self.key))
        )
        self.bar = said(self.lesson.title)
        self.restart()

    def _part_of(self, game: str) -> GamePart | None:
        if game not in self._parts:
            part = make_part(game)
            if part is None:
                return None
            part.bind(
                on_act=lambda _, act: self._act(act),
                on_hint=lambda _, text: self.app.toast(text),
            )
            self._parts[game] = part
        return self._parts[game]

    def restart(self) -> None:
        """Begin the lesson, from its beginning."""
        assert self.part is not None
        self.solved = False
        self.match = LessonMatch(offer(self.key).game, self.lesson)
        self.part.reset()
        self._show()
        self._tell()

    def close(self) -> None:
        self._stop_resting()
        super().close()

    def resume(self) -> None:
        if self.part is not None:
            self.part.redraw()

    def takes_back(self) -> bool:
        return self.part is not None and bool(self.part.takes_back())

    # --- what is said -------------------------------------------------------------------------

    def _tell(self) -> None:
        """Say what to do now, or what was learned."""
        assert self.match is not None
        step = self.match.step
        self.solved = step is None
        if step is not None:
            first = self.match.number == 0
            self.heading = self.bar if first else ""
            self.words, self.button = said(step.say), tr("All right")
        else:
            self.heading, self.words = tr("Well done"), said(self.lesson.done)
            last = self.number + 1 == len(lessons(self.key))
            self.button = tr("Finish") if last else tr("Next")
        self.told = True

    def ask(self) -> None:
        """What was to be done? And where."""
        step = self.match.step if self.match else None
        if self.told or step is None:
            return
        self.heading, self.words = "", f"{said(step.say)} {said(step.hint)}"
        self.button, self.told = tr("All right"), True

    def go_on(self) -> None:
        """The words were read."""
        if not self.solved:
            self.told = False
            return
        following = self.number + 1
        if following == len(lessons(self.key)):
            self.back()
            return
        self.app.navigator.go("lesson", instead=True, key=self.key, number=str(following))

    def on_touch_down(self, touch: Any) -> bool:
        """A touch beside the words puts them away, and does nothing else."""
        if self.told and not self.ids.sheet.collide_point(*touch.pos):
            if not self.solved and not self.ids.ask.collide_point(*touch.pos):
                self.told = False
            return self._goes_back(touch)
        return bool(super().on_touch_down(touch))

    def _goes_back(self, touch: Any) -> bool:
        """The way back is open at any time."""
        back = self.part.ids.back if self.part is not None else None
        if back is not None and back.collide_point(*back.to_widget(*touch.pos)):
            return bool(super().on_touch_down(touch))
        return True

    # --- what is done -------------------------------------------------------------------------

    def _show(self) -> None:
        assert self.match is not None
        assert self.part is not None
        seen = self.match.seen()
        self.part.show(look_of(seen, self.lesson.seat, seat_names(seen)))

    def _act(self, act: Act) -> None:
        assert self.match is not None
        assert self.part is not None
        step = self.match.step
        events = self.match.make(act) if step else ()
        if not events:
            self.part.skip()
            self._show()
            if step is not None:
                self.app.toast(tr("You could, but now try this: {hint}", hint=said(step.hint)))
            return
        for number, event in enumerate(events):
            self.part.acted(Acted(event.act, event.actor, mine=number == 0))
        self._show()
        if self.match.step is None:
            Progress(self.app.session.store).solved(self.key, self.lesson.name)
        self._when_rested()

    def _when_rested(self) -> None:
        """Go on talking once everything that was done is on show."""
        self._stop_resting()
        rested_s = 0.0

        def look(passed_s: float) -> None:
            nonlocal rested_s
            resting = self.part is not None and self.part.resting
            rested_s = rested_s + passed_s if resting else 0.0
            if rested_s >= RESTED_S:
                self._stop_resting()
                self._tell()

        self._resting = Clock.schedule_interval(look, LOOK_EVERY_S)

    def _stop_resting(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None


load_kv(__file__)
