"""One match of the arena, and a block of them. Iterations bound the thinking, never the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Final, TypeAlias

from services.engine.agents import Budget, Level, make_agent
from services.engine.core import CHANCE, Action
from services.engine.core.chance import draw
from services.engine.core.options import OptionValue
from services.engine.core.registry import AnyRuleset, ruleset
from tools.arena.beginner import beginner

BEGINNER: Final = "beginner"
BLOCK: Final = 10
"""Matches in a block: five deals, each played from both seats."""

Player: TypeAlias = Callable[[AnyRuleset, Any, list[Any], Random], Action]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two levels of a game that meet; `lower` is None for a beginner."""

    game: str
    options: tuple[tuple[str, OptionValue], ...]
    upper: Level
    lower: Level | None

    @property
    def name(self) -> str:
        """Such as `sock_monsters edition=german otto minna`."""
        options = [f"{name}={value}" for name, value in self.options]
        lower = BEGINNER if self.lower is None else self.lower.agent
        return " ".join([self.game, *options, self.upper.agent, lower])


@dataclass(frozen=True, slots=True)
class Block:
    """Matches of a pairing. `results`: the share of the win of the upper level in each.

    `milliseconds`: processor time of the upper level for a decision with a choice, the median.
    """

    number: int
    results: tuple[float, ...]
    milliseconds: float
    actions: int


def play_block(pairing: Pairing, number: int) -> Block:
    """Always the same matches for the same pairing and number."""
    results: list[float] = []
    times: list[float] = []
    actions = 0
    for deal in range(number * BLOCK // 2, (number + 1) * BLOCK // 2):
        for seat in (0, 1):
            result, taken = _play(pairing, deal, seat, times)
            results.append(result)
            actions += taken
    return Block(number, tuple(results), round(1000 * median(times or [0.0]), 3), actions)


def _play(pairing: Pairing, deal: int, seat: int, times: list[float]) -> tuple[float, int]:
    rules = ruleset(pairing.game)
    state = rules.initial(dict(pairing.options), 2)
    chance = Random(f"{pairing.game} {deal}")
    players = [_player(pairing.upper, times), _player(pairing.lower, [])]
    if seat == 1:
        players.reverse()
    rngs = [Random(f"{pairing.name} {deal} {seat} {each}") for each in (0, 1)]
    starts, turn, actions = [[state], [state]], -1, 0
    while (actor := rules.actor(state)) is not None:
        if actor == CHANCE:
            state = rules.apply(state, draw(rules, state, chance))
            continue
        if actor != turn:
            turn = actor
            starts = [starts[1], []]
        before = starts[0] + starts[1]
        starts[1].append(state)
        state = rules.apply(state, players[actor](rules, state, before, rngs[actor]))
        actions += 1
    outcome = rules.outcome(state)
    assert outcome is not None
    winners = outcome.winners or (0, 1)
    return (1 / len(winners) if seat in winners else 0.0), actions


def _player(level: Level | None, times: list[float]) -> Player:
    if level is None:
        return beginner
    agent = make_agent(level)

    def act(rules: AnyRuleset, state: Any, _before: list[Any], rng: Random) -> Action:
        actor = rules.actor(state)
        assert actor is not None
        information = rules.information(state, actor)
        start = time.process_time()
        action = agent.choose(
            rules, information, Budget(None, None), rng, lambda: False, lambda: 0.0
        )
        if len(rules.legal_actions(state)) > 1:
            times.append(time.process_time() - start)
        return action

    return act
