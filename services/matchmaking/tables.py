"""Tables: open, join, leave, play again, list. Every change is one transaction, then the start."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field, request_id_reused
from services.common.transactions import reading, writing
from services.engine.core import OptionValue
from services.matchmaking import pairing, store
from services.matchmaking.agreed import sitter, spectators
from services.matchmaking.guesses import Guesses
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.inbox.inviting import invite
from services.matchmaking.model import (
    Computer,
    Free,
    Occupant,
    Pace,
    Person,
    Status,
    Table,
    Wish,
)
from services.matchmaking.names import new_code, read_code, read_id
from services.matchmaking.neighbours import Ai, Rules
from services.matchmaking.people import between
from services.matchmaking.people.there import are_there, require_there
from services.matchmaking.starter import Starter

LAPSE_MS: Final = 14 * 24 * 3_600_000
"""How long a table waits for its people."""
_TRIES: Final = 5
_LAPSE_AT_ONCE: Final = 50

Change = Callable[[AsyncConnection], Awaitable[Table]]


@dataclass(frozen=True, slots=True)
class Tables:
    """What players do with tables. Each method's `player` is the caller, known to exist."""

    engine: AsyncEngine
    rules: Rules
    ai: Ai
    starter: Starter
    guesses: Guesses
    bells: Bells
    clock: Clock

    async def open(self, player: Person, request_id: str, wish: Wish) -> Table:
        """A new table; it starts at once when no seat is free.

        Raises `RefusedError` INVALID_FIELD, INVALID_OPTION, GAME_NOT_FOUND, AGENT_NOT_FOUND,
        REQUEST_ID_REUSED, or UNAVAILABLE while rules or ai were never heard of.
        """
        read_id(request_id, "request_id")
        asked = [wish.game, dict(wish.options), wish.seats, wish.pace.value]
        payload = _payload("open", *asked, wish.rules, wish.listed)
        # A repeat first: it gets its answer whatever has become of game, agents and neighbours.
        table = await self._known(player, request_id, payload)
        if table is None:
            game = await self.rules.game(wish.game)
            game.check_seats(wish.seats)
            options = game.resolve(wish.options)
            agents = {who.agent for who in wish.seats if isinstance(who, Computer)}
            for agent in sorted(agents | {sitter(wish.rules)} - {""}):
                await self.ai.require(game.name, agent)

            new = new_table(
                player, game.name, options, wish.seats, wish.pace, self.clock(), wish.rules
            )
            made = await self._promised(dataclasses.replace(new, listed=wish.listed))

            async def add(db: AsyncConnection) -> Table:
                # Another code each time: somebody's may be the same, once in many millions.
                table = dataclasses.replace(made, code=made.code and new_code())
                await store.add_table(db, table)
                return table

            table = await self._once(player, request_id, payload, add)
        return await self._start(table)

    async def get(self, player: Person, table_id: str, typed_code: str = "") -> Table:
        """A table the player sits at, opened, is invited to, finds on the open list or has the
        code of.

        Raises `RefusedError` INVALID_FIELD, TABLE_NOT_FOUND, or RATE_LIMITED after too many wrong
        codes.
        """
        code = self._code(player, table_id, typed_code)
        async with reading(self.engine) as db:
            return await self._named(db, player, table_id, code, lock=False)

    async def give_nonce(self, player: Person, table_id: str, nonce: bytes) -> Table:
        """Add to the seed of a table where the player sits; raises like `pairing.give_nonce`."""
        read_id(table_id, "table_id")
        if not nonce:
            raise invalid_field("nonce", "is missing")
        async with writing(self.engine) as db:
            before = _theirs(await store.table_by_id(db, table_id, lock=True), player)
            after = pairing.give_nonce(before, player.player_id, nonce)
            await store.save_table(db, before, after)
        self.bells.ring(after.involved)
        return after

    async def join(
        self,
        player: Person,
        request_id: str,
        typed_code: str,
        persons: tuple[Person, ...] = (),
        table_id: str = "",
        nonce: bytes = b"",
    ) -> Table:
        """Take free seats, one for each of `persons` or for the player; the last ones start the
        match. The table is named by its code or link, or by its id where the player is invited or
        it is listed.

        Raises `RefusedError` INVALID_FIELD, TABLE_NOT_FOUND (also where somebody sits, or opened
        the table, whom the player blocked, or who blocked the player), TABLE_FULL, TABLE_CLOSED,
        REQUEST_ID_REUSED, or RATE_LIMITED after too many wrong codes.
        """
        read_id(request_id, "request_id")
        code = self._code(player, table_id, typed_code)

        async def sit_down(db: AsyncConnection) -> Table:
            before = await self._named(db, player, table_id, code, lock=True)
            after = pairing.join(before, player, persons, nonce)
            await store.save_table(db, before, after)
            return after

        payload = _payload("join", code or table_id, persons, nonce.hex())
        return await self._start(await self._once(player, request_id, payload, sit_down))

    async def leave(self, player: Person, table_id: str) -> None:
        """Leave a table that has not started; raises TABLE_NOT_FOUND or TABLE_FULL."""
        read_id(table_id, "table_id")
        async with writing(self.engine) as db:
            before = _theirs(await store.table_by_id(db, table_id, lock=True), player)
            await store.save_table(db, before, pairing.leave(before, player.player_id))
        self.bells.ring(before.involved)

    async def rematch(self, player: Person, request_id: str, match_id: str) -> Table:
        """Play a finished match again, seats rotated: the first to ask opens, the others join.

        Raises `RefusedError` INVALID_FIELD, MATCH_NOT_FOUND, MATCH_RUNNING, REQUEST_ID_REUSED,
        TABLE_NOT_FOUND where somebody sits, or opened the table, whom the player blocked, or who
        blocked the player, or UNAVAILABLE when only rules could tell whether the match is over, and
        is away.
        """
        read_id(request_id, "request_id")
        read_id(match_id, "match_id")
        payload = _payload("rematch", match_id)
        table = await self._known(player, request_id, payload)
        if table is None:
            old = await self._finished_table(player, match_id)
            seats = pairing.rematch_seats(old.seats, player.player_id)
            new = new_table(player, old.game, old.options, seats, old.pace, self.clock(), old.rules)
            made = await self._promised(dataclasses.replace(new, rematch_of=match_id))

            async def sit_down_again(db: AsyncConnection) -> Table:
                before = await store.rematch_of(db, match_id, lock=True)
                if before is None:
                    return await self._offer_again(db, player, made)
                if not before.kept_for(player.player_id):  # here already, or a spectator
                    return before
                if before.company & await between.blocked_by(db, player.player_id):
                    raise _not_found()
                after = pairing.join(before, player)
                await store.save_table(db, before, after)
                return after

            table = await self._once(player, request_id, payload, sit_down_again)
        return await self._start(table)

    async def _offer_again(self, db: AsyncConnection, player: Person, made: Table) -> Table:
        """Add a rematch and invite those for whom its seats are kept, each once for a match.

        The seats of people whose accounts are gone are free for others.
        """
        there = await are_there(db, made.awaited)
        table = dataclasses.replace(made, seats=pairing.kept_only_for(made.seats, there))
        await store.add_table(db, table)
        asked = await inbox_store.asked_again(db, made.rematch_of, there)
        wanted = there - asked - await between.blocked_by(db, player.player_id)
        await invite(db, table.table_id, wanted, player.player_id, self.clock())
        return table

    async def lapse(self) -> None:
        """Close tables that have waited for `LAPSE_MS`: their codes should open nothing."""
        while True:
            async with writing(self.engine) as db:
                old = await store.lock_open_tables(db, self.clock() - LAPSE_MS, _LAPSE_AT_ONCE)
                await store.tell(db, old)
                for table in old:
                    await store.save_table(db, table, pairing.closed(table))
            for table in old:
                self.bells.ring(table.involved)
            if len(old) < _LAPSE_AT_ONCE:
                return

    async def _start(self, table: Table) -> Table:
        """Start the table if it is full, and tell those whom that concerns."""
        table = await self.starter.start(table)
        self.bells.ring(table.involved)
        return table

    async def _promised(self, table: Table) -> Table:
        """The table with the seed that rules promises for its match, where people are to come.

        A table is as good without, should rules be away: then nobody adds to the seed.
        """
        if table.status is Status.OPEN:
            with contextlib.suppress(RefusedError):
                promise = await self.rules.promise_seed(table.table_id)
                return dataclasses.replace(table, seed_sha256=promise)
        return table

    def _code(self, player: Person, table_id: str, typed_code: str) -> str:
        """The code by which a table is named, "" where that is done by its id."""
        if table_id and typed_code:
            raise invalid_field("table_id", "name the table by its code or by its id, not by both")
        if table_id:
            read_id(table_id, "table_id")
            return ""
        code = read_code(typed_code)
        self.guesses.check(player.player_id)
        return code

    async def _named(
        self, db: AsyncConnection, player: Person, table_id: str, code: str, *, lock: bool
    ) -> Table:
        """The table named by its code or id, if the player may know of it by that."""
        if not code:
            table = await store.table_by_id(db, table_id, lock=lock)
            return await self._offered(db, player, table)
        table = await store.table_by_code(db, code, lock=lock)
        if table is None:
            self.guesses.wrong(player.player_id)
            raise _not_found()
        if table.concerns(player.player_id):
            return table
        if table.company & await between.blocked_by(db, player.player_id):
            raise _not_found()
        return table

    async def _offered(self, db: AsyncConnection, player: Person, table: Table | None) -> Table:
        """The table, if it concerns the player or is offered to them."""
        if table is None or table.concerns(player.player_id):
            return _theirs(table, player)
        if table.company & await between.blocked_by(db, player.player_id):
            raise _not_found()
        open_to_all = table.status is Status.OPEN or spectators(table.rules)
        if table.listed and open_to_all:
            return table
        if await inbox_store.is_invited(db, table.table_id, player.player_id):
            return table
        raise _not_found()

    async def _finished_table(self, player: Person, match_id: str) -> Table:
        async with reading(self.engine) as db:
            table = await store.table_by_match(db, match_id)
            over = match_id in await store.finished(db, [match_id])
        if table is None or not table.concerns(player.player_id):
            raise RefusedError(
                ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match, or not yours"
            )
        if not over:  # the feed may be a few seconds behind
            summary = (await self.rules.summaries([match_id])).get(match_id)
            if summary is None or summary.running:
                raise RefusedError(
                    ErrorReason.ERROR_REASON_MATCH_RUNNING, "the match is not over yet"
                )
        return table

    async def _known(self, player: Person, request_id: str, payload: str) -> Table | None:
        async with reading(self.engine) as db:
            return await _repeated(db, player, request_id, payload)

    async def _once(self, player: Person, request_id: str, payload: str, change: Change) -> Table:
        """Do `change` and note the request id, in one transaction; a repeat changes nothing and
        gets the table as it stands now.
        """
        for _ in range(_TRIES):
            try:
                async with writing(self.engine) as db:
                    await require_there(db, player.player_id)
                    table = await _repeated(db, player, request_id, payload)
                    if table is None:
                        table = await change(db)
                        request = store.Request(payload, table.table_id)
                        await store.add_request(db, player.player_id, request_id, request)
                    return table
            except IntegrityError:
                # Somebody was faster: the same request, the other player's rematch, or (once in
                # many millions) the same invitation code. Now their rows can be seen.
                continue
        raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "too busy: try again")


async def _repeated(
    db: AsyncConnection, player: Person, request_id: str, payload: str
) -> Table | None:
    request = await store.find_request(db, player.player_id, request_id)
    if request is None:
        return None
    if request.payload_sha256 != payload:
        raise request_id_reused(request_id)
    return await store.table_by_id(db, request.table_id)


def new_table(
    host: Person,
    game: str,
    options: Mapping[str, OptionValue],
    seats: tuple[Occupant, ...],
    pace: Pace,
    now_ms: int,
    rules: str = "{}",
) -> Table:
    """A table that was not there before, with a code of its own while a seat is free."""
    status = pairing.status_for(seats)
    return Table(
        table_id=secrets.token_hex(16),
        host_id=host.player_id,
        game=game,
        options=options,
        seats=seats,
        pace=pace,
        opened_at_ms=now_ms,
        status=status,
        code=new_code() if status is Status.OPEN else "",
        rules=rules,
    )


def _theirs(table: Table | None, player: Person) -> Table:
    """The table, if it concerns the player. Who may not know of it is told the same as who names
    one that never was.
    """
    if table is None or not table.concerns(player.player_id):
        raise _not_found()
    return table


def _not_found() -> RefusedError:
    return RefusedError(
        ErrorReason.ERROR_REASON_TABLE_NOT_FOUND, "no such table or invitation, or not yours"
    )


def _payload(*parts: object) -> str:
    """A digest of what a request asks for, to tell a repeat from another use of its id."""

    def plain(value: object) -> object:
        match value:
            case Person(_, display_name):
                return {"self": display_name}
            case Computer(agent):
                return {"agent": agent}
            case Free():
                return {"open": True}
        raise TypeError(f"no JSON for {type(value).__name__}")

    text = json.dumps(parts, sort_keys=True, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()
