"""Played for minutes the app stays smooth and takes no more memory than at the beginning.

Time is sped up: motions are that much shorter, and nobody thinks. An action, with its motions
and the thought before it, stands for three seconds.
"""

from __future__ import annotations

import gc
import itertools
import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.boards.motion import style
from app.net.fake import FakeGateway
from tests.mobile.frames import ALLOWED, FRAME_S, Frames
from tests.mobile.positions import SEATS
from tests.mobile.ui import SMALL, Hands, playing
from tools.reports import Report

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sock_monsters", {"silly_socks": True}),
    ("hide_and_seek", {}),
    ("socker", {}),
)
SPEED = 20
"""So much faster things move."""
ACTION_S = 3.0
ROUND_S = 15.0
"""Scripted seconds of each game in a round. All rounds are the same, so that what is left of the
last one may be compared with what was left of another."""
WARM_ROUNDS = 2
"""In the first one every board is made, in the second one every board is opened again."""
GROWN_OBJECTS = 8000
"""Of some 320 000. One drawing that stays behind at each action would be many times this."""
GROWN_MIB = 64.0
"""The allocators of Python and of the graphics driver take their time until they reuse all."""


async def play(hands: Hands, game: str, options: dict[str, Any], scripted_s: float) -> None:
    """Let both sides act at random for so long, with everything shown that happens."""
    rng, left = random.Random(game), int(scripted_s / ACTION_S)
    while left:
        match_id = hands.gateway.start(game, SEATS, options)
        match = hands.gateway.matches[match_id]
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
        while match.actor is not None and left:
            legal = match.rules.legal_actions(match.state)
            hands.gateway.play_as(match_id, match.rules.format_action(rng.choice(legal)))
            left -= 1
            await hands.until(partial(_shown, hands, match.revision))
        hands.app.navigator.home()


def _shown(hands: Hands, revision: int) -> bool:
    look = hands.screen.look
    return bool(look is not None and look.match.revision >= revision and hands.part.resting)


def memory_mib() -> float:
    """What this process holds in memory now."""
    gc.collect()
    return float(psutil.Process(os.getpid()).memory_info().rss) / 2**20


async def _played(folder: Path, minutes: float, report: Report) -> None:
    rounds = round(minutes * 60 / (ROUND_S * len(GAMES)))
    longest: dict[str, list[float]] = {game: [] for game, _ in GAMES}
    before = 0.0
    objects: list[int] = []
    """How many there are after each round, the warm ones left out."""
    async with playing(folder, FakeGateway(7, agents_play=False), size=SMALL) as hands:
        style.pace = 1 / SPEED
        for number in range(rounds):
            if number == WARM_ROUNDS:
                before = memory_mib()
                objects.append(len(gc.get_objects()))
                report.measured("memory", round(before, 1), "MiB")
            for game, options in GAMES:
                frames = Frames()
                await play(hands, game, options, ROUND_S)
                longest[game].append(frames.stop())
            hands.gateway.matches.clear()
            if number >= WARM_ROUNDS:
                gc.collect()
                objects.append(len(gc.get_objects()))
        grown_mib = memory_mib() - before
        # What every round leaves behind; what something else leaves here, it leaves once.
        each = min(later - earlier for earlier, later in itertools.pairwise(objects))
        grown = each * (len(objects) - 1)
        report.at_most("grown_objects", grown, GROWN_OBJECTS)
        report.at_most("grown", round(grown_mib, 2), GROWN_MIB, "MiB")
    half = WARM_ROUNDS + (rounds - WARM_ROUNDS) // 2
    for game, times in longest.items():
        # A frame in which the app is slow comes in both halves; one in which the machine stood
        # still, not.
        slow = round(min(max(times[WARM_ROUNDS:half]), max(times[half:])), 4)
        report.measured(f"{game}_longest_frame", slow, "s")
        report.at_most(f"{game}_longest_frame_allowed", slow, FRAME_S * ALLOWED, "s")
    report.write()
    assert report.holds, [check for check in report.checks if check.status != "passed"]


@pytest.fixture(autouse=True)
def _usual_pace() -> Any:
    yield
    style.pace = 1.0


@pytest.mark.field(31)
async def test_three_minutes_of_play_are_smooth_and_take_no_more_memory(tmp_path: Path) -> None:
    await _played(tmp_path, 3, Report("mobile-play"))


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_half_an_hour_of_play_is_smooth_and_takes_no_more_memory(tmp_path: Path) -> None:
    await _played(tmp_path, 30, Report("mobile-play-long"))
