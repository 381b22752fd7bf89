"""Looking through a finished match with the eyes of one seat, a part at a time. Pure but for the
clock.

Each decision is weighed by what its seat knew, never by what the record shows. What nobody decided
(a toss, a die, a draw, what an action turned over) counts as luck: what the seats could expect
after it less what they could expect before. How much of that may be error shows in the steps in
which there was no luck: there, expectations should have stayed the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.hint import permille
from services.advice.line import Line, Step, shares
from services.engine.agents import Analysis, Budget, analyse
from services.engine.core import CHANCE
from services.wire.actions import action_to_message

MOST_OUTCOMES: Final = 6
"""With more of them, chance is judged by so many samples."""
GUESSES: Final = 6
"""Fair guesses at what is hidden, which say whether an action turned something over."""
LEAST_S, MOST_S = 0.01, 0.25
"""For the search for one expectation."""
PART_S: Final = 1.0
"""A part ends with the step after which this much time has passed. With all outcomes of a die after
that, and the record to be read, it still ends before a worker's soft limit.
"""
MILLION: Final = 1_000_000

KINDS: Final = {
    "toss": pb.CHANCE_KIND_TOSS,
    "die": pb.CHANCE_KIND_DIE,
    "draw": pb.CHANCE_KIND_DRAW,
}

Clock: TypeAlias = Callable[[], float]
Expected: TypeAlias = tuple[float, ...]
"""What each seat can expect, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Part:
    """What the steps from one on have for the review.

    `strayed`: by seat, how much expectations changed in the `quiet` steps, those without luck: the
    squares in millionths, added up.
    """

    next: int
    total: int
    found: pb.Review
    strayed: tuple[int, ...]
    quiet: int


def look_through(
    line: Line, seat: int, start: int, search_s: float, now: Clock, rng: random.Random
) -> Part:
    """The part of a review that begins at step `start`; a step at least, if one is left.

    `search_s` is what the search for the whole review may take, in seconds.
    """
    return _Reader(line, seat, _budget(line, search_s), now, rng).read(start)


def conclude(found: pb.Review, strayed: Sequence[int], quiet: int) -> None:
    """Add up the luck of a review all of whose parts are there; the rest is added up over them."""
    del found.luck[:]
    for seat, squares in enumerate(strayed):
        luck = sum(each.after_permille[seat] - each.before_permille[seat] for each in found.chances)
        variance = len(found.chances) * squares / max(1, quiet)
        found.luck.add(seat=seat, luck_permille=luck, error_permille=round(variance**0.5))


def _budget(line: Line, search_s: float) -> Budget:
    """For one expectation: chance takes several, and so does what an action turns over."""
    wanted = sum(1 + MOST_OUTCOMES // 2 * bool(step.chance) for step in line.steps)
    return Budget(seconds=min(MOST_S, max(LEAST_S, search_s / max(1, wanted))))


@dataclass(slots=True)
class _Reader:
    line: Line
    seat: int
    budget: Budget
    now: Clock
    rng: random.Random
    found: pb.Review = field(default_factory=pb.Review)
    _strayed: list[float] = field(init=False)
    _quiet: int = 0
    _next: tuple[int, Analysis] | None = None
    """The analysis of a step that was needed before its turn came."""

    def __post_init__(self) -> None:
        self._strayed = [0.0] * self.line.seats

    def read(self, start: int) -> Part:
        steps = self.line.steps
        end = self.now() + PART_S
        at = start
        while at < len(steps):
            self._step(at, steps[at])
            at += 1
            if self.now() >= end:
                break
        if at >= len(steps):
            self._point(self.line.last_revision, self.line.shares)
        strayed = tuple(round(each * MILLION) for each in self._strayed)
        # A match nobody acted in has one part, too.
        return Part(max(at, 1), max(len(steps), 1), self.found, strayed, self._quiet)

    def _step(self, at: int, step: Step) -> None:
        if step.actor == CHANCE:
            self._chance(at, step)
        else:
            self._decision(at, step)

    def _chance(self, at: int, step: Step) -> None:
        rules = self.line.rules
        outcomes = rules.chance_outcomes(step.before)
        weights = [outcome.weight for outcome in outcomes]
        if len(outcomes) > MOST_OUTCOMES:
            outcomes = tuple(self.rng.choices(outcomes, weights, k=MOST_OUTCOMES))
            weights = [1] * MOST_OUTCOMES
        after = self._after(at, step)
        values = [
            after
            if outcome.action == step.action
            else self._expected(rules.apply(step.before, outcome.action))
            for outcome in outcomes
        ]
        if after is None or not all(values):
            return
        before = _mean([value for value in values if value is not None], weights)
        self._luck(step.revision, KINDS[step.chance], before, after)
        self._point(step.revision, before)

    def _decision(self, at: int, step: Step) -> None:
        analysis = self._analysis(at, step)
        if analysis.results:
            self._point(step.revision, analysis.results)
        weighed = analysis.of(step.action)
        played = weighed.results if weighed is not None else ()
        shown, after = self._turns_over(step), self._after(at, step)
        if not played and not shown and after is not None:
            played = after  # the search did not look at it, but it can be seen what came of it
        elif played and after is not None:
            self._compare(step, played, after, shown=shown)
        if step.actor == self.seat:
            self._judge(step, analysis, played)

    def _compare(self, step: Step, before: Expected, after: Expected, *, shown: bool) -> None:
        """What an action changed beside what was expected of it: luck, or error."""
        if shown:
            self._luck(step.revision, pb.CHANCE_KIND_REVEAL, before, after)
            return
        self._quiet += 1
        for seat, (was, now) in enumerate(zip(before, after, strict=True)):
            self._strayed[seat] += (now - was) ** 2

    def _judge(self, step: Step, analysis: Analysis, played: Expected) -> None:
        rules = self.line.rules
        decision = self.found.decisions.add(
            revision=step.revision,
            played=action_to_message(rules, step.action),
            best=action_to_message(rules, analysis.best),
        )
        if analysis.results:
            decision.best_permille = permille(analysis.results[self.seat])
        if played:
            decision.played_permille = permille(played[self.seat])
        if played and analysis.results:
            decision.loss_permille = max(0, decision.best_permille - decision.played_permille)

    def _after(self, at: int, step: Step) -> Expected | None:
        """What can be expected after a step; the search is that of the next one, if it decides."""
        steps = self.line.steps
        if at + 1 < len(steps) and steps[at + 1].before is step.after:
            following = steps[at + 1]
            if following.actor != CHANCE:
                return self._analysis(at + 1, following).results or None
        return self._expected(step.after)

    def _analysis(self, at: int, step: Step) -> Analysis:
        if self._next is not None and self._next[0] == at:
            return self._next[1]
        analysis = self._analyse(step.before, step.actor, [step.action])
        self._next = at, analysis
        return analysis

    def _analyse(self, state: Any, seat: int, also: Sequence[Any] = ()) -> Analysis:
        rules = self.line.rules
        deadline = self.now() + 4 * (self.budget.seconds or 0) + MOST_S
        return analyse(
            rules,
            # What the seat knew there: nothing of the rest of the record.
            rules.information(state, seat),
            self.budget,
            self.rng,
            stop=lambda: self.now() > deadline,
            now=self.now,
            also=also,
        )

    def _expected(self, state: Any) -> Expected | None:
        """What the seats can expect in a state; at chance's turn, on average."""
        rules = self.line.rules
        outcome = rules.outcome(state)
        if outcome is not None:
            return shares(outcome, self.line.seats)
        actor = rules.actor(state)
        assert actor is not None
        if actor != CHANCE:
            return self._analyse(state, actor).results or None
        outcomes = rules.chance_outcomes(state)
        drawn = self.rng.choices(outcomes, [outcome.weight for outcome in outcomes])[0]
        return self._expected(rules.apply(state, drawn.action))

    def _turns_over(self, step: Step) -> bool:
        """Whether an action shows its seat something, by fair guesses at what may lie there."""
        rules = self.line.rules
        known = rules.information(step.before, step.actor)
        seen = set()
        for _ in range(GUESSES):
            after = rules.apply(rules.determinize(known, self.rng), step.action)
            seen.add(rules.format_information(rules.information(after, step.actor)))
        return len(seen) > 1

    def _luck(
        self, revision: int, kind: pb.ChanceKind.ValueType, before: Expected, after: Expected
    ) -> None:
        self.found.chances.add(
            revision=revision,
            kind=kind,
            before_permille=map(permille, before),
            after_permille=map(permille, after),
        )

    def _point(self, revision: int, results: Sequence[float]) -> None:
        self.found.curve.add(revision=revision, expected_permille=map(permille, results))


def _mean(values: Sequence[Expected], weights: Sequence[int]) -> Expected:
    return tuple(
        sum(weight * value[seat] for weight, value in zip(weights, values, strict=True))
        / sum(weights)
        for seat in range(len(values[0]))
    )
