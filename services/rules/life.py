"""What a match is beside its game: who acts for each seat, what is asked, what may be undone.

Pure values that events lead to, as the game's state is; they are stored beside every position.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any

from services.engine.core import Seat


class EventKind(StrEnum):
    """What an event is. All but `ACTION` happen beside the game."""

    ACTION = "action"
    UNDO = "undo"
    ASK_TAKEBACK = "ask_takeback"
    OFFER_END = "offer_end"
    AGREE = "agree"
    DECLINE = "decline"
    TAKEBACK = "takeback"
    END = "end"
    RESIGN = "resign"
    ABANDON = "abandon"
    SIT = "sit"
    RETURN = "return"
    FORFEIT = "forfeit"
    VACATION = "vacation"


RESTORES = frozenset({EventKind.UNDO, EventKind.TAKEBACK})
"""Kinds after which the game stands again as it did before."""


class SeatState(IntEnum):
    """Who acts for a seat; the contract's numbers. Agents' seats are always `PRESENT`."""

    PRESENT = 1
    SITTER = 2
    RETURNING = 3
    GIVEN_UP = 4


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to all people of the match: `ASK_TAKEBACK` or `OFFER_END`.

    `revision` is that of the event that asked. `agreed` are seats whose people have said yes, the
    asker's first.
    """

    kind: EventKind
    revision: int
    agreed: tuple[Seat, ...]
    to_revision: int | None = None

    @property
    def seat(self) -> Seat:
        """Who asks."""
        return self.agreed[0]


@dataclass(frozen=True, slots=True)
class Life:
    """How a match stands beside its game.

    `states` has one entry a seat; empty: all are there. `asked` are the seats that have asked
    something since the last action. `undoable` are the revisions of the latest actions that the
    seat to act may undo, ascending.
    """

    states: tuple[SeatState, ...] = ()
    ask: Ask | None = None
    asked: tuple[Seat, ...] = ()
    undoable: tuple[int, ...] = ()

    def state(self, seat: Seat) -> SeatState:
        """Who acts for the seat."""
        return self.states[seat] if self.states else SeatState.PRESENT

    def with_state(self, seat: Seat, state: SeatState, seats: int) -> Life:
        """With another actor for one of `seats` seats."""
        states = list(self.states or (SeatState.PRESENT,) * seats)
        states[seat] = state
        return replace(self, states=tuple(states))


ALL_THERE = Life()


def after_action(life: Life, revision: int, *, undoable: bool) -> Life:
    """How a match stands beside its game once the action at `revision` has happened."""
    kept = (*life.undoable, revision) if undoable else ()
    return replace(life, ask=None, asked=(), undoable=kept)


def after_control(
    life: Life, kind: EventKind, seat: Seat, revision: int, to_revision: int | None, seats: int
) -> Life:
    """The same once something has happened beside the game, about one of `seats` seats.

    All but an answer ends what was asked; all but a question or an answer ends what could be
    undone, but for what stood before an action that was undone. Coming and going on vacation ends
    nothing.
    """
    if kind is EventKind.AGREE and life.ask is not None:
        return replace(life, ask=replace(life.ask, agreed=(*life.ask.agreed, seat)))
    if kind is EventKind.DECLINE:
        return replace(life, ask=None)
    if kind in (EventKind.ASK_TAKEBACK, EventKind.OFFER_END):
        ask = Ask(kind, revision, (seat,), to_revision)
        return replace(life, ask=ask, asked=(*life.asked, seat))
    if kind is EventKind.VACATION:
        return life
    if kind is EventKind.RETURN:
        sat = life.state(seat) is SeatState.SITTER
        return life.with_state(seat, SeatState.RETURNING, seats) if sat else life
    left = life.undoable[:-1] if kind is EventKind.UNDO else ()
    asked = life.asked if kind is EventKind.UNDO else ()
    life = replace(life, ask=None, asked=asked, undoable=left)
    if gives_up(kind, seats):
        return life.with_state(seat, SeatState.GIVEN_UP, seats)
    if kind is EventKind.SIT:
        return life.with_state(seat, SeatState.SITTER, seats)
    return life


def gives_up(kind: EventKind, seats: int) -> bool:
    """Whether an event takes its seat away from its person. With two seats it does not: it is the
    end, and after that everybody is who they were.
    """
    return kind in (EventKind.RESIGN, EventKind.FORFEIT) and seats > 2


def taken_over(life: Life, actor: Seat | None) -> Life:
    """The same once `actor` is to act: who is back takes over, unless their sitter has a turn."""
    if SeatState.RETURNING not in life.states:
        return life
    states = (
        SeatState.PRESENT if state is SeatState.RETURNING and seat != actor else state
        for seat, state in enumerate(life.states)
    )
    return replace(life, states=tuple(states))


def dump_life(life: Life) -> str:
    """The JSON of a life; what has its default is left out."""
    data: dict[str, Any] = {}
    if life.states:
        data["states"] = life.states
    if life.ask is not None:
        ask = life.ask
        data["ask"] = [ask.kind, ask.revision, ask.agreed, ask.to_revision]
    if life.asked:
        data["asked"] = life.asked
    if life.undoable:
        data["undoable"] = life.undoable
    return json.dumps(data)


def load_life(text: str) -> Life:
    """The opposite of `dump_life`; raises ValueError, KeyError or TypeError for anything else."""
    data = json.loads(text)
    ask = None
    if "ask" in data:
        kind, revision, agreed, to_revision = data["ask"]
        ask = Ask(EventKind(kind), revision, tuple(agreed), to_revision)
    return Life(
        states=tuple(SeatState(state) for state in data.get("states", ())),
        ask=ask,
        asked=tuple(data.get("asked", ())),
        undoable=tuple(data.get("undoable", ())),
    )
