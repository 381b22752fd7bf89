"""A person at a table of Sock Monsters, for tests that touch it."""

from __future__ import annotations

import asyncio
import random

from app.boards.sock_monsters import SockMonstersBoard
from app.model.sock_monsters import OVER, Cell, Kind, SockMonstersAct
from app.model.sock_monsters_touch import Hand
from app.screens.match.sock_monsters_choices import ChoiceButton
from tests.mobile.at_table import AtTable
from tests.mobile.house import cell
from tests.mobile.test_sock_monsters_touch import position
from tests.mobile.ui import tap

PAWN = position(
    "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r g | pairs - - | "
    "lairs - - - - | turn 2 0 0 | shown - | phase pawn"
)


class House(AtTable):
    """A person at a table of Sock Monsters."""

    game = "sock_monsters"

    @property
    def board(self) -> SockMonstersBoard:
        """The board on show."""
        board: SockMonstersBoard = self.hands.part.board
        return board

    @property
    def hand(self) -> Hand:
        """What is in hand."""
        return self.board.hand

    def touch(self, where: str | Cell) -> None:
        """A finger on a cell."""
        middle = self.board.stage.layout.middle(cell(where) if isinstance(where, str) else where)
        tap(*self.board.to_window(*middle))

    async def choose(self, notation: str) -> None:
        """A finger on the choice that is, or begins with, an action; "" for the way back."""
        await self.hands.settle()
        tap_button(self.button(notation))

    def button(self, notation: str) -> ChoiceButton:
        """That choice."""
        return next(
            button
            for button in self.buttons
            if [act.notation for act in button.choice.acts[:1]] == ([notation] if notation else [])
        )

    @property
    def buttons(self) -> list[ChoiceButton]:
        """All choices on show, in their order."""
        return list(reversed(self.hands.part.choices.children))

    async def make(self, act: SockMonstersAct) -> None:
        """Make an action as a person does: aim, and touch again."""
        hand, count = self.hand, len(self.events)
        group = next(group for group, acts in hand.groups.items() if act in acts)
        listed = [choice.act for choice in hand.choices]
        if act in listed and act.cell is None:
            await self.choose(act.notation)
            await self.choose(act.notation)
        elif isinstance(group, Kind) or len(hand.groups[group]) > 1:
            await self.choose(hand.groups[group][0].notation)
            await self.choose(act.notation)
            await self.choose(act.notation)
        else:
            self.touch(group)
            await asyncio.sleep(0)
            self.touch(group)
        await self.hands.until(lambda: len(self.events) > count)


def tap_button(button: ChoiceButton) -> None:
    """A finger on a choice."""
    tap(*button.to_window(*button.center))


def hurried(house: House) -> bool:
    """Touch what moves; whether everything rests."""
    if not house.board.resting:
        house.touch("c3")
    return house.board.resting


def ended(house: House) -> bool:
    """Whether the match is over."""
    return house.hand.view.phase in OVER


def greedy(hand: Hand, rng: random.Random) -> SockMonstersAct:
    """Take what there is, else anything."""
    kinds = (Kind.LAIR, Kind.BAG, Kind.STEAL, Kind.PAIR, Kind.LIFT)
    found = [act for act in hand.legal if act.kind in kinds and act.seat != hand.seat]
    return rng.choice(found or list(hand.legal))


def revealed(house: House, name: str) -> bool:
    """Whether the board shows the face of a tile right now."""
    return house.board.looking_at == cell(name)
