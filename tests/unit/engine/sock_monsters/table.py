"""Sock Monsters positions in the words of the rule book, for tests.

`position("pawn", pawns="c3 d4", tiles={"c1": "rc"})`: what is not said is as in a game just begun,
and the tiles not named lie face down somewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import TypedDict, Unpack

from services.engine.core import Action
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.state import State

ALL_TILES = [colour + motif for colour in "rygb" for motif in "cwdb"] * 2
CORNERS = ("a1", "f1", "a6", "f6")


def board(tiles: Mapping[str, str] | None = None) -> str:
    """Six rows, from row 6 down; a tile is written with its marks, e.g. `rc+`."""
    named = dict(tiles or {})
    left = Counter(ALL_TILES) - Counter(tile[:2] for tile in named.values())
    others = iter(sorted(left.elements()))
    rows = []
    for row in range(6, 0, -1):
        cells = [f"{column}{row}" for column in "abcdef"]
        rows.append(
            ",".join(
                "#" if cell in CORNERS else named.pop(cell) if cell in named else next(others)
                for cell in cells
            )
        )
    assert not named, f"not rooms: {named}"
    return " ".join(rows)


class Things(TypedDict, total=False):
    """The sections of a position that are not as in a game just begun."""

    options: str
    monsters: str
    pawns: str
    tokens: str
    socks: str
    pairs: str
    lairs: str
    turn: str
    shown: str
    tiles: Mapping[str, str]


def text(phase: str, **things: Unpack[Things]) -> str:
    """The notation of a position; there are as many seats as `pawns` names."""
    pawns = things.get("pawns", "c3 d4")
    seats = len(pawns.split())
    nothing = " ".join("-" * seats)
    words = {
        "monsters": "a1 f1 f6 a6",
        "pawns": pawns,
        "tokens": " ".join(["cwdb"] * seats),
        "socks": nothing,
        "pairs": nothing,
        "lairs": "- - - -",
        "turn": "2 0 0",
        "shown": "-",
    }
    words.update({name: str(value) for name, value in things.items() if name in words})
    head = f"sock_monsters/1 {seats} {things.get('options', '')}".strip()
    body = " | ".join(f"{name} {value}" for name, value in words.items())
    return f"{head} | tiles {board(things.get('tiles'))} | {body} | phase {phase}"


def position(phase: str, **things: Unpack[Things]) -> State:
    """The state `text` writes down."""
    return RULESET.parse_state(text(phase, **things))


def play(state: State, *actions: str) -> State:
    """The state after legal actions."""
    for action in actions:
        state = RULESET.apply(state, RULESET.check(state, RULESET.parse_action(action)))
    return state


def legal(state: State, kind: str = "") -> set[str]:
    """The legal actions, or what follows `kind:` in those of one kind."""
    actions = [RULESET.format_action(action) for action in RULESET.legal_actions(state)]
    assert len(actions) == len(set(actions))
    if not kind:
        return set(actions)
    return {action.removeprefix(f"{kind}:") for action in actions if action.startswith(f"{kind}:")}


def weights(state: State) -> dict[str, int]:
    """The outcomes of chance with their weights."""
    return {
        RULESET.format_action(outcome.action): outcome.weight
        for outcome in RULESET.chance_outcomes(state)
    }


def section(state: State, name: str) -> str:
    """The words of one section of the notation."""
    for part in RULESET.format_state(state).split(" | "):
        if part.startswith(f"{name} "):
            return part.removeprefix(f"{name} ")
    raise AssertionError(f"no section {name}")


def phase(state: State) -> str:
    """The section `phase`."""
    return section(state, "phase")


def tile(state: State, cell: str) -> str:
    """A tile with its marks."""
    rows = section(state, "tiles").split()
    return rows[6 - int(cell[1])].split(",")["abcdef".index(cell[0])]


def won(state: State) -> tuple[str, tuple[int, ...]]:
    """Reason and winners of a finished game."""
    outcome = RULESET.outcome(state)
    assert outcome is not None, phase(state)
    assert RULESET.actor(state) is None
    assert RULESET.legal_actions(state) == ()
    return outcome.reason, outcome.winners


def fresh(options: Mapping[str, str | int | bool] | None = None, seats: int = 2) -> State:
    """A new game with its tiles dealt in the order of `ALL_TILES`."""
    state = RULESET.initial(options or {}, seats)
    return play(state, *(f"deal:{name}" for name in ALL_TILES))


def chi_square_bound(freedom: int) -> float:
    """What chi-square exceeds once in 100 000 (Wilson and Hilferty 1931)."""
    z, part = 4.265, 2 / (9 * freedom)
    return float(freedom * (1 - part + z * sqrt(part)) ** 3)


def ids(*actions: str) -> tuple[Action, ...]:
    """Ids of actions."""
    return tuple(RULESET.parse_action(action) for action in actions)
