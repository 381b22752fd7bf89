"""Messages to values and back. Reading checks the form of each field, not whether it fits."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb2
from oddsocks.rules.v1 import news_internal_service_pb2 as news_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from services.common.errors import RefusedError, invalid_field
from services.engine.core import InvalidOption, OptionSpec, OptionValue
from services.matchmaking.agreed import read_rules, rules_message
from services.matchmaking.model import (
    Computer,
    Finished,
    Free,
    Game,
    Invitation,
    MyMatch,
    News,
    Occupant,
    Pace,
    Person,
    Position,
    Status,
    Summary,
    Table,
    Wish,
    invalid_option,
)
from services.matchmaking.names import link_for, read_id, read_name
from services.matchmaking.people.accounts import Tokens
from services.matchmaking.push.senders import Kind
from services.matchmaking.push.store import Call
from services.wire import nonces
from services.wire.options import options_from_message, options_to_message
from services.wire.outcomes import outcome_from_message, outcome_to_message

_PACE_MESSAGES: Final = {Pace.LIVE: play_pb2.PACE_LIVE, Pace.DAYS: play_pb2.PACE_DAYS}
_STATUSES: Final = {
    Status.OPEN: pb.TABLE_STATUS_OPEN,
    Status.STARTING: pb.TABLE_STATUS_STARTING,
    Status.STARTED: pb.TABLE_STATUS_STARTED,
    Status.CLOSED: pb.TABLE_STATUS_CLOSED,
}
MOST_PERSONS: Final = 16
MOST_SEEN: Final = 500
_MAX_PAGE: Final = 100
MOST_OWN: Final = 200
"""Most rows of a page of one's own matches."""
_DEFAULT_PAGE: Final = 50
_PAGE_TOKEN: Final = re.compile(r"([0-9]{1,15})\.([0-9a-f]{32})")


def wish_from_message(message: pb.OpenTableRequest, host: Person) -> Wish:
    """What table `host` wants; raises `RefusedError` INVALID_FIELD or INVALID_OPTION."""
    rules, pace = read_rules(message.rules, message.pace)
    return Wish(
        message.game,
        options_from(message.options),
        tuple(_occupant(seat, f"seats[{index}]", host) for index, seat in enumerate(message.seats)),
        pace,
        rules,
        message.listed,
    )


def options_from(message: play_pb2.Options) -> dict[str, OptionValue]:
    """The options somebody chose, unchecked; raises `RefusedError` INVALID_OPTION."""
    try:
        return options_from_message(message)
    except InvalidOption as error:
        raise invalid_option(error) from error


def nonce_from_message(nonce: bytes) -> bytes:
    """What somebody adds to a seed, or nothing; raises `RefusedError` INVALID_FIELD."""
    if not nonces.fits(nonce):
        raise invalid_field("nonce", nonces.BOUNDS)
    return nonce


def persons_from_message(message: pb.JoinTableRequest, player: Person) -> tuple[Person, ...]:
    """The persons of one device who join; nobody: the player alone. Raises INVALID_FIELD."""
    if len(message.persons) > MOST_PERSONS:
        raise invalid_field("persons", f"must be at most {MOST_PERSONS}")
    return tuple(
        Person(
            player.player_id,
            read_name(who.display_name, f"persons[{index}].display_name", player.display_name),
        )
        for index, who in enumerate(message.persons)
    )


def _occupant(message: pb.SeatRequest, field: str, host: Person) -> Occupant:
    match message.WhichOneof("occupant"):
        case "self":
            name = message.self.display_name  # its name is Python's word
            return Person(
                host.player_id, read_name(name, f"{field}.self.display_name", host.display_name)
            )
        case "agent":
            return Computer(message.agent)
        case "open":
            return Free()
        case _:
            raise invalid_field(field, "say who is to sit here: self, agent or open")


class Paged(Protocol):
    """A request for a page of tables."""

    page_size: int
    page_token: str


def page_from_message(message: Paged, most: int = _MAX_PAGE) -> tuple[int, Position | None]:
    """How many rows, and from where; raises INVALID_FIELD or INVALID_PAGE_TOKEN."""
    if not 0 <= message.page_size <= most:
        raise invalid_field("page_size", f"must be 0 to {most}")
    size = message.page_size or _DEFAULT_PAGE
    if not message.page_token:
        return size, None
    try:
        text = base64.urlsafe_b64decode(message.page_token.encode()[:100]).decode()
    except (binascii.Error, ValueError):
        text = ""
    found = _PAGE_TOKEN.fullmatch(text)
    if found is None:
        raise RefusedError(
            ErrorReason.ERROR_REASON_INVALID_PAGE_TOKEN, "page_token: not one of this list"
        )
    return size, Position(int(found[1]), found[2])


def page_token(position: Position | None) -> str:
    """The token of the page behind a position; empty for none."""
    if position is None:
        return ""
    text = f"{position.opened_at_ms}.{position.table_id}"
    return base64.urlsafe_b64encode(text.encode()).decode()


def tokens_to_message(tokens: Tokens) -> pb.Tokens:
    """Tokens as a message."""
    return pb.Tokens(
        access_token=tokens.access,
        access_expires_at_ms=tokens.access_expires_at_ms,
        refresh_token=tokens.refresh,
        refresh_expires_at_ms=tokens.refresh_expires_at_ms,
    )


def player_to_message(player: Person, picture: str) -> pb.Player:
    """What others may see of a player."""
    return pb.Player(player_id=player.player_id, display_name=player.display_name, picture=picture)


def table_to_message(table: Table, *, stranger: bool = False) -> pb.Table:
    """A table as a message, for somebody whom it concerns, or, without its code, for a stranger."""
    message = _table_to_message(table)
    if stranger:
        message.ClearField("invitation_code")
        message.ClearField("link")
    return message


def _table_to_message(table: Table) -> pb.Table:
    return pb.Table(
        table_id=table.table_id,
        invitation_code=table.code,
        game=table.game,
        options=_options_message(tuple(table.options.items())),
        seats=[
            _table_seat(seat, who, nonce_given=bool(table.nonces and table.nonces[seat]))
            for seat, who in enumerate(table.seats)
        ],
        status=_STATUSES[table.status],
        match_id=table.match_id,
        pace=_PACE_MESSAGES[table.pace],
        opened_at_ms=table.opened_at_ms,
        rules=rules_message(table.rules, table.pace),
        listed=table.listed,
        link=link_for(table.code) if table.code else "",
        seed_sha256=table.seed_sha256,
    )


@lru_cache(maxsize=1_000)
def _options_message(options: tuple[tuple[str, OptionValue], ...]) -> play_pb2.Options:
    """Options as a message, to be copied; most tables of a game have the same."""
    return options_to_message(dict(options))


def _table_seat(seat: int, who: Occupant, *, nonce_given: bool) -> pb.TableSeat:
    message = pb.TableSeat(seat=seat, nonce_given=nonce_given)
    match who:
        case Person(player_id, display_name):
            message.player_id, message.display_name = player_id, display_name
        case Computer(agent):
            message.agent = message.display_name = agent
    return message


def my_match_to_message(mine: MyMatch) -> pb.MyMatch:
    """One of a player's tables as a message."""
    message = pb.MyMatch(table=table_to_message(mine.table), my_seats=mine.my_seats, news=mine.news)
    if (summary := mine.summary) is not None:
        message.revision = summary.revision
        message.status = (
            play_pb2.MATCH_STATUS_RUNNING if summary.running else play_pb2.MATCH_STATUS_FINISHED
        )
        if summary.actor is not None:
            message.actor = summary.actor
            message.acting_since_ms = summary.acting_since_ms
        if summary.running and summary.deadline_ms is not None:
            message.deadline_ms = summary.deadline_ms
        if summary.outcome is not None:
            message.outcome.CopyFrom(outcome_to_message(summary.outcome))
    return message


def invitation_to_message(invitation: Invitation) -> pb.Invitation:
    """An invitation as a message; its table has a code only for those who sit there."""
    return pb.Invitation(
        table=table_to_message(invitation.table, stranger=True),
        inviter=player_to_message(invitation.inviter, invitation.picture),
        invited_at_ms=invitation.invited_at_ms,
        seen=invitation.seen,
    )


def seen_from_messages(messages: Sequence[pb.SeenMatch]) -> dict[str, int]:
    """Revisions of matches that a device has seen; raises `RefusedError` INVALID_FIELD."""
    if len(messages) > MOST_SEEN:
        raise invalid_field("seen", f"must be at most {MOST_SEEN}")
    for message in messages:
        if message.revision < 0:
            raise invalid_field("seen.revision", "must be 0 or more")
    return {read_id(one.match_id, "seen.match_id"): one.revision for one in messages}


def create_match_request(table: Table) -> internal_pb2.CreateMatchRequest:
    """The match of a full table. The table's id makes the request idempotent."""
    return internal_pb2.CreateMatchRequest(
        request_id=table.table_id,
        game=table.game,
        options=options_to_message(dict(table.options)),
        seats=[_match_seat(seat, who) for seat, who in enumerate(table.seats)],
        pace=_PACE_MESSAGES[table.pace],
        host_player_id=table.host_id,
        rules=rules_message(table.rules, table.pace),
        nonces=table.nonces,
    )


def _match_seat(seat: int, who: Occupant) -> play_pb2.Seat:
    match who:
        case Person(player_id, display_name):
            return play_pb2.Seat(seat=seat, player_id=player_id, display_name=display_name)
        case Computer(agent):
            return play_pb2.Seat(seat=seat, agent=agent, display_name=agent)
        case Free():
            raise ValueError("a table with a free seat has no match")


def summary_from_message(message: internal_pb2.MatchSummary) -> Summary:
    """Where a match stands."""
    return Summary(
        message.revision,
        message.status != play_pb2.MATCH_STATUS_FINISHED,
        message.actor if message.HasField("actor") else None,
        outcome_from_message(message.outcome) if message.HasField("outcome") else None,
        message.acting_since_ms,
        message.deadline_ms if message.HasField("deadline_ms") else None,
    )


def news_from_message(message: news_pb2.MatchNews) -> News:
    """A player's match, as rules tells."""
    summary = summary_from_message(message.summary)
    return News(summary, tuple(message.seats), tuple(message.events))


def finished_from_message(message: internal_pb2.FinishedMatch) -> Finished:
    """A finished match of the feed."""
    return Finished(
        message.match_id,
        outcome_from_message(message.outcome),
        message.finished_at_ms,
        message.agents_acted,
    )


def game_from_message(message: play_pb2.Game) -> Game:
    """A game with its options."""
    return Game(
        message.name,
        message.min_seats,
        message.max_seats,
        tuple(_spec_from_message(spec) for spec in message.options),
    )


def _spec_from_message(message: play_pb2.OptionSpec) -> OptionSpec:
    value = message.default
    default: OptionValue
    match value.WhichOneof("value"):
        case "flag":
            default = value.flag
        case "number":
            default = value.number
        case _:
            default = value.choice
    return OptionSpec(
        message.name,
        default,
        message.summary,
        message.minimum,
        message.maximum,
        tuple(message.choices),
    )


def call_from_message(message: calls_pb2.Call) -> Call:
    """Somebody to call, from rules' words."""
    kind = Kind.SHORT if message.kind == calls_pb2.CALL_KIND_SHORT else Kind.TURN
    return Call(message.player_id, kind, message.match_id, message.turn_revision, message.short_ms)


def call_to_message(call: Call) -> calls_pb2.Call:
    """The opposite of `call_from_message`."""
    kind = calls_pb2.CALL_KIND_SHORT if call.kind is Kind.SHORT else calls_pb2.CALL_KIND_TURN
    return calls_pb2.Call(
        match_id=call.subject_id,
        player_id=call.player_id,
        kind=kind,
        turn_revision=call.turn_revision,
        short_ms=call.short_ms,
    )
