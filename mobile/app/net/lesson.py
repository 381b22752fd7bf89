"""A lesson as it is played: the engine stands at its position and follows what it says."""

from __future__ import annotations

from app.i18n import tr
from app.model.lessons import Lesson, Step
from app.model.values import Act, Event, Match, Occupant
from app.net import convert
from app.net.local_beside import Done
from app.net.local_match import LocalMatch
from app.net.local_setting import Setting
from services.engine.core.notation import read_frame
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message

_ME = "me"


class LessonMatch:
    """The match of a lesson. Nothing but what the lesson wants changes it."""

    def __init__(self, game: str, lesson: Lesson) -> None:
        self.lesson = lesson
        self.number = 0
        """Which step comes next."""
        self._match = _standing(game, lesson.position, lesson.seat)

    @property
    def step(self) -> Step | None:
        """What is to be done now; None when the lesson is solved."""
        steps = self.lesson.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def position(self) -> str:
        """Where it stands, in the game's notation."""
        return self._match.rules.format_state(self._match.state)

    def seen(self) -> Match:
        """The match as the learner sees it."""
        return self._match.seen()

    def make(self, act: Act) -> tuple[Event, ...]:
        """Do `act`, and all that follows it, if it is what the lesson wants; else nothing happens,
        and there are no events. The learner's own action is the first of them."""
        step, rules = self.step, self._match.rules
        if step is None:
            return ()
        action = rules.format_action(action_from_message(rules, convert.act_to(act)))
        if action not in step.do or not self._leads_there((action, *step.then)):
            return ()
        before = len(self._match.events)
        for notation in (action, *step.then):
            actor = self._match.actor
            assert actor is not None, f"{self.lesson.name}: over before {notation}"
            self._match.replay((Done(actor, notation, 0),))
        self.number += 1
        return tuple(self._match.events[before:])

    def _leads_there(self, actions: tuple[str, ...]) -> bool:
        """Whether these lead to the lesson's result, where they are the last ones."""
        if self.number + 1 < len(self.lesson.steps):
            return True
        rules, state = self._match.rules, self._match.state
        for notation in actions:
            state = rules.apply(state, rules.check(state, rules.parse_action(notation)))
        text = rules.format_state(state)
        return all(part in text for part in self.lesson.result)


def position_seen(game: str, position: str, seat: int) -> Match:
    """A position as `seat` sees it, with what it may do there."""
    return _standing(game, position, seat).seen()


def _standing(game: str, position: str, seat: int) -> LocalMatch:
    rules = ruleset(game)
    frame = read_frame(rules, position)
    names = (tr("Otto"), tr("Minna"), tr("Hilda"), tr("Pip"))
    seats = tuple(
        Occupant(player_id=_ME, display_name=tr("You"))
        if number == seat
        else Occupant(player_id=str(number), display_name=names[number])
        for number in range(frame.seats)
    )
    return LocalMatch(Setting("lesson", game, frame.options, seats, (seat,), 0, position))
