"""Checking the dice of a finished match: this device replays its record with its own engine."""

from __future__ import annotations

from collections.abc import Iterable

from app.i18n import tr
from app.model.values import CHANCE, Event
from services.engine.core.record import Fault, UnreadableRecord, read_record, verify

_SEEN_BY_ALL = ("roll:", "eye:", "toss:", "first:")
"""Chance that nobody hides from anybody."""


def check(record: str, match_id: str, promise: str, seen: Iterable[Event]) -> Fault | None:
    """The first fault of a match's record; None: it holds, and it is the match that was seen here.

    `promise` is the SHA-256 of the seed in hexadecimal as this device saw it during the match, ""
    if it did not; `seen` are the events as this device got them. Raises `UnreadableRecord`.
    """
    document = read_record(record)
    if document.get("match_id") != match_id:
        return Fault(0, "control", "the record is that of another match")
    fault = verify(document, bytes.fromhex(promise) if promise else None)
    if fault is not None:
        return fault
    history = document["history"]
    for event in seen:
        text = event.notation
        if not text or (event.actor == CHANCE and not text.startswith(_SEEN_BY_ALL)):
            continue  # Not all of it was to be seen here.
        said = history[event.revision].get("action") if event.revision < len(history) else None
        if said != text:
            return Fault(event.revision, "action", f"{said} in the record, {text} on this device")
    return None


def verdict(fault: Fault | None) -> str:
    """What was found, in a short sentence."""
    if fault is None:
        return tr("All dice and draws are as they were promised before the match.")
    if fault.kind == "seed":
        return tr("The dice were not promised like this before the match.")
    return tr("Something is wrong at step {step} of the match.", step=fault.ply + 1)


__all__ = ["Fault", "UnreadableRecord", "check", "verdict"]
