"""What stands and lies in the house: a sprite for each thing, drawn once and then only moved."""

from __future__ import annotations

from typing import TypeAlias

from kivy.graphics import Canvas, InstructionGroup

from app.boards.baked import Baked, tinted
from app.boards.elves import pawn
from app.boards.house import HouseLayout, floor, lair_socks
from app.boards.house_monsters import monster
from app.boards.house_tiles import colour_die, eye_die, tile_back, tile_face, tile_known
from app.boards.shapes import Drawn, fill
from app.boards.sprite import Sprite
from app.model.sock_monsters import NOTHING, Cell, Colour, Motif, Sock, SockMonstersView, Tile

Who: TypeAlias = "Colour | int"
"""A monster by its colour, an elf by its seat."""
Face: TypeAlias = tuple[str, Colour | None, Motif | None]
"""How a tile looks: "back", "known" or "face", and what is on it."""

COLOUR_DIE = 1.25
EYE_DIE = 0.7
"""The size of the dice, in cells."""

BACK: Face = ("back", None, None)


class Stage:
    """The layers of the board, bottom first, and what is on them."""

    def __init__(self, canvas: Canvas) -> None:
        self.layout = HouseLayout(0, 0, 1)
        self.cells: dict[Who, Cell] = {}
        """Where everybody stands as far as it was told; ahead of `show` while things move."""
        self._view = NOTHING
        self._figures: dict[tuple[Who, bool], Sprite] = {}
        self._tiles: dict[Cell, tuple[Face, Sprite]] = {}
        self._awake: Colour | None = None
        self._colour_faces: dict[Colour | None, Sprite] = {}
        self._eye_faces: dict[bool, Sprite] = {}
        self.lairs: dict[Colour, tuple[Sock, ...]] = {}
        self._baked: dict[Face, Baked] = {}
        self._floor, self.marks, self.over = (InstructionGroup() for _ in range(3))
        self._rooms, self._crowd, self._ropes, self.air = (tinted() for _ in range(4))
        for layer in (
            self._floor,
            self._rooms,
            self.marks,
            self._crowd,
            self._ropes,
            self.over,
            self.air,
        ):
            canvas.add(layer)

    def redraw(self, layout: HouseLayout) -> None:
        """Draw everything anew for a layout; `show` has to follow."""
        self.layout = layout
        self._figures.clear()
        self._tiles.clear()
        self._baked.clear()
        self._colour_faces.clear()
        self._eye_faces.clear()
        for layer in (self._rooms, self._ropes, self._crowd, self.over, self.air):
            layer.clear()
        self.lairs.clear()
        fill(self._floor, floor(layout))

    def show(self, view: SockMonstersView, *, memory: bool) -> None:
        """Put everything where `view` has it."""
        self._view = view
        self.cells = {who: cell for cell, who in view.figures.items()}
        self._awake = next((one.colour for one in view.monsters if view.awake(one.colour)), None)
        self.air.clear()
        for tile in view.tiles:
            self.lay(tile.cell, face_of(tile, memory=memory))
        self._hang({one.colour: one.lair for one in view.monsters})
        self._gather()

    def lay(self, cell: Cell, face: Face) -> Sprite:
        """The tile on `cell`, showing `face`."""
        known = self._tiles.get(cell)
        if known is not None and known[0] == face:
            sprite = known[1]
        else:
            if known is not None:
                self._rooms.remove(known[1])
            sprite = Sprite([self._tile(face).mesh()])
            self._tiles[cell] = (face, sprite)
            self._rooms.add(sprite)
        sprite.place(*self.layout.middle(cell))
        return sprite

    def face(self, cell: Cell) -> Face:
        """How the tile on `cell` looks now."""
        return self._tiles[cell][0] if cell in self._tiles else BACK

    def picture(self, face: Face) -> Sprite:
        """A second copy of a tile, in the air."""
        return self._aloft(self._tile(face))

    def fly(self, drawn: Drawn) -> Sprite:
        """Something in the air until the next position is shown."""
        return self._aloft(Baked(drawn))

    def _aloft(self, baked: Baked) -> Sprite:
        sprite = Sprite([baked.mesh()])
        self.air.add(sprite)
        return sprite

    def colour_die(self, face: Colour | None) -> Sprite:
        """A face of the die of colours, in the air, as large as `COLOUR_DIE` cells."""
        if face not in self._colour_faces:
            drawn = colour_die(face, self.layout.cell * COLOUR_DIE)
            self._colour_faces[face] = Sprite([Baked(drawn).mesh()])
        sprite = self._colour_faces[face]
        if sprite not in self.air.children:
            self.air.add(sprite)
        return sprite

    def eye_die(self, *, opened: bool) -> Sprite:
        """A face of the eye die, on the floor under everybody, until the lights go on again."""
        if opened not in self._eye_faces:
            self._eye_faces[opened] = Sprite(eye_die(self.layout.cell * EYE_DIE, opened=opened))
        sprite = self._eye_faces[opened]
        if sprite not in self.marks.children:
            self.marks.add(sprite)
        return sprite

    def figure(self, who: Who) -> Sprite | None:
        """The sprite of somebody who stands on the board."""
        return self._figures.get((who, who == self._awake)) if who in self.cells else None

    def put(self, who: Who, cell: Cell) -> Sprite:
        """Put somebody on a cell who may not be there yet."""
        new = who not in self.cells
        self.cells[who] = cell
        sprite = self._sprite(who)
        if new:
            self._crowd.add(sprite)
        return sprite

    def wake(self, colour: Colour | None) -> Sprite | None:
        """Let one monster stand up, and all others sleep."""
        self._awake = colour
        self._gather()
        return None if colour is None else self.figure(colour)

    def _gather(self) -> None:
        """Everybody on their cell; who is nearer stands before who is farther away."""
        self._crowd.clear()
        for who, cell in sorted(self.cells.items(), key=lambda one: -one[1][1]):
            sprite = self._sprite(who)
            sprite.place(*self.layout.middle(cell))
            self._crowd.add(sprite)

    def _sprite(self, who: Who) -> Sprite:
        key = (who, who == self._awake)
        if key not in self._figures:
            size = self.layout.cell
            if isinstance(who, Colour):
                drawn = monster(who, size * 0.86, awake=key[1])
            else:
                drawn = pawn(who, size * 0.98)
            self._figures[key] = Sprite([Baked(drawn).mesh()])
        return self._figures[key]

    def _tile(self, face: Face) -> Baked:
        """The drawing of a tile, made once: of thirty-two there are few kinds (ADR 0039)."""
        if face not in self._baked:
            self._baked[face] = Baked(self._drawn(face))
        return self._baked[face]

    def _drawn(self, face: Face) -> Drawn:
        kind, colour, motif = face
        size = self.layout.cell
        if kind == "back" or colour is None or motif is None:
            return tile_back(size)
        return (tile_face if kind == "face" else tile_known)(colour, motif, size)

    def _hang(self, lairs: dict[Colour, tuple[Sock, ...]]) -> None:
        if lairs == self.lairs:
            return
        self.lairs = lairs
        self._ropes.clear()
        for colour, socks in lairs.items():
            drawn = lair_socks(self.layout, colour, socks)
            if drawn:
                self._ropes.add(Baked(drawn).mesh())


def face_of(tile: Tile, *, memory: bool) -> Face:
    """How a tile lies there. What was shown for a moment is not on it (RULINGS 1.14)."""
    if tile.face_up:
        return ("face", tile.colour or Colour.UNKNOWN, tile.motif or Motif.UNKNOWN)
    if memory and tile.colour is not None and tile.motif is not None:
        return ("known", tile.colour, tile.motif)
    return BACK
