"""Random matches of every game straight on its kernel, for statistics, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from services.engine.core import Options, Outcome
from services.engine.core.generator import generator
from services.engine.core.options import format_value
from services.engine.core.registry import ruleset
from services.engine.core.vec import i64, vec
from services.engine.games.hide_and_seek import kernel as hide_and_seek
from services.engine.games.hide_and_seek import playouts as hide_and_seek_playouts
from services.engine.games.hide_and_seek.values import State as HideAndSeekState
from services.engine.games.sock_monsters import kernel as sock_monsters
from services.engine.games.sock_monsters import playouts as sock_monsters_playouts
from services.engine.games.sock_monsters.state import State as SockMonstersState
from services.engine.games.socker import kernel as socker
from services.engine.games.socker import playouts as socker_playouts
from services.engine.games.socker.state import freeze

_ALL: int = 10**9
_SOCKER_STARTS = 1_002
"""Starts of turns that one Socker match of 500 turns each can see between two setups."""


@dataclass(frozen=True, slots=True)
class Player:
    """How random matches of one game are played on its kernel.

    `words` and `state` lead from a state to the words of its buffer and back; `play` plays on in a
    buffer with a generator and room for ids, by full lists or not, and returns a checksum.
    """

    words: Callable[[Any], list[int]]
    buffer: Callable[[list[int]], vec[i64]]
    play: Callable[[vec[i64], vec[i64], vec[i64], bool], int]
    state: Callable[[vec[i64]], Any]


PLAYERS = {
    "socker": Player(
        lambda state: [*state.words, *[0] * (2 * _SOCKER_STARTS)],
        lambda words: socker.buffer(words, 0),
        lambda s, rng, out, by_list: socker_playouts.playout(s, rng, out, _ALL, by_list),
        freeze,
    ),
    "sock_monsters": Player(
        lambda state: [*state.data],
        sock_monsters.buffer,
        lambda s, rng, out, by_list: sock_monsters_playouts.playout(s, rng, out, _ALL, by_list),
        lambda s: SockMonstersState(tuple(s)),
    ),
    "hide_and_seek": Player(
        lambda state: [*state.buffer],
        hide_and_seek.buffer,
        # Its lists are short, so drawing from the full one is all there is.
        lambda s, rng, out, _by_list: hide_and_seek_playouts.playout(s, rng, out, _ALL),
        lambda s: HideAndSeekState(tuple(s)),
    ),
}


@dataclass(frozen=True)
class Match:
    """A game with seats and options, the others at their defaults."""

    game: str
    seats: int
    options: Options = field(default_factory=dict)

    def __str__(self) -> str:
        chosen = [f"{name}={format_value(value)}" for name, value in self.options.items()]
        return " ".join([self.game, f"seats={self.seats}", *chosen])


@dataclass(frozen=True, slots=True)
class Played:
    """One random match: actions of seats and chance, a checksum of them, and the end."""

    actions: int
    checksum: int
    outcome: Outcome


class Playouts:
    """Random matches one after the other, drawn from one generator."""

    def __init__(self, match: Match, seed: int, *, by_list: bool = False) -> None:
        self._rules = ruleset(match.game)
        self._player = PLAYERS[match.game]
        self._words = self._player.words(self._rules.initial(match.options, match.seats))
        self._rng = generator(seed)
        self._out = self._player.buffer([0] * 1024)
        self._by_list = by_list

    def start(self) -> vec[i64]:
        """A buffer with the first position."""
        return self._player.buffer(self._words)

    def play(self, buffer: vec[i64]) -> tuple[int, int]:
        """Play a match to its end: how many actions it took, and a checksum of them."""
        checksum = self._player.play(buffer, self._rng, self._out, self._by_list)
        return int(self._out[0]), int(checksum)

    def next(self) -> Played:
        """The next match."""
        buffer = self.start()
        actions, checksum = self.play(buffer)
        outcome = self._rules.outcome(self._player.state(buffer))
        assert outcome is not None  # every game ends: it has caps
        return Played(actions, checksum, outcome)
