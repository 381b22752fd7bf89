"""What there was to see between two positions: which cards turned over, and what they showed.

An action names cells; what came up there is only in the position that follows. Usually one action
lies between two positions. When several do, as after a lost connection, most faces follow from the
cards that lie there and from the piles, which are open; the others were missed and stay unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.model.hide_and_seek import (
    MONSTERS,
    Cell,
    Face,
    HideAndSeekAct,
    HideAndSeekView,
    Kind,
    Pair,
    added,
    both_sides,
    closest,
)

Told: TypeAlias = tuple[int, HideAndSeekAct]
"""Who acted, and what was done."""
MOST_TRIED = 2000
"""So many ways of sharing a pile out are looked at; faces still open then stay unknown."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A card turns over; a face that can't be known is None."""

    cell: Cell
    before: Face | None
    after: Face | None


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing to be seen: cards turn, and either fly to a pile, or stay as they lie."""

    actor: int
    turned: tuple[Turned, ...]
    taken: tuple[Cell, ...] = ()
    missed: tuple[Cell, ...] = ()
    """Two cards that do not match."""
    candy: bool = False
    """Whether `taken` is a candy, and `turned` what lay on its lines."""


@dataclass(slots=True)
class _Sides:
    """A card of which the first side is known."""

    sides: list[Face | None]
    up: int = 0

    @property
    def shown(self) -> Face | None:
        return self.sides[self.up]


@dataclass(slots=True)
class _Step:
    """What an action did, by card and side, before all faces are known."""

    actor: int
    turned: list[tuple[Cell, _Sides, int]]
    taken: tuple[Cell, ...] = ()
    missed: tuple[Cell, ...] = ()
    candy: bool = False


class _Misfit(Exception):
    """The actions do not lead from the one position to the other."""


def tell(before: HideAndSeekView, acts: Sequence[Told], after: HideAndSeekView) -> tuple[Beat, ...]:
    """What `acts` made to be seen; nothing where they don't lead from `before` to `after`, as when
    an action was refused, or is in both positions already."""
    try:
        table = _Table(before, after, acts)
        steps = [table.step(number) for number in range(len(acts))]
        table.check()
        table.know()
    except _Misfit:
        return ()
    return tuple(
        Beat(
            step.actor,
            tuple(
                Turned(cell, card.sides[1 - up], card.sides[up]) for cell, card, up in step.turned
            ),
            step.taken,
            step.missed,
            step.candy,
        )
        for step in steps
        if step.turned or step.taken
    )


class _Table:
    """The cards as they are moved by one action after the other."""

    def __init__(
        self, before: HideAndSeekView, after: HideAndSeekView, acts: Sequence[Told]
    ) -> None:
        self._before, self._after, self._acts = before, after, acts
        self._cards: dict[Cell, _Sides] = {}
        self._candies: set[Cell] = set()
        for card in before.cards:
            if card.shown is Face.CANDY:
                self._candies.add(card.cell)
            else:
                self._cards[card.cell] = _Sides([card.shown, card.hidden])
        self._flipped = before.flipped
        self._turns = before.turns
        self._pairs: list[tuple[int, _Sides, _Sides]] = []
        self._last = {cell: number for number, (_, act) in enumerate(acts) for cell in act.flips}

    def step(self, number: int) -> _Step:
        """Carry out one action; raises `_Misfit`."""
        actor, act = self._acts[number]
        step = _Step(actor, [])
        match act.kind:
            case Kind.FLIP:
                assert act.cell is not None
                if act.cell == self._flipped:
                    raise _Misfit
                step.turned.append(self._turn(act.cell))
                if self._flipped is None:
                    self._flipped = act.cell
                else:
                    self._compare(step, number, (self._flipped, act.cell))
            case Kind.BOTH:
                step.turned += map(self._turn, act.flips)
                self._compare(step, number, act.flips)
            case Kind.CANDY:
                self._take_candy(step, act.cell)
            case Kind.STOP:
                self._turns += 1
            case Kind.DEAL:
                raise _Misfit
        return step

    def _turn(self, cell: Cell) -> tuple[Cell, _Sides, int]:
        card = self._cards.get(cell)
        if card is None:
            raise _Misfit
        card.up = 1 - card.up
        return (cell, card, card.up)

    def _compare(self, step: _Step, number: int, cells: tuple[Cell, ...]) -> None:
        self._flipped = None
        # Collected cards can't be named again, and no others leave gaps.
        if any(self._after.card(cell) or self._last.get(cell, -1) > number for cell in cells):
            step.missed = cells
            self._turns += 1
            return
        step.taken = cells
        one, other = (self._cards.pop(cell) for cell in cells)
        self._pairs.append((step.actor, one, other))
        if len(self._cards) < 2:
            self._turns += 1

    def _take_candy(self, step: _Step, cell: Cell | None) -> None:
        if cell is None or cell not in self._candies or self._flipped is not None:
            raise _Misfit
        self._candies.remove(cell)
        step.candy, step.taken = True, (cell,)
        step.turned += map(self._turn, closest(cell, self._cards))
        self._turns += 1

    def check(self) -> None:
        """Raise `_Misfit` unless this is where the actions had to lead."""
        after = self._after
        there = {card.cell for card in after.cards if card.shown is not Face.CANDY}
        candies = {card.cell for card in after.cards if card.shown is Face.CANDY}
        if (there, candies) != (set(self._cards), self._candies):
            raise _Misfit
        if (after.turns, after.flipped) != (self._turns, self._flipped):
            raise _Misfit
        for card in after.cards:
            if card.shown is not Face.CANDY:
                self._learn(self._cards[card.cell], card.shown)

    def _learn(self, card: _Sides, shown: Face | None) -> None:
        if shown is None:
            return
        if card.shown not in (None, shown):
            raise _Misfit
        card.sides[card.up] = shown

    def know(self) -> None:
        """Find the faces of collected cards: both showed the same, and the piles are open."""
        for _, one, other in self._pairs:
            self._learn(one, other.shown)
            self._learn(other, one.shown)
        for pile in self._after.piles:
            pairs = [(one, other) for actor, one, other in self._pairs if actor == pile.seat]
            if pairs:
                before = next(old for old in self._before.piles if old.seat == pile.seat)
                _share_out(pairs, added(before, pile))


def _share_out(pairs: Sequence[tuple[_Sides, _Sides]], pile: Counter[Pair]) -> None:
    """Set the faces that are the same in all ways in which the cards make up the pile."""
    ways: list[tuple[tuple[Face, ...], ...]] = []
    for tried, way in enumerate(_ways(pairs, pile)):
        if tried >= MOST_TRIED:
            return
        if way is not None:
            ways.append(way)
    if not ways:
        raise _Misfit
    cards = [card for pair in pairs for card in pair]
    for number, card in enumerate(cards):
        for side in (0, 1):
            faces = {way[number][side] for way in ways}
            if len(faces) == 1:
                card.sides[side] = faces.pop()


def _ways(
    pairs: Sequence[tuple[_Sides, _Sides]], pile: Counter[Pair]
) -> Iterator[tuple[tuple[Face, ...], ...] | None]:
    """Both sides of every card, in all ways that fit; None for each dead end."""
    if not pairs:
        yield () if not pile.total() else None
        return
    (one, other), rest = pairs[0], pairs[1:]
    dead = True
    for first in _whole(one):
        for second in _whole(other):
            needed = Counter([both_sides(*first), both_sides(*second)])
            if first[one.up] is second[other.up] and needed <= pile:
                for way in _ways(rest, pile - needed):
                    dead = False
                    yield None if way is None else (first, second, *way)
    if dead:
        yield None


def _whole(card: _Sides) -> Iterator[tuple[Face, Face]]:
    """All ways in which the unknown sides of a card can be."""
    for front in MONSTERS if card.sides[0] is None else (card.sides[0],):
        for back in MONSTERS if card.sides[1] is None else (card.sides[1],):
            yield (front, back)
