"""What each level gives away per decision, in positions of the top level's own matches.

Both seats are played by the top level. Wherever a seat has a choice that matters, every level is
asked what it would do there, by what the seat knows; what that is worth less than the best is its
regret, in shares of the win. Matches have fixed seeds and levels are bounded by iterations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from services.engine.agents import Agent, Budget, Level, levels_for, make_agent
from services.engine.core import CHANCE, Action
from services.engine.core.chance import draw
from services.engine.core.options import OptionValue
from services.engine.core.registry import AnyRuleset
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.sock_monsters import layout as k
from tests.peers.exact import endings, hide_and_seek
from tools.arena.keys import essence, key
from tools.arena.matches import Pairing

UNIT: Final = 100_000
"""Regrets are kept in these parts of a win; what is less counts as none."""

IDLE_MOST: Final = 12
"""Turns in a row without a card collected, in Hide and Seek, up to which decisions are looked at.
The cap at 24 is left out of what was solved, and could begin to matter.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """Positions of one kind: a game with its options, and which."""

    game: str
    options: tuple[tuple[str, OptionValue], ...]
    name: str

    @property
    def levels(self) -> tuple[Level, ...]:
        """Kindest first."""
        return levels_for(self.game)


PARTS: Final = (
    *(
        Part("hide_and_seek", tuple(hide_and_seek.OPTIONS.items()), f"candy {column}")
        for column in hide_and_seek.COLUMNS
    ),
    Part("sock_monsters", tuple(endings.OPTIONS.items()), "endings"),
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that matters: what every action is worth to the seat to act, and what it knows."""

    kind: str
    information: Any
    worths: dict[Action, float]


@dataclass(frozen=True, slots=True)
class Regrets:
    """Of one level in one match: for each decision its kind and the regret in `UNIT` parts."""

    level: str
    kinds: tuple[str, ...]
    regrets: tuple[int, ...]
    idle: int
    """Most turns in a row without a card collected, of Hide and Seek."""


def key_of(part: Part, level: Level) -> str:
    """Changes when these regrets could be others: solver, sampling, the level and the top one."""
    digest = hashlib.sha256(f"{part.game} {part.name}".encode())
    folder = Path(__file__).parent
    own = {"hide_and_seek": "hide_and_seek.py", "sock_monsters": "endings.py"}[part.game]
    for name in (own, "regret.py", "kernels/sock_lines.py"):
        if name.startswith("kernels") and part.game != "sock_monsters":
            continue
        digest.update(essence((folder / name).read_text(encoding="utf-8")).encode())
    if part.game == "hide_and_seek":
        digest.update(hide_and_seek.source_hash().encode())
    for each in (part.levels[-1], level):
        digest.update(key(Pairing(part.game, part.options, each, None)).encode())
    return digest.hexdigest()[:16]


def measure(part: Part, match: int, levels: Sequence[str]) -> list[Regrets]:
    """Play a match and ask these levels; always the same for the same arguments."""
    play = _hide_and_seek if part.game == "hide_and_seek" else _sock_monsters
    decisions, idle = play(part, match)
    found = []
    for level in part.levels:
        if level.agent not in levels:
            continue
        rng = Random(f"{part.name} {match} {level.agent}")
        agent = make_agent(level)
        rules = hide_and_seek.RULES if part.game == "hide_and_seek" else endings.RULES
        regrets = [
            max(each.worths.values()) - each.worths[_choose(agent, rules, each.information, rng)]
            for each in decisions
        ]
        kinds = tuple(decision.kind for decision in decisions)
        found.append(Regrets(level.agent, kinds, tuple(int(UNIT * r + 0.5) for r in regrets), idle))
    return found


def _choose(agent: Agent, rules: AnyRuleset, information: Any, rng: Random) -> Action:
    return agent.choose(rules, information, Budget(None, None), rng, lambda: False, lambda: 0.0)


def _matters(worths: dict[Action, float]) -> bool:
    return max(worths.values()) - min(worths.values()) > 1 / UNIT


def _states(rules: AnyRuleset, state: Any, level: Level, seed: str) -> Generator[Any, Any, None]:
    """The states of a match from `state` in which a seat acts, played by the level in all seats.

    A state may be sent in, to go on with in its place.
    """
    chance, thinking, agent = Random(f"{seed} chance"), Random(f"{seed} level"), make_agent(level)
    while (actor := rules.actor(state)) is not None:
        if actor == CHANCE:
            state = rules.apply(state, draw(rules, state, chance))
            continue
        state = (yield state) or state
        action = _choose(agent, rules, rules.information(state, actor), thinking)
        state = rules.apply(state, action)


def _hide_and_seek(part: Part, match: int) -> tuple[list[Decision], int]:
    rules = hide_and_seek.RULES
    column = int(part.name.split()[1])
    kinds: dict[int, str] = {at.P_FIRST: "start of a turn", at.P_AGAIN: "after a match"}
    found, idle = [], 0
    for state in _states(rules, _dealt(column, match), part.levels[-1], f"{part.name} {match}"):
        information = rules.information(state, rules.actor(state) or 0)
        idle = max(idle, state.buffer[at.IDLE])
        if state.buffer[at.IDLE] > IDLE_MOST:
            continue
        worths = _oracle(column).worths(information)
        if _matters(worths):
            kind = kinds.get(state.buffer[at.PHASE], "second card")
            found.append(Decision(kind, information, worths))
    return found, idle


def _dealt(column: int, match: int) -> Any:
    """The first deal of a row that belongs to this match which has the candy in the column."""
    rules = hide_and_seek.RULES
    for attempt in count():
        state = rules.initial(dict(hide_and_seek.OPTIONS), 2)
        chance = Random(f"exact deal {match} {attempt} {column}")
        while rules.actor(state) == CHANCE:
            state = rules.apply(state, draw(rules, state, chance))
        if hide_and_seek.column_of(rules.information(state, 0)) == column:
            return state
    raise AssertionError("counting ended")


@cache
def _oracle(column: int) -> hide_and_seek.Oracle:
    """One in each process, for as long as that lives."""
    return hide_and_seek.Oracle(column)


def _sock_monsters(part: Part, match: int) -> tuple[list[Decision], int]:
    rules = endings.RULES
    states = _states(rules, rules.initial(dict(part.options), 2), part.levels[-1], f"end {match}")
    found = []
    names: dict[int, str] = {k.P_PAWN: "pawn", k.P_ACT: "action"}
    state = next(states, None)
    while state is not None:
        left = endings.turns_left(state) if state.data[k.ROUND] else 2 * endings.ROUNDS
        if left > 2 or (left == 2 and not endings.is_pawns(state)):
            state = next(states, None)
            continue
        state = endings.in_the_open(state)
        worths = endings.worths(state)
        if _matters(worths):
            kind = f"{names.get(state.data[k.PHASE], 'monster')}, {left} left"
            information = rules.information(state, rules.actor(state) or 0)
            found.append(Decision(kind, information, worths))
        try:
            state = states.send(state)
        except StopIteration:
            state = None
    return found, 0
