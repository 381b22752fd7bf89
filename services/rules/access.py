"""Who may see and do what in a match. Pure. Permission comes before existence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from services.common.auth import Kind, Principal
from services.engine.core import SPECTATOR, Seat
from services.rules.match import MatchInfo
from services.rules.refusals import match_not_found, not_your_seat

AI: Final = "ai"
"""The service that plays the seats of agents."""


def held_seats(info: MatchInfo, principal: Principal) -> tuple[Seat, ...]:
    """The seats a caller plays: a person's own, and all agents' for the ai service."""
    if principal.kind is Kind.PLAYER:
        return tuple(seat for seat, who in enumerate(info.seats) if who.player_id == principal.id)
    if principal.id == AI:
        return tuple(seat for seat, who in enumerate(info.seats) if who.agent is not None)
    return ()


def seats_to_see(
    info: MatchInfo | None, principal: Principal, asked: Sequence[Seat]
) -> tuple[MatchInfo, tuple[Seat, ...]]:
    """The match and the seats whose view a caller gets: those asked for, or all there are.

    Raises `RefusedError`: MATCH_NOT_FOUND, also for strangers; NOT_YOUR_SEAT.
    """
    if info is None:
        raise match_not_found()
    held = held_seats(info, principal)
    if not held and not _is_host(info, principal):
        raise match_not_found()
    for seat in asked:
        if seat not in held:
            raise not_your_seat(seat)
    return info, tuple(sorted(set(asked))) or held or (SPECTATOR,)


def seat_to_act(info: MatchInfo | None, principal: Principal, seat: Seat) -> tuple[MatchInfo, str]:
    """The match, and the account under which request ids of this seat are kept.

    A person's request ids are the person's, whatever the seat; an agent's are its seat's, since
    any worker may answer for it. Raises like `seats_to_see`.
    """
    info, _ = seats_to_see(info, principal, (seat,))
    return info, f"agent:{seat}" if info.seats[seat].agent else f"player:{principal.id}"


def _is_host(info: MatchInfo, principal: Principal) -> bool:
    return principal.kind is Kind.PLAYER and principal.id == info.host_player_id != ""
