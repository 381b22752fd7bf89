"""What a touch on the Socker board means: pick a socker up, act, or why it can't be.

Free of Kivy: the board says which cell was touched, this says what follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.i18n import tr
from app.model.socker import (
    EDGE_LIMIT,
    ROWS,
    Cell,
    Kind,
    Phase,
    Piece,
    Side,
    SockerAct,
    SockerView,
    distance,
    is_edge,
    is_goal,
    is_side,
    on_board,
)
from app.model.words import on_its_way

_BY_SOCKER = (Kind.MOVE, Kind.KICK, Kind.SOCK)
_MIDDLE_ROW = ROWS // 2


@dataclass(frozen=True, slots=True)
class Touched:
    """What a touch led to: an action to make, another socker picked up, or a word why not."""

    act: SockerAct | None = None
    picked: Cell | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """The position, what may be done in it, and the socker picked up."""

    view: SockerView
    legal: tuple[SockerAct, ...]
    side: Side
    """The side this hand plays: the one to act, if it is on this device."""
    picked: Cell | None = None
    proposed: SockerAct | None = None
    """What was suggested, until something is touched."""
    waits: bool = False
    """Whether it has acted, and the answer is not there yet."""

    @property
    def may_act(self) -> bool:
        """Whether this hand is to act."""
        return bool(self.legal)

    @property
    def actors(self) -> frozenset[Cell]:
        """Own sockers that can do something."""
        return frozenset(act.origin for act in self.legal if act.origin is not None)

    @property
    def offers(self) -> tuple[SockerAct, ...]:
        """The actions that one touch makes now: of the socker picked up, or of a free cell."""
        return tuple(
            act
            for act in self.legal
            if (act.kind in _BY_SOCKER and act.origin == self.picked)
            or act.kind in (Kind.PLACE, Kind.RECENTRE)
        )

    @property
    def lit(self) -> tuple[SockerAct, ...]:
        """Of the offers those that are lit: with a suggestion that one alone."""
        return self.offers if self.proposed is None else (self.proposed,)

    def propose(self, act: SockerAct) -> Hand:
        """The hand with `act` suggested and its socker picked up, if that can be done now."""
        return replace(self, picked=act.origin, proposed=act) if act in self.legal else self

    def has(self, kind: Kind) -> SockerAct | None:
        """The legal action of a kind without cells, such as END_TURN."""
        return next((act for act in self.legal if act.kind is kind), None)

    def aim(self, column: float, row: float, reach: float) -> Cell:
        """The cell a finger at (column, row) means; cells are 1 wide, (0, 0) is a1's corner.

        A finger is wider than a cell on a small phone: a touch beside a cell that means something
        counts for it when it is within `reach` of its middle and its own cell means nothing.
        """
        cell = (int(column // 1), int(row // 1))
        wanted = self.actors | {where for act in self.offers for where in _touchable(act)}
        if cell in wanted or not wanted:
            return cell

        def away(other: Cell) -> float:
            return max(abs(other[0] + 0.5 - column), abs(other[1] + 0.5 - row))

        nearest = min(sorted(wanted), key=away)
        return nearest if away(nearest) <= reach else cell

    def touch(self, cell: Cell) -> Touched:
        """What follows from a touch on `cell`."""
        if not on_board(cell):
            return Touched(picked=None)
        if not self.may_act:
            kept = self.picked if self.waits else None
            return Touched(picked=kept, hint=self._why_not_now())
        act = next((act for act in self.offers if act.target == cell), None) or next(
            (act for act in self.offers if act.lands == cell), None
        )
        if act is not None:
            return Touched(act=act, picked=self.picked)
        if cell == self.picked:
            return Touched(picked=None)
        if cell in self.actors:
            return Touched(picked=cell)
        return Touched(picked=self.picked, hint=self._why_not(cell))

    def _why_not_now(self) -> str:
        if self.view.phase is Phase.OVER:
            return tr("The match is over.")
        if self.waits:
            return on_its_way()
        return tr("It is the other side's turn.")

    def _why_not(self, cell: Cell) -> str:
        if self.view.phase is Phase.SETUP:
            return self._why_not_place(cell)
        if self.view.phase is Phase.RECENTRE:
            return tr("The ball can go to a marked cell.")
        piece = self.view.piece_at(cell)
        if piece is not None and piece.side is self.side:
            return self._why_not_pick(piece)
        if self.has(Kind.PASS):
            return tr("Nobody can do anything: pass.")
        if self.picked is None:
            if piece is not None:
                return tr("That one plays for the other side.")
            return tr("Touch one of your sockers first.")
        if distance(self.picked, cell) > 1:
            return tr("One step at a time.")
        if piece is not None:
            return self._why_not_push(cell, tr("There is no room behind that one."))
        if cell == self.view.ball:
            return self._why_not_push(cell, tr("There is no room behind the ball."))
        if is_edge(cell):
            return _edge_words(self.view.edge_limit)
        return tr("That doesn't work here.")

    def _why_not_pick(self, piece: Piece) -> str:
        if piece.lying:
            return tr("It was socked and lies down for this turn.")
        return tr("That one can't do anything now.")

    def _why_not_push(self, cell: Cell, no_room: str) -> str:
        assert self.picked is not None
        lands = (2 * cell[0] - self.picked[0], 2 * cell[1] - self.picked[1])
        if not on_board(lands):
            return tr("That way it would leave the field.")
        if self.view.piece_at(lands) is not None or lands == self.view.ball:
            return no_room
        return _edge_words(self.view.edge_limit)

    def _why_not_place(self, cell: Cell) -> str:
        view = self.view
        if view.piece_at(cell) is not None or cell == view.ball:
            return tr("That cell is taken.")
        forward = cell[1] if self.side is Side.SOUTH else ROWS - 1 - cell[1]
        if forward > _MIDDLE_ROW:
            return tr("Your sockers start in your own half.")
        if forward == _MIDDLE_ROW:
            return tr("The middle row stays empty at the start.")
        if view.ball is not None and distance(cell, view.ball) <= 1:
            return tr("Not next to the ball.")
        if is_goal(cell) or is_side(cell):
            return _edge_words(EDGE_LIMIT)
        return tr("That doesn't work here.")


def _edge_words(limit: int | None) -> str:
    if limit is None:
        return tr("That doesn't work here.")
    return tr("At most {limit} of yours may end up on goal and side cells.", limit=limit)


def _touchable(act: SockerAct) -> Iterable[Cell]:
    return (cell for cell in (act.target, act.lands) if cell is not None)
