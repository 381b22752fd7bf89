"""One random game on both implementations, compared at every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from services.engine.core import CHANCE, InvalidNotation, OptionValue
from services.engine.core.notation import write_frame
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from tests.crosscheck.variants import Naive, Variant

MOST_REFUSED = 0.01
"""Share of the rare positions that the engine may refuse to read: they are made as allowed."""


class Difference(AssertionError):  # what it is: a finding, not a fault of ours
    """The two implementations disagree; the message has all it takes to see it again."""


@dataclass
class Tally:
    """What was played: steps compared in ordinary games and in those from rare positions, rare
    positions read, what the engine said of those it refused, and how often a rare case was met.
    """

    actions: int = 0
    rare_actions: int = 0
    read: int = 0
    refusals: list[str] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count what another tally has as well."""
        self.actions += other.actions
        self.rare_actions += other.rare_actions
        self.read += other.read
        self.refusals += other.refusals
        self.reached += other.reached

    def share_refused(self) -> float:
        """Of the rare positions."""
        return len(self.refusals) / max(1, self.read + len(self.refusals))


class _Table:
    """One game on both implementations."""

    def __init__(self, variant: Variant, name: str) -> None:
        self.variant, self.name = variant, name
        self.rules, self.rng = ruleset(variant.game), Random(f"{variant.name}/{name}")
        self.seats = self.rng.choice(variant.seats)
        chosen = variant.draw_options(self.rng, self.seats)
        self.options: dict[str, OptionValue] = resolve(self.rules.option_specs, chosen)
        self.naive: Naive = variant.naive(self.options, self.seats)
        self.state: Any = self.rules.initial(self.options, self.seats)
        self.start = ""
        self.history: list[str] = []

    def begin_rare(self) -> None:
        """Go on from a rare position; raises `InvalidNotation` if the engine can't read it."""
        self.naive.begin_rare(self.rng)
        self.start = self.text()
        self.state = self.rules.parse_state(self.start)

    def text(self) -> str:
        """The position as the naive game has it."""
        return write_frame(self.rules, self.seats, self.options, self.naive.text())

    def same(self, what: str, engine: object, plain: object) -> None:
        """Raise `Difference` unless both are equal."""
        if engine != plain:
            raise Difference(
                f"{self.variant.name} game {self.name} {self.start}, after"
                f" {' '.join(self.history) or 'nothing'}:\n"
                f"{what} of the engine {engine}\n{what} of the naive one {plain}\n"
                f"position {self.rules.format_state(self.state)}"
            )

    def compare(self) -> list[str]:
        """Everything that both say of the position; returns the legal actions."""
        rules, state, naive = self.rules, self.state, self.naive
        self.same("position", rules.format_state(state), self.text())
        self.same("actor", rules.actor(state), naive.actor())
        legal = [rules.format_action(action) for action in rules.legal_actions(state)]
        self.same("legal actions", legal, naive.legal())
        end = rules.outcome(state)
        self.same("end", end and (end.reason, end.winners, end.scores), naive.outcome())
        self.same("whether something can be done", bool(legal), end is None)
        if naive.actor() == CHANCE:
            outcomes = rules.chance_outcomes(state)
            self.same("outcomes", [rules.format_action(o.action) for o in outcomes], legal)
            self.same("weights", [outcome.weight for outcome in outcomes], naive.weights())
        return legal

    def compare_read(self) -> None:
        """Reading what was written gives the same position."""
        written = self.rules.format_state(self.state)
        self.same("position read again", self.rules.parse_state(written), self.state)

    def act(self, text: str, legal: list[str]) -> list[str]:
        """Carry out a legal action on both; returns the rare cases that it met."""
        self.history.append(text)
        self.state = self.rules.apply(self.state, self.rules.parse_action(text))
        return self.naive.reach(text, legal)


def play(variant: Variant, seed: int) -> Tally:
    """Play game `seed` of a variant from its start to its end; raises `Difference`."""
    table, tally = _Table(variant, str(seed)), Tally()
    lean = table.rng.choice([0.0, 0.0, 0.5, 0.9]) if variant.leans_to else 0.0
    while legal := table.compare():
        tally.reached.update(_step(table, legal, lean))
        tally.actions += 1
    return tally


def play_rare(variant: Variant, seed: int) -> Tally:
    """Play on from the rare position `seed` for 3 to 40 actions; raises `Difference`."""
    table, tally = _Table(variant, f"rare-{seed}"), Tally()
    try:
        table.begin_rare()
    except InvalidNotation as error:
        tally.refusals.append(f"{variant.name} game rare-{seed}: {error}")
        return tally
    tally.read = 1
    lean = table.rng.choice([0.0, 0.5, 0.9])
    for _ in range(table.rng.choice([3, 10, 40])):
        legal = table.compare()
        table.compare_read()
        if not legal:
            break
        tally.reached.update(_step(table, legal, lean))
        tally.rare_actions += 1
    table.compare()
    return tally


def _step(table: _Table, legal: list[str], lean: float) -> list[str]:
    rng = table.rng
    wanted = table.variant.rare(table.naive, legal) if rng.random() < lean else legal
    return table.act(rng.choice(wanted), legal)


def play_both(variant: Variant, seeds: range) -> Tally:
    """An ordinary game and one from a rare position for each seed; raises `Difference`."""
    tally = Tally()
    for seed in seeds:
        tally.add(play(variant, seed))
        tally.add(play_rare(variant, seed))
    return tally
