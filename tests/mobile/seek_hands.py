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
from app.model.values import Occupant
from app.net.fake import ME, FakeGateway
from tests.mobile.seekers import cell
from tests.mobile.ui import Hands, playing, tap, tap_widget

ADA = Occupant(player_id=ME.player_id, display_name="Ada")
BEN = Occupant(player_id="p-friend", display_name="Ben")
BEN_HERE = Occupant(player_id=ME.player_id, display_name="Ben")
PIP = Occupant(agent="random", display_name="random")
FULL = "Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc"


def position(cards: str, phase: str, options: str = "", piles: str = "- -") -> str:
    """A position with three types of monsters."""
    rest = f"{cards} | piles {piles} | turns 6 | idle 0 | {phase}"
    return f"hide_and_seek/1 2 types=3 {options} | {rest}"


class Seeker:
    """A person at a table of Monster Hide and Seek."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.match_id = ""

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
    def events(self) -> list[Any]:
        """What the server has counted."""
        return self.hands.gateway.matches[self.match_id].events

    @property
    def toast(self) -> str:
        """The short line on show."""
        return str(self.hands.app.root.ids.toast.text)

    @property
    def prompt(self) -> str:
        """What is said about what to do."""
        return str(self.hands.part.ids.prompt.text)

    async def sit(
        self, text: str, seats: tuple[Occupant, ...] = (ADA, BEN), **options: Any
    ) -> None:
        """Open a match that stands at a position, or at its beginning."""
        self.match_id = self.hands.gateway.start("hide_and_seek", seats, options, text)
        self.hands.app.navigator.go("match", match_id=self.match_id)
        await self.hands.on("match")
        await self.rest()
        await self.hands.settle()

    async def rest(self) -> None:
        """Wait until the board shows what the server has."""
        position = self.hands.position
        await self.hands.until(
            lambda: self.hand.view.position == position(self.match_id) and self.board.resting
        )

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
