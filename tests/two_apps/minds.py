"""Somebody who wants to win soon: what to do next, by no more than what their seat sees.

Who touches at random plays three times as long.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from app.model.hide_and_seek import HideAndSeekAct, HideAndSeekView
from app.model.hide_and_seek import Kind as Turn
from app.model.sock_monsters import LAIRS, Cell, Kind, SockMonstersAct, SockMonstersView, beside

_GAINS: Final = (Kind.LAIR, Kind.BAG, Kind.STEAL, Kind.TAKE, Kind.GIFT, Kind.PAIR)


def in_the_house(
    view: SockMonstersView, legal: Sequence[SockMonstersAct], seat: int, rng: random.Random
) -> SockMonstersAct:
    """Take what there is, first what makes a pair; else go where there may be some."""
    best = max(_worth(view, act, seat) for act in legal)
    return rng.choice([act for act in legal if _worth(view, act, seat) == best])


def _worth(view: SockMonstersView, act: SockMonstersAct, seat: int) -> int:
    elf = view.elf(seat)
    singles = elf.socks if elf is not None else ()
    if act.kind in _GAINS and act.seat != seat:
        return 4 + (act.sock in singles)
    match act.kind:
        case Kind.PAWN if act.cell is not None:
            return _promise(view, act.cell, seat)
        case Kind.LIFT if elf is not None and elf.cell is not None:
            return _promise(view, elf.cell, seat)
        case Kind.PEEK:
            return 1
        case _:
            return 0


def _promise(view: SockMonstersView, cell: Cell, seat: int) -> int:
    """What a pawn may find on a cell: 6 its own room, 2 a lair beside it, 1 who knows, or 0."""
    elf = view.elf(seat)
    tile = next((tile for tile in view.tiles if tile.cell == cell), None)
    if tile is None or elf is None:
        return 0
    own = tile.colour is not None and tile.colour.value == seat
    if own and not tile.face_up and tile.motif in elf.tokens:
        return 6
    if any(one.lair and beside(LAIRS[one.colour], cell) for one in view.monsters):
        return 2
    return 1 if not tile.face_up and tile.colour is None else 0


def among_cards(
    view: HideAndSeekView, legal: Sequence[HideAndSeekAct], rng: random.Random
) -> HideAndSeekAct:
    """Turn what is known to match, else take a candy, else turn what nobody knows yet."""
    by_cell = {cell: act for act in legal if act.kind is Turn.FLIP for cell in act.flips}
    below = {card.cell: card.hidden for card in view.cards if card.cell in by_cell}
    turned = view.card(view.flipped)
    if turned is not None:
        fitting = [cell for cell, face in below.items() if face is turned.shown]
    else:
        fitting = [
            one
            for one, face in below.items()
            if face is not None and any(face is below[other] for other in below if other != one)
        ]
    if fitting:
        return by_cell[rng.choice(fitting)]
    candies = [act for act in legal if act.kind is Turn.CANDY]
    unknown = [act for cell, act in by_cell.items() if below.get(cell) is None]
    return rng.choice(candies or unknown or list(legal))
