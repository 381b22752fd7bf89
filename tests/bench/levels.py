"""How long the third level of each game thinks where nothing is compiled, as on a phone."""

from __future__ import annotations

import time
from random import Random
from typing import Final

from services.engine.agents import Budget, levels_for, make_agent
from services.engine.core import CHANCE
from services.engine.core.registry import game_names
from tests.conformance.shelf import Variant, samples
from tools.reports import Report

LEVEL: Final = 3
AT_MOST_S: Final = 1.5
SLACK: Final = 5
"""Absolute times say as much about the machine as about us."""
STATES: Final = 60


def measure(report: Report) -> None:
    """Add the longest answer of each game in processor seconds, bounded with slack, to `report`."""
    for game in game_names():
        if len(levels_for(game)) < LEVEL:
            continue
        level = levels_for(game)[LEVEL - 1]
        player, variant = make_agent(level), Variant(game, 2)
        rules, longest = variant.rules, 0.0
        for state in samples(variant, STATES):
            actor = rules.actor(state)
            if actor is None or actor == CHANCE:
                continue
            information = rules.information(state, actor)
            begin = time.process_time()
            player.choose(
                rules, information, Budget(None, None), Random(1), lambda: False, lambda: 0.0
            )
            longest = max(longest, time.process_time() - begin)
        name = f"levels.{game}.level_{LEVEL}_uncompiled"
        report.at_most(name, round(longest, 3), SLACK * AT_MOST_S, "s")
