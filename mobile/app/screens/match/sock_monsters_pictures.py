"""The picture on each of the big choices. All around (0, 0), `size` pixels high."""

from __future__ import annotations

from kivy.graphics import PopMatrix, PushMatrix, Translate

from app.boards.elves import pawn
from app.boards.house import bag
from app.boards.house_marks import eye
from app.boards.house_monsters import monster
from app.boards.house_tiles import tile_back
from app.boards.shapes import Drawn
from app.boards.socks import Needle, sock
from app.model.sock_monsters import Colour, Kind, Sock, SockMonstersAct
from app.model.sock_monsters_touch import Choice, Hand
from app.theme import theme
from app.widgets.icons import icon


def choice_picture(hand: Hand, choice: Choice, size: float) -> Drawn:
    """What a choice is about."""
    if not choice.acts:
        return icon("back", 0, 0, size * 0.7, theme.ink)
    act = choice.acts[0]
    match act.kind:
        case Kind.STEAL | Kind.LAIR if len(choice.acts) > 1:
            return _whose(act, size)
        case Kind.PAIR:
            other = None if len(choice.acts) > 1 else act.sock
            return _pair(other, size)
        case Kind.KEEP:
            return sock(Sock.RAINBOW, Needle(0, 0, size * 0.8))
        case Kind.STEAL | Kind.TAKE | Kind.GIFT | Kind.LAIR:
            return sock(act.sock or Sock.UNKNOWN, Needle(0, 0, size * 0.84))
        case Kind.PICK:
            return monster(act.colour or Colour.UNKNOWN, size * 0.95, awake=False)
        case Kind.MOVE | Kind.GO_ON:
            colour = hand.view.awaited.monster or Colour.UNKNOWN
            awake = act.kind is Kind.GO_ON or hand.view.awake(colour)
            return monster(colour, size * 0.85, awake=awake)
        case Kind.PLACE | Kind.PAWN:
            return pawn(hand.seat, size)
        case Kind.THROW:
            return _target(act, size)
        case Kind.PEEK:
            return eye(0, 0, size * 0.8)
        case Kind.LIFT:
            return _lifted(size)
        case Kind.BAG:
            return bag(Needle(0, 0, size * 0.9))
        case _:
            return icon("end", 0, 0, size * 0.7, theme.ink)


def moved(x: float, y: float, drawn: Drawn) -> Drawn:
    """A drawing around (x, y) instead of (0, 0)."""
    return [PushMatrix(), Translate(x, y), *drawn, PopMatrix()]


def _whose(act: SockMonstersAct, size: float) -> Drawn:
    """The owner of several socks, with the first of them."""
    aside = size * 0.2
    if act.kind is Kind.STEAL and act.seat is not None:
        owner = pawn(act.seat, size * 0.9)
    else:
        owner = monster(act.colour or Colour.UNKNOWN, size * 0.7, awake=False)
    drawn = moved(-aside, 0, owner)
    return drawn + sock(act.sock or Sock.UNKNOWN, Needle(aside * 1.6, -size * 0.12, size * 0.55))


def _target(act: SockMonstersAct, size: float) -> Drawn:
    drawn = moved(-size * 0.2, 0, pawn(act.seat if act.seat is not None else -1, size * 0.9))
    return drawn + sock(Sock.BOOMERANG, Needle(size * 0.3, -size * 0.1, size * 0.55))


def _pair(other: Sock | None, size: float) -> Drawn:
    left = sock(Sock.RAINBOW, Needle(-size * 0.34, 0, size * 0.9))
    return left + sock(other or Sock.RED, Needle(size * 0.36, 0, size * 0.9))


def _lifted(size: float) -> Drawn:
    """A tile that comes up, with an arrow."""
    drawn = moved(0, -size * 0.06, tile_back(size * 0.8))
    return drawn + moved(0, size * 0.06, icon("up", 0, 0, size * 0.6, theme.accent))
