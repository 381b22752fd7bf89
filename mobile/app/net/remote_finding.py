"""Tables to come to, quick match, and what comes in, over gRPC."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from app.model.online import Fill, InboxUpdate, Phrase, Ticket
from app.model.terms import Terms
from app.model.values import Table
from app.net import convert, convert_people, convert_terms
from app.net.connection import Connection
from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox
from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import push_service_pb2 as push
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets
from oddsocks.matchmaking.v1.inbox_service_grpc import InboxServiceStub
from oddsocks.matchmaking.v1.lobby_service_grpc import LobbyServiceStub
from oddsocks.matchmaking.v1.push_service_grpc import PushServiceStub
from oddsocks.matchmaking.v1.tickets_service_grpc import TicketsServiceStub
from services.engine.core.options import OptionValue

SHOWN = 50
"""How many tables of strangers are shown: nobody scrolls through more."""


class FindingCalls(Connection):
    """The other half of `Online`."""

    # --- tables -----------------------------------------------------------------------------------

    async def find_table(self, code: str) -> Table:
        request = mm.GetTableRequest(invitation_code=code)
        return convert.table((await self._call(self._tables.GetTable, request)).table)

    async def sit_down(
        self,
        request_id: str,
        *,
        code: str = "",
        table_id: str = "",
        persons: Sequence[str] = (),
        nonce: bytes = b"",
    ) -> Table:
        request = mm.JoinTableRequest(
            request_id=request_id,
            invitation_code=code,
            table_id=table_id,
            persons=[mm.Self(display_name=name) for name in persons],
            nonce=nonce,
        )
        return convert.table((await self._call(self._tables.JoinTable, request)).table)

    async def give_nonce(self, table_id: str, nonce: bytes) -> Table:
        request = lobby.GiveNonceRequest(table_id=table_id, nonce=nonce)
        return convert.table((await self._call(self._lobby.GiveNonce, request)).table)

    async def open_tables(self, game: str = "") -> tuple[Table, ...]:
        request = lobby.ListOpenTablesRequest(page_size=SHOWN, game=game)
        page = await self._call(self._lobby.ListOpenTables, request)
        return tuple(map(convert.table, page.tables))

    async def watchable(self) -> tuple[Table, ...]:
        request = lobby.ListWatchableMatchesRequest(page_size=SHOWN)
        page = await self._call(self._lobby.ListWatchableMatches, request)
        return tuple(map(convert.table, page.tables))

    async def invite(self, table_id: str, player_id: str) -> None:
        request = lobby.InviteFriendRequest(table_id=table_id, player_id=player_id)
        await self._call(self._lobby.InviteFriend, request)

    async def decline(self, table_id: str) -> None:
        request = lobby.DeclineInvitationRequest(table_id=table_id)
        await self._call(self._lobby.DeclineInvitation, request)

    async def mark_seen(self, table_ids: Sequence[str]) -> None:
        request = lobby.MarkInvitationsSeenRequest(table_ids=table_ids)
        await self._call(self._lobby.MarkInvitationsSeen, request)

    # --- quick match ------------------------------------------------------------------------------

    async def open_ticket(
        self,
        request_id: str,
        game: str,
        seats: int,
        options: Mapping[str, OptionValue],
        terms: Terms,
        fill: Fill | None,
    ) -> Ticket:
        request = tickets.OpenTicketRequest(
            request_id=request_id,
            game=game,
            options=convert.options_to(options),
            seats=seats,
            rules=convert_terms.terms_to(terms),
            fill=tickets.FillWithAgents(agent=fill.agent, after_s=fill.after_s) if fill else None,
        )
        response = await self._call(self._queue.OpenTicket, request)
        return convert_people.ticket(response.ticket)

    async def get_ticket(self, ticket_id: str) -> Ticket:
        request = tickets.GetTicketRequest(ticket_id=ticket_id)
        return convert_people.ticket((await self._call(self._queue.GetTicket, request)).ticket)

    async def close_ticket(self, ticket_id: str) -> Ticket:
        request = tickets.CloseTicketRequest(ticket_id=ticket_id)
        return convert_people.ticket((await self._call(self._queue.CloseTicket, request)).ticket)

    # --- what comes in ----------------------------------------------------------------------------

    async def watch_inbox(self, phrases_after: int) -> AsyncGenerator[InboxUpdate, None]:
        # Nothing is said to be seen: of that the server would not tell how it stands (ADR 0130).
        request = inbox.WatchInboxRequest(phrases_after=phrases_after)
        stream = self._stream(self._inbox.WatchInbox, request, self.address.matchmaking)
        async with aclosing(stream) as responses:
            async for response in responses:
                yield convert_people.inbox_update(response)

    async def register_device(
        self, push_token: str, time_zone: str, quiet_from: int, quiet_until: int
    ) -> None:
        request = push.RegisterDeviceRequest(
            push_token=push_token,
            time_zone=time_zone,
            quiet_from=quiet_from,
            quiet_until=quiet_until,
        )
        await self._call(self._push.RegisterDevice, request)

    async def forget_device(self, push_token: str) -> None:
        request = push.ForgetDeviceRequest(push_token=push_token)
        await self._call(self._push.ForgetDevice, request)

    async def phrases(self, language: str) -> tuple[Phrase, ...]:
        request = inbox.ListPhrasesRequest(language=language)
        response = await self._call(self._inbox.ListPhrases, request)
        return tuple(Phrase(one.number, one.text) for one in response.phrases)

    async def say(self, request_id: str, match_id: str, seat: int, number: int) -> None:
        request = inbox.SendPhraseRequest(
            request_id=request_id, match_id=match_id, seat=seat, number=number
        )
        await self._call(self._inbox.SendPhrase, request)

    @property
    def _lobby(self) -> LobbyServiceStub:
        return LobbyServiceStub(self._channel(self.address.matchmaking))

    @property
    def _queue(self) -> TicketsServiceStub:
        return TicketsServiceStub(self._channel(self.address.matchmaking))

    @property
    def _inbox(self) -> InboxServiceStub:
        return InboxServiceStub(self._channel(self.address.matchmaking))

    @property
    def _push(self) -> PushServiceStub:
        return PushServiceStub(self._channel(self.address.matchmaking))
