"""A picture of each game, made of the shapes of its board."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin, tau
from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Rotate, Translate
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from app.boards.elves import pawn
from app.boards.house_monsters import monster
from app.boards.house_tiles import tile_back, tile_face
from app.boards.shapes import Drawn, Seam, disc, felt, oval, rounded, stitches, thread
from app.boards.socker_pieces import lying, standing, wool_ball
from app.boards.socks import Needle, sock
from app.model.sock_monsters import Colour, Motif, Sock
from app.model.socker import Side
from app.theme import CREAM, DARK, WOOL, Rgba, faded, mix, theme
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
    drawn: Drawn = []
    for across, up, angle, open_ in (
        (-0.56, -0.04, 10, False),
        (0.56, -0.04, -10, False),
        (0.0, 0.02, 0, True),
    ):
        drawn += _moved(size * across, size * up, _card(size * 0.62, open_=open_), angle)
    return drawn


def _card(size: float, *, open_: bool) -> Drawn:
    """A card with somebody peeping out, or the back of one."""
    half = size / 2
    shape = rounded(-half, -half * 1.1, size, size * 1.1, size * 0.14)
    drawn = felt([(x + dp(1), y - dp(2)) for x, y in shape], theme.shade, 1.5)
    edge: Rgba = theme.accent if open_ else theme.linen_line
    drawn += felt(shape, edge, 1.0)
    inner = rounded(-half * 0.86, -half * 0.96, size * 0.86, size * 0.96, size * 0.1)
    drawn += felt(inner, CREAM if open_ else theme.linen, 1.0)
    if not open_:
        for up in (0.22, 0.0, -0.22):
            wave = [(size * (x / 20 - 0.3), size * (up + 0.05 * sin(x))) for x in range(13)]
            drawn += thread(wave, faded(CREAM, 0.6), max(1.2, size * 0.03))
        return drawn
    violet: Rgba = [0.54, 0.37, 0.7, 1]
    tuft = [
        (
            size * (0.3 + 0.04 * (n % 2)) * cos(tau * n / 24),
            size * (0.3 + 0.04 * (n % 2)) * sin(tau * n / 24) - size * 0.02,
        )
        for n in range(24)
    ]
    drawn += felt(tuft, violet, 1.0)
    for side in (-1, 1):
        drawn += disc(side * size * 0.1, size * 0.05, size * 0.16, WOOL)
        drawn += disc(side * size * 0.09, size * 0.04, size * 0.07, DARK)
    smile = [(size * x, size * (-0.12 - 0.05 * cos(x * 11))) for x in (-0.12, -0.06, 0, 0.06, 0.12)]
    return drawn + thread(smile, DARK, max(1.2, size * 0.03))


_PICTURES: dict[str, Callable[[float], Drawn]] = {
    "socker": _socker,
    "sock_monsters": _sock_monsters,
    "sock_monsters_german": _sock_monsters_german,
    "hide_and_seek": _hide_and_seek,
}
