"""Between the messages of the services and the app's own values.

Reading never fails: an enumeration value, an action or an observation this app does not know
becomes UNKNOWN (row 28), and texts of people are made safe to show.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from app.model.hide_and_seek import HideAndSeekAct
from app.model.sock_monsters import SockMonstersAct
from app.model.values import (
    Act,
    Agent,
    Event,
    Finished,
    Heartbeat,
    Here,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Player,
    SeatRequest,
    SeatView,
    SeatWish,
    Table,
    TableStatus,
    Tokens,
    UnknownAct,
    UnknownView,
    Update,
    View,
)
from app.net import (
    convert_hide_and_seek,
    convert_sock_monsters,
    convert_socker,
    convert_terms,
)
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.engine.core.options import OptionValue
from services.wire.options import options_to_message
from services.wire.outcomes import outcome_from_message

LONGEST_NAME = 24

_TABLE_STATUS = {
    mm.TABLE_STATUS_OPEN: TableStatus.OPEN,
    mm.TABLE_STATUS_STARTING: TableStatus.STARTING,
    mm.TABLE_STATUS_STARTED: TableStatus.STARTED,
    mm.TABLE_STATUS_CLOSED: TableStatus.CLOSED,
}
_MATCH_STATUS = {
    play.MATCH_STATUS_RUNNING: MatchStatus.RUNNING,
    play.MATCH_STATUS_FINISHED: MatchStatus.FINISHED,
}


def shown_name(text: str) -> str:
    """A name as it may be shown: one NFC line without control characters, at most 24 long."""
    line = "".join(
        sign for sign in unicodedata.normalize("NFC", text) if unicodedata.category(sign)[0] != "C"
    ).strip()
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def player(message: mm.Player) -> Player:
    return Player(message.player_id, shown_name(message.display_name), message.picture)


def tokens(message: mm.Tokens) -> Tokens:
    return Tokens(
        access=message.access_token,
        access_expires_ms=message.access_expires_at_ms,
        refresh=message.refresh_token,
        refresh_expires_ms=message.refresh_expires_at_ms,
    )


def agents(response: ai.ListAgentsResponse) -> tuple[Agent, ...]:
    offered = (agent for agent in response.agents if agent.level > 0)
    return tuple(Agent(agent.name, agent.game, agent.level) for agent in offered)


def options_from(message: play.Options) -> dict[str, OptionValue]:
    """Options by name; those of a kind this app does not know are left out."""
    found: dict[str, OptionValue] = {}
    for name, value in message.values.items():
        kind = value.WhichOneof("value")
        if kind is not None:
            found[name] = getattr(value, kind)
    return found


def options_to(options: Mapping[str, OptionValue]) -> play.Options:
    return options_to_message(dict(options))


def seat_request(wish: SeatRequest) -> mm.SeatRequest:
    if isinstance(wish, Agent):
        return mm.SeatRequest(agent=wish.name)
    if isinstance(wish, Here):
        return mm.SeatRequest(self=mm.Self(display_name=wish.name))
    if wish is SeatWish.ME:
        return mm.SeatRequest(self=mm.Self())
    return mm.SeatRequest(open=mm.Open())


def table(message: mm.Table) -> Table:
    return Table(
        table_id=message.table_id,
        invitation_code=message.invitation_code,
        game=message.game,
        seats=_occupants(message.seats),
        status=_TABLE_STATUS.get(message.status, TableStatus.UNKNOWN),
        match_id=message.match_id,
        opened_at_ms=message.opened_at_ms,
        options=options_from(message.options),
        terms=convert_terms.terms(message.rules, message.pace),
        listed=message.listed,
        link=message.link,
        promise=message.seed_sha256.hex(),
    )


def my_match(message: mm.MyMatch) -> MyMatch:
    return MyMatch(
        table=table(message.table),
        my_seats=tuple(message.my_seats),
        revision=message.revision,
        status=_MATCH_STATUS.get(message.status, MatchStatus.UNKNOWN),
        actor=message.actor if message.HasField("actor") else None,
        outcome=outcome_from_message(message.outcome) if message.HasField("outcome") else None,
        deadline_ms=message.deadline_ms if message.HasField("deadline_ms") else None,
    )


def match(message: play.Match) -> Match:
    return Match(
        match_id=message.match_id,
        game=message.game,
        seats=_occupants(message.seats),
        revision=message.revision,
        status=_MATCH_STATUS.get(message.status, MatchStatus.UNKNOWN),
        actor=message.actor if message.HasField("actor") else None,
        views=tuple(
            SeatView(
                one.seat, view(one.observation), tuple(map(act, one.legal_actions)), one.may_undo
            )
            for one in message.views
        ),
        outcome=outcome_from_message(message.outcome) if message.HasField("outcome") else None,
        options=options_from(message.options),
        promise=message.fairness.seed_sha256.hex(),
        terms=convert_terms.terms(message.rules, message.pace),
        clock=convert_terms.clock(message.clock) if message.HasField("clock") else None,
        ask=convert_terms.ask(message.ask) if message.HasField("ask") else None,
        watchers=message.watchers,
    )


def view(message: play.Observation) -> View:
    match message.WhichOneof("observation"):
        case "socker":
            return convert_socker.view_from(message.socker)
        case "sock_monsters":
            return convert_sock_monsters.view_from(message.sock_monsters)
        case "hide_and_seek":
            return convert_hide_and_seek.view_from(message.hide_and_seek)
        case _:
            return UnknownView()


def act(message: play.Action) -> Act:
    match message.WhichOneof("action"):
        case "socker":
            return convert_socker.act_from(message.socker)
        case "sock_monsters":
            return convert_sock_monsters.act_from(message.sock_monsters)
        case "hide_and_seek":
            return convert_hide_and_seek.act_from(message.hide_and_seek)
        case _:
            return UnknownAct()


def act_to(value: Act) -> play.Action:
    """Write an action; unknown ones are never offered, so never sent."""
    if isinstance(value, UnknownAct):
        raise TypeError("an action this app can't read can't be sent")
    if isinstance(value, SockMonstersAct):
        return play.Action(sock_monsters=convert_sock_monsters.act_to(value))
    if isinstance(value, HideAndSeekAct):
        return play.Action(hide_and_seek=convert_hide_and_seek.act_to(value))
    return play.Action(socker=convert_socker.act_to(value))


def event(message: play.Event) -> Event:
    return Event(
        revision=message.revision,
        actor=message.actor,
        act=act(message.action) if message.HasField("action") else UnknownAct(),
        committed_at_ms=message.committed_at_ms,
        origin=message.origin,
        said=convert_terms.said(message.control) if message.HasField("control") else None,
        to_revision=(
            message.control.to_revision if message.control.HasField("to_revision") else None
        ),
    )


def update(response: rules.WatchMatchResponse) -> Update:
    """One step of the stream; a kind this app does not know is as good as a heartbeat."""
    match response.WhichOneof("update"):
        case "event":
            return event(response.event)
        case "match":
            return match(response.match)
        case "finished":
            has = response.finished.HasField("outcome")
            return Finished(outcome_from_message(response.finished.outcome) if has else None)
        case _:
            return Heartbeat(response.heartbeat.now_ms, response.heartbeat.watchers)


def _occupants(seats: Iterable[mm.TableSeat | play.Seat]) -> tuple[Occupant, ...]:
    return tuple(
        Occupant(
            player_id=seat.player_id,
            agent=seat.agent,
            display_name=shown_name(seat.display_name),
            **(convert_terms.away(seat) if isinstance(seat, play.Seat) else {}),
        )
        for seat in sorted(seats, key=lambda one: one.seat)
    )
