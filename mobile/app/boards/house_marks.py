"""What is lit in the house, and what the touch that was aimed would do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from kivy.graphics import PopMatrix, PushMatrix, Translate

from app.boards.elves import pawn
from app.boards.house import HouseLayout
from app.boards.house_monsters import monster
from app.boards.shapes import Drawn, Point, Seam, arc, disc, felt, oval, rounded, stitches
from app.boards.socks import Needle, sock
from app.model.sock_monsters import (
    Cell,
    Colour,
    Kind,
    Sock,
)
from app.model.sock_monsters_touch import Hand
from app.model.sock_monsters_ways import track
from app.theme import CREAM, DARK, faded, mix, theme

_TO = (Kind.PLACE, Kind.MOVE, Kind.PAWN)


def ground_marks(layout: HouseLayout, hand: Hand) -> Drawn:
    """Under the figures: where one can go, who can be touched, and the way that was aimed at."""
    drawn: Drawn = []
    cell = layout.cell
    for where, acts in hand.groups.items():
        if isinstance(where, Kind):
            continue
        x, y = layout.middle(where)
        stays = acts[0].kind is Kind.PAWN and hand.elf is not None and where == hand.elf.cell
        if acts[0].kind in _TO and not stays:
            half = cell * 0.44
            patch = rounded(x - half, y - half, 2 * half, 2 * half, cell * 0.11)
            drawn += felt(patch, faded(theme.accent, 0.16), 0.5)
            drawn += disc(x, y, cell * 0.25, mix(theme.accent, DARK, 0.5))
            drawn += disc(x, y, cell * 0.2, theme.accent)
        elif acts[0].kind is Kind.PEEK:
            drawn += _frame(layout, where, 0.9)
        elif acts[0].kind in (Kind.LAIR, Kind.BAG):
            drawn += _frame(layout, where, 1.0)
        else:
            drawn += disc(x, y, cell * 0.98, faded(theme.accent, 0.25))
            drawn += _ring(layout, where, 1.0)
    return drawn + _aim(layout, hand)


def over_marks(layout: HouseLayout, hand: Hand) -> Drawn:
    """Over the figures: eyes on what can be peeked at, and the end of what was aimed at."""
    drawn: Drawn = []
    cell = layout.cell
    for where, acts in hand.groups.items():
        if not isinstance(where, Kind) and acts[0].kind is Kind.PEEK:
            drawn += eye(*layout.middle(where), cell * 0.42)
    target = hand.target
    if target is not None:
        x, y = layout.middle(target)
        half = cell * 0.5
        seam = Seam(max(2.5, cell * 0.06), cell * 0.15, cell * 0.06)
        frame = rounded(x - half, y - half, 2 * half, 2 * half, cell * 0.15)
        drawn += stitches(frame, mix(theme.accent, DARK, 0.55), seam._replace(width=seam.width * 2))
        drawn += stitches(frame, theme.accent, seam)
        drawn += _ghost(hand, x, y, cell)
        if hand.aimed is not None and hand.aimed.kind in (Kind.STEAL, Kind.LAIR):
            drawn += sock(hand.aimed.sock or Sock.UNKNOWN, Needle(x, y + cell * 0.5, cell * 0.46))
    return drawn


def _ghost(hand: Hand, x: float, y: float, cell: float) -> Drawn:
    """Who would stand at the end of a walk, smaller than those who do stand somewhere."""
    act = hand.aimed
    if act is None or act.kind not in _TO:
        return []
    if act.kind is not Kind.MOVE:
        stays = hand.elf is not None and hand.elf.cell == act.cell
        figure = [] if stays else pawn(hand.seat, cell * 0.7)
    else:
        colour = hand.view.awaited.monster or Colour.UNKNOWN
        figure = monster(colour, cell * 0.62, awake=hand.view.awake(colour))
    return [PushMatrix(), Translate(x, y), *figure, PopMatrix()]


def eye(x: float, y: float, size: float) -> Drawn:
    """An open eye, for what can be peeked at."""
    almond = [*arc(x, y - size * 0.16, size, size * 0.86, 25, 155)]
    almond += arc(x, y + size * 0.16, size, size * 0.86, 205, 335)
    drawn = felt(almond, DARK, max(2.0, size * 0.1))
    drawn += felt([(x + (a - x) * 0.9, y + (b - y) * 0.84) for a, b in almond], CREAM, 1.0)
    drawn += disc(x, y, size * 0.36, theme.accent)
    return drawn + disc(x, y, size * 0.19, DARK)


def _aim(layout: HouseLayout, hand: Hand) -> Drawn:
    if hand.aimed is None:
        return []
    cell = layout.cell
    drawn: Drawn = []
    target = hand.target
    if target is not None:
        x, y = layout.middle(target)
        half = cell * 0.47
        patch = rounded(x - half, y - half, 2 * half, 2 * half, cell * 0.14)
        drawn += felt(patch, faded(theme.accent, 0.5), 1.0)
    cells = track(hand.view, hand.aimed, hand.seat, german=hand.german)
    return drawn + footprints([layout.middle(where) for where in cells], cell)


def footprints(points: Iterable[Point], cell: float) -> Drawn:
    """Small bare feet along a way."""
    places = list(points)
    drawn: Drawn = []
    number = 0
    for start, end in itertools.pairwise(places):
        for share in (0.3, 0.55, 0.8) if end != places[-1] else (0.3, 0.55):
            x = start[0] + (end[0] - start[0]) * share
            y = start[1] + (end[1] - start[1]) * share
            dx, dy = (end[0] - start[0]) / cell, (end[1] - start[1]) / cell
            side = 0.08 if number % 2 else -0.08
            number += 1
            spot = (x - dy * side * cell, y + dx * side * cell)
            drawn += disc(*spot, cell * 0.19, mix(theme.accent, DARK, 0.6))
            drawn += disc(*spot, cell * 0.14, mix(theme.accent, CREAM, 0.3))
    return drawn


def _ring(layout: HouseLayout, where: Cell, size: float) -> Drawn:
    x, y = layout.middle(where)
    cell = layout.cell
    seam = Seam(max(2.0, cell * 0.05), cell * 0.14, cell * 0.07)
    return stitches(oval(x, y, cell * size * 0.96, cell * size * 0.96), theme.accent, seam)


def _frame(layout: HouseLayout, where: Cell, size: float) -> Drawn:
    x, y = layout.middle(where)
    cell = layout.cell
    half = cell * 0.47 * size
    outline = rounded(x - half, y - half, 2 * half, 2 * half, cell * 0.12)
    drawn = felt(outline, faded(theme.accent, 0.25), 1.0)
    seam = Seam(max(2.0, cell * 0.05), cell * 0.14, cell * 0.07)
    return drawn + stitches(outline, theme.accent, seam)
