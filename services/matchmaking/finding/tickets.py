"""Quick match: take a ticket, ask how it stands, give it back; and seat those who fit."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field
from services.matchmaking import store
from services.matchmaking.agreed import sitter
from services.matchmaking.finding import ticket_store as tickets
from services.matchmaking.finding.queue import (
    Hope,
    Proposal,
    Ticket,
    TicketStatus,
    changed,
    lapsed,
    propose,
)
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.model import Computer, Free, Occupant, Person, Table, TicketWish, edition
from services.matchmaking.names import read_id
from services.matchmaking.neighbours import Ai, Rules
from services.matchmaking.people import between
from services.matchmaking.ratings import store as rating_store
from services.matchmaking.starter import Starter
from services.matchmaking.tables import new_table

MOST_WAITING: Final = 10_000
"""How many tickets one round looks at; more wait for the next."""
_AT_ONCE: Final = 20
_SEEN_MS: Final = 1_000
"""Signs of life are noted this often."""
_TRIES: Final = 5
_dice: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Standing:
    """A ticket, its table once it has one, and the time it was looked at, milliseconds UTC."""

    ticket: Ticket
    table: Table | None
    now_ms: int


@dataclass(frozen=True, slots=True)
class Tickets:
    """What players do with tickets, and the pairing. `player` is the caller, known to exist."""

    engine: AsyncEngine
    rules: Rules
    ai: Ai
    starter: Starter
    bells: Bells
    clock: Clock

    async def open(self, player: Person, request_id: str, wish: TicketWish) -> Standing:
        """A ticket, or the one the player has for this game, asking for this from now on.

        Raises `RefusedError` INVALID_FIELD, INVALID_OPTION, GAME_NOT_FOUND, AGENT_NOT_FOUND,
        REQUEST_ID_REUSED, or UNAVAILABLE while rules or ai were never heard of.
        """
        read_id(request_id, "request_id")
        hope = await self._checked(wish)
        digest = hashlib.sha256(repr((hope, wish.fill)).encode()).hexdigest()
        asked = tickets.Asked(request_id, digest)
        for _ in range(_TRIES):
            try:
                async with store.writing(self.engine) as db:
                    return await self._open(db, player, asked, wish, hope)
            except IntegrityError:  # another device of the player, at the same moment
                continue
        raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "too busy: try again")

    async def get(self, player: Person, ticket_id: str) -> Standing:
        """How a ticket stands, which keeps a live one alive; raises TICKET_NOT_FOUND."""
        read_id(ticket_id, "ticket_id")
        now = self.clock()
        async with store.reading(self.engine) as db:
            ticket = _theirs(await tickets.by_id(db, ticket_id, player.player_id))
            # What changes nothing waits for no writer.
            if ticket.status is not TicketStatus.WAITING or now - ticket.seen_at_ms < _SEEN_MS:
                return await self._standing(db, ticket, now)
        async with store.writing(self.engine) as db:
            ticket = _theirs(await tickets.lock(db, ticket_id, player.player_id))
            if ticket.status is TicketStatus.WAITING:
                if lapsed(ticket, now):
                    ticket = dataclasses.replace(ticket, status=TicketStatus.LAPSED)
                    await tickets.set_status(db, ticket_id, ticket.status)
                else:
                    await tickets.note_sight(db, ticket_id, now)
            return await self._standing(db, ticket, now)

    async def mine(self, player: Person) -> list[Standing]:
        """The tickets of a player that wait. Looking at them is no sign of life."""
        now = self.clock()
        async with store.reading(self.engine) as db:
            found = await tickets.mine(db, player.player_id)
            return [Standing(ticket, None, now) for ticket in found if not lapsed(ticket, now)]

    async def close(self, player: Person, ticket_id: str) -> Standing:
        """Give a ticket back; one that is seated stays so. Raises TICKET_NOT_FOUND."""
        read_id(ticket_id, "ticket_id")
        async with store.writing(self.engine) as db:
            ticket = _theirs(await tickets.lock(db, ticket_id, player.player_id))
            if ticket.status is TicketStatus.WAITING:
                ticket = dataclasses.replace(ticket, status=TicketStatus.CLOSED)
                await tickets.set_status(db, ticket_id, ticket.status)
            return await self._standing(db, ticket, self.clock())

    async def any_waiting(self) -> bool:
        """Whether there is anything to pair, or to let lapse."""
        async with store.reading(self.engine) as db:
            return bool(await tickets.waiting(db, 1))

    async def pair(self) -> None:
        """One round: let silent tickets lapse, seat those that fit, start their matches."""
        now = self.clock()
        async with store.reading(self.engine) as db:
            waiting = await tickets.waiting(db, MOST_WAITING)
            blocked = await between.blocked(db, {ticket.player_id for ticket in waiting})
        if any(lapsed(ticket, now) for ticket in waiting):
            async with store.writing(self.engine) as db:
                await tickets.lapse(db, now)
        # Some hundreds of milliseconds with many tickets: not on the loop that answers calls.
        proposals = await asyncio.to_thread(propose, waiting, now, blocked)
        for start in range(0, len(proposals), _AT_ONCE):
            async with store.writing(self.engine) as db:
                made = await self._claim(db, proposals[start : start + _AT_ONCE], now)
            for table in made:
                self.bells.ring(table.involved)
            await asyncio.gather(*(self.starter.start(table) for table in made))

    async def _checked(self, wish: TicketWish) -> Hope:
        game = await self.rules.game(wish.game)
        if not max(game.min_seats, 2) <= wish.seats <= game.max_seats:
            raise invalid_field("seats", f"must be {game.min_seats} to {game.max_seats}")
        options = game.resolve(wish.options)
        agents = {sitter(wish.rules), wish.fill.agent if wish.fill else ""} - {""}
        for agent in sorted(agents):
            await self.ai.require(game.name, agent)
        chosen = tuple(sorted(options.items()))
        return Hope(game.name, chosen, wish.rules, wish.seats, wish.pace)

    async def _open(
        self,
        db: AsyncConnection,
        player: Person,
        asked: tickets.Asked,
        wish: TicketWish,
        hope: Hope,
    ) -> Standing:
        now = self.clock()
        known = await tickets.lock_mine(db, player.player_id, hope.game)
        if known is not None and known[1].request_id == asked.request_id:
            if known[1] != asked:
                raise RefusedError(
                    ErrorReason.ERROR_REASON_REQUEST_ID_REUSED,
                    "this request id was used for something else",
                    request_id=asked.request_id,
                )
            return await self._standing(db, known[0], now)
        rating = await rating_store.rating_of(
            db, player.player_id, hope.game, edition(dict(hope.options))
        )
        before = None if known is None else known[0]
        if before is None or before.status is not TicketStatus.WAITING or lapsed(before, now):
            before = Ticket(
                secrets.token_hex(16), player.player_id, hope, wish.fill, rating.skill, now, now
            )
        ticket = changed(before, hope, wish.fill, now)
        ticket = dataclasses.replace(ticket, skill=rating.skill)
        await (tickets.add if known is None else tickets.replace)(db, ticket, asked)
        return Standing(ticket, None, now)

    async def _standing(self, db: AsyncConnection, ticket: Ticket, now_ms: int) -> Standing:
        table = await store.table_by_id(db, ticket.table_id) if ticket.table_id else None
        return Standing(ticket, table, now_ms)

    async def _claim(
        self, db: AsyncConnection, proposals: Sequence[Proposal], now_ms: int
    ) -> list[Table]:
        """Seat those whose tickets all wait as they did when they were proposed.

        Whatever another process has done with a ticket meanwhile shows here, since each is locked
        before it is looked at: a ticket leads to one table, or to none.
        """
        named = [ticket for proposal in proposals for ticket in proposal.tickets]
        locked = await tickets.lock_waiting(db, [ticket.ticket_id for ticket in named])
        blocked = await between.blocked(db, {ticket.player_id for ticket in named})
        made = []
        for proposal in proposals:
            people = [locked.get(ticket.ticket_id) for ticket in proposal.tickets]
            found = [pair for pair in people if pair is not None]
            alive = [(ticket, who) for ticket, who in found if not lapsed(ticket, now_ms)]
            unchanged = len(alive) == len(proposal.tickets) and all(
                now.hope == then.hope and now.fill == then.fill
                for (now, _), then in zip(alive, proposal.tickets, strict=True)
            )
            ids = {who.player_id for _, who in alive}
            if not unchanged or any(blocked.get(player_id, set()) & ids for player_id in ids):
                continue
            table = _table(proposal, [who for _, who in alive], now_ms)
            await store.add_table(db, table)
            await tickets.seat(db, [ticket.ticket_id for ticket, _ in alive], table.table_id)
            made.append(table)
        return made


def _table(proposal: Proposal, people: Sequence[Person], now_ms: int) -> Table:
    """The table of a proposal: who sits where is left to chance."""
    hope = proposal.tickets[0].hope
    agents: list[Occupant] = []
    if proposal.agent is not None:
        agents = [Computer(proposal.agent)] * (hope.seats - len(people))
    seats: list[Occupant] = [*people, *agents]
    assert len(seats) == hope.seats, "a proposal leaves no seat free"
    assert Free() not in seats
    _dice.shuffle(seats)
    return new_table(
        people[0], hope.game, dict(hope.options), tuple(seats), hope.pace, now_ms, hope.rules
    )


def _theirs(ticket: Ticket | None) -> Ticket:
    if ticket is None:
        raise RefusedError(
            ErrorReason.ERROR_REASON_TICKET_NOT_FOUND, "no such ticket, or not yours"
        )
    return ticket
