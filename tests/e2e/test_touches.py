"""Touches on the app's board play a whole match of Socker on the running system."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import tests.mobile.headless  # noqa: F401  # before anything of Kivy
from app.main import Settings, make_session
from app.model.socker import Kind, Phase, SockerAct
from app.net import convert
from app.pictures import take_picture
from app.script import act_by_touch
from services.engine.agents import Budget, agent
from services.engine.core.registry import ruleset
from services.standalone.target import address_text
from services.wire.actions import action_to_message
from tests.fixtures.standalone import Served, serve
from tests.mobile.ui import Hands, hands_on, one_pixel
from tools.reports import ROOT

LONGEST_S = 400
"""A match takes under a minute; a small machine may have much else to do."""


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A system of this file's own."""
    with serve(tmp_path_factory.mktemp("touches") / "state") as served:
        yield served


def advised(position: str) -> SockerAct:
    """What a good player would do here: the search agent, thinking in this process."""
    rules = ruleset("socker")
    state = rules.parse_state(position)
    seat = rules.actor(state)
    assert seat is not None
    action = agent("socker_search").choose(
        rules,
        rules.information(state, seat),
        Budget(seconds=0.5),
        random.Random(1),
        lambda: False,
        time.monotonic,
    )
    act = convert.act(action_to_message(rules, action))
    assert isinstance(act, SockerAct)
    return act


async def play_by_touch(hands: Hands) -> int:
    """Play the match on show to its end; returns how many actions were touched."""
    board, touched = hands.board, 0
    while True:
        await hands.until(
            lambda: board.resting and (board.hand.may_act or board.hand.view.phase is Phase.OVER),
            seconds=60,
        )
        if board.hand.view.phase is Phase.OVER:
            return touched
        revision = hands.screen.live.match.revision
        act = await asyncio.to_thread(advised, board.hand.view.position)
        assert board.hand.may_act, "the position changed in our own turn"
        await act_by_touch(hands.screen, act)
        touched += 1
        await hands.until(partial(_moved_on, hands, revision), seconds=60)


def _moved_on(hands: Hands, revision: int) -> bool:
    return bool(hands.screen.live.match.revision > revision)


@pytest.mark.timeout(500)
async def test_touches_play_a_whole_match_against_an_agent(system: Served, tmp_path: Path) -> None:
    settings = Settings(server=address_text(system.running.addresses), plaintext=True)
    session = make_session(settings, tmp_path)
    async with hands_on(session) as hands:
        await hands.press("play")
        await hands.choose("socker")
        await hands.press("unfold")
        hands.tap(hands.screen.chip("where", 1))  # on the server
        await hands.press("play")
        await hands.on("match")
        async with asyncio.timeout(LONGEST_S):
            with one_pixel():
                touched = await play_by_touch(hands)
        await hands.until(lambda: hands.screen.over)
        take_picture(ROOT / "build" / "shots" / "e2e-result.png")
        assert touched > 5  # five sockers to place, and at least one turn

        # From outside: the history replays by the rules to the end the app shows.
        match_id = hands.screen.match_id
        events = await session.online.list_events(match_id)
        match = await session.online.get_match(match_id)
        rules = ruleset("socker")
        state = rules.initial(match.options, 2)
        for event in events:
            state = rules.apply(state, rules.check(state, rules.parse_action(event.notation)))
        assert rules.outcome(state) == match.outcome
        assert match.outcome is not None
        assert rules.format_state(state).split(" seen=")[0] == match.position.split(" seen=")[0]
        mine = [event for event in events if event.actor == hands.part.my_side]
        assert len(mine) == touched
        scores = match.outcome.scores
        assert hands.screen.ids.result.score == (
            f"{scores[hands.part.my_side]} : {scores[1 - hands.part.my_side]}"
        )
        kinds = {event.act.kind for event in mine if isinstance(event.act, SockerAct)}
        assert {Kind.PLACE, Kind.MOVE} <= kinds

        # Another match, from the result.
        sheet = hands.screen.ids.result
        hands.tap(sheet.ids.rematch)
        await hands.until(lambda: hands.screen.match_id != match_id, seconds=60)
        await hands.on("match")
        await hands.until(lambda: hands.board.hand.view.phase is Phase.SETUP, seconds=60)
        assert hands.part.my_side == 1
