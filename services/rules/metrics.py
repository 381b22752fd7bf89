"""What Prometheus can see of matches."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge

SUBMITS: Final = Counter(
    "oddsocks_submits_total",
    "What was asked of matches, by kind of wish and result: committed, repeated (a request id that"
    " was answered before), or the reason of the refusal",
    ["wish", "result"],
)
COMMITTED: Final = "committed"
REPEATED: Final = "repeated"

WATCHERS: Final = Gauge(
    "oddsocks_watchers", "People who watch a match they do not play, all processes together"
)
PRESENT: Final = Gauge(
    "oddsocks_present", "People who look at a match they play, all processes together"
)
