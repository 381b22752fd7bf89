"""What lies on the quilt: a sprite for each card, drawn once and then only moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kivy.graphics import Canvas, InstructionGroup, PopMatrix, PushMatrix, Translate

from app.boards.baked import Baked, tinted
from app.boards.seek_cards import candy, card, gap
from app.boards.seek_layout import CARD, SeekLayout, quilt
from app.boards.shapes import Drawn, fill
from app.boards.sprite import Sprite
from app.model.hide_and_seek import COLUMNS, ROWS, Cell, Face, HideAndSeekView

RAISED = 1.07
"""The scale of a card that was chosen."""


class Side(NamedTuple):
    """How a card looks: what it shows (None for what nobody saw), which of its sides that is, and
    what the table remembers of the other one."""

    face: Face | None
    night: bool
    known: Face | None = None


class Stage:
    """The layers of the board, bottom first, and what is on them."""

    def __init__(self, canvas: Canvas) -> None:
        self.layout = SeekLayout(0, 0, 1, 1, COLUMNS, ROWS, turned=False)
        self._lies: dict[Cell, tuple[Side, Sprite]] = {}
        self._gaps: frozenset[Cell] = frozenset()
        self._aloft: set[Cell] = set()
        """The cells whose cards are in the air."""
        self._baked: dict[Side, Baked] = {}
        self._floor, self._empty, self.marks, self.over = (InstructionGroup() for _ in range(4))
        self._cards, self.air = tinted(), tinted()
        for layer in (self._floor, self._empty, self.marks, self._cards, self.over, self.air):
            canvas.add(layer)

    def redraw(self, layout: SeekLayout) -> None:
        """Draw everything anew for a layout; `show` has to follow."""
        self.layout = layout
        self._lies.clear()
        self._baked.clear()
        self._aloft.clear()
        self._gaps = frozenset()
        for layer in (self._empty, self.marks, self._cards, self.over, self.air):
            layer.clear()
        fill(self._floor, quilt(layout))

    def show(self, view: HideAndSeekView, night: Mapping[Cell, bool]) -> None:
        """Put everything where `view` has it."""
        self.air.clear()
        self._aloft.clear()
        before, self._lies = self._lies, {}
        self._cards.clear()
        for one in view.cards:
            known = None if one.shown is Face.CANDY else one.hidden
            side = Side(one.shown, night.get(one.cell, False), known)
            old = before.get(one.cell)
            sprite = old[1] if old is not None and old[0] == side else self._sprite(side)
            self._lies[one.cell] = (side, sprite)
            self._cards.add(sprite)
            self.rest(one.cell)
        if view.flipped is not None:
            self.rest(view.flipped, raised=True)
        gaps = frozenset(view.cells[: view.dealt]) - frozenset(self._lies)
        if gaps != self._gaps:
            self._gaps = gaps
            fill(self._empty, self._empties(gaps))

    def rest(self, cell: Cell, *, raised: bool = False) -> None:
        """Put the card of a cell down, or hold it up a little."""
        if cell in self._lies:
            self._lies[cell][1].place(*self.layout.middle(cell), scale=RAISED if raised else 1.0)

    def above(self, cell: Cell) -> Sprite | None:
        """The card of a cell, over all others until the next position is shown."""
        if cell not in self._lies:
            return None
        sprite = self._lies[cell][1]
        if cell not in self._aloft:
            self._aloft.add(cell)
            self._cards.remove(sprite)
            self.air.add(sprite)
        return sprite

    def turned(self, cell: Cell, side: Side) -> Sprite:
        """The other side of a card, which is what lies there from now on."""
        sprite = self._sprite(side)
        self.air.add(sprite)
        sprite.place(*self.layout.middle(cell), scale=0.001)
        self._lies[cell] = (side, sprite)
        self._aloft.add(cell)
        return sprite

    def fly(self, drawn: Drawn) -> Sprite:
        """Something in the air until the next position is shown."""
        sprite = Sprite([Baked(drawn).mesh()])
        self.air.add(sprite)
        return sprite

    def take(self, cell: Cell) -> Sprite | None:
        """The card of a cell, to be carried away: after `above`."""
        self._aloft.discard(cell)
        return self._lies.pop(cell)[1] if cell in self._lies else None

    @property
    def sprites(self) -> dict[Cell, Sprite]:
        """What lies there, by cell."""
        return {cell: sprite for cell, (_, sprite) in self._lies.items()}

    @property
    def sides(self) -> dict[Cell, Side]:
        """How it looks, by cell."""
        return {cell: side for cell, (side, _) in self._lies.items()}

    def _sprite(self, side: Side) -> Sprite:
        if side not in self._baked:
            self._baked[side] = Baked(self._drawn(side))
        return Sprite([self._baked[side].mesh()])

    def _drawn(self, side: Side) -> Drawn:
        if side.face is Face.CANDY:
            return candy(self.layout.side * CARD)
        return card(side.face, self.layout.card, night=side.night, known=side.known)

    def _empties(self, gaps: frozenset[Cell]) -> Drawn:
        drawn: Drawn = []
        for cell in sorted(gaps):
            where = Translate(*self.layout.middle(cell))
            drawn += [PushMatrix(), where, *gap(self.layout.card), PopMatrix()]
        return drawn
