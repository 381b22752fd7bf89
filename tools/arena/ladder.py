"""Which levels meet, and what is known of each pairing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from services.engine.agents import levels_for
from services.engine.core.options import OptionValue
from services.engine.core.registry import game_names
from tools.arena import kept
from tools.arena.keys import key
from tools.arena.matches import BLOCK, Block, Pairing
from tools.arena.sequential import Verdict, share, verdict
from tools.reports import ROOT

RESULTS: Final = ROOT / "tools" / "arena" / "results.jsonl"
MOST: Final = 400
"""Matches after which a pairing is left open."""
AGAINST_BEGINNER: Final = 200
"""Matches of level 1 against a beginner: a fixed number, since a share in the middle is wanted."""

_EDITIONS: Final[dict[str, tuple[tuple[tuple[str, OptionValue], ...], ...]]] = {
    "sock_monsters": ((), (("edition", "german"), ("silly_socks", True))),
}
"""The tables on which a game's levels are measured; else the one with default options."""


def pairings(games: tuple[str, ...] = ()) -> Iterator[Pairing]:
    """All that is to be measured, of these games or of all: each level against the one below."""
    for game in games or game_names():
        levels = levels_for(game)
        for options in _EDITIONS.get(game, ((),)):
            for lower, upper in zip((None, *levels), levels, strict=False):
                yield Pairing(game, options, upper, lower)


@dataclass
class Record:
    """What was played of a pairing so far, by the number of the block."""

    pairing: Pairing
    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def results(self) -> tuple[float, ...]:
        """Those of the blocks from the first without a gap, up to where the test ends."""
        found: list[float] = []
        for number in range(len(self.blocks)):
            if number not in self.blocks or self._ends(found):
                break
            found += self.blocks[number].results
        return tuple(found)

    @property
    def done(self) -> bool:
        """Whether nothing more is to be played."""
        return self._ends(list(self.results))

    @property
    def milliseconds(self) -> float:
        """The median over blocks of the upper level's processor time for a decision."""
        times = sorted(block.milliseconds for block in self.blocks.values())
        return times[len(times) // 2] if times else 0.0

    def next_block(self, taken: set[int]) -> int:
        """The first block neither played nor `taken`."""
        number = 0
        while number in self.blocks or number in taken:
            number += 1
        return number

    def _ends(self, results: list[float]) -> bool:
        if self.pairing.lower is None:
            return len(results) >= AGAINST_BEGINNER
        return len(results) >= MOST or verdict(results) is not Verdict.OPEN


def load(games: tuple[str, ...] = (), path: Path = RESULTS) -> list[Record]:
    """The pairings with what the file holds of them; results under other keys are out of date."""
    records = {key(pairing): Record(pairing) for pairing in pairings(games)}
    for of, block in kept.read(path, _block):
        if of in records and len(block.results) == BLOCK:
            records[of].blocks[block.number] = block
    return list(records.values())


def _block(words: dict[str, Any]) -> Block:
    results = tuple(words["results"])
    return Block(words["block"], results, words["milliseconds"], words["actions"])


def append(record: Record, block: Block, path: Path = RESULTS) -> None:
    """Add a block to a record and to the file."""
    record.blocks[block.number] = block
    words = {
        "key": key(record.pairing),
        "pairing": record.pairing.name,
        "block": block.number,
        "results": block.results,
        "milliseconds": block.milliseconds,
        "actions": block.actions,
    }
    kept.append(path, words)


def holds(record: Record) -> bool | None:
    """Whether a pairing is as it should be; None while that is not known.

    The lowest level: 40 to 60 % against a beginner. Others: 65 % or more against the one below,
    the lower end of the interval at 55 % or more.
    """
    found = share(record.results)
    if not record.done:
        return None
    if record.pairing.lower is None:
        return 0.4 <= found.mean <= 0.6
    return found.mean >= 0.65 and found.low >= 0.55
