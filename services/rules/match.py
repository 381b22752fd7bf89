"""A match: who sits where, whose turn it is, and what an action does. Pure.

The guard (revision, end, seat, turn, legality) stands here, once, and so does what an event leads
to: playing and replaying go through `advance` alike. What people do beside the game is in `wishes`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError, invalid_field
from services.engine.core import CHANCE, SPECTATOR, Action, Options, Outcome, Seat, WeightedAction
from services.engine.core.fairness import Draws
from services.engine.core.registry import AnyRuleset
from services.rules.life import (
    ALL_THERE,
    RESTORES,
    EventKind,
    Life,
    SeatState,
    after_action,
    after_control,
    taken_over,
)
from services.rules.refusals import not_your_seat, sitter_plays
from services.rules.table_rules import UNTIMED, TableRules
from services.rules.turn_clock import STOPPED, TurnClock

Draw: TypeAlias = Callable[[int, Sequence[WeightedAction]], Action]
"""Picks one of the outcomes: the number of the draw within the match, the weighted outcomes."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who plays a seat: exactly one of `player_id` and `agent` is set."""

    display_name: str
    player_id: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MatchInfo:
    """What never changes about a match. `pace` is the contract's number; `seed` is 32 bytes, secret
    until the end, and `nonces` what the seats added to it (`engine.core.fairness`).

    `host_player_id` may watch without a seat; empty for nobody. Compared by identity, so that what
    is made of it can be remembered (`frames`).
    """

    match_id: str
    ruleset: AnyRuleset
    options: Options
    seats: tuple[Occupant, ...]
    pace: int
    host_player_id: str
    seed: bytes
    rules: TableRules = UNTIMED
    nonces: tuple[bytes, ...] = ()

    @property
    def draws(self) -> Draws:
        """What chance does in this match."""
        return Draws(self.seed, self.match_id, self.nonces)

    @property
    def persons(self) -> tuple[bool, ...]:
        """For each seat, whether it is a person's."""
        return tuple(who.player_id is not None for who in self.seats)

    def agent_of(self, position: Position, seat: Seat) -> str | None:
        """The agent that acts for a seat now: its own, or the sitter of a person's; else None."""
        own = self.seats[seat].agent
        if own is None and position.life.state(seat) is not SeatState.PRESENT:
            return self.rules.sitter
        return own

    def agent_to_act(self, position: Position) -> str | None:
        """The agent that is to act; None for a person's turn and after the end."""
        return None if position.actor is None else self.agent_of(position, position.actor)


@dataclass(frozen=True, slots=True)
class Position:
    """A match at one revision. Never at chance's turn: its events follow at once.

    `draws` counts the draws so far; `acting_since_ms` is since when whoever is to act has been to
    act on this state, milliseconds since 1970 UTC. `actor` is None and `outcome` set once the match
    is over. `clock` is as the database has it at this revision; replaying events does not tell it.
    """

    revision: int
    draws: int
    state: Any
    acting_since_ms: int
    actor: Seat | None
    outcome: Outcome | None
    life: Life = ALL_THERE
    clock: TurnClock = STOPPED

    def time(self, now_ms: int) -> int:
        """The time of what happens now: the server's clock may step back, a match's own not."""
        return max(now_ms, self.acting_since_ms)


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """One thing that happened at `revision` and took the match to `revision + 1`.

    `action` is an action's notation; empty for what happened beside the game. `seen` says how seats
    see it, where that differs from `action` (`Ruleset.visible_action`, decided when it happens).
    `draw` numbers the events of chance. `to_revision` is for those that name a revision; `restored`
    is the notation of the position that an event of `RESTORES` brought back, so that replaying it
    needs nothing from before; `length_ms` is that of a vacation; `information_sha256` is of what an
    agent knew that acted.
    """

    revision: int
    actor: Seat
    action: str
    committed_at_ms: int
    origin: str = ""
    draw: int | None = None
    seen: Mapping[Seat, str] | None = None
    kind: EventKind = EventKind.ACTION
    to_revision: int | None = None
    restored: str | None = None
    length_ms: int | None = None
    information_sha256: str | None = None

    def seen_by(self, seats: Iterable[Seat]) -> str:
        """How the seats of one device see the action: the most that any of them sees."""
        views = [(self.seen or {}).get(seat, self.action) for seat in seats]
        whole = (view for view in views if view == self.action)
        return next(whole, max(views, key=len, default="?"))


@dataclass(frozen=True, slots=True)
class Step:
    """Events that happen together, and the position they lead to."""

    events: tuple[MatchEvent, ...]
    after: Position


@dataclass(frozen=True, slots=True)
class Move:
    """An action somebody asks for: by which seat, chosen at which revision, found how.

    `by_agent` says whether an agent asks, a sitter included, or a person; `information_sha256` is
    of what the agent knew.
    """

    seat: Seat
    expected_revision: int
    action: Action
    origin: str = ""
    by_agent: bool = False
    information_sha256: str | None = None


def begin(info: MatchInfo, draw: Draw, now_ms: int) -> Step:
    """The opening position, with whatever chance does first. Raises `InvalidOption`."""
    return settle(info, start(info, now_ms), [], draw)


def start(info: MatchInfo, now_ms: int) -> Position:
    """Revision 0: before anything has happened, chance included. Raises `InvalidOption`."""
    state = info.ruleset.initial(info.options, len(info.seats))
    return _position(info, 0, 0, state, now_ms, ALL_THERE)


def play(info: MatchInfo, position: Position, move: Move, draw: Draw, now_ms: int) -> Step:
    """Apply a move, and what chance does after it; raises `RefusedError` if it may not happen."""
    check(info, position, move)
    event = _event(info, position, move.action, position.time(now_ms), origin=move.origin)
    event = replace(event, information_sha256=move.information_sha256)
    return settle(info, advance(info, position, event, move.action), [event], draw)


def advance(
    info: MatchInfo, position: Position, event: MatchEvent, action: Action | None = None
) -> Position:
    """The position after an event, which is trusted; `action` is what it says, if that is known."""
    ruleset, revision = info.ruleset, event.revision + 1
    if event.kind is EventKind.ACTION:
        action = ruleset.parse_action(event.action) if action is None else action
        draws = position.draws if event.draw is None else event.draw + 1
        state = ruleset.apply(position.state, action)
        after = _position(info, revision, draws, state, event.committed_at_ms, position.life)
        undoable = after.actor == event.actor and ruleset.may_undo(position.state, action)
        life = after_action(position.life, event.revision, undoable=undoable)
        return replace(after, life=taken_over(life, after.actor))
    state = position.state
    if event.kind in RESTORES:
        assert event.restored is not None
        state = ruleset.parse_state(event.restored)
    life = after_control(
        position.life, event.kind, event.actor, event.revision, event.to_revision, len(info.seats)
    )
    after = _position(info, revision, position.draws, state, event.committed_at_ms, life)
    after = replace(after, life=taken_over(life, after.actor))
    outcome = ended_by(info, position, event)
    if outcome is not None:
        return replace(after, actor=None, outcome=outcome)
    if (after.actor, info.agent_to_act(after)) == (position.actor, info.agent_to_act(position)):
        return replace(after, acting_since_ms=position.acting_since_ms)
    return after


def ended_by(info: MatchInfo, position: Position, event: MatchEvent) -> Outcome | None:
    """How the match is over by something beside the game; None: it is not."""
    ruleset, state = info.ruleset, position.state
    match event.kind:
        case EventKind.RESIGN | EventKind.FORFEIT if len(info.seats) == 2:
            outcome = ruleset.resigned(state, event.actor)
            reason = "forfeit" if event.kind is EventKind.FORFEIT else outcome.reason
            return replace(outcome, reason=reason)
        case EventKind.END:
            return Outcome("agreed", (), ruleset.scores(state))
        case EventKind.ABANDON:
            return Outcome("abandoned", (), ruleset.scores(state))
        case _:
            return None


def check(info: MatchInfo, position: Position, move: Move) -> None:
    """The guard: raises `RefusedError` unless this move may happen in this position."""
    check_turn(info, position, move.seat, move.expected_revision, by_agent=move.by_agent)
    if move.information_sha256 not in (None, known_sha256(info, position, move.seat)):
        # An answer to another question, that came here by a fault of whoever sent it.
        raise invalid_field("information_sha256", "is not of what the seat knows here")
    if not info.ruleset.is_legal(position.state, move.action):
        # The engine's own error shows the whole position; this one what the seat sees of it.
        ruleset, action = info.ruleset, info.ruleset.format_action(move.action)
        raise RefusedError(
            ErrorReason.ERROR_REASON_ILLEGAL_ACTION,
            f"not legal here: '{action}'",
            action=action,
            position=ruleset.format_observation(ruleset.observe(position.state, move.seat)),
        )


def check_turn(
    info: MatchInfo, position: Position, seat: Seat, expected_revision: int, *, by_agent: bool
) -> None:
    """Raise `RefusedError` unless the seat is to act now, by an agent or by its person."""
    check_revision(position, expected_revision)
    actor = check_running(position)
    if (info.agent_of(position, seat) is not None) != by_agent:
        away = position.life.state(seat) in (SeatState.SITTER, SeatState.RETURNING)
        raise sitter_plays(seat) if away else not_your_seat(seat)
    if actor != seat:
        raise RefusedError(
            ErrorReason.ERROR_REASON_NOT_YOUR_TURN,
            f"seat {actor} is to act",
            actor=actor,
            revision=position.revision,
        )


def known_sha256(info: MatchInfo, position: Position, seat: Seat) -> str:
    """SHA-256 of the notation of what a seat knows, hexadecimal."""
    ruleset = info.ruleset
    text = ruleset.format_information(ruleset.information(position.state, seat))
    return hashlib.sha256(text.encode()).hexdigest()


def check_revision(position: Position, expected: int) -> None:
    """Raise `RefusedError` STALE_REVISION unless the match is where the caller thinks it is."""
    if expected != position.revision:
        raise RefusedError(
            ErrorReason.ERROR_REASON_STALE_REVISION,
            f"the match is at revision {position.revision}, not {expected}",
            revision=position.revision,
        )


def check_running(position: Position) -> Seat:
    """The seat to act; raises `RefusedError` MATCH_FINISHED once the match is over."""
    if position.actor is None:
        raise RefusedError(
            ErrorReason.ERROR_REASON_MATCH_FINISHED,
            "the match is over",
            revision=position.revision,
        )
    return position.actor


def replay(
    info: MatchInfo, position: Position, events: Iterable[MatchEvent], outcome: Outcome | None
) -> Position:
    """The position after stored events, which are trusted; `outcome` as stored at the end."""
    for event in events:
        position = advance(info, position, event)
    return _ended(position, outcome)


def restore(
    info: MatchInfo,
    revision: int,
    draws: int,
    state: Any,
    acting_since_ms: int,
    outcome: Outcome | None = None,
    life: Life = ALL_THERE,
) -> Position:
    """A position from its parts, as they were stored."""
    return _ended(_position(info, revision, draws, state, acting_since_ms, life), outcome)


def settle(info: MatchInfo, position: Position, events: list[MatchEvent], draw: Draw) -> Step:
    """Let chance act until a seat is to act, or the match is over."""
    while position.actor == CHANCE:
        action = draw(position.draws, info.ruleset.chance_outcomes(position.state))
        event = _event(info, position, action, position.acting_since_ms, draw=position.draws)
        events.append(event)
        position = advance(info, position, event, action)
    return Step(tuple(events), position)


def _position(
    info: MatchInfo, revision: int, draws: int, state: Any, since_ms: int, life: Life
) -> Position:
    outcome = info.ruleset.outcome(state)
    actor = None if outcome is not None else info.ruleset.actor(state)
    return Position(revision, draws, state, since_ms, actor, outcome, life)


def _ended(position: Position, outcome: Outcome | None) -> Position:
    if outcome is None or position.outcome is not None:
        return position
    return replace(position, actor=None, outcome=outcome)


def _event(
    info: MatchInfo,
    position: Position,
    action: Action,
    now_ms: int,
    *,
    origin: str = "",
    draw: int | None = None,
) -> MatchEvent:
    assert position.actor is not None
    whole = info.ruleset.format_action(action)
    watchers = (*range(len(info.seats)), SPECTATOR)
    views = {seat: info.ruleset.visible_action(position.state, action, seat) for seat in watchers}
    seen = {seat: view for seat, view in views.items() if view != whole}
    return MatchEvent(position.revision, position.actor, whole, now_ms, origin, draw, seen or None)
