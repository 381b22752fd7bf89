"""A finished match as one JSON document, written part by part (docs/export.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from google.protobuf.json_format import MessageToDict

from services.engine.core import Outcome
from services.engine.core.fairness import commitment
from services.engine.core.record import FORMAT
from services.rules.life import EventKind
from services.rules.match import MatchEvent, MatchInfo
from services.rules.table_rules import rules_to_message


def first_part(info: MatchInfo) -> str:
    """What comes before the events."""
    nonces = info.nonces or (b"",) * len(info.seats)
    document = {
        "format": FORMAT,
        "match_id": info.match_id,
        "game": info.ruleset.game,
        "ruleset_version": info.ruleset.version,
        "options": dict(info.options),
        "seats": [
            {"name": who.display_name, "agent": who.agent, "nonce": nonce.hex()}
            for who, nonce in zip(info.seats, nonces, strict=True)
        ],
        "table": MessageToDict(rules_to_message(info.rules), preserving_proto_field_name=True),
        "draws": {
            "scheme": info.draws.scheme,
            "seed": info.seed.hex(),
            "seed_sha256": commitment(info.seed).hex(),
        },
    }
    return json.dumps(document, ensure_ascii=False)[:-1] + ', "history": ['


def events_part(events: Iterable[MatchEvent]) -> str:
    """The next events."""
    return "".join(
        f"{',' if event.revision > 0 else ''}\n{json.dumps(_event(event))}" for event in events
    )


def last_part(outcome: Outcome) -> str:
    """What comes after the events."""
    end = {"reason": outcome.reason, "winners": outcome.winners, "scores": outcome.scores}
    return f'\n], "outcome": {json.dumps(end)}}}\n'


def _event(event: MatchEvent) -> dict[str, Any]:
    said: dict[str, Any] = {
        "revision": event.revision,
        "kind": event.kind.value,
        "actor": event.actor,
        "at_ms": event.committed_at_ms,
    }
    if event.kind is EventKind.ACTION:
        said["action"] = event.action
    more = {
        "draw": event.draw,
        "origin": event.origin or None,
        "to_revision": event.to_revision,
        "length_ms": event.length_ms,
        "information_sha256": event.information_sha256,
    }
    return said | {name: value for name, value in more.items() if value is not None}
