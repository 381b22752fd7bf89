"""What people do beside the game in a match on this device: undo, give up, end it. Pure.

The same decisions as in the rules service (ADR 0061), where all people of a match sit around one
device: what would need everybody's consent there is a word between them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.model.gateway import Refused
from app.model.terms import OfferEnd, Resign, Said, SeatState, Undo, Wish
from app.model.values import Event, Occupant, Outcome, UnknownAct
from services.engine.core.registry import AnyRuleset
from services.wire.table_rules import SITTER

WISHES: Mapping[Said | None, type[Wish]] = {
    Said.UNDO: Undo,
    Said.OFFER_END: OfferEnd,
    Said.RESIGN: Resign,
}
"""Which wish led to what happened."""


@dataclass(frozen=True, slots=True)
class Done:
    """One thing of the history: an action's notation, and the request that asked for it, if one
    did. Beside the game there is no action but `said`, and what an undo went back to."""

    actor: int
    action: str
    at_ms: int
    origin: str = ""
    request_id: str = ""
    said: Said | None = None
    to_revision: int | None = None


@dataclass(frozen=True, slots=True)
class Life:
    """How a match stands beside its game.

    `undoable` are the latest actions that the seat to act may undo, ascending: their revisions, and
    the states before them. `given_up` are seats whose people gave up while others play on; `ended`
    is set where the match is over though the game is not.
    """

    undoable: tuple[tuple[int, Any], ...] = ()
    given_up: frozenset[int] = frozenset()
    ended: Outcome | None = None

    def after_action(self, revision: int, before: Any, *, undoable: bool) -> Life:
        """Once the action at `revision` has happened; `before` is the state before it."""
        kept = (*self.undoable, (revision, before)) if undoable else ()
        return replace(self, undoable=kept)

    def occupant(self, seat: int, who: Occupant) -> Occupant:
        """Who sits there now."""
        if seat not in self.given_up:
            return who
        return replace(who, state=SeatState.GIVEN_UP, sitter=SITTER)


NOTHING_BESIDE = Life()


def wished(
    wish: Wish, seat: int, revision: int, actor: int | None, life: Life, mine: Iterable[int]
) -> tuple[tuple[Said, int | None], ...]:
    """What happens when the person of `seat` wants `wish` at `revision`: what is said, each with
    the revision it goes back to. `mine` are the seats of people.

    Raises `Refused` with the reasons of the rules service.
    """
    if isinstance(wish, Undo) and wish.revision != revision:
        problem = f"the match is at revision {revision}, not {wish.revision}"
        raise Refused("STALE_REVISION", problem, {"revision": str(revision)})
    if actor is None:
        raise Refused("MATCH_FINISHED", "the match is over", {"revision": str(revision)})
    if seat in life.given_up:
        raise Refused("NOT_YOUR_SEAT", f"seat {seat} was given up", {"seat": str(seat)})
    match wish:
        case Undo():
            if actor != seat or not life.undoable:
                problem = "this seat has no action that could be taken back"
                raise Refused("CANNOT_UNDO", problem, {})
            return ((Said.UNDO, life.undoable[-1][0]),)
        case OfferEnd():
            # Whoever could be asked sits here, too.
            return ((Said.OFFER_END, None), (Said.END, None))
        case Resign():
            left = set(mine) - life.given_up - {seat}
            return ((Said.RESIGN, None), *([] if left else [(Said.ABANDON, None)]))
    raise Refused("TABLE_FORBIDS", "not on this device", {"rule": type(wish).__name__})


def happened(rules: AnyRuleset, state: Any, life: Life, done: Done, seats: int) -> tuple[Any, Life]:
    """State and `Life` after something beside the game; `ValueError` for what can't follow."""
    match done.said:
        case Said.UNDO:
            if not life.undoable or life.undoable[-1][0] != done.to_revision:
                raise ValueError(f"no undo to revision {done.to_revision} here")
            return life.undoable[-1][1], replace(life, undoable=life.undoable[:-1])
        case Said.RESIGN if seats == 2:
            return state, replace(life, undoable=(), ended=rules.resigned(state, done.actor))
        case Said.RESIGN:
            given_up = life.given_up | {done.actor}
            return state, replace(life, undoable=(), given_up=given_up)
        case Said.OFFER_END:
            return state, life
        case Said.END | Said.ABANDON:
            reason = "agreed" if done.said is Said.END else "abandoned"
            ended = Outcome(reason, (), rules.scores(state))
            return state, replace(life, undoable=(), ended=ended)
    raise ValueError(f"nothing on this device is called {done.said}")


def event_of(done: Done, revision: int) -> Event:
    """How everybody sees what happened beside the game."""
    return Event(
        revision,
        done.actor,
        UnknownAct(),
        done.at_ms,
        done.origin,
        said=done.said,
        to_revision=done.to_revision,
    )
