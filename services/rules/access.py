"""Who may see and do what in a match. Pure. Permission comes before existence.

Who holds a seat may change while the match goes on, so what may be *done* is decided once more by
the guard, on the position that the action is applied to.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from services.common.auth import Kind, Principal
from services.engine.core import SPECTATOR, Seat
from services.rules.life import SeatState
from services.rules.match import MatchInfo, Position
from services.rules.refusals import match_not_found, not_your_seat

AI: Final = "ai"
"""The service that acts for agents."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts for a seat. Request ids are kept under `account`.

    A person's request ids are the person's, whatever the seat; an agent's are its seat's, since
    any worker may answer for it.
    """

    account: str
    is_agent: bool


def known(info: MatchInfo | None, principal: Principal) -> MatchInfo:
    """The match, if the caller may know of it; raises `RefusedError` MATCH_NOT_FOUND."""
    if info is None or not may_know(info, principal):
        raise match_not_found()
    return info


def may_know(info: MatchInfo, principal: Principal) -> bool:
    """Whether the caller may know of the match."""
    return _is_ai(principal) or _may_watch(info, principal)


def held_seats(info: MatchInfo, position: Position, principal: Principal) -> tuple[Seat, ...]:
    """The seats a caller has: a person's own that are not given up; for the ai service those that
    an agent acts for now.
    """
    seats = range(len(info.seats))
    if _is_ai(principal):
        return tuple(seat for seat in seats if info.agent_of(position, seat) is not None)
    given_up = {seat for seat in seats if position.life.state(seat) is SeatState.GIVEN_UP}
    return seats_left(info, principal, given_up)


def seats_left(
    info: MatchInfo, principal: Principal, given_up: Collection[Seat]
) -> tuple[Seat, ...]:
    """The seats a person has, but those that were given up."""
    return tuple(seat for seat in _own_seats(info, principal) if seat not in given_up)


def seats_to_see(
    info: MatchInfo, position: Position, principal: Principal, asked: Sequence[Seat]
) -> tuple[Seat, ...]:
    """The seats whose view a caller gets: those asked for, or all there are, or a spectator's.

    Raises `RefusedError`: MATCH_NOT_FOUND, also for strangers; NOT_YOUR_SEAT.
    """
    held = held_seats(info, position, principal)
    if not held and not _may_watch(info, principal):
        raise match_not_found()
    for seat in asked:
        if seat not in held:
            raise not_your_seat(seat)
    return tuple(sorted(set(asked))) or held or (SPECTATOR,)


def actor_for(info: MatchInfo, principal: Principal, seat: Seat) -> Actor:
    """Who the caller is as one who acts for a seat; raises `RefusedError` NOT_YOUR_SEAT.

    A seat's former holder is let through, to be given the answers they had before; so is the ai
    service for every seat, since agents sit in for persons. The guard refuses the rest.
    """
    if _is_ai(principal) and 0 <= seat < len(info.seats):
        return Actor(f"agent:{seat}", is_agent=True)
    return person_for(info, principal, seat)


def person_for(info: MatchInfo, principal: Principal, seat: Seat) -> Actor:
    """The same for what only persons do."""
    if seat not in _own_seats(info, principal):
        raise not_your_seat(seat)
    return Actor(f"player:{principal.id}", is_agent=False)


def _own_seats(info: MatchInfo, principal: Principal) -> tuple[Seat, ...]:
    if principal.kind is not Kind.PLAYER:
        return ()
    return tuple(seat for seat, who in enumerate(info.seats) if who.player_id == principal.id)


def _may_watch(info: MatchInfo, principal: Principal) -> bool:
    """All who sit there or once did, who opened the table, and where it says so, everybody."""
    if principal.kind is not Kind.PLAYER:
        return False
    is_host = principal.id == info.host_player_id != ""
    return is_host or info.rules.spectators or bool(_own_seats(info, principal))


def _is_ai(principal: Principal) -> bool:
    return principal.kind is Kind.SERVICE and principal.id == AI
