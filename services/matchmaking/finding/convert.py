"""Messages to values and back, of tickets, lobby, ratings and phrases."""

from __future__ import annotations

from typing import Final

from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby_pb
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings_pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.play.v1 import play_pb2
from services.common.errors import invalid_field
from services.matchmaking.agreed import read_rules, rules_message
from services.matchmaking.convert import options_from, player_to_message, table_to_message
from services.matchmaking.finding.lobby_store import Filter
from services.matchmaking.finding.queue import POLL_MS, TicketStatus, window
from services.matchmaking.finding.tickets import Standing
from services.matchmaking.model import Fill, Pace, TicketWish
from services.matchmaking.names import MAX_ID, read_id
from services.matchmaking.ratings.counting import Place
from services.matchmaking.ratings.skill import Rating
from services.wire.options import options_to_message

MOST_SEEN: Final = 50
_MOST_SECONDS: Final = 3_600
_STATUSES: Final = {
    TicketStatus.WAITING: tickets_pb.TICKET_STATUS_WAITING,
    TicketStatus.SEATED: tickets_pb.TICKET_STATUS_SEATED,
    TicketStatus.LAPSED: tickets_pb.TICKET_STATUS_LAPSED,
    TicketStatus.CLOSED: tickets_pb.TICKET_STATUS_CLOSED,
}
_PACES: Final = {
    play_pb2.PACE_UNSPECIFIED: None,
    play_pb2.PACE_LIVE: Pace.LIVE,
    play_pb2.PACE_DAYS: Pace.DAYS,
}


def ticket_wish_from_message(message: tickets_pb.OpenTicketRequest) -> TicketWish:
    """What somebody wants to play; raises `RefusedError` INVALID_FIELD or INVALID_OPTION."""
    rules, pace = read_rules(message.rules, play_pb2.PACE_UNSPECIFIED)
    fill = None
    if message.HasField("fill"):
        if not 0 <= message.fill.after_s <= _MOST_SECONDS:
            raise invalid_field("fill.after_s", f"must be 0 to {_MOST_SECONDS}")
        agent = read_id(message.fill.agent, "fill.agent")
        fill = Fill(agent, message.fill.after_s * 1_000)
    options = options_from(message.options)
    return TicketWish(message.game, options, rules, pace, message.seats, fill)


def ticket_to_message(standing: Standing) -> tickets_pb.Ticket:
    """A ticket as its player sees it."""
    ticket, hope = standing.ticket, standing.ticket.hope
    message = tickets_pb.Ticket(
        ticket_id=ticket.ticket_id,
        game=hope.game,
        options=options_to_message(dict(hope.options)),
        seats=hope.seats,
        rules=rules_message(hope.rules, hope.pace),
        status=_STATUSES[ticket.status],
        waiting_since_ms=ticket.opened_at_ms,
        agents_at_ms=ticket.agents_at_ms or 0,
        poll_after_ms=POLL_MS[hope.pace],
    )
    width = window(ticket, standing.now_ms)
    if width is not None:
        message.rating_window = width
    if standing.table is not None:
        message.table.CopyFrom(table_to_message(standing.table))
    return message


def filter_from_message(message: lobby_pb.ListOpenTablesRequest) -> Filter:
    """Which tables somebody looks for; raises `RefusedError` INVALID_FIELD."""
    if message.pace not in _PACES:
        raise invalid_field("pace", "not a pace this server knows")
    if not 0 <= message.seats <= MAX_ID:
        raise invalid_field("seats", f"must be 0 to {MAX_ID}")
    return Filter(
        game_from_message(message.game),
        read_id(message.edition, "edition", shortest=0),
        _PACES[message.pace],
        message.seats,
    )


def game_from_message(name: str) -> str:
    """The game that a list is to be of, or nothing; an unknown one has an empty list."""
    return read_id(name, "game", shortest=0)


def table_ids_from_message(message: lobby_pb.MarkInvitationsSeenRequest) -> list[str]:
    """The tables whose invitations were seen; raises `RefusedError` INVALID_FIELD."""
    if len(message.table_ids) > MOST_SEEN:
        raise invalid_field("table_ids", f"must be at most {MOST_SEEN}")
    return [read_id(table_id, "table_ids") for table_id in message.table_ids]


def rating_to_message(game: str, edition: str, rating: Rating) -> ratings_pb.Rating:
    """A rating of a game and edition."""
    return ratings_pb.Rating(
        game=game,
        edition=edition,
        points=rating.points,
        skill=rating.skill,
        matches=rating.matches,
    )


def standing_to_message(game: str, edition: str, place: Place) -> ratings_pb.Standing:
    """A row of a leaderboard."""
    return ratings_pb.Standing(
        place=place.place,
        player=player_to_message(place.player, place.picture),
        rating=rating_to_message(game, edition, place.rating),
    )
