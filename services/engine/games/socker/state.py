"""Socker's state: the kernel's words, made canonical and immutable."""

from __future__ import annotations

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


def thaw(state: State, room: int = 1) -> vec[i64]:
    """A kernel buffer with this state and room for `room` more starts of turns."""
    return kernel.buffer(list(state.words), room)


def freeze(buffer: vec[i64]) -> State:
    """The state in a buffer."""
    words = list(buffer)
    for first in (0, 5):
        sockers = sorted(
            (words[CELL + slot], words[LYING + slot]) for slot in range(first, first + 5)
        )
        for slot, (cell, lying) in enumerate(sockers, first):
            words[CELL + slot], words[LYING + slot] = cell, lying
            if cell != OFF:
                words[BOARD + cell] = slot + 1
    end = SEEN_WORDS + 2 * words[SEEN]
    seen = sorted(zip(words[SEEN_WORDS:end:2], words[SEEN_WORDS + 1 : end : 2], strict=True))
    words[SEEN_WORDS:] = [word for pair in seen for word in pair]
    return State(tuple(words))
