"""Which motion shows an action of Sock Monsters. It may only move what is there: what follows from
an action, the next position says."""

from __future__ import annotations

from collections.abc import Callable

from app.boards import house_motion as motions
from app.boards.house_stage import COLOUR_DIE, Stage, face_of
from app.boards.motion import Motion
from app.boards.shapes import Point
from app.boards.socks import Needle, sock
from app.model.sock_monsters import (
    LAIRS,
    Cell,
    Colour,
    Kind,
    Phase,
    Shown,
    Sock,
    SockMonstersAct,
    SockMonstersView,
)
from app.model.sock_monsters_ways import monster_way, pawn_way

_FACES: tuple[Colour | None, ...] = (
    Colour.RED,
    None,
    Colour.YELLOW,
    Colour.GREEN,
    None,
    Colour.BLUE,
)


class Play:
    """Follows whose monster moves and who draws, also through events that come in a batch."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.german = False
        self.to_thief = False
        """Whether a stolen sock goes to whoever moved the monster (RULINGS 1.20)."""
        self.spots: dict[int, Point] = {}
        """Where each seat's placard is, in the board's coordinates."""
        self.bag: Point = (0, 0)
        self._monster: Colour | None = None
        self._gainer: int | None = None
        self._victim: int | None = None
        self._drawn = 0

    def sync(self, view: SockMonstersView) -> None:
        """The match stands like this."""
        self._monster = view.awaited.monster
        self._gainer = view.awaited.seat if view.phase is Phase.DRAW else None
        self._victim = view.awaited.seat if view.phase in (Phase.THROW, Phase.TAKE) else None
        self._drawn = 0

    def note(self, act: SockMonstersAct, actor: int) -> None:
        """This happened, shown or not."""
        if act.kind in (Kind.PICK, Kind.ROLL) and act.colour is not None:
            self._monster = act.colour
        if act.kind in (Kind.LIFT, Kind.BAG):
            self._gainer, self._drawn = actor, 0
        elif act.kind is Kind.THROW:
            self._victim = act.seat
        elif act.kind is Kind.STEAL:
            self._gainer, self._drawn = (act.seat if act.sock is Sock.SMELLY else None), 0

    def motion(self, act: SockMonstersAct, actor: int) -> Motion | None:
        """How `act` looks; None for what only the next position shows. Before its `note`."""
        maker: Callable[[SockMonstersAct, int], Motion | None] | None = {
            Kind.PLACE: self._place,
            Kind.ROLL: self._roll,
            Kind.PICK: self._pick,
            Kind.MOVE: self._move,
            Kind.EYE: self._eye,
            Kind.GO_ON: self._pick,
            Kind.PEEK: self._peek,
            Kind.STEAL: self._steal,
            Kind.PAWN: self._walk,
            Kind.THROW: self._throw,
            Kind.TAKE: self._take,
            Kind.GIFT: self._gift,
            Kind.LAIR: self._from_lair,
            Kind.LIFT: self._lift,
            Kind.DRAW: self._draw,
        }.get(act.kind)
        return maker(act, actor) if maker is not None else None

    def reveal(self, view: SockMonstersView, shown: Shown) -> Motion | None:
        """A tile turns over for a moment: who peeked sees it, or everybody."""
        tile = view.tile(shown.cell)
        if tile is None or tile.colour is None or tile.motif is None:
            return None
        if shown.peeker is not None and shown.peeker != view.viewer:
            return None
        stage = self.stage
        face = stage.picture(("face", tile.colour, tile.motif))
        back = stage.picture(stage.face(shown.cell))
        look_s = motions.LOOK_S if shown.peeker is None else motions.PEEK_S
        return motions.flip(
            back,
            face,
            stage.layout.middle(shown.cell),
            self._over(shown.cell),
            look_s=look_s,
            stays=face_of(tile, memory=False)[0] == "face",
        )

    def _over(self, cell: Cell) -> Point:
        """Where a tile is shown large: near its cell, whole on the board, over who stands there."""
        layout = self.stage.layout
        x, y = layout.middle((min(max(cell[0], 1), 4), min(max(cell[1] + 1, 1), 4)))
        return (x, y)

    # --- the monster's part -----------------------------------------------------------------

    def _roll(self, act: SockMonstersAct, _actor: int) -> Motion:
        layout = self.stage.layout
        faces = [self.stage.colour_die(face) for face in (*_FACES, act.colour)]
        return motions.rattle(faces, layout.centre, layout.cell * COLOUR_DIE)

    def _pick(self, act: SockMonstersAct, _actor: int) -> Motion | None:
        colour = act.colour if act.kind is Kind.PICK else self._monster
        sprite = self.stage.figure(colour) if colour is not None else None
        if sprite is None or colour is None:
            return None
        spot = self.stage.layout.middle(self.stage.cells[colour])
        return motions.bounce(sprite, spot, self.stage.layout.cell)

    def _move(self, act: SockMonstersAct, _actor: int) -> Motion | None:
        colour, stage = self._monster, self.stage
        sprite = stage.figure(colour) if colour is not None else None
        if sprite is None or colour is None or act.cell is None:
            return None
        cells = monster_way(stage.cells[colour], act.cell, stage.cells.values(), german=self.german)
        stage.cells[colour] = act.cell
        points = [stage.layout.middle(cell) for cell in cells]
        return motions.walk(sprite, points, stage.layout.cell, 0.3)

    def _eye(self, act: SockMonstersAct, _actor: int) -> Motion | None:
        colour, stage = self._monster, self.stage
        sprite = stage.figure(colour) if colour is not None else None
        if sprite is None or colour is None:
            return None
        faces = [stage.eye_die(opened=one) for one in (True, False, act.eye_open)]
        spot = stage.layout.middle(stage.cells[colour])

        def woken() -> None:
            for face in faces:
                face.place(*spot, scale=0.001)
            stage.wake(colour if act.eye_open else None)

        return motions.rattle_under(sprite, faces, spot, stage.layout.cell, woken)

    def _peek(self, act: SockMonstersAct, _actor: int) -> Motion | None:
        if act.cell is None:
            return None
        sprite = self.stage.lay(act.cell, self.stage.face(act.cell))
        return motions.bounce(sprite, self.stage.layout.middle(act.cell), self.stage.layout.cell)

    def _steal(self, act: SockMonstersAct, actor: int) -> Motion | None:
        home = LAIRS.get(self._monster) if self._monster is not None else None
        start = None if act.seat is None else self.spots.get(act.seat)
        end = None if home is None else self.stage.layout.middle(home)
        if self.to_thief:
            end = self.spots.get(actor)
        return self._fly(act.sock, start, end)

    # --- the pawn's part ----------------------------------------------------------------------

    def _place(self, act: SockMonstersAct, actor: int) -> Motion | None:
        if act.cell is None:
            return None
        sprite = self.stage.put(actor, act.cell)
        return motions.land(sprite, self.stage.layout.middle(act.cell), self.stage.layout.cell)

    def _walk(self, act: SockMonstersAct, actor: int) -> Motion | None:
        stage = self.stage
        sprite = stage.figure(actor)
        if sprite is None or act.cell is None or stage.cells[actor] == act.cell:
            return None
        cells = pawn_way(stage.cells[actor], act.cell, stage.cells.values())
        stage.cells[actor] = act.cell
        points = [stage.layout.middle(cell) for cell in cells]
        return motions.walk(sprite, points, stage.layout.cell)

    def _lift(self, _act: SockMonstersAct, actor: int) -> Motion | None:
        sprite = self.stage.figure(actor)
        if sprite is None:
            return None
        spot = self.stage.layout.middle(self.stage.cells[actor])
        return motions.bounce(sprite, spot, self.stage.layout.cell * 2)

    def _throw(self, act: SockMonstersAct, actor: int) -> Motion | None:
        if act.seat is None or actor not in self.stage.cells or act.seat not in self.stage.cells:
            return None
        layout = self.stage.layout
        start, end = (layout.middle(self.stage.cells[who]) for who in (actor, act.seat))
        sprite = self.stage.fly(sock(Sock.BOOMERANG, Needle(0, 0, layout.cell * 0.55)))
        return motions.fly(sprite, start, end, layout.cell, spin=720)

    def _take(self, act: SockMonstersAct, actor: int) -> Motion | None:
        start = None if self._victim is None else self.spots.get(self._victim)
        return self._fly(act.sock, start, self.spots.get(actor))

    def _gift(self, act: SockMonstersAct, actor: int) -> Motion | None:
        home = LAIRS.get(self._monster) if self._monster is not None else None
        start = None if home is None else self.stage.layout.middle(home)
        return self._fly(act.sock, start, self.spots.get(actor))

    def _from_lair(self, act: SockMonstersAct, actor: int) -> Motion | None:
        home = LAIRS.get(act.colour) if act.colour is not None else None
        start = None if home is None else self.stage.layout.middle(home)
        return self._fly(act.sock, start, self.spots.get(actor))

    def _draw(self, act: SockMonstersAct, _actor: int) -> Motion | None:
        end = None if self._gainer is None else self.spots.get(self._gainer)
        if end is None:
            return None
        aside = self._drawn * self.stage.layout.cell * 0.4
        self._drawn += 1
        return self._fly(act.sock, self.bag, (end[0] + aside, end[1]), grip=False)

    def _fly(
        self, kind: Sock | None, start: Point | None, end: Point | None, *, grip: bool = True
    ) -> Motion | None:
        if kind is None or start is None or end is None:
            return None
        cell = self.stage.layout.cell
        sprite = self.stage.fly(sock(kind, Needle(0, 0, cell * 0.6)))
        return motions.fly(sprite, start, end, cell, grip=grip)
