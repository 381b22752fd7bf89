"""The people of a server that a test has in its hands: friends, tickets, what comes in."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace

from app.model.gateway import Offline, Refused
from app.model.online import (
    CaughtUp,
    Fill,
    InboxUpdate,
    Leaderboard,
    Phrase,
    Profile,
    Rating,
    Standing,
    Ticket,
    TicketStatus,
)
from app.model.terms import Terms
from app.model.values import MyMatch, Occupant, Player, Table, TableStatus
from services.engine.core.options import OptionValue

ME = Player("p-me", "Ada")
FRIEND = Player("p-friend", "Ben")
STRANGER = Player("p-stranger", "Cleo", "moon")
CODE = "7KQ4WX"
FRIEND_CODE = "CDFG2345"
RECOVERY_CODE = "K3TRC-9WQX2-47HNM-MCPDF"
PICTURES = ("moon", "star", "wool", "yeti")
PHRASES = (Phrase(1, "Hello!"), Phrase(2, "Have fun!"), Phrase(3, "Nice move!"))


class FakePeople(ABC):
    """The half of `FakeGateway` that needs no match."""

    def __init__(self) -> None:
        self.offline = False
        self.me = Profile(ME, PICTURES)
        self.known: list[Player] = []
        self.blocks: list[Player] = []
        self.invited: list[tuple[str, str]] = []
        self.declined: list[str] = []
        self.seen_invitations: list[str] = []
        self.said: list[tuple[str, int, int]] = []
        self.inboxes: list[int] = []
        """The phrase after which each opening of the inbox wanted to hear more."""
        self.deleted = self.signed_out = 0
        self.lobby: list[Table] = []
        self.shows: list[Table] = []
        self.sat: list[tuple[str, str, tuple[str, ...]]] = []
        self.ticket: Ticket | None = None
        self.tickets_closed = 0
        self.terms: Terms | None = None
        self.fill: Fill | None = None
        self.my_ratings: tuple[Rating, ...] = ()
        self.standings: tuple[Standing, ...] = ()
        self.tables: dict[str, Table] = {}
        self.nonces: dict[str, bytes] = {}
        """What was added to the seed of each table."""
        self.called: dict[str, tuple[str, int, int]] = {}
        """The devices that are called: by token, where they are and their quiet hours."""
        self._incoming: list[InboxUpdate] = [CaughtUp(1)]
        self._rang = asyncio.Event()

    @abstractmethod
    async def _reach(self) -> None:
        """Get to the server, or not."""

    @abstractmethod
    def _mine(self, table: Table) -> MyMatch:
        """A table as it stands in the player's list."""

    # --- who I am ---------------------------------------------------------------------------------

    async def profile(self) -> Profile:
        await self._reach()
        return self.me

    async def change_profile(self, *, name: str | None, picture: str | None) -> Player:
        await self._reach()
        if name is not None and not 1 <= len(name) <= 24:
            raise Refused("INVALID_FIELD", "display_name", {"field": "display_name"})
        player = self.me.player
        player = replace(player, display_name=player.display_name if name is None else name)
        player = replace(player, picture=player.picture if picture is None else picture)
        self.me = replace(self.me, player=player)
        return player

    async def make_recovery_code(self) -> str:
        await self._reach()
        self.me = replace(self.me, has_recovery_code=True)
        return RECOVERY_CODE

    async def recover(self, code: str) -> Player:
        await self._reach()
        if _plain(code) != _plain(RECOVERY_CODE):
            raise Refused("CODE_NOT_FOUND", "no such code", {})
        return self.me.player

    async def make_link_code(self) -> str:
        await self._reach()
        return "NKM2345C"

    async def link(self, request_id: str, code: str) -> Player:
        del request_id
        await self._reach()
        if _plain(code) != "NKM2345C":
            raise Refused("CODE_NOT_FOUND", "no such code", {})
        return self.me.player

    async def sign_out_everywhere(self) -> None:
        await self._reach()
        self.signed_out += 1

    async def delete_account(self) -> None:
        await self._reach()
        self.deleted += 1

    # --- whom I know ------------------------------------------------------------------------------

    async def friend_code(self, *, fresh: bool = False) -> str:
        await self._reach()
        return "CDFG3456" if fresh else "MYCD2345"

    async def add_friend(self, code: str) -> Player:
        await self._reach()
        if _plain(code) != FRIEND_CODE:
            raise Refused("CODE_NOT_FOUND", "no such code", {})
        self.known.insert(0, FRIEND)
        return FRIEND

    async def friends(self) -> tuple[Player, ...]:
        await self._reach()
        return tuple(self.known)

    async def remove_friend(self, player_id: str) -> None:
        await self._reach()
        self.known = [one for one in self.known if one.player_id != player_id]

    async def block(self, player_id: str) -> None:
        await self._reach()
        await self.remove_friend(player_id)
        found = next((one for one in (FRIEND, STRANGER) if one.player_id == player_id), STRANGER)
        self.blocks.insert(0, found)

    async def unblock(self, player_id: str) -> None:
        await self._reach()
        self.blocks = [one for one in self.blocks if one.player_id != player_id]

    async def blocked(self) -> tuple[Player, ...]:
        await self._reach()
        return tuple(self.blocks)

    # --- where I may play -------------------------------------------------------------------------

    async def find_table(self, code: str) -> Table:
        await self._reach()
        wanted = code.rpartition("/")[2]
        found = next((one for one in self.tables.values() if one.invitation_code == wanted), None)
        if found is None and wanted == CODE:
            seats = (Occupant(FRIEND.player_id, "", FRIEND.display_name), Occupant())
            found = Table("t-code", CODE, "socker", seats, TableStatus.OPEN, "", 0)
        if found is None:
            raise Refused("TABLE_NOT_FOUND", "no such invitation", {})
        return found

    async def open_tables(self, game: str = "") -> tuple[Table, ...]:
        await self._reach()
        return tuple(table for table in self.lobby if game in ("", table.game))

    async def watchable(self) -> tuple[Table, ...]:
        await self._reach()
        return tuple(self.shows)

    async def give_nonce(self, table_id: str, nonce: bytes) -> Table:
        await self._reach()
        if not self.tables[table_id].promise:
            raise Refused("INVALID_FIELD", "no seed is promised here", {"field": "nonce"})
        self.nonces[table_id] = nonce
        return self.tables[table_id]

    async def invite(self, table_id: str, player_id: str) -> None:
        await self._reach()
        self.invited.append((table_id, player_id))

    async def decline(self, table_id: str) -> None:
        await self._reach()
        self.declined.append(table_id)

    async def mark_seen(self, table_ids: Sequence[str]) -> None:
        await self._reach()
        self.seen_invitations += table_ids

    async def open_ticket(
        self,
        request_id: str,
        game: str,
        seats: int,
        options: Mapping[str, OptionValue],
        terms: Terms,
        fill: Fill | None,
    ) -> Ticket:
        await self._reach()
        self.terms, self.fill = terms, fill
        self.ticket = Ticket(
            request_id,
            game,
            seats,
            TicketStatus.WAITING,
            rating_window=100,
            agents_at_ms=fill.after_s * 1000 if fill else 0,
            poll_after_ms=20,
            options=options,
        )
        return self.ticket

    async def get_ticket(self, ticket_id: str) -> Ticket:
        await self._reach()
        if self.ticket is None or self.ticket.ticket_id != ticket_id:
            raise Refused("TICKET_NOT_FOUND", "no such ticket", {})
        return self.ticket

    async def close_ticket(self, ticket_id: str) -> Ticket:
        ticket = await self.get_ticket(ticket_id)
        self.tickets_closed += 1
        if ticket.status is TicketStatus.WAITING:
            self.ticket = replace(ticket, status=TicketStatus.CLOSED)
        return self.ticket or ticket

    # --- how I play -------------------------------------------------------------------------------

    async def ratings(self) -> tuple[Rating, ...]:
        await self._reach()
        return self.my_ratings

    async def leaderboard(self, game: str, edition: str) -> Leaderboard:
        await self._reach()
        rows = [one for one in self.standings if one.rating.game == game]
        rows = [one for one in rows if one.rating.edition == edition]
        mine = next((one for one in rows if one.player.player_id == ME.player_id), None)
        return Leaderboard(tuple(rows), mine)

    # --- what comes in ----------------------------------------------------------------------------

    def comes_in(self, update: InboxUpdate) -> None:
        """Let something come in."""
        self._incoming.append(update)
        self._rang.set()

    async def watch_inbox(self, phrases_after: int) -> AsyncGenerator[InboxUpdate, None]:
        await self._reach()
        self.inboxes.append(phrases_after)
        told, shown = 0, dict[str, MyMatch]()
        while True:
            self._rang.clear()
            if self.offline:
                raise Offline("cut")
            for table_id, table in list(self.tables.items()):
                mine = self._mine(table)
                if shown.get(table_id) != mine:
                    shown[table_id] = mine
                    yield mine
            while told < len(self._incoming):
                told += 1
                yield self._incoming[told - 1]
            await self._rang.wait()

    def ring(self) -> None:
        """Let who watches the inbox look again."""
        self._rang.set()

    async def register_device(
        self, push_token: str, time_zone: str, quiet_from: int, quiet_until: int
    ) -> None:
        await self._reach()
        self.called[push_token] = (time_zone, quiet_from, quiet_until)

    async def forget_device(self, push_token: str) -> None:
        await self._reach()
        self.called.pop(push_token, None)

    async def phrases(self, language: str) -> tuple[Phrase, ...]:
        del language
        await self._reach()
        return PHRASES

    async def say(self, request_id: str, match_id: str, seat: int, number: int) -> None:
        del request_id
        await self._reach()
        self.said.append((match_id, seat, number))


def _plain(code: str) -> str:
    return "".join(sign for sign in code.upper() if sign.isalnum())


__all__ = ["CODE", "FRIEND", "ME", "STRANGER", "FakePeople"]
