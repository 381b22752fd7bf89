"""Checking the dice of a finished match: this device replays its record with its own engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.i18n import tr
from app.model.nonces import Nonces
from app.model.shown import Shown
from app.model.values import CHANCE, Event
from services.engine.core.record import Fault, UnreadableRecord, read_record, verify

_SEEN_BY_ALL = ("roll:", "eye:", "toss:", "first:")
"""Chance that nobody hides from anybody."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What this device knows of a match's seed from before its end, in hexadecimal: the SHA-256
    that was `promise`d, and the `nonce` that it has `added`; "" for what it does not."""

    promise: str = ""
    added: str = ""


def witness(shown: Shown, nonces: Nonces, match_id: str) -> Witness:
    """What this device knows of a match. What its table promised comes before what the match said
    later: it was there before anybody had added anything."""
    mine = nonces.of_match(match_id)
    if mine is None:
        return Witness(shown.promise_of(match_id))
    return Witness(mine.promise, mine.nonce if mine.given else "")


def check(record: str, match_id: str, known: Witness, seen: Iterable[Event]) -> Fault | None:
    """The first fault of a match's record; None: it holds, and it is the match that was seen here.

    `seen` are the events as this device got them. A fault of the kind `nonce`: what this device
    has added is not in the draws. Raises `UnreadableRecord`.
    """
    document = read_record(record)
    if document.get("match_id") != match_id:
        return Fault(0, "control", "the record is that of another match")
    fault = verify(document, bytes.fromhex(known.promise) if known.promise else None)
    if fault is not None:
        return fault
    # Which draws come of which nonces has been worked out again just now.
    if known.added and known.added not in [seat.get("nonce") for seat in document["seats"]]:
        return Fault(0, "nonce", "what this device added is not in the record")
    history = document["history"]
    for event in seen:
        text = event.notation
        if not text or (event.actor == CHANCE and not text.startswith(_SEEN_BY_ALL)):
            continue  # Not all of it was to be seen here.
        said = history[event.revision].get("action") if event.revision < len(history) else None
        if said != text:
            return Fault(event.revision, "action", f"{said} in the record, {text} on this device")
    return None


def verdict(fault: Fault | None, known: Witness) -> str:
    """What was found, in a sentence or two."""
    if fault is None:
        return _holds(known)
    if fault.kind == "seed":
        return tr("The dice were not promised like this before the match.")
    if fault.kind == "nonce":
        return tr("What this device has added to the dice was left out.")
    return tr("Something is wrong at step {step} of the match.", step=fault.ply + 1)


def _holds(known: Witness) -> str:
    if not known.promise:
        # Whoever told it only after the end has promised nothing.
        return tr("All dice and draws fit together. This device saw no promise before the end.")
    if known.added:
        return tr("All dice and draws are as promised, with what this device has added.")
    return tr("All dice and draws are as they were promised before the match.")


__all__ = ["Fault", "UnreadableRecord", "Witness", "check", "verdict", "witness"]
