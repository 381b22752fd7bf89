"""The RPCs of inbox and phrases: read the request, call, convert the answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from oddsocks.matchmaking.v1 import inbox_service_pb2 as pb
from oddsocks.matchmaking.v1.inbox_service_pb2_grpc import InboxServiceServicer
from services.common.errors import invalid_field
from services.common.interceptors import Context
from services.matchmaking import convert
from services.matchmaking.inbox.following import Beat, CaughtUp, Gone, Inbox, Update
from services.matchmaking.inbox.phrases import PHRASES, Phrases
from services.matchmaking.inbox.store import Said
from services.matchmaking.model import Invitation, MyMatch
from services.matchmaking.people.accounts import Accounts


@dataclass(frozen=True, slots=True)
class InboxServicer(InboxServiceServicer):
    """See inbox_service.proto."""

    accounts: Accounts
    inbox: Inbox
    phrases: Phrases

    async def WatchInbox(
        self, request: pb.WatchInboxRequest, context: Context
    ) -> AsyncIterator[pb.WatchInboxResponse]:
        """All that concerns the caller."""
        player = (await self.accounts.calling()).person
        seen = convert.seen_from_messages(request.seen)
        if request.phrases_after < 0:
            raise invalid_field("phrases_after", "must be 0 or more")
        async for update in self.inbox.follow(player, seen, request.phrases_after):
            yield _to_message(update)

    async def ListPhrases(
        self, request: pb.ListPhrasesRequest, context: Context
    ) -> pb.ListPhrasesResponse:
        """All phrases."""
        await self.accounts.calling()
        return pb.ListPhrasesResponse(
            phrases=[
                pb.Phrase(number=phrase.number, text=phrase.text(request.language))
                for phrase in PHRASES
            ]
        )

    async def SendPhrase(
        self, request: pb.SendPhraseRequest, context: Context
    ) -> pb.SendPhraseResponse:
        """A phrase to the people of a match."""
        player = (await self.accounts.calling()).person
        await self.phrases.say(
            player, request.request_id, request.match_id, request.seat, request.number
        )
        return pb.SendPhraseResponse()


def _to_message(update: Update) -> pb.WatchInboxResponse:
    match update:
        case MyMatch():
            return pb.WatchInboxResponse(match=convert.my_match_to_message(update))
        case Invitation():
            return pb.WatchInboxResponse(invitation=convert.invitation_to_message(update))
        case Gone(table_id):
            return pb.WatchInboxResponse(gone_table_id=table_id)
        case Said():
            said = pb.SaidPhrase(
                sequence=update.sequence,
                match_id=update.match_id,
                seat=update.seat,
                number=update.number,
                said_at_ms=update.said_at_ms,
            )
            return pb.WatchInboxResponse(phrase=said)
        case CaughtUp():
            return pb.WatchInboxResponse(caught_up=pb.CaughtUp())
        case Beat(now_ms):
            return pb.WatchInboxResponse(heartbeat=pb.InboxHeartbeat(now_ms=now_ms))
