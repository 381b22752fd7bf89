"""What goes into rows and comes out again, the same for both submit paths.

A column that each commit writes is one line in one of the mappings here, and one in `tables`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from services.engine.core import Outcome, Seat
from services.rules.life import EventKind, dump_life
from services.rules.match import MatchEvent, MatchInfo, Position
from services.rules.store import Head
from services.rules.table_rules import TableRules
from services.rules.turn_clock import called_at, deadline, dump_clock, short_from


def dump_outcome(outcome: Outcome | None) -> str | None:
    """The JSON of an outcome; None while the match goes on."""
    if outcome is None:
        return None
    return json.dumps(
        {"reason": outcome.reason, "winners": outcome.winners, "scores": outcome.scores}
    )


def load_outcome(text: str | None) -> Outcome | None:
    """The opposite of `dump_outcome`."""
    if text is None:
        return None
    data = json.loads(text)
    return Outcome(data["reason"], tuple(data["winners"]), tuple(data["scores"]))


def dump_seen(seen: Mapping[Seat, str] | None) -> str | None:
    """The JSON of `MatchEvent.seen`."""
    return None if seen is None else json.dumps({str(seat): view for seat, view in seen.items()})


def load_seen(text: str | None) -> dict[Seat, str] | None:
    """The opposite of `dump_seen`."""
    if text is None:
        return None
    return {int(seat): view for seat, view in json.loads(text).items()}


def dump_rules(rules: TableRules) -> str:
    """The JSON of what a table agreed."""
    return json.dumps(asdict(rules))


def load_rules(text: str, pace: int) -> TableRules:
    """The opposite of `dump_rules`; a table from before agreed on a pace only."""
    return TableRules(**{"pace": pace, **json.loads(text)})


HEAD: Final = (
    "match_id",
    "revision",
    "draws",
    "actor",
    "acting_since_ms",
    "outcome",
    "clock",
    "deadline_ms",
)
"""The columns of `matches` that say where a match stands, as `Head` has them."""


def load_head(row: Sequence[Any]) -> Head:
    """Where a match stands, from the columns of `HEAD`."""
    match_id, revision, draws, actor, since_ms, outcome, clock, deadline_ms = row
    return Head(
        match_id, revision, draws, actor, since_ms, load_outcome(outcome), clock, deadline_ms
    )


_CONTROL: Final = ("to_revision", "restored", "length_ms")


def dump_control(event: MatchEvent) -> str | None:
    """The JSON of what an event beside the game says; None where it says nothing more."""
    said = {name: value for name in _CONTROL if (value := getattr(event, name)) is not None}
    return json.dumps(said) if said else None


def load_event(row: Any) -> MatchEvent:
    """An event from its row."""
    return MatchEvent(
        row.revision,
        row.actor,
        row.action,
        row.committed_at_ms,
        row.origin,
        row.draw,
        load_seen(row.seen),
        EventKind(row.kind),
        information_sha256=row.information_sha256,
        **(json.loads(row.control) if row.control else {}),
    )


MATCH_CHANGES: Final[Mapping[str, Callable[[MatchInfo, Position], Any]]] = {
    "revision": lambda _, at: at.revision,
    "draws": lambda _, at: at.draws,
    "actor": lambda _, at: at.actor,
    "acting_since_ms": lambda _, at: at.acting_since_ms,
    # Where nobody is left to play with, agents rest.
    "waiting_agent": lambda info, at: info.agent_to_act(at) if at.clock.attended else None,
    "outcome": lambda _, at: dump_outcome(at.outcome),
    "clock": lambda _, at: dump_clock(at.clock),
    "deadline_ms": lambda info, at: deadline(info.rules, at.clock, at.life),
    "short_ms": lambda info, at: short_from(info.rules, at.clock, at.life),
    "turn_revision": lambda _, at: called_at(at.clock, at.life),
}
"""Columns of `matches` that say where a match stands."""

EVENTS: Final[Mapping[str, Callable[[MatchEvent], Any]]] = {
    "revision": lambda event: event.revision,
    "actor": lambda event: event.actor,
    "action": lambda event: event.action,
    "committed_at_ms": lambda event: event.committed_at_ms,
    "origin": lambda event: event.origin,
    "draw": lambda event: event.draw,
    "seen": lambda event: dump_seen(event.seen),
    "kind": lambda event: event.kind.value,
    "control": dump_control,
    "information_sha256": lambda event: event.information_sha256,
}
"""Columns of `events`, beside the match."""

SNAPSHOTS: Final[Mapping[str, Callable[[Position, str | None], Any]]] = {
    "revision": lambda at, _: at.revision,
    "draws": lambda at, _: at.draws,
    "acting_since_ms": lambda at, _: at.acting_since_ms,
    "position": lambda _, text: text,
    "life": lambda at, _: dump_life(at.life),
}
"""Columns of `snapshots`, beside the match: of a position and its notation, None if not due."""
