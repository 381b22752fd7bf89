"""Ways through the house, for showing where somebody walks; the rules judge, this only draws."""

from __future__ import annotations

from collections.abc import Iterable

from app.model.sock_monsters import (
    LAIRS,
    Cell,
    Kind,
    SockMonstersAct,
    SockMonstersView,
    neighbours,
)


def way(start: Cell, end: Cell, blocked: Iterable[Cell], *, diagonal: bool) -> tuple[Cell, ...]:
    """A shortest way over free cells, both ends included.

    Where there is none (an enclosed pawn climbs over figures, RULINGS 1.6) it goes straight there.
    """
    walls = set(blocked) - {start, end}
    came: dict[Cell, Cell] = {start: start}
    edge = [start]
    while edge and end not in came:
        reached = []
        for cell in edge:
            for other in neighbours(cell, diagonal=diagonal):
                if other not in came and other not in walls:
                    came[other] = cell
                    reached.append(other)
        edge = reached
    if end not in came:
        return (start, end)
    found = [end]
    while found[-1] != start:
        found.append(came[found[-1]])
    return tuple(reversed(found))


def line(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """All cells of a straight line, both ends included."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    across, up = (end[0] - start[0]) // steps, (end[1] - start[1]) // steps
    return tuple((start[0] + across * i, start[1] + up * i) for i in range(steps + 1))


def monster_way(
    start: Cell, end: Cell, figures: Iterable[Cell], *, german: bool
) -> tuple[Cell, ...]:
    """The way of a monster: in the German edition a straight line (RULINGS 1.19)."""
    if german and (start[0] == end[0] or start[1] == end[1]):
        return line(start, end)
    return way(start, end, figures, diagonal=False)


def pawn_way(start: Cell, end: Cell, figures: Iterable[Cell]) -> tuple[Cell, ...]:
    """The way of a pawn, around figures and lairs (RULINGS 1.5)."""
    return way(start, end, {*figures, *LAIRS.values()}, diagonal=True)


def track(
    view: SockMonstersView, act: SockMonstersAct, seat: int, *, german: bool
) -> tuple[Cell, ...]:
    """The cells that `act` of `seat` would pass, its start first; empty where nobody walks."""
    monster, elf = view.monster(view.awaited.monster), view.elf(seat)
    if act.cell is not None and act.kind is Kind.MOVE and monster is not None:
        return monster_way(monster.cell, act.cell, view.figures, german=german)
    if act.cell is not None and act.kind is Kind.PAWN and elf is not None and elf.cell is not None:
        return pawn_way(elf.cell, act.cell, view.figures)
    return ()
