"""A picture of each game, made of the shapes of its board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate, Translate
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from app.boards.elves import pawn
from app.boards.house_monsters import monster
from app.boards.house_tiles import tile_back, tile_face
from app.boards.seek_cards import candy, card
from app.boards.seek_monsters import hider
from app.boards.shapes import Drawn, Seam, felt, oval, stitches
from app.boards.socker_pieces import lying, standing, wool_ball
from app.boards.socks import Needle, sock
from app.model.hide_and_seek import Face
from app.model.sock_monsters import Colour, Motif, Sock
from app.model.socker import Side
from app.theme import DARK, faded, mix, theme
from app.widgets.card import Backdrop


class GamePicture(Widget):
    """The picture of a game by its key in the chooser; nothing for an unknown one."""

    key = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(key=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The picture, as large as fits: made in a box 2 wide and 1.2 high."""
        size = min(self.width / 2, self.height / 1.2)
        drawing = _PICTURES.get(self.key)
        if drawing is None or size < dp(12):
            return []
        drawn = _rug(size) + drawing(size)
        return _moved(self.center_x, self.center_y, drawn)


def _moved(x: float, y: float, drawn: Drawn, angle: float = 0) -> Drawn:
    turn = [Rotate(angle=angle, origin=(0, 0))] if angle else []
    return [PushMatrix(), Translate(x, y), *turn, *drawn, PopMatrix()]


def _rug(size: float) -> Drawn:
    """What everything stands on."""
    y, seam = -size * 0.34, Seam(max(1.0, size * 0.02), size * 0.07, size * 0.05)
    drawn = felt(
        [(x + dp(1), z - dp(3)) for x, z in oval(0, y, size * 1.9, size * 0.5, 48)], theme.shade, 2
    )
    drawn += felt(oval(0, y, size * 1.9, size * 0.5, 48), mix(theme.felt, DARK, 0.3), 2)
    drawn += felt(oval(0, y + size * 0.02, size * 1.86, size * 0.46, 48), theme.felt, 2)
    return drawn + stitches(
        oval(0, y + size * 0.02, size * 1.7, size * 0.36, 48), faded(theme.felt_line, 0.7), seam
    )


def _socker(size: float) -> Drawn:
    drawn = _moved(size * 0.62, -size * 0.34, lying(Side.NORTH, size * 0.5))
    drawn += _moved(size * 0.25, -size * 0.04, standing(Side.NORTH, size * 0.58))
    drawn += _moved(-size * 0.38, -size * 0.1, standing(Side.SOUTH, size * 0.66))
    return drawn + _moved(-size * 0.02, -size * 0.36, wool_ball(size * 0.46))


def _sock_monsters(size: float) -> Drawn:
    drawn = _moved(size * 0.34, 0, monster(Colour.GREEN, size * 0.95, awake=True))
    drawn += _moved(-size * 0.36, -size * 0.06, monster(Colour.RED, size * 0.85, awake=True))
    drawn += _moved(-size * 0.02, -size * 0.22, pawn(1, size * 0.52))
    drawn += sock(Sock.RED, Needle(-size * 0.84, -size * 0.22, size * 0.36, 12))
    return drawn + sock(Sock.VIOLET, Needle(size * 0.84, -size * 0.22, size * 0.36, -14, True))


def _sock_monsters_german(size: float) -> Drawn:
    drawn = _moved(-size * 0.5, size * 0.08, tile_back(size * 0.5), 9)
    drawn += _moved(size * 0.5, size * 0.06, tile_face(Colour.YELLOW, Motif.CHEST, size * 0.5), -8)
    drawn += _moved(0, 0, monster(Colour.BLUE, size * 0.98, awake=False))
    drawn += _moved(-size * 0.42, -size * 0.26, pawn(3, size * 0.46))
    return drawn + sock(Sock.BLUE, Needle(size * 0.48, -size * 0.3, size * 0.34, -10))


def _hide_and_seek(size: float) -> Drawn:
    card_size = (size * 0.56, size * 0.62)
    drawn = _moved(-size * 0.6, -size * 0.02, card(Face.B, card_size, night=True), 12)
    drawn += _moved(size * 0.6, -size * 0.02, card(None, card_size, night=False), -12)
    drawn += _moved(0, size * 0.04, card(Face.D, card_size, night=False))
    drawn += _moved(-size * 0.3, -size * 0.36, candy(size * 0.3))
    return drawn + hider(Face.A, size * 0.42, size * 0.34, -size * 0.3)


_PICTURES: dict[str, Callable[[float], Drawn]] = {
    "socker": _socker,
    "sock_monsters": _sock_monsters,
    "sock_monsters_german": _sock_monsters_german,
    "hide_and_seek": _hide_and_seek,
}
