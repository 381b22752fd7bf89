"""Socker's state: the kernel's words, made canonical and immutable."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from services.engine.core import Options
from services.engine.core.vec import i64, vec
from services.engine.games.socker import kernel
from services.engine.games.socker.layout import (
    BALL,
    BOARD,
    CELL,
    GOALS_TO_WIN,
    IGNORES_MOVER,
    INTO_GOAL,
    LYING,
    OFF,
    SEEN,
    SEEN_WORDS,
    SUDDEN_CAP,
    TURN_CAP,
    TURN_LIMIT,
    WALL,
)

_OPTION_WORDS = {
    "goals_to_win": GOALS_TO_WIN,
    "turn_limit": TURN_LIMIT,
    "turn_cap": TURN_CAP,
    "sudden_cap": SUDDEN_CAP,
    "recentre_into_goal": INTO_GOAL,
    "repetition_ignores_mover": IGNORES_MOVER,
}


@dataclass(frozen=True, slots=True)
class State:
    """One position of Socker, by value: equal positions have equal words.

    `words` is laid out as `layout` says, with each seat's sockers in the order of their cells
    and the starts of turns seen in order and without spare room.
    """

    words: tuple[int, ...]


def blank(options: Options) -> list[int]:
    """Words with nothing but the options and an empty board."""
    words = [0] * SEEN_WORDS
    words[BOARD + OFF] = WALL
    words[BALL] = OFF
    words[CELL : CELL + 10] = [OFF] * 10
    for name, at in _OPTION_WORDS.items():
        words[at] = int(options[name])
    return words


def initial(options: Options) -> State:
    """The state before the toss."""
    buffer = kernel.buffer(blank(options), 0)
    kernel.toss(buffer, 0)
    return freeze(buffer)


def thaw(state: State) -> vec[i64]:
    """A kernel buffer with this state and room for one more start of a turn."""
    return kernel.buffer(list(state.words), 1)


def thaw_for_questions(state: State) -> vec[i64]:
    """A kernel buffer that can be asked what is legal, but not be played on.

    Without the starts of turns seen, so that the question costs the same late in a match.
    """
    words = list(state.words[:SEEN_WORDS])
    words[SEEN] = 0
    return kernel.buffer(words, 0)


def freeze(buffer: vec[i64], before: State | None = None) -> State:
    """The state in a buffer; `before` is the state one action earlier, if there was one."""
    words = list(buffer[:SEEN_WORDS])
    for first in (0, 5):
        sockers = sorted(
            (words[CELL + slot], words[LYING + slot]) for slot in range(first, first + 5)
        )
        for slot, (cell, lying) in enumerate(sockers, first):
            words[CELL + slot], words[LYING + slot] = cell, lying
            if cell != OFF:
                words[BOARD + cell] = slot + 1
    return State((*words, *_sorted_starts(buffer, before)))


def _sorted_starts(buffer: vec[i64], before: State | None) -> tuple[int, ...]:
    """The starts of turns in order. One action adds one at most, or forgets them all."""
    count = int(buffer[SEEN])
    if count == 0:
        return ()
    known = before.words[SEEN_WORDS:] if before is not None else ()
    if len(known) == 2 * count:
        return known
    end = SEEN_WORDS + 2 * count
    new = int(buffer[end - 2]), int(buffer[end - 1])
    assert len(known) == 2 * (count - 1)
    at = 2 * bisect_left(range(count - 1), new, key=lambda i: (known[2 * i], known[2 * i + 1]))
    return (*known[:at], *new, *known[at:])
