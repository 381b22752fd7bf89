"""A person at a table of Monster Hide and Seek, for tests that touch it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.boards.hide_and_seek import HideAndSeekBoard
from app.model.hide_and_seek import Cell, HideAndSeekAct, Kind, Phase
from app.model.hide_and_seek_touch import Hand
from app.net.fake import FakeGateway
from tests.mobile.at_table import AtTable
from tests.mobile.seekers import cell
from tests.mobile.ui import playing, tap, tap_widget

FULL = "Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc"


def position(cards: str, phase: str, options: str = "", piles: str = "- -") -> str:
    """A position with three types of monsters."""
    rest = f"{cards} | piles {piles} | turns 6 | idle 0 | {phase}"
    return f"hide_and_seek/1 2 types=3 {options} | {rest}"


class Seeker(AtTable):
    """A person at a table of Monster Hide and Seek."""

    game = "hide_and_seek"

    @property
    def board(self) -> HideAndSeekBoard:
        """The board on show."""
        board: HideAndSeekBoard = self.hands.part.board
        return board

    @property
    def hand(self) -> Hand:
        """What is in hand."""
        return self.board.hand

    @property
    def toast(self) -> str:
        """The short line on show."""
        return str(self.hands.app.root.ids.toast.text)

    def where(self, cell_: str | Cell) -> tuple[float, float]:
        """The pixel of a cell."""
        at = self.board.stage.layout.middle(cell(cell_) if isinstance(cell_, str) else cell_)
        x, y = self.board.to_window(*at)
        return (float(x), float(y))

    def touch(self, cell_: str | Cell) -> None:
        """A finger on a cell."""
        tap(*self.where(cell_))

    def hurry(self) -> None:
        """A finger beside everything, by somebody impatient."""
        tap_widget(self.hands.part.ids.prompt)

    async def make(self, act: HideAndSeekAct) -> None:
        """Make an action as a person does."""
        if act.kind is Kind.STOP:
            await self.hands.settle()
            tap_widget(self.hands.part.ids.stop)
            return
        assert act.cell is not None
        self.touch(act.cell)
        if act.kind is not Kind.FLIP:
            await asyncio.sleep(0)
            self.touch(act.other or act.cell)

    async def play(self, rng: random.Random, look: Callable[[], None] = lambda: None) -> int:
        """Touch cards until the match is over, with a `look` before each decision; how many
        decisions that were."""
        made = 0
        while True:
            await self.hands.until(lambda: self._ready() and (self.hand.may_act or self._ended()))
            if self._ended():
                return made
            look()
            await self.make(rng.choice(self.hand.legal))
            made += 1  # From here on nothing is legal until the answer is there.

    def _ready(self) -> bool:
        if not self.board.resting:
            self.hurry()
        return self.board.resting

    def _ended(self) -> bool:
        return self.hand.view.phase is Phase.OVER


@asynccontextmanager
async def seeking(folder: Path, **looks: Any) -> AsyncGenerator[Seeker]:
    """At a table with a friend who does nothing by himself."""
    async with playing(folder, FakeGateway(4, agents_play=False), **looks) as hands:
        yield Seeker(hands)
