"""Whole matches of two people on one phone, without a network, by touch and to the end."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.model.socker import Kind, SockerAct
from app.model.values import MatchStatus
from app.script import act_by_touch
from services.engine.core.registry import ruleset
from tests.mobile.house_hands import House, greedy
from tests.mobile.ui import Hands, hands_on, session_on, tap

Touch = Callable[[Hands, random.Random], Awaitable[None]]

SEED = 3


async def touch_socker(hands: Hands, rng: random.Random) -> None:
    """Do anything, but rather move the ball, or be done."""
    legal = hands.board.hand.legal
    wanted = [act for act in legal if act.kind in (Kind.KICK, Kind.END_TURN)]
    act: SockerAct = rng.choice(wanted or list(legal))
    await act_by_touch(hands.screen, act)


class HouseHere(House):
    """A table on this device: what has counted is what the screen follows."""

    @property
    def events(self) -> list[Any]:
        live = self.hands.screen.live
        return [None] * (live.match.revision if live and live.match else 0)


async def touch_sock_monsters(hands: Hands, rng: random.Random) -> None:
    """Take what there is, else anything."""
    house = HouseHere(hands)
    await house.make(greedy(house.hand, rng))


async def touch_hide_and_seek(hands: Hands, rng: random.Random) -> None:
    """Turn any card that is lit; of a candy the first touch only shows what it would do."""
    board = hands.part.board
    cell = rng.choice(sorted(board.hand.lit))
    for _ in range(2 if cell in board.hand.candies else 1):
        tap(*board.to_window(*board.stage.layout.middle(cell)))
        await hands.settle()


async def play(hands: Hands, touch: Touch, rng: random.Random) -> list[str]:
    """Play the match on show to its end; returns the names on the curtains that fell."""
    curtain = hands.screen.ids.curtain
    names: list[str] = []
    while True:
        await hands.until(partial(something_to_do, hands))
        if hands.screen.over:
            return names
        if curtain.closed:
            names.append(await hands.take_phone())
            continue
        before = hands.screen.live.match.revision
        await touch(hands, rng)
        await hands.until(partial(counted, hands, before))


def something_to_do(hands: Hands) -> bool:
    """Whether the curtain waits for somebody, the match is over, or somebody may act."""
    screen = hands.screen
    if screen.over or (screen.ids.curtain.closed and screen.ids.curtain.name):
        return True
    if screen.ids.curtain.closed or screen.part is None:
        return False
    if not screen.part.resting:
        screen.part.skip()
    return bool(screen.live and screen.live.may_act and screen.look and screen.look.legal)


def counted(hands: Hands, before: int) -> bool:
    """Whether an action has counted since revision `before`."""
    live = hands.screen.live
    return bool(hands.screen.over or (live and live.match and live.match.revision > before))


WHOLE: dict[str, tuple[Touch, dict[str, Any], bool]] = {
    "hide_and_seek": (touch_hide_and_seek, {"types": 3, "turn_cap": 6}, False),
    "socker": (touch_socker, {"turn_cap": 2, "sudden_cap": 1}, False),
    "sock_monsters": (touch_sock_monsters, {"round_cap": 2}, True),
}
"""How each game is touched, options that keep it short, and whether it has secrets."""


@pytest.mark.parametrize("game", sorted(WHOLE))
async def test_two_people_play_a_whole_match_on_one_phone(tmp_path: Path, game: str) -> None:
    touch, options, secret = WHOLE[game]
    rng = random.Random(SEED)
    async with hands_on(session_on(tmp_path)) as hands:
        session = hands.app.session
        session.people.rename_me("Ada")
        session.people.met("Mia")
        await hands.press("here")
        await hands.choose(game)
        hands.screen.use(short(hands.screen.plan, options))
        await hands.press("play")
        await hands.on("match")
        curtains = await play(hands, touch, rng)
        assert hands.screen.over
        match = await session.here.get_match(hands.screen.match_id)
        assert match.status is MatchStatus.FINISHED
        assert match.outcome is not None
        names = ("Ada", "Mia")
        for seat in match.outcome.winners:
            assert names[seat] in hands.screen.result_title
        # The curtain fell whenever another person was to act, and never in a game without secrets.
        events = await session.here.list_events(match.match_id)
        actors = [event.actor for event in events if event.actor >= 0]
        turns = [
            seat for seat, before in zip(actors, [-1, *actors], strict=False) if seat != before
        ]
        assert curtains == ([names[seat] for seat in turns] if secret else [])
        # From outside: what is kept replays by the rules to the end that was shown.
        replay(tmp_path, match)


def short(plan: Any, options: dict[str, Any]) -> Any:
    """The plan with options that no knob offers."""
    offer = replace(plan.offer, options={**plan.offer.options, **options})
    return replace(plan, offer=offer)


def replay(folder: Path, match: Any) -> None:
    """Replay the file of a match with the engine alone."""
    kept = json.loads((folder / "matches" / f"{match.match_id}.json").read_text())
    rules = ruleset(match.game)
    state = rules.initial(kept["setting"]["options"], len(match.seats))
    for actor, action, *_ in kept["history"]:
        assert rules.actor(state) == actor
        state = rules.apply(state, rules.check(state, rules.parse_action(action)))
    assert rules.outcome(state) == match.outcome
