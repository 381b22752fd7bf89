"""Quick match: take a ticket, ask how it stands, give it back; and seat those who fit."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field, request_id_reused
from services.common.transactions import reading, writing
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
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.model import Computer, Free, Occupant, Person, Table, TicketWish, edition
from services.matchmaking.names import read_id
from services.matchmaking.neighbours import Ai, Rules
from services.matchmaking.people import between
from services.matchmaking.people.there import are_there, require_there
from services.matchmaking.ratings import store as rating_store
from services.matchmaking.starter import Starter
from services.matchmaking.tables import new_table

MOST_WAITING: Final = 10_000
"""How many tickets one round looks at; more wait for the next."""
_AT_ONCE: Final = 20
_SEEN_MS: Final = 1_000
"""Signs of life are noted this often."""
_TRIES: Final = 5
KEEP_MS: Final = 30 * 24 * 3_600_000
"""How long a request may be repeated and is still known for one."""
_dice: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Standing:
    """A ticket, its table once it has one, and the time it was looked at, milliseconds UTC."""

    ticket: Ticket
    table: Table | None
    now_ms: int


@dataclass(frozen=True, slots=True)
class _Request:
    """Who asks for a ticket, under which id, for what (a digest), and how it is to be answered."""

    player: Person
    request_id: str
    payload_sha256: str
    answer: Callable[[Standing], bytes]


@dataclass(frozen=True, slots=True)
class Tickets:
    """What players do with tickets, and the pairing. `player` is the caller, known to exist."""

    engine: AsyncEngine
    rules: Rules
    ai: Ai
    starter: Starter
    bells: Bells
    clock: Clock

    async def open(
        self, player: Person, request_id: str, wish: TicketWish, answer: Callable[[Standing], bytes]
    ) -> bytes:
        """A ticket, or the one the player has for this game, asking for this from now on.

        Gives `answer` of it. A repeat changes nothing: it gets the ticket as it stands if that was
        the last wish, and else its first answer. Raises `RefusedError` INVALID_FIELD,
        INVALID_OPTION, GAME_NOT_FOUND, AGENT_NOT_FOUND, REQUEST_ID_REUSED, or UNAVAILABLE while
        rules or ai were never heard of.
        """
        read_id(request_id, "request_id")
        request = _Request(player, request_id, _digest(wish), answer)
        # A repeat first: it gets its answer whatever has become of game, agents and neighbours.
        async with reading(self.engine) as db:
            known = await self._repeated(db, request)
        if known is not None:
            return known
        hope = await self._checked(wish)
        for _ in range(_TRIES):
            try:
                async with writing(self.engine) as db:
                    return await self._open(db, request, wish, hope)
            except IntegrityError:  # another device of the player, at the same moment
                continue
        raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "too busy: try again")

    async def get(self, player: Person, ticket_id: str) -> Standing:
        """How a ticket stands, which keeps a live one alive; raises TICKET_NOT_FOUND."""
        read_id(ticket_id, "ticket_id")
        now = self.clock()
        async with reading(self.engine) as db:
            ticket = _theirs(await tickets.by_id(db, ticket_id, player.player_id))
            # What changes nothing waits for no writer.
            if ticket.status is not TicketStatus.WAITING or now - ticket.seen_at_ms < _SEEN_MS:
                return await self._standing(db, ticket, now)
        async with writing(self.engine) as db:
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
        async with reading(self.engine) as db:
            found = await tickets.mine(db, player.player_id)
            return [Standing(ticket, None, now) for ticket in found if not lapsed(ticket, now)]

    async def close(self, player: Person, ticket_id: str) -> Standing:
        """Give a ticket back; one that is seated stays so. Raises TICKET_NOT_FOUND."""
        read_id(ticket_id, "ticket_id")
        async with writing(self.engine) as db:
            ticket = _theirs(await tickets.lock(db, ticket_id, player.player_id))
            if ticket.status is TicketStatus.WAITING:
                ticket = dataclasses.replace(ticket, status=TicketStatus.CLOSED)
                await tickets.set_status(db, ticket_id, ticket.status)
            return await self._standing(db, ticket, self.clock())

    async def forget(self) -> None:
        """Forget what requests were answered long ago."""
        async with writing(self.engine) as db:
            await tickets.forget_requests(db, self.clock() - KEEP_MS)

    async def any_waiting(self) -> bool:
        """Whether there is anything to pair, or to let lapse."""
        async with reading(self.engine) as db:
            return bool(await tickets.waiting(db, 1))

    async def pair(self) -> None:
        """One round: let silent tickets lapse, seat those that fit, start their matches."""
        now = self.clock()
        async with reading(self.engine) as db:
            waiting = await tickets.waiting(db, MOST_WAITING)
            blocked = await between.blocked(db, {ticket.player_id for ticket in waiting})
        if any(lapsed(ticket, now) for ticket in waiting):
            async with writing(self.engine) as db:
                await tickets.lapse(db, now)
        # Some hundreds of milliseconds with many tickets: not on the loop that answers calls.
        proposals = await asyncio.to_thread(propose, waiting, now, blocked)
        for start in range(0, len(proposals), _AT_ONCE):
            async with writing(self.engine) as db:
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
        self, db: AsyncConnection, request: _Request, wish: TicketWish, hope: Hope
    ) -> bytes:
        now, player = self.clock(), request.player
        await require_there(db, player.player_id)
        known = await tickets.lock_mine(db, player.player_id, hope.game)
        # Again, now that no other device changes the ticket.
        if (repeated := await self._repeated(db, request)) is not None:
            return repeated
        rating = await rating_store.rating_of(
            db, player.player_id, hope.game, edition(dict(hope.options))
        )
        before = known
        if before is None or before.status is not TicketStatus.WAITING or lapsed(before, now):
            before = Ticket(
                secrets.token_hex(16), player.player_id, hope, wish.fill, rating.skill, now, now
            )
        ticket = changed(before, hope, wish.fill, now)
        ticket = dataclasses.replace(ticket, skill=rating.skill)
        write = tickets.add if known is None else tickets.replace
        await write(db, ticket, request.request_id)
        answer = request.answer(Standing(ticket, None, now))
        asked = tickets.Asked(request.payload_sha256, ticket.ticket_id, answer)
        await tickets.add_request(db, player.player_id, request.request_id, asked, now)
        return answer

    async def _repeated(self, db: AsyncConnection, request: _Request) -> bytes | None:
        """The answer to a request that was made before."""
        player_id = request.player.player_id
        known = await tickets.find_request(db, player_id, request.request_id)
        if known is None:
            return None
        if known.payload_sha256 != request.payload_sha256:
            raise request_id_reused(request.request_id)
        ticket = await tickets.by_id(db, known.ticket_id, player_id) if known.last else None
        if ticket is None:
            return known.answer
        return request.answer(await self._standing(db, ticket, self.clock()))

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
        # First: a ticket whose player is just being deleted is left to the deletion.
        there = await are_there(db, {ticket.player_id for ticket in named})
        theirs = [ticket.ticket_id for ticket in named if ticket.player_id in there]
        locked = await tickets.lock_waiting(db, theirs)
        blocked = await between.blocked(db, there)
        # All at once, in one order; each table below raises its own again.
        await inbox_store.bump(db, there)
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


def _digest(wish: TicketWish) -> str:
    asked = (wish.game, sorted(wish.options.items()), wish.rules, wish.seats, wish.fill)
    return hashlib.sha256(repr(asked).encode()).hexdigest()


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
