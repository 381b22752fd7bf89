"""A match: who sits where, whose turn it is, and what an action does. Pure.

The guard (revision, end, turn, legality) stands here, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import CHANCE, SPECTATOR, Action, Options, Outcome, Seat, WeightedAction
from services.engine.core.registry import AnyRuleset
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


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """What never changes about a match. `pace` is the contract's number; `seed` is 32 secret bytes.

    `host_player_id` may watch without a seat; empty for nobody.
    """

    match_id: str
    ruleset: AnyRuleset
    options: Options
    seats: tuple[Occupant, ...]
    pace: int
    host_player_id: str
    seed: bytes
    rules: TableRules = UNTIMED

    @property
    def persons(self) -> tuple[bool, ...]:
        """For each seat, whether it is a person's."""
        return tuple(who.player_id is not None for who in self.seats)

    def agent_to_act(self, position: Position) -> str | None:
        """The agent whose seat is to act; None for a person's turn and after the end."""
        return None if position.actor is None else self.seats[position.actor].agent


@dataclass(frozen=True, slots=True)
class Position:
    """A match at one revision. Never at chance's turn: its events follow at once.

    `draws` counts the draws so far; `acting_since_ms` is when this revision was reached,
    milliseconds since 1970 UTC. `actor` is None and `outcome` set once the match is over. `clock`
    is as the database has it at this revision; replaying events does not tell it.
    """

    revision: int
    draws: int
    state: Any
    acting_since_ms: int
    actor: Seat | None
    outcome: Outcome | None
    clock: TurnClock = STOPPED


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """One action that happened at `revision` and took the match to `revision + 1`.

    `action` is its notation. `seen` says how seats see it, where that differs from `action`
    (`Ruleset.visible_action`, decided when it happens). `draw` numbers the events of chance.
    """

    revision: int
    actor: Seat
    action: str
    committed_at_ms: int
    origin: str = ""
    draw: int | None = None
    seen: Mapping[Seat, str] | None = None

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
    """An action somebody asks for: by which seat, chosen at which revision, found how."""

    seat: Seat
    expected_revision: int
    action: Action
    origin: str = ""


def begin(info: MatchInfo, draw: Draw, now_ms: int) -> Step:
    """The opening position, with whatever chance does first. Raises `InvalidOption`."""
    state = info.ruleset.initial(info.options, len(info.seats))
    return _settle(info, _position(info, 0, 0, state, now_ms), [], draw)


def play(info: MatchInfo, position: Position, move: Move, draw: Draw, now_ms: int) -> Step:
    """Apply a move, and what chance does after it; raises `RefusedError` if it may not happen."""
    check(info, position, move)
    # The server's clock may step back; a match's own time does not.
    now_ms = max(now_ms, position.acting_since_ms)
    event = _event(info, position, move.action, now_ms, origin=move.origin)
    after = _apply(info, position, move.action, now_ms)
    return _settle(info, after, [event], draw)


def check(info: MatchInfo, position: Position, move: Move) -> None:
    """The guard: raises `RefusedError` unless this move may happen in this position."""
    if move.expected_revision != position.revision:
        raise RefusedError(
            ErrorReason.ERROR_REASON_STALE_REVISION,
            f"the match is at revision {position.revision}, not {move.expected_revision}",
            revision=position.revision,
        )
    if position.actor is None:
        raise RefusedError(
            ErrorReason.ERROR_REASON_MATCH_FINISHED,
            "the match is over",
            revision=position.revision,
        )
    if position.actor != move.seat:
        raise RefusedError(
            ErrorReason.ERROR_REASON_NOT_YOUR_TURN,
            f"seat {position.actor} is to act",
            actor=position.actor,
            revision=position.revision,
        )
    if not info.ruleset.is_legal(position.state, move.action):
        # The engine's own error shows the whole position; this one what the seat sees of it.
        ruleset, action = info.ruleset, info.ruleset.format_action(move.action)
        raise RefusedError(
            ErrorReason.ERROR_REASON_ILLEGAL_ACTION,
            f"not legal here: '{action}'",
            action=action,
            position=ruleset.format_observation(ruleset.observe(position.state, move.seat)),
        )


def replay(
    info: MatchInfo, position: Position, events: Iterable[MatchEvent], outcome: Outcome | None
) -> Position:
    """The position after stored events, which are trusted; `outcome` as stored at the end."""
    for event in events:
        action = info.ruleset.parse_action(event.action)
        draws = position.draws if event.draw is None else event.draw + 1
        state = info.ruleset.apply(position.state, action)
        position = Position(event.revision + 1, draws, state, event.committed_at_ms, None, None)
    return restore(
        info,
        position.revision,
        position.draws,
        position.state,
        position.acting_since_ms,
        outcome,
    )


def restore(
    info: MatchInfo,
    revision: int,
    draws: int,
    state: Any,
    acting_since_ms: int,
    outcome: Outcome | None = None,
) -> Position:
    """A position from its parts, as they were stored."""
    position = _position(info, revision, draws, state, acting_since_ms)
    if outcome is None or position.outcome is not None:
        return position
    return Position(revision, draws, state, acting_since_ms, None, outcome)


def _settle(info: MatchInfo, position: Position, events: list[MatchEvent], draw: Draw) -> Step:
    """Let chance act until a seat is to act, or the match is over."""
    while position.actor == CHANCE:
        action = draw(position.draws, info.ruleset.chance_outcomes(position.state))
        now_ms = position.acting_since_ms
        events.append(_event(info, position, action, now_ms, draw=position.draws))
        position = _apply(info, position, action, now_ms, drawn=1)
    return Step(tuple(events), position)


def _apply(
    info: MatchInfo, position: Position, action: Action, now_ms: int, drawn: int = 0
) -> Position:
    state = info.ruleset.apply(position.state, action)
    return _position(info, position.revision + 1, position.draws + drawn, state, now_ms)


def _position(info: MatchInfo, revision: int, draws: int, state: Any, since_ms: int) -> Position:
    outcome = info.ruleset.outcome(state)
    actor = None if outcome is not None else info.ruleset.actor(state)
    return Position(revision, draws, state, since_ms, actor, outcome)


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
