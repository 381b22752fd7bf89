"""The solvers beside naive ones, on random positions that both can look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from random import Random
from typing import Any, Final

from services.engine.core import CHANCE
from services.engine.core.chance import draw
from services.engine.core.registry import AnyRuleset
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.values import Information
from services.engine.games.hide_and_seek.values import State as World
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.state import State
from tests.peers.exact import endings, hide_and_seek, naive

KINDS: Final = {
    "three cards": (3, 3, 0),
    "five cards and an idle cap of 8": (5, 4, 8),
}
"""Cards, the most faces unknown, and the idle cap if it is not the rules' own: with that, following
five cards to the end takes too long."""
_CENTRE: Final = 2
_FOLLOWED: Final = 5  # faces unknown, of which all worlds can be listed


def all_kinds(positions: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each kind of positions with how many were looked at, and the largest difference."""
    for name, (cards, unknown, cap) in KINDS.items():
        list(hide_and_seek.solve(_CENTRE, cards))
        with hide_and_seek.Oracle(_CENTRE, cards) as oracle:
            yield (
                f"Monster Hide and Seek, {name}",
                _summary(
                    difference_in_hide_and_seek(oracle, position)
                    for position, _ in zip(
                        small_positions(cards, unknown, cap), range(positions), strict=False
                    )
                ),
            )
    for cards in (7, 9):
        list(hide_and_seek.solve(_CENTRE, cards))
        with hide_and_seek.Oracle(_CENTRE, cards) as oracle:
            few = islice(small_positions(cards, _FOLLOWED), positions)
            yield (
                f"Monster Hide and Seek, one action with {cards} cards",
                _summary(difference_by_an_action(oracle, position) for position in few),
            )
    yield (
        "Sock Monsters, last turn",
        _summary(
            difference_in_ending(ending)
            for ending, _ in zip(small_endings(), range(positions), strict=False)
        ),
    )


def _summary(differences: Iterator[float]) -> dict[str, Any]:
    found = list(differences)
    return {"positions": len(found), "most": max(found, default=0.0)}


def difference_in_hide_and_seek(oracle: hide_and_seek.Oracle, position: Information) -> float:
    """The largest difference over the actions of a position, in shares of the win."""
    return _difference(naive.HideAndSeek(hide_and_seek.RULES), oracle, position)


class _OneAction(naive.HideAndSeek):
    """Follows the rules for an action only, and then takes the solver's word."""

    def __init__(self, oracle: hide_and_seek.Oracle) -> None:
        super().__init__(hide_and_seek.RULES)
        self._oracle = oracle

    def worth(self, known: Information, worlds: list[World]) -> float:
        if known.buffer[at.PHASE] == at.P_OVER:
            return naive.share_of_first(hide_and_seek.RULES, worlds[0])
        best = max(self._oracle.worths(known).values())
        return best if known.buffer[at.MOVER] == 0 else 1 - best


def difference_by_an_action(oracle: hide_and_seek.Oracle, position: Information) -> float:
    """Likewise, where a match can't be followed to its end: what an action is worth beside the mean
    of what it leads to.
    """
    return _difference(_OneAction(oracle), oracle, position)


def _difference(
    plain: naive.HideAndSeek, oracle: hide_and_seek.Oracle, position: Information
) -> float:
    worths, found = plain.worths(position), oracle.worths(position)
    if {*worths} != {*found}:
        return 1.0
    first = position.buffer[at.MOVER] == 0
    return max(abs(found[a] - (w if first else 1 - w)) for a, w in worths.items())


def difference_in_ending(ending: State) -> float:
    """Likewise."""
    seat = endings.RULES.actor(ending)
    plain = naive.OpenGame(endings.RULES).worths(ending)
    found = endings.worths(ending)
    return max(abs(found[a] - (w if seat == 0 else 1 - w)) for a, w in plain.items())


def _random_match(
    rules: AnyRuleset, options: dict[str, Any], seed: str, wanted: Callable[[Any], bool]
) -> Any:
    """A wanted state of a seat in a match at random; None if it has none."""
    rng = Random(seed)
    state, found = rules.initial(options, 2), []
    while (actor := rules.actor(state)) is not None:
        if actor == CHANCE:
            state = rules.apply(state, draw(rules, state, rng))
            continue
        if wanted(state):
            found.append(state)
        state = rules.apply(state, rng.choice(rules.legal_actions(state)))
    return rng.choice(found) if found else None


def small_positions(cards: int, unknown: int, idle_cap: int = 0) -> Iterator[Information]:
    """Positions with so many monsters and at most so many faces unknown, and idling at its start;
    the candy taken or in the centre. `idle_cap`: a smaller one than the rules have, for speed.

    Few faces are unknown that late, so that some count as unknown that were seen.
    """
    rules = hide_and_seek.RULES

    def wanted(state: Any) -> bool:
        if state.buffer[at.MONSTERS] != cards:
            return False
        known = rules.information(state, 0)
        hidden = known.buffer[at.HIDDEN : at.HIDDEN + at.CELLS].count(-1)
        return hidden <= unknown and hide_and_seek.column_of(known) in (None, _CENTRE)

    for number in count():
        state = _random_match(rules, dict(hide_and_seek.OPTIONS), f"small {number}", wanted)
        if state is None:
            continue
        words = [*rules.information(state, 0).buffer]
        words[at.TURNS] = words[at.IDLE] = 0
        words[at.IDLE_CAP] = idle_cap
        seen = [
            c for c in range(at.CELLS) if words[at.SHOWN + c] < at.CANDY and words[at.KNOWN + c]
        ]
        left = unknown - (cards - len(seen))
        for cell in seen[: number % (left + 1)]:
            if cell != words[at.FLIPPED]:
                words[at.HIDDEN + cell], words[at.KNOWN + cell] = -1, 0
        yield Information(tuple(words))


def small_endings() -> Iterator[State]:
    """Positions of the last turn under a cap of three rounds; a monster is near its last move."""
    rules = endings.RULES

    def wanted(state: Any) -> bool:
        return state.data[k.ROUND] == _ROUNDS and endings.turns_left(state) == 1

    for number in count():
        state = _random_match(rules, {"round_cap": _ROUNDS}, f"small {number}", wanted)
        if state is None:
            continue
        words = [*endings.in_the_open(state).data]
        if words[k.PHASE] in (k.P_MOVE, k.P_OPEN):
            words[k.COUNT] = k.MOST_MOVES - 3 + number % 3
        elif words[k.PHASE] == k.P_PICK:
            continue  # the naive way would follow four monsters along a hundred moves
        yield State(tuple(words))


_ROUNDS: Final = 3
