"""What is played against what: each game, edition and expansion with its naive implementation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from services.engine.core import OptionValue
from tests.crosscheck import rare_hide_and_seek, rare_sock_monsters, rare_socker
from tests.crosscheck.rare_hide_and_seek import RareHideAndSeek
from tests.crosscheck.rare_sock_monsters import RareSockMonsters
from tests.crosscheck.rare_socker import RareSocker

ENOUGH_GAMES = 300
"""So many games of a variant, and as many from rare positions, meet each of its rare cases."""

Chosen: TypeAlias = dict[str, OptionValue]


class Naive(Protocol):
    """A naive game: everything as text, changed in place."""

    def actor(self) -> int | None:
        """The seat to act, -1 for chance, None at the end."""

    def legal(self) -> list[str]:
        """Notation of all legal actions, in the order of the notation's table."""

    def weights(self) -> list[int]:
        """While chance acts, how often each of the legal outcomes comes up, in their order."""

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        """(reason, winners, scores) at the end."""

    def text(self) -> str:
        """The body of the position, canonical."""

    def apply(self, text: str) -> None:
        """Carry out a legal action."""

    def begin_rare(self, rng: Random) -> None:
        """Put a position that is allowed but rarely reached in place of the start."""

    def reach(self, text: str, legal: list[str]) -> list[str]:
        """Carry out one of the legal actions; returns the names of the rare cases that it met."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to play a game. `draw_options` picks the options of one random game for its seats;
    `cases` are the rare cases that `ENOUGH_GAMES` have to meet.
    """

    name: str
    game: str
    naive: Callable[[Mapping[str, OptionValue], int], Naive]
    draw_options: Callable[[Random, int], Chosen]
    seats: tuple[int, ...]
    cases: frozenset[str]
    leans_to: str | Callable[[Naive], list[str]] = ""
    """Actions that a random player would take too rarely, as a pattern or found with what the
    naive game knows; half of the games lean to them, so that the rules about them are tried too.
    """

    def rare(self, naive: Naive, legal: list[str]) -> list[str]:
        """Those of the legal actions that the variant leans to, all of them if there are none."""
        if isinstance(self.leans_to, str):
            return [text for text in legal if re.search(self.leans_to, text)] or legal
        wanted = self.leans_to(naive)
        return [text for text in legal if text in wanted] or legal


def _socker(rng: Random, _seats: int) -> Chosen:
    cap = rng.randint(4, 25)
    return {
        "goals_to_win": rng.randint(1, 3),
        "turn_limit": rng.choice([0, rng.randint(1, cap)]),
        "turn_cap": cap,
        "sudden_cap": rng.randint(1, 12),
        "recentre_into_goal": rng.random() < 0.5,
        "repetition_ignores_mover": rng.random() < 0.5,
    }


def _towards_the_ball(naive: Naive) -> list[str]:
    assert isinstance(naive, RareSocker)
    return naive.towards_the_ball()


def _sock_monsters(edition: str, silly: bool) -> Callable[[Random, int], Chosen]:
    def draw(rng: Random, _seats: int) -> Chosen:
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
        RareSockMonsters,
        _sock_monsters(edition, silly),
        (2, 3, 4),
        rare_sock_monsters.cases(edition, silly),
        leans_to="lift|steal|throw|lair|bag|take",
    )


def _hide_and_seek(types: int) -> Variant:
    def draw(rng: Random, seats: int) -> Chosen:
        return {
            "types": types,
            "monster_stars": rng.choice([1, rng.randint(0, 9)]),
            "candy_stars": rng.choice([2, rng.randint(0, 9)]),
            "flip_together": rng.random() < 0.4,
            "may_stop_after_match": rng.random() < 0.5,
            "end_on_deadlock": rng.random() < 0.6,
            "idle_cap": rng.choice([0, 0, 999, rng.randint(1, 8)]),
            "turn_cap": rng.choice([200, 200, rng.randint(1, 30)]),
            "first_seat": rng.randrange(seats),
            "memory_aid": rng.random() < 0.2,
        }

    def matching(naive: Naive) -> list[str]:
        assert isinstance(naive, RareHideAndSeek)
        return naive.matching()

    name = f"hide_and_seek_{types}"
    return Variant(
        name,
        "hide_and_seek",
        RareHideAndSeek,
        draw,
        (2, 3, 4),
        rare_hide_and_seek.CASES,
        leans_to=matching,
    )


def _socker_variant(name: str, leans_to: str | Callable[[Naive], list[str]]) -> Variant:
    return Variant(name, "socker", RareSocker, _socker, (2,), rare_socker.CASES, leans_to)


VARIANTS = (
    _socker_variant("socker", r"[ai]\d|[a-i]1$|11|\*|x"),
    _socker_variant("socker_ball", _towards_the_ball),
    _sock_variant("international", silly=False),
    _sock_variant("international", silly=True),
    _sock_variant("german", silly=False),
    _sock_variant("german", silly=True),
    _hide_and_seek(5),
    _hide_and_seek(4),
    _hide_and_seek(3),
)
