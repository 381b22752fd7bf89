"""What a touch in Sock Monsters means: aim at something, do it, or why it can't be.

Free of Kivy. There is one rule for everything: what can be touched is lit, the first touch aims
and shows what would happen, the second one does it. What has no cell (a sock, a pairing, to do
nothing more) is a choice in the row beside the own placard; most of what has one is there as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from app.model.sock_monsters import (
    LAIRS,
    Cell,
    Elf,
    Kind,
    Phase,
    SockMonstersAct,
    SockMonstersView,
    beside,
    on_board,
)
from app.model.sock_monsters_hints import why_not, why_not_now

Group: TypeAlias = "Cell | Kind"
"""Actions that one touch means together: those at a cell, or of a kind that has no cell."""

_BOARD_ONLY: Final = (Kind.PLACE, Kind.MOVE, Kind.PEEK, Kind.PAWN)
"""Too many to be choices; the one aimed at becomes one, to say what a second touch does."""
_ORDER: Final = (
    *_BOARD_ONLY,
    Kind.TAKE,
    Kind.GIFT,
    Kind.PICK,
    Kind.STEAL,
    Kind.LIFT,
    Kind.LAIR,
    Kind.BAG,
    Kind.THROW,
    Kind.PAIR,
    Kind.GO_ON,
    Kind.PASS,
    Kind.KEEP,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the big choices: one action, or several that a touch shows one by one (such as the
    socks of a victim); none at all for the way back from there."""

    acts: tuple[SockMonstersAct, ...]

    @property
    def act(self) -> SockMonstersAct | None:
        """The action, if it is one alone."""
        return self.acts[0] if len(self.acts) == 1 else None


@dataclass(frozen=True, slots=True)
class Touched:
    """What a touch led to: an action to make, how the hand is now, or a word why not."""

    hand: Hand
    act: SockMonstersAct | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """The position, what may be done in it, and what was touched so far."""

    view: SockMonstersView
    legal: tuple[SockMonstersAct, ...]
    seat: int
    """Whose hand it is."""
    german: bool = False
    """Whether the German edition is played."""
    memory: bool = False
    """Whether the table remembers tiles for its players (RULINGS 1.14)."""
    aimed: SockMonstersAct | None = None
    opened: Group | None = None
    """The group whose actions are shown one by one."""
    waits: bool = False
    """Whether it has acted, and the answer is not there yet."""

    @property
    def may_act(self) -> bool:
        """Whether this hand is to act."""
        return bool(self.legal)

    @property
    def elf(self) -> Elf | None:
        """The elf of this hand."""
        return self.view.elf(self.seat)

    @property
    def groups(self) -> Mapping[Group, tuple[SockMonstersAct, ...]]:
        """The legal actions by what is touched for them."""
        found: dict[Group, tuple[SockMonstersAct, ...]] = {}
        for act in self.legal:
            group = self._group(act)
            found[group] = (*found.get(group, ()), act)
        return found

    @property
    def lit(self) -> frozenset[Cell]:
        """The cells whose touch means something."""
        return frozenset(group for group in self.groups if not isinstance(group, Kind))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The row of choices."""
        if self.opened is not None:
            inside = self.groups.get(self.opened, ())
            return (*(Choice((act,)) for act in inside), Choice(()))
        found: list[Choice] = []
        for acts in sorted(self.groups.values(), key=lambda acts: _ORDER.index(acts[0].kind)):
            if self._stands_open(acts[0].kind):
                found += (Choice((act,)) for act in acts)
            elif acts[0].kind not in _BOARD_ONLY or self.aimed in acts:
                found.append(Choice(acts))
        return tuple(found)

    @property
    def target(self) -> Cell | None:
        """The cell of what was aimed at, or of the group that is open."""
        group = self.opened if self.aimed is None else self._group(self.aimed)
        return None if group is None or isinstance(group, Kind) else group

    def touch(self, cell: Cell) -> Touched:
        """What follows from a touch on `cell`."""
        if not on_board(cell):
            return Touched(self._laid_down)
        if not self.may_act:
            return Touched(self._laid_down, hint=why_not_now(self.view, waits=self.waits))
        acts = self.groups.get(cell)
        if acts is None:
            return Touched(self._laid_down, hint=why_not(self.view, self._kinds, self.seat, cell))
        return self._mean(acts, cell)

    def propose(self, act: SockMonstersAct) -> Hand:
        """The hand that aims at `act`, as if it had been touched once, if that can be done now."""
        if act not in self.legal:
            return self
        group = self._group(act)
        alone = len(self.groups[group]) == 1 or self._stands_open(act.kind)
        return replace(self, aimed=act, opened=None if alone else group)

    def choose(self, choice: Choice) -> Touched:
        """What follows from a touch on a choice of the row."""
        legal = tuple(act for act in choice.acts if act in self.legal)
        if not legal:
            return Touched(self._laid_down)
        return self._mean(legal, self._group(legal[0]))

    def _mean(self, acts: tuple[SockMonstersAct, ...], group: Group) -> Touched:
        if len(acts) > 1:
            opened = None if self.opened == group else group
            return Touched(replace(self, aimed=None, opened=opened))
        if acts[0] == self.aimed:
            return Touched(self, act=acts[0])
        opened = self.opened if self.opened == group else None
        return Touched(replace(self, aimed=acts[0], opened=opened))

    @property
    def _laid_down(self) -> Hand:
        return replace(self, aimed=None, opened=None)

    @property
    def _kinds(self) -> frozenset[Kind]:
        return frozenset(act.kind for act in self.legal)

    def _stands_open(self, kind: Kind) -> bool:
        if kind is Kind.PAIR:
            return self.view.phase is Phase.RAINBOW
        return kind in (Kind.TAKE, Kind.GIFT)

    def _group(self, act: SockMonstersAct) -> Group:
        """Where an action is touched; its kind where it has no place."""
        cell: Cell | None = None
        match act.kind:
            case Kind.PLACE | Kind.MOVE | Kind.PEEK | Kind.PAWN:
                cell = act.cell
            case Kind.PICK | Kind.GO_ON:
                colour = act.colour if act.kind is Kind.PICK else self.view.awaited.monster
                monster = self.view.monster(colour)
                cell = monster.cell if monster else None
            case Kind.STEAL | Kind.THROW:
                elf = self.view.elf(act.seat)
                cell = elf.cell if elf else None
            case Kind.LIFT:
                cell = self.elf.cell if self.elf else None
            case Kind.LAIR:
                cell = LAIRS.get(act.colour) if act.colour else None
            case Kind.BAG:
                cell = self._lair_beside
        return act.kind if cell is None else cell

    @property
    def _lair_beside(self) -> Cell | None:
        stands = self.elf.cell if self.elf else None
        if stands is None:
            return None
        return next((lair for lair in LAIRS.values() if beside(lair, stands)), None)
