"""What is played against what: each game, edition and expansion with its naive implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from services.engine.core import OptionValue
from tests.crosscheck.naive_sock_monsters import NaiveSockMonsters
from tests.crosscheck.naive_socker import NaiveSocker

Chosen: TypeAlias = dict[str, OptionValue]


class Naive(Protocol):
    """A naive game: everything as text, changed in place."""

    def actor(self) -> int | None:
        """The seat to act, -1 for chance, None at the end."""

    def legal(self) -> list[str]:
        """Notation of all legal actions, in the order of the notation's table."""

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        """(reason, winners, scores) at the end."""

    def text(self) -> str:
        """The body of the position, canonical."""

    def apply(self, text: str) -> None:
        """Carry out a legal action."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play a game. `draw_options` picks the options of one random game."""

    name: str
    game: str
    naive: Callable[[Mapping[str, OptionValue], int], Naive]
    draw_options: Callable[[Random], Chosen]
    seats: tuple[int, ...]
    leans_to: str = ""
    """Pattern of actions that a random player would take too rarely; half of the games lean to
    them, so that the rules about them are tried as well.
    """


def _socker(rng: Random) -> Chosen:
    cap = rng.randint(4, 25)
    return {
        "goals_to_win": rng.randint(1, 3),
        "turn_limit": rng.choice([0, rng.randint(1, cap)]),
        "turn_cap": cap,
        "sudden_cap": rng.randint(1, 12),
        "recentre_into_goal": rng.random() < 0.5,
        "repetition_ignores_mover": rng.random() < 0.5,
    }


def _sock_monsters(edition: str, silly: bool) -> Callable[[Random], Chosen]:
    def draw(rng: Random) -> Chosen:
        lair = edition == "german" and rng.random() < 0.4
        return {
            "edition": edition,
            "silly_socks": silly,
            "eye_open_faces": rng.randint(1, 5),
            "start_socks": rng.choice(["1", "2"] if lair else ["edition", "0", "1", "2"]),
            "round_cap": rng.choice([1, 3, 10, 30]),
            "steal_adjacency": rng.choice(["eight", "four"]),
            "steal_from_self": rng.random() < 0.7,
            "bag_sock_when": rng.choice(["always", "tokens_used"]),
            "lair_source": "lair" if lair else "bag",
            "memory_aid": rng.random() < 0.2,
        }

    return draw


def _sock_variant(edition: str, silly: bool) -> Variant:
    return Variant(
        f"sock_monsters_{edition}{'_silly' if silly else ''}",
        "sock_monsters",
        NaiveSockMonsters,
        _sock_monsters(edition, silly),
        (2, 3, 4),
        leans_to="lift|steal|throw|lair|bag|take",
    )


VARIANTS = (
    Variant("socker", "socker", NaiveSocker, _socker, (2,), leans_to=r"[ai]\d|[a-i]1$|11|\*|x"),
    _sock_variant("international", silly=False),
    _sock_variant("international", silly=True),
    _sock_variant("german", silly=False),
    _sock_variant("german", silly=True),
)
