"""A table from opened to started: who may sit down, who may leave, who sits where next. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError, invalid_field
from services.matchmaking.model import Free, Occupant, Person, Status, Table


def status_for(seats: tuple[Occupant, ...]) -> Status:
    """OPEN while a seat is free, else STARTING."""
    return Status.OPEN if any(isinstance(who, Free) for who in seats) else Status.STARTING


def join(
    table: Table, player: Person, persons: tuple[Person, ...] = (), nonce: bytes = b""
) -> Table:
    """Seat a player: where seats are kept for them, there; else on the first free seat.

    `persons` are several of one device, who share the player's id: they get a seat each, or none
    does. Who sits here already stays where they are: a double tap never takes two seats. A nonce
    goes with the first seat taken. Raises `RefusedError` TABLE_CLOSED, TABLE_FULL, or INVALID_FIELD
    for a nonce where no seed is promised.
    """
    if table.status is Status.CLOSED:
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_CLOSED, "the table is closed")
    if table.seats_of(player.player_id):
        return table
    kept = table.kept_for(player.player_id)
    free = [index for index, who in enumerate(table.seats) if who == Free()]
    coming = persons or (player,)
    if not kept and len(free) < len(coming):
        problem = f"{len(coming)} seats are wanted, {len(free)} free" if free else "no seat is free"
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_FULL, problem)
    seats = list(table.seats)
    taken = kept or dict(zip(free, coming, strict=False))
    for index, person in taken.items():
        seats[index] = person
    if nonce:
        table = _with_nonce(table, min(taken), nonce)
    return dataclasses.replace(table, seats=tuple(seats), status=status_for(tuple(seats)))


def give_nonce(table: Table, player_id: str, nonce: bytes) -> Table:
    """Add to the seed for the first seat of a player that has added nothing yet.

    The same again changes nothing. Raises `RefusedError` TABLE_NOT_FOUND for who has no seat,
    TABLE_FULL once the match is on its way, INVALID_FIELD where no seed is promised or all seats of
    the player have added something.
    """
    seats = table.seats_of(player_id)
    if not seats:
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_NOT_FOUND, "no seat of yours is here")
    given = dict(enumerate(table.nonces))
    if any(given.get(seat) == nonce for seat in seats):
        return table
    if table.status is not Status.OPEN:
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_FULL, "too late: its match has begun")
    for seat in seats:
        if not given.get(seat):
            return _with_nonce(table, seat, nonce)
    raise invalid_field("nonce", "was given already")


def _with_nonce(table: Table, seat: int, nonce: bytes) -> Table:
    if not table.seed_sha256:
        raise invalid_field("nonce", "no seed is promised here")
    nonces = list(table.nonces or (b"",) * len(table.seats))
    nonces[seat] = nonce
    return dataclasses.replace(table, nonces=tuple(nonces))


def leave(table: Table, player_id: str) -> Table:
    """Free a player's seats, or close the table when it is the host who leaves.

    Leaving a closed table changes nothing. Raises `RefusedError` TABLE_FULL once it was full: the
    match is on its way.
    """
    if table.status is Status.CLOSED:
        return table
    if table.status is not Status.OPEN:
        raise RefusedError(
            ErrorReason.ERROR_REASON_TABLE_FULL, "the table is full: its match has begun"
        )
    if table.host_id == player_id:
        return dataclasses.replace(table, status=Status.CLOSED)
    stay = [seat not in table.seats_of(player_id) for seat in range(len(table.seats))]
    return dataclasses.replace(
        table,
        nonces=tuple(
            nonce if stays else b"" for nonce, stays in zip(table.nonces, stay, strict=False)
        ),
        seats=tuple(
            Free(who if table.rematch_of else None)
            if isinstance(who, Person) and who.player_id == player_id
            else who
            for who in table.seats
        ),
    )


def started(table: Table, match_id: str) -> Table:
    """The table with its match."""
    return dataclasses.replace(table, status=Status.STARTED, match_id=match_id)


def closed(table: Table) -> Table:
    """The table given up."""
    return dataclasses.replace(table, status=Status.CLOSED)


def kept_only_for(seats: tuple[Occupant, ...], player_ids: Collection[str]) -> tuple[Occupant, ...]:
    """The seats; those that are kept for others than these players are free for anybody."""
    return tuple(
        Free()
        if isinstance(who, Free) and who.kept_for and who.kept_for.player_id not in player_ids
        else who
        for who in seats
    )


def rematch_seats(seats: tuple[Occupant, ...], caller_id: str) -> tuple[Occupant, ...]:
    """The seats of a rematch that `caller_id` opens: who sat second sits first, and so on.

    The caller's seats and the agents' are taken, the others kept for who is to sit there.
    """
    rotated = seats[1:] + seats[:1]
    return tuple(
        Free(who) if isinstance(who, Person) and who.player_id != caller_id else who
        for who in rotated
    )
