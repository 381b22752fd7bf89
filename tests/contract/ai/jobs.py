"""Jobs as the service would send them, for tests that send them by themselves."""

from __future__ import annotations

from services.ai.plan import Key, Mode, Row, Try
from services.common.clock import system_clock
from tests.contract.ai.stand_in import StandInMatch


def job(match: StandInMatch, *, live: bool = True, later_ms: int = 0) -> Try:
    """The job for the seat that is to act, asked for just now, or so much later."""
    assert match.actor is not None
    key = Key(match.match_id, match.actor, match.revision)
    return job_for(key, live=live, later_ms=later_ms)


def job_for(key: Key, *, live: bool = True, later_ms: int = 0) -> Try:
    """The same for any seat, there or not."""
    asked_ms = system_clock() + later_ms
    return Try(Row(key, 1, asked_ms, asked_ms), live, Mode.AGENT)
