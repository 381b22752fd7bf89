"""People, tickets, ratings and what comes in, on the wire."""

from __future__ import annotations

from app.model.online import (
    CaughtUp,
    GoneTable,
    InboxUpdate,
    Leaderboard,
    Profile,
    Rating,
    SaidPhrase,
    Standing,
    Ticket,
    TicketStatus,
)
from app.model.values import Invitation
from app.net import convert
from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts
from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import ratings_service_pb2 as pb_ratings
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets

_TICKETS = {
    tickets.TICKET_STATUS_WAITING: TicketStatus.WAITING,
    tickets.TICKET_STATUS_SEATED: TicketStatus.SEATED,
    tickets.TICKET_STATUS_LAPSED: TicketStatus.LAPSED,
    tickets.TICKET_STATUS_CLOSED: TicketStatus.CLOSED,
}


def profile(response: accounts.GetProfileResponse) -> Profile:
    return Profile(
        convert.player(response.profile.player),
        tuple(response.pictures),
        response.has_recovery_code,
    )


def ticket(message: tickets.Ticket) -> Ticket:
    return Ticket(
        ticket_id=message.ticket_id,
        game=message.game,
        seats=message.seats,
        status=_TICKETS.get(message.status, TicketStatus.UNKNOWN),
        rating_window=message.rating_window if message.HasField("rating_window") else None,
        agents_at_ms=message.agents_at_ms,
        poll_after_ms=message.poll_after_ms,
        table=convert.table(message.table) if message.HasField("table") else None,
        options=convert.options_from(message.options),
    )


def rating(message: pb_ratings.Rating) -> Rating:
    return Rating(message.game, message.edition, message.points, message.matches)


def standing(message: pb_ratings.Standing) -> Standing:
    return Standing(message.place, convert.player(message.player), rating(message.rating))


def leaderboard(response: pb_ratings.ListLeaderboardResponse) -> Leaderboard:
    mine = standing(response.mine) if response.HasField("mine") else None
    return Leaderboard(tuple(map(standing, response.standings)), mine)


def invitation(message: mm.Invitation) -> Invitation:
    return Invitation(
        convert.table(message.table),
        convert.player(message.inviter),
        message.invited_at_ms,
        message.seen,
    )


def inbox_update(response: inbox.WatchInboxResponse) -> InboxUpdate:
    """What came in; a kind this app does not know is as good as a sign of life."""
    match response.WhichOneof("update"):
        case "match":
            return convert.my_match(response.match)
        case "invitation":
            return invitation(response.invitation)
        case "gone_table_id":
            return GoneTable(response.gone_table_id)
        case "phrase":
            said = response.phrase
            return SaidPhrase(said.sequence, said.match_id, said.seat, said.number)
        case _:
            return CaughtUp(response.heartbeat.now_ms)
