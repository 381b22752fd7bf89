"""What a touch in Monster Hide and Seek means: flip, aim, take, or why it can't be.

Free of Kivy. A card is flipped by one touch, when the finger leaves it: a finger that slides away
takes it back. What has an effect elsewhere is aimed at first and done by a second touch: a candy,
which turns cards on its lines, and the first of two cards that are named together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.i18n import tr
from app.model.hide_and_seek import Cell, Face, HideAndSeekAct, HideAndSeekView, Kind, Phase
from app.model.words import on_its_way


@dataclass(frozen=True, slots=True)
class Touched:
    """What a touch led to: an action to make, how the hand is now, or a word why not."""

    hand: Hand
    act: HideAndSeekAct | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """The position, what may be done in it, and what was aimed at."""

    view: HideAndSeekView
    legal: tuple[HideAndSeekAct, ...]
    seat: int
    """Whose hand it is."""
    aimed: Cell | None = None
    """A candy, or the first of two cards named together."""
    proposed: HideAndSeekAct | None = None
    """What was suggested, until something else is touched."""
    waits: bool = False
    """Whether it has acted, and the answer is not there yet."""

    @property
    def may_act(self) -> bool:
        """Whether this hand is to act."""
        return bool(self.legal)

    @property
    def together(self) -> bool:
        """Whether two cards are named before either is seen."""
        return any(act.kind is Kind.BOTH for act in self.legal)

    @property
    def stop(self) -> HideAndSeekAct | None:
        """The action that ends the turn, where there is one."""
        return next((act for act in self.legal if act.kind is Kind.STOP), None)

    @property
    def candies(self) -> frozenset[Cell]:
        """Candies that may be taken."""
        return frozenset(
            act.cell for act in self.legal if act.kind is Kind.CANDY and act.cell is not None
        )

    @property
    def cards(self) -> frozenset[Cell]:
        """Monster cards that may be touched."""
        return frozenset(cell for act in self.legal for cell in act.flips)

    @property
    def lit(self) -> frozenset[Cell]:
        """The cells whose touch means something."""
        return self.candies | self.cards

    @property
    def found(self) -> tuple[Cell, ...]:
        """The cards that the candy aimed at would turn over."""
        return self.view.found_from(self.aimed) if self.aimed in self.candies else ()

    def propose(self, act: HideAndSeekAct) -> Hand:
        """The hand with `act` suggested, if that can be done now; a candy is aimed at as well."""
        if act not in self.legal:
            return self
        return replace(self, aimed=act.cell if act.kind is Kind.CANDY else None, proposed=act)

    def touch(self, cell: Cell) -> Touched:
        """What follows from a touch on `cell`."""
        meant = self.proposed if self.proposed and cell in self.proposed.flips else None
        laid_down = replace(self, aimed=None, proposed=meant)
        if not self.view.inside(cell):
            return Touched(laid_down)
        if not self.may_act:
            return Touched(laid_down, hint=_why_not_now(self.view, waits=self.waits))
        if cell in self.candies:
            if cell == self.aimed:
                return Touched(self, act=HideAndSeekAct(Kind.CANDY, cell))
            return Touched(replace(laid_down, aimed=cell))
        if cell not in self.cards:
            return Touched(laid_down, hint=_why_not(self.view, cell, stops=self.stop is not None))
        if not self.together:
            return Touched(self, act=HideAndSeekAct(Kind.FLIP, cell))
        if cell == self.aimed:
            return Touched(laid_down)
        if self.aimed is None or self.aimed in self.candies:
            return Touched(replace(laid_down, aimed=cell))
        return Touched(self, act=self._both(self.aimed, cell))

    def _both(self, one: Cell, other: Cell) -> HideAndSeekAct | None:
        """The two cards together, whichever was touched first."""
        return next((act for act in self.legal if set(act.flips) == {one, other}), None)


def _why_not_now(view: HideAndSeekView, *, waits: bool) -> str:
    if view.phase is Phase.OVER:
        return tr("The match is over.")
    if view.phase is Phase.DEAL:
        return tr("The cards are still being dealt.")
    if waits:
        return on_its_way()
    return tr("Wait a moment: it is not your turn.")


def _why_not(view: HideAndSeekView, cell: Cell, *, stops: bool) -> str:
    card = view.card(cell)
    if card is None:
        return tr("Nobody hides there any more.")
    if cell == view.flipped:
        return tr("You have just turned that one. Now another.")
    if card.shown is not Face.CANDY:
        return tr("That doesn't work here.")
    if view.phase is Phase.SECOND:
        return tr("First another card: candies wait for your next turn.")
    if stops:
        return tr("No candy after a match. Turn a card, or stop.")
    return tr("No candy after a match. Turn a card.")
