"""Why a touch in Sock Monsters means nothing, in one short line that blames nobody."""

from __future__ import annotations

from collections.abc import Set

from app.i18n import tr
from app.model.sock_monsters import (
    CENTRE,
    MOST_STEPS,
    OVER,
    Cell,
    Colour,
    Elf,
    Kind,
    Phase,
    SockMonstersView,
    beside,
    distance,
    lair_at,
)
from app.model.words import on_its_way


def why_not_now(view: SockMonstersView, *, waits: bool) -> str:
    """Why nothing can be touched at all; `waits`: an own action has no answer yet."""
    if view.phase in OVER:
        return tr("The match is over.")
    if waits:
        return on_its_way()
    return tr("Wait a moment: it is not your turn.")


def why_not(view: SockMonstersView, kinds: Set[Kind], seat: int, cell: Cell) -> str:
    """Why `cell` means nothing to the seat to act, which could do actions of these `kinds`."""
    figure = view.figures.get(cell)
    match view.phase:
        case Phase.PLACE:
            if cell not in CENTRE:
                return tr("Elves start in the middle of the house.")
            return _taken()
        case Phase.PICK:
            if isinstance(figure, Colour):
                return tr("That monster is shut in.")
            return tr("Touch one of the monsters.")
        case Phase.MOVE:
            return _not_to(view, cell, figure)
        case Phase.OPEN:
            return _not_awake(view, cell, figure)
        case Phase.PAWN:
            return _not_for_pawn(view.elf(seat), cell, figure)
        case Phase.ACT:
            return _not_done(view, kinds, view.elf(seat), cell, figure)
        case _:
            return tr("Choose one of the socks below.")


def _taken() -> str:
    return tr("That spot is taken.")


def _not_to(view: SockMonstersView, cell: Cell, figure: Colour | int | None) -> str:
    monster = view.monster(view.awaited.monster)
    if figure is view.awaited.monster:
        return tr("It can't stay where it is.")
    if figure is not None:
        return _taken()
    if monster is not None and _steps(monster.cell, cell) > MOST_STEPS:
        return tr("Three steps at most.")
    return tr("It can't get there. The lit spots are free.")


def _not_awake(view: SockMonstersView, cell: Cell, figure: Colour | int | None) -> str:
    monster = view.monster(view.awaited.monster)
    tile = view.tile(cell)
    if isinstance(figure, Colour):
        if figure is view.awaited.monster:
            return tr("It can't go on.")
        return tr("Only the monster that is awake does something.")
    if figure is not None:
        elf = view.elf(figure)
        if elf is not None and not elf.socks:
            return tr("There is no single sock to steal.")
        return tr("It can't steal there.")
    if lair_at(cell) is not None:
        return tr("There is nothing to peek at in a lair.")
    if tile is not None and tile.face_up:
        return tr("That tile lies open already.")
    if monster is None or not beside(monster.cell, cell):
        return tr("It can only peek right beside itself.")
    return tr("That doesn't work here.")


def _not_for_pawn(elf: Elf | None, cell: Cell, figure: Colour | int | None) -> str:
    if figure is not None:
        return _taken()
    if lair_at(cell) is not None:
        return tr("Elves don't step into lairs.")
    if elf is not None and elf.cell is not None and distance(elf.cell, cell) > MOST_STEPS:
        return tr("Three steps at most.")
    return tr("Somebody is in the way.")


def _not_done(
    view: SockMonstersView,
    kinds: Set[Kind],
    elf: Elf | None,
    cell: Cell,
    figure: Colour | int | None,
) -> str:
    stands = elf.cell if elf is not None else None
    lair = lair_at(cell)
    if lair is not None and stands is not None:
        return _not_from_lair(view, elf, near=beside(stands, cell))
    if isinstance(figure, int) and stands is not None:
        if view.awaited.throws_left == 0:
            return tr("You have no boomerang to throw.")
        if stands[0] != cell[0] and stands[1] != cell[1]:
            return tr("Boomerangs fly along rows and columns.")
        return tr("There is no single sock to win there.")
    if Kind.PASS not in kinds:
        return tr("Lift the tile you stand on.")
    return tr("You have walked. Lift your tile, or end your turn.")


def _not_from_lair(view: SockMonstersView, elf: Elf | None, *, near: bool) -> str:
    if not near:
        return tr("Only from right beside a lair.")
    if any(monster.lair for monster in view.monsters) or view.bagged == 0:
        return tr("There is no sock here to take.")
    if elf is not None and elf.tokens:
        return tr("Not yet: some of your tokens are still up.")
    return tr("There is no sock here to take.")


def _steps(one: Cell, other: Cell) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
