"""What goes into rows and comes out again, the same for both submit paths."""

from __future__ import annotations

import json
from collections.abc import Mapping

from services.engine.core import Outcome, Seat


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
