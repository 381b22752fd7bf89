"""A finished match of this device as the document that docs/export.md describes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from app.model.values import CHANCE, Outcome
from services.engine.core.fairness import PLAIN, commitment
from services.engine.core.record import FORMAT

if TYPE_CHECKING:
    from app.net.local_beside import Done
    from app.net.local_setting import Setting


def written(setting: Setting, version: int, history: Iterable[Done], outcome: Outcome) -> str:
    """The record of a match with a seed; `version` is that of the game's rules."""
    seed = bytes.fromhex(setting.seed)
    document = {
        "format": FORMAT,
        "match_id": setting.match_id,
        "game": setting.game,
        "ruleset_version": version,
        "options": dict(setting.options),
        "seats": [
            {"name": who.display_name, "agent": who.agent or None, "nonce": ""}
            for who in setting.seats
        ],
        "table": {},
        "draws": {"scheme": PLAIN, "seed": seed.hex(), "seed_sha256": commitment(seed).hex()},
        "history": _events(history),
        "outcome": {
            "reason": outcome.reason,
            "winners": list(outcome.winners),
            "scores": list(outcome.scores),
        },
    }
    return json.dumps(document, ensure_ascii=False)


def _events(history: Iterable[Done]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    drawn = 0
    for revision, done in enumerate(history):
        event: dict[str, Any] = {
            "revision": revision,
            "kind": "action" if done.said is None else done.said.value,
            "actor": done.actor,
            "at_ms": done.at_ms,
        }
        if done.said is None:
            event["action"] = done.action
        if done.to_revision is not None:
            event["to_revision"] = done.to_revision
        if done.actor == CHANCE:
            event["draw"], drawn = drawn, drawn + 1
        if done.origin:
            event["origin"] = done.origin
        found.append(event)
    return found
