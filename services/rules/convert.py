"""Messages to values and back. Whatever a message gets wrong is named here."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.errors import invalid_field
from services.engine.core import Action, InvalidNotation, Outcome, Seat
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from services.rules import frames
from services.rules.life import Ask, EventKind, Life
from services.rules.match import MatchEvent, MatchInfo, Move, Occupant, Position
from services.rules.matches import NewMatch
from services.rules.refusals import as_refusals, match_not_found
from services.rules.store import Finished, Head, Waiting
from services.rules.table_rules import DAY_MS, read_rules
from services.rules.turn_clock import Time, deadline, reserve_from, vacation_until
from services.rules.watch import Beat, Update
from services.rules.wishes import may_undo, waiting_for
from services.wire import nonces as nonce_bounds
from services.wire.actions import action_from_message
from services.wire.observations import observation_to_message
from services.wire.options import options_from_message
from services.wire.outcomes import outcome_to_message

MAX_ID: Final = 100
MAX_NAME: Final = 100
MAX_ORIGIN: Final = 40
MAX_PAGE: Final = 500
SHA256: Final = 64
"""Hexadecimal digits of a hash."""
DEFAULT_PAGE: Final = 200
_CONTROLS: Final[Mapping[EventKind, play_pb2.ControlKind.ValueType]] = {
    kind: play_pb2.ControlKind.Value(f"CONTROL_KIND_{kind.name}")
    for kind in EventKind
    if kind is not EventKind.ACTION
}
_MATCH_ID_LENGTH: Final = 32
_HEX: Final = frozenset("0123456789abcdef")


def read_text(text: str, field: str, longest: int, shortest: int = 1) -> str:
    """Text within bounds, in characters, that no database or log stumbles over."""
    if not shortest <= len(text) <= longest:
        raise invalid_field(field, f"must have {shortest} to {longest} characters")
    if not text.isprintable():
        raise invalid_field(field, "must be printable")
    return text


def is_match_id(text: str) -> bool:
    """Whether a match could have this id."""
    return len(text) == _MATCH_ID_LENGTH and _HEX.issuperset(text)


class Wished(Protocol):
    """What the requests of persons for something beside the game have in common."""

    match_id: str
    seat: int
    request_id: str


def read_request_id(text: str) -> str:
    """A request id."""
    return read_text(text, "request_id", MAX_ID)


def read_match_id(text: str) -> str:
    """A match id as we make them; anything else is simply not found."""
    if not is_match_id(text):
        raise match_not_found()
    return text


def read_revision(value: int, field: str) -> int:
    """A revision: 0 or more."""
    if value < 0:
        raise invalid_field(field, "must be 0 or more")
    return value


def read_days(value: int) -> int:
    """A length of whole days, in milliseconds; how many there may be is the match's to say."""
    if value < 0:
        raise invalid_field("days", "must be 0 or more")
    return value * DAY_MS


def read_ply(value: int, reached: int) -> int:
    """A revision that the match has reached."""
    if not 0 <= value <= reached:
        raise invalid_field("revision", f"must be 0 to {reached}")
    return value


def read_page_size(value: int) -> int:
    """How many items a page may have."""
    if not 0 <= value <= MAX_PAGE:
        raise invalid_field("page_size", f"must be 0 to {MAX_PAGE}")
    return value or DEFAULT_PAGE


def read_move(info: MatchInfo, request: rules_pb2.SubmitActionRequest, *, by_agent: bool) -> Move:
    """The move a person or an agent asks for."""
    revision = read_revision(request.expected_revision, "expected_revision")
    origin = read_text(request.origin, "origin", MAX_ORIGIN, shortest=0)
    if origin and not by_agent:
        raise invalid_field("origin", "is for agents only")
    knew = request.information_sha256
    if knew and not by_agent:
        raise invalid_field("information_sha256", "is for agents only")
    if knew and (len(knew) != SHA256 or not _HEX.issuperset(knew)):
        raise invalid_field("information_sha256", f"must have {SHA256} hexadecimal digits")
    action = _read_action(info, request.action)
    return Move(request.seat, revision, action, origin, by_agent, knew or None)


def read_new_match(request: internal_pb2.CreateMatchRequest) -> NewMatch:
    """The match somebody wants made."""
    with as_refusals():
        game = ruleset(request.game)
        options = resolve(game.option_specs, options_from_message(request.options))
    if not game.min_seats <= len(request.seats) <= game.max_seats:
        raise invalid_field("seats", f"must be {game.min_seats} to {game.max_seats}")
    seats = tuple(_occupant(place, seat) for place, seat in enumerate(request.seats))
    players = {who.player_id for who in seats if who.player_id is not None}
    rules = read_rules(request.rules, request.pace, len(players))
    return NewMatch(
        ruleset=game,
        options=options,
        seats=seats,
        pace=rules.pace,
        host_player_id=read_text(request.host_player_id, "host_player_id", MAX_ID, shortest=0),
        rules=rules,
        nonces=_read_nonces(request.nonces, len(seats)),
    )


def fingerprint_of_new(new: NewMatch) -> bytes:
    """What a request id of CreateMatch stands for: SHA-256 of all that was asked for but names,
    which change when an account is deleted.
    """
    seats = [[who.player_id, who.agent] for who in new.seats]
    rules = dataclasses.asdict(new.rules)
    parts = [new.ruleset.game, new.options, seats, new.pace, new.host_player_id, rules]
    parts += [nonce.hex() for nonce in new.nonces]
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def match_to_message(
    info: MatchInfo, position: Position, seats: Sequence[Seat], time: Time, watchers: int
) -> play_pb2.Match:
    """A match as the seats see it now, and how many people watch."""
    message = _stands(frames.of_match(info), info, position, seats)
    message.watchers = watchers
    for seat, who in zip(message.seats, info.seats, strict=True):
        if who.player_id is not None:
            seat.state = play_pb2.SeatState.ValueType(position.life.state(seat.seat))
            seat.sitter = info.agent_of(position, seat.seat) or ""
    if position.outcome is not None:
        message.fairness.seed = info.seed
    if position.actor is not None:
        message.clock.CopyFrom(_clock(info, position, time))
        if position.life.ask is not None:
            message.ask.CopyFrom(_ask(info, position.life, position.life.ask))
        for view in message.views:
            view.may_undo = may_undo(info, position, view.seat)
    return message


def ply_to_message(info: MatchInfo, position: Position, seats: Sequence[Seat]) -> play_pb2.Match:
    """The game of a match as the seats see it in a position, now or then."""
    return _stands(frames.of_game(info), info, position, seats)


def _stands(
    frame: play_pb2.Match, info: MatchInfo, position: Position, seats: Sequence[Seat]
) -> play_pb2.Match:
    message = play_pb2.Match()
    message.CopyFrom(frame)
    message.revision = position.revision
    message.views.extend(_view(info, position, seat) for seat in seats)
    if position.outcome is not None:
        message.status = play_pb2.MATCH_STATUS_FINISHED
        message.outcome.CopyFrom(outcome_to_message(position.outcome))
    elif position.actor is not None:
        message.status = play_pb2.MATCH_STATUS_RUNNING
        message.actor = position.actor
    return message


def legal_actions_to_view(info: MatchInfo, position: Position, seat: Seat) -> play_pb2.SeatView:
    """A view with nothing but what a seat may do now; that is nothing unless it is to act."""
    view = play_pb2.SeatView(seat=seat)
    if position.actor == seat:
        listed = frames.of_actions(info.ruleset)
        actions = info.ruleset.legal_actions(position.state)
        view.MergeFromString(b"".join(map(listed.__getitem__, actions)))
    return view


def event_to_message(info: MatchInfo, event: MatchEvent, seats: Sequence[Seat]) -> play_pb2.Event:
    """An event as a device that holds the seats may see it."""
    message = play_pb2.Event(
        revision=event.revision,
        actor=event.actor,
        committed_at_ms=event.committed_at_ms,
        origin=event.origin,
    )
    if event.kind is EventKind.ACTION:
        action = frames.of_seen(info.ruleset, event.seen_by(seats))
        if action is not None:
            message.action.CopyFrom(action)
    else:
        message.control.kind = _CONTROLS[event.kind]
        if event.to_revision is not None:
            message.control.to_revision = event.to_revision
        message.control.length_ms = event.length_ms or 0
    return message


def update_to_message(
    info: MatchInfo, update: Update, seats: Sequence[Seat], time: Time, watchers: int
) -> rules_pb2.WatchMatchResponse:
    """One step of a stream."""
    match update:
        case MatchEvent():
            return rules_pb2.WatchMatchResponse(event=event_to_message(info, update, seats))
        case Position():
            match_now = match_to_message(info, update, seats, time, watchers)
            return rules_pb2.WatchMatchResponse(match=match_now)
        case Outcome():
            finished = rules_pb2.Finished(outcome=outcome_to_message(update))
            return rules_pb2.WatchMatchResponse(finished=finished)
        case Beat():
            beat = rules_pb2.Heartbeat(now_ms=time.now_ms, watchers=watchers)
            return rules_pb2.WatchMatchResponse(heartbeat=beat)


def waiting_to_message(waiting: Waiting) -> internal_pb2.WaitingSeat:
    """An agent's seat that is to act."""
    return internal_pb2.WaitingSeat(
        match_id=waiting.match_id,
        seat=waiting.seat,
        revision=waiting.revision,
        game=waiting.game,
        agent=waiting.agent,
        pace=play_pb2.Pace.ValueType(waiting.pace),
        waiting_since_ms=waiting.since_ms,
    )


def finished_to_message(finished: Finished) -> internal_pb2.FinishedMatch:
    """A finished match, for the feed."""
    return internal_pb2.FinishedMatch(
        match_id=finished.match_id,
        outcome=outcome_to_message(finished.outcome),
        finished_at_ms=finished.finished_at_ms,
        agents_acted=finished.agents_acted,
    )


def head_to_message(head: Head, time: Time) -> internal_pb2.MatchSummary:
    """Where a match stands."""
    message = internal_pb2.MatchSummary(
        match_id=head.match_id,
        revision=head.revision,
        actor=head.actor,
        acting_since_ms=head.acting_since_ms,
        status=play_pb2.MATCH_STATUS_RUNNING,
        deadline_ms=None if head.deadline_ms is None else time.shown(head.deadline_ms),
    )
    if head.outcome is not None:
        message.status = play_pb2.MATCH_STATUS_FINISHED
        message.outcome.CopyFrom(outcome_to_message(head.outcome))
    return message


def _read_action(info: MatchInfo, message: play_pb2.Action) -> Action:
    arm = message.WhichOneof("action")
    if arm is None:
        raise invalid_field("action", "names no action that this server knows")
    if arm == "text":
        with as_refusals():
            return action_from_message(info.ruleset, message)
    try:
        return action_from_message(info.ruleset, message)
    except InvalidNotation as error:
        raise invalid_field(f"action.{arm}", str(error)) from error


def _read_nonces(nonces: Sequence[bytes], seats: int) -> tuple[bytes, ...]:
    if nonces and len(nonces) != seats:
        raise invalid_field("nonces", "must be one a seat, or none at all")
    for place, nonce in enumerate(nonces):
        if not nonce_bounds.fits(nonce):
            raise invalid_field(f"nonces[{place}]", nonce_bounds.BOUNDS)
    return tuple(nonces) if any(nonces) else ()


def _occupant(place: int, seat: play_pb2.Seat) -> Occupant:
    field = f"seats[{place}]"
    if seat.seat != place:
        raise invalid_field(f"{field}.seat", f"must be {place}: seats come in order")
    name = read_text(seat.display_name, f"{field}.display_name", MAX_NAME, shortest=0)
    match seat.WhichOneof("occupant"):
        case "player_id":
            player_id = read_text(seat.player_id, f"{field}.player_id", MAX_ID)
            return Occupant(name, player_id=player_id)
        case "agent":
            return Occupant(name, agent=read_text(seat.agent, f"{field}.agent", MAX_ID))
        case _:
            raise invalid_field(f"{field}.occupant", "must be a player_id or an agent")


def _clock(info: MatchInfo, position: Position, time: Time) -> play_pb2.Clock:
    def shown(served_ms: int | None) -> int | None:
        return None if served_ms is None else time.shown(served_ms)

    rules, clock, life = info.rules, position.clock, position.life
    return play_pb2.Clock(
        acting_since_ms=position.acting_since_ms,
        deadline_ms=shown(deadline(rules, clock, life)),
        reserve_from_ms=shown(reserve_from(rules, clock, life)),
        now_ms=time.now_ms,
        seats=[
            play_pb2.SeatClock(
                seat=seat,
                reserve_left_ms=left.reserve_ms,
                vacation_until_ms=shown(vacation_until(left, time.served_ms)),
                vacation_left_ms=left.vacation_left_ms,
            )
            for seat, left in enumerate(clock.seats)
            if left is not None
        ],
    )


def _ask(info: MatchInfo, life: Life, ask: Ask) -> play_pb2.Ask:
    return play_pb2.Ask(
        kind=_CONTROLS[ask.kind],
        seat=ask.seat,
        revision=ask.revision,
        to_revision=ask.to_revision,
        waiting=waiting_for(info, life),
    )


def _view(info: MatchInfo, position: Position, seat: Seat) -> play_pb2.SeatView:
    view = legal_actions_to_view(info, position, seat)
    observation = info.ruleset.observe(position.state, seat)
    view.observation.CopyFrom(observation_to_message(info.ruleset, observation))
    return view
