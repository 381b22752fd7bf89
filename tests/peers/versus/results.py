"""What is known of each pairing: a file of blocks, each under a hash of the code it came from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from services.engine.agents import Budget
from services.engine.agents.levels import within
from tests.peers.versus.pairings import (
    BLOCK,
    MATCHES,
    Block,
    Pairing,
    Thinking,
    Whereabouts,
    pairings,
)
from tools.arena import kept
from tools.arena.keys import code_of, player_of
from tools.reports import ROOT

RESULTS: Final = Path(__file__).with_name("results.jsonl")
_PINS: Final = ROOT / "requirements" / "bench.txt"
_MINE: Final = tuple(
    f"tests.peers.versus.{name}" for name in ("adapter", "bots", "knowledge", "matches", "ours")
)


def key(pairing: Pairing) -> str:
    """16 hexadecimal digits that change when a result of this pairing could be another.

    Of the levels only what this one uses within the effort counts.
    """
    game, level, effort = pairing.game, pairing.level, pairing.effort
    modules = (*player_of(game), f"services.engine.games.{game}.playouts")
    budget = within(Budget(effort.seconds, effort.simulations), level)
    words = (
        *(pairing.name, BLOCK, openspiel_version()),
        *(budget.seconds, budget.iterations, level.attention, level.fade),
        code_of(modules, alone=(*_MINE, "tools.playouts")),
    )
    return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


@cache
def openspiel_version() -> str:
    """The one that is pinned, so that the page can be compared where it is not installed."""
    found = re.search(r"^open-spiel==(\S+)", _PINS.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


@dataclass
class Record:
    """What was played of a pairing so far, by the number of the block."""

    pairing: Pairing
    blocks: dict[int, Block] = field(default_factory=dict)

    @property
    def results(self) -> tuple[float, ...]:
        """Ours, of all matches."""
        return tuple(
            result for number in sorted(self.blocks) for result in self.blocks[number].results
        )

    @property
    def ours(self) -> Thinking:
        """All of it."""
        return _sum(block.ours for block in self.blocks.values())

    @property
    def theirs(self) -> Thinking:
        """All of it."""
        return _sum(block.theirs for block in self.blocks.values())

    @property
    def where(self) -> Whereabouts:
        """All of it."""
        places = [block.where for block in self.blocks.values()]
        return Whereabouts(
            sum(place.adapter for place in places),
            sum(place.rules for place in places),
            sum(place.openspiel for place in places),
        )

    @property
    def done(self) -> bool:
        """Whether nothing more is to be played."""
        return BLOCK * len(self.blocks) >= MATCHES

    def next_block(self, taken: set[int]) -> int | None:
        """The first block neither played nor `taken`; None if there is none left."""
        return next((n for n in range(MATCHES // BLOCK) if n not in {*self.blocks, *taken}), None)


def _sum(parts: Iterator[Thinking]) -> Thinking:
    decisions, simulations, seconds = 0, 0, 0.0
    for part in parts:
        decisions += part.decisions
        simulations += part.simulations
        seconds += part.seconds
    return Thinking(decisions, simulations, seconds)


def load(games: tuple[str, ...] = (), path: Path = RESULTS) -> list[Record]:
    """The pairings with what the file holds of them; results under other keys are out of date."""
    records = {key(pairing): Record(pairing) for pairing in pairings(games)}
    for of, block in kept.read(path, _block):
        if of in records and len(block.results) == BLOCK:
            records[of].blocks[block.number] = block
    return list(records.values())


def _block(words: dict[str, Any]) -> Block:
    return Block(
        words["number"],
        tuple(words["results"]),
        Thinking(**words["ours"]),
        Thinking(**words["theirs"]),
        Whereabouts(**words["where"]),
        words["actions"],
    )


def append(record: Record, block: Block, path: Path = RESULTS) -> None:
    """Add a block to a record and to the file."""
    record.blocks[block.number] = block
    name = record.pairing.name
    kept.append(path, {"key": key(record.pairing), "pairing": name, **asdict(block)})
