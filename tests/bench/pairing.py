"""How long it takes to find out whom to seat with whom, of 10 000 tickets that ask for the same.

Several crowds: fresh ones with narrow windows, old ones that take anybody, tables of four, and
players of whom each has blocked fifty others. The slowest is the one that counts.
"""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass

from services.matchmaking.finding.queue import Hope, Ticket, propose
from services.matchmaking.model import Pace
from tools.reports import Report

TICKETS = 10_000
ROUNDS = 3
GOAL_S = 1.0
MOST_S = 5 * GOAL_S
"""On a machine that does other things as well."""
_NOW = 10_000_000_000


@dataclass(frozen=True, slots=True)
class Crowd:
    """Tickets for tables of `seats`, at most `oldest_ms` old, each player with `blocks`."""

    name: str
    seats: int
    oldest_ms: int
    blocks: int = 0


CROWDS = (
    Crowd("fresh, for two", 2, 1_000),
    Crowd("old, for two", 2, 3_600_000),
    Crowd("mixed, for four", 4, 120_000),
    Crowd("with blocks, for four", 4, 120_000, 50),
)


def measure(report: Report) -> None:
    """Add the seconds of each crowd, and the slowest with its bound."""
    slowest = 0.0
    for crowd in CROWDS:
        seconds = statistics.median(_seconds(crowd, seed) for seed in range(ROUNDS))
        report.measured(f"pairing.{crowd.name}", round(seconds, 3), "s")
        slowest = max(slowest, seconds)
    report.at_most("pairing.slowest of 10 000 tickets", round(slowest, 3), MOST_S, "s")


def _seconds(crowd: Crowd, seed: int) -> float:
    generator = random.Random(seed)
    hope = Hope("socker", (), "{}", crowd.seats, Pace.LIVE)
    tickets = [
        Ticket(
            ticket_id=f"{number:05}",
            player_id=f"p{number}",
            hope=hope,
            fill=None,
            skill=round(generator.gauss(1_500, 300)),
            opened_at_ms=_NOW - generator.randrange(crowd.oldest_ms),
            seen_at_ms=_NOW,
        )
        for number in range(TICKETS)
    ]
    blocked = {
        f"p{number}": {f"p{generator.randrange(TICKETS)}" for _ in range(crowd.blocks)}
        for number in range(TICKETS if crowd.blocks else 0)
    }
    start = time.perf_counter()
    proposals = propose(tickets, _NOW, blocked)
    seconds = time.perf_counter() - start
    seated = sum(len(proposal.tickets) for proposal in proposals)
    assert seated > 0.9 * TICKETS, f"{crowd.name}: only {seated} found a table"
    return seconds
