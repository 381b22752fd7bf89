"""A hint for one decision, by what one seat knows. Pure but for the clock."""

from __future__ import annotations

import random
import time
from typing import Any, Final

from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.reasons import Rules, look_ahead, reasons
from services.engine.agents import Budget, Stop, analyse, top_level
from services.engine.core.registry import ruleset
from services.wire.actions import action_to_message

THINKING: Final = Budget(seconds=1.5)
"""A person waits."""
OVERTIME_S: Final = 1.0
"""A search that is this much over its budget is told to stop."""
PERMILLE: Final = 1_000


def find_hint(
    game: str, information: str, budget: Budget = THINKING, stop: Stop = lambda: False
) -> pb.Hint:
    """What the strongest agent would do, and why; with whatever it has when `stop` says so.

    Raises `EngineError` when the information can't be read.
    """
    rules = ruleset(game)
    known = rules.parse_information(information)
    # Seeded from the system, so that nobody can compute what somebody else is told.
    rng = random.Random(random.SystemRandom().getrandbits(64))
    won = sure_win(rules, known, rng)
    if won is not None:
        return won
    deadline = time.monotonic() + (budget.seconds or 0) + OVERTIME_S
    analysis = analyse(
        rules,
        known,
        budget,
        rng,
        stop=lambda: stop() or time.monotonic() > deadline,
        now=time.monotonic,
    )
    seen = look_ahead(rules, known, analysis.seat, analysis.best, rng)
    results = analysis.results
    return pb.Hint(
        action=action_to_message(rules, analysis.best),
        expected_permille=permille(results[analysis.seat]) if results else None,
        reasons=reasons(analysis, seen),
        agent=agent_of(game),
    )


def sure_win(rules: Rules, known: Any, rng: random.Random) -> pb.Hint | None:
    """The shortest way to win: a search may see no difference to a longer one."""
    sample = rules.determinize(known, rng)
    seat, legal = rules.actor(sample), rules.legal_actions(sample)
    assert seat is not None
    for action in legal:
        outcome = rules.outcome(rules.apply(sample, action))
        if outcome is None or outcome.winners != (seat,):
            continue
        if len(legal) > 1 and look_ahead(rules, known, seat, action, rng).wins == 1:
            return pb.Hint(
                action=action_to_message(rules, action),
                expected_permille=PERMILLE,
                reasons=[pb.HINT_REASON_WINS],
                agent=agent_of(rules.game),
            )
    return None


def agent_of(game: str) -> str:
    """The name of a game's strongest agent; "search" where it has no levels."""
    top = top_level(game)
    return "search" if top is None else top.agent


def permille(share: float) -> int:
    """A share as whole thousandths."""
    return round(share * PERMILLE)
