"""The colours that the games are played in: the same felt and wool by day and by night."""

from __future__ import annotations

from kivy.utils import get_color_from_hex

from app.model.sock_monsters import Colour, Sock
from app.theme import DARK, Rgba, mix

GREY: Rgba = get_color_from_hex("#9a97a8")

SEATS: dict[Colour, Rgba] = {
    Colour.RED: get_color_from_hex("#d9503f"),
    Colour.YELLOW: get_color_from_hex("#eab12f"),
    Colour.GREEN: get_color_from_hex("#4f9a55"),
    Colour.BLUE: get_color_from_hex("#3f7cc4"),
}
SOCKS: dict[Sock, Rgba] = {
    Sock.RED: SEATS[Colour.RED],
    Sock.YELLOW: SEATS[Colour.YELLOW],
    Sock.GREEN: SEATS[Colour.GREEN],
    Sock.BLUE: SEATS[Colour.BLUE],
    Sock.VIOLET: get_color_from_hex("#8a5fb4"),
    Sock.RAINBOW: get_color_from_hex("#f8efdd"),
    Sock.SMELLY: get_color_from_hex("#8f8f5a"),
    Sock.BOOMERANG: get_color_from_hex("#e08a3c"),
}


def seat_wool(colour: Colour | None) -> Rgba:
    """The colour of a seat, its monster and its tiles."""
    return SEATS.get(colour, GREY) if colour is not None else GREY


def sock_wool(sock: Sock) -> Rgba:
    """The ground colour of a sock."""
    return SOCKS.get(sock, GREY)


def deep(colour: Rgba) -> Rgba:
    """The shade of a colour: edges, undersides."""
    return mix(colour, DARK, 0.42)
