"""Positions of Sock Monsters as the app gets them over the wire."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from app.model.sock_monsters import Cell, SockMonstersAct, SockMonstersView
from app.model.sock_monsters_touch import Hand
from app.net import convert
from services.engine.core.registry import ruleset
from services.engine.core.types import CHANCE
from services.wire.actions import action_to_message
from services.wire.observations import observation_to_message

RULES = ruleset("sock_monsters")

TABLES: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {}),
    (4, {"silly_socks": True, "start_socks": "2"}),
    (3, {"silly_socks": True, "steal_adjacency": "four", "memory_aid": True}),
    (2, {"edition": "german"}),
    (4, {"edition": "german", "silly_socks": True, "start_socks": "1"}),
    (3, {"edition": "german", "silly_socks": True, "start_socks": "1", "lair_source": "lair"}),
    (3, {"edition": "german", "bag_sock_when": "tokens_used"}),
    (4, {"silly_socks": True, "eye_open_faces": 5}),
)
"""Seats and options that between them have every kind of decision."""


class Case(NamedTuple):
    """A position in which a seat is to act, and whether it is of the German edition."""

    state: Any
    seat: int
    german: bool


def playout(seats: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """Every state of a match at random; acts of which there are few kinds come up as often."""
    rng = random.Random(seed)
    state = RULES.initial(options, seats)
    yield state
    while (actor := RULES.actor(state)) is not None:
        if actor == CHANCE:
            choices = RULES.chance_outcomes(state)
            action = rng.choices(choices, [one.weight for one in choices])[0].action
        else:
            legal = RULES.legal_actions(state)
            kinds: dict[str, list[Any]] = {}
            for one in legal:
                kinds.setdefault(RULES.format_action(one).split(":")[0], []).append(one)
            action = rng.choice(kinds[rng.choice(sorted(kinds))])
        state = RULES.apply(state, action)
        yield state


def kinds(state: Any) -> tuple[str, ...]:
    """The kinds of actions that are legal, by the words of the notation."""
    legal = RULES.legal_actions(state)
    return tuple(sorted({RULES.format_action(one).split(":")[0] for one in legal}))


@cache
def cases(per_choice: int = 4) -> tuple[Case, ...]:
    """Decisions of all kinds: at each of `TABLES`, for every set of kinds of actions that one may
    choose between, up to `per_choice` positions at random."""
    found: list[Case] = []
    for number, (seats, options) in enumerate(TABLES):
        rng = random.Random(number)
        german = options.get("edition") == "german"
        met: dict[tuple[str, ...], list[Case]] = {}
        for seed in range(3):
            for state in playout(seats, options, seed):
                actor = RULES.actor(state)
                if actor is not None and actor != CHANCE:
                    met.setdefault(kinds(state), []).append(Case(state, actor, german))
        for choice in sorted(met):
            found += rng.sample(met[choice], min(per_choice, len(met[choice])))
    return tuple(found)


def acts(state: Any) -> tuple[SockMonstersAct, ...]:
    """What the actor may do."""
    found = [convert.act(action_to_message(RULES, one)) for one in RULES.legal_actions(state)]
    assert all(isinstance(act, SockMonstersAct) for act in found)
    return tuple(act for act in found if isinstance(act, SockMonstersAct))


def view(state: Any, seat: int = 0) -> SockMonstersView:
    """What a seat sees."""
    seen = convert.view(observation_to_message(RULES, RULES.observe(state, seat)))
    assert isinstance(seen, SockMonstersView)
    return seen


def hand_of(case: Case) -> Hand:
    """The hand of the seat to act."""
    return Hand(view(case.state, case.seat), acts(case.state), case.seat, case.german)


def hand(position: str, seat: int | None = None) -> Hand:
    """The hand of `seat`, else of the seat to act, in a position written down."""
    state = RULES.parse_state(" ".join(position.split()))
    actor = RULES.actor(state)
    legal = acts(state) if actor is not None and actor != CHANCE else ()
    mine = seat if seat is not None else (actor if actor is not None and actor >= 0 else 0)
    german = "edition=german" in position
    return Hand(view(state, mine), legal if mine == actor else (), mine, german)


def cell(name: str) -> Cell:
    """`c4` as (column, row)."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)
