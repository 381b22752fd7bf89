"""Matches of Socker."""

from __future__ import annotations

from dataclasses import replace

from app.model.terms import Clock, SeatClock, SeatState, Terms
from tests.mobile.positions import NEARLY, SEATS, SETUP, TURN
from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, at_rest, frames, match, over

SCENES = Scenes()

LIVE = Terms(turn_seconds=60, reserve_seconds=300)
CLOCK = Clock(400_000, 65_000, 5000, (SeatClock(0, 335_000), SeatClock(1, 200_000)))


@SCENES.scene("match", "socker-setup")
async def socker_setup(hands: Hands) -> None:
    await match(hands, "socker", SETUP, SEATS)


@SCENES.scene("match", "socker-turn")
async def socker_turn(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    hands.touch("d3")
    await frames(hands)


@SCENES.scene("match", "socker-clock")
async def socker_clock(hands: Hands) -> None:
    match_id = await match(hands, "socker", TURN, SEATS)
    away = replace(BEN, state=SeatState.SITTER, sitter="random")
    hands.gateway.beside(match_id, seats=(ADA, away), clock=CLOCK, terms=LIVE, watchers=2)
    await hands.until(lambda: hands.screen.ids.strip.timed and hands.screen.ids.strip.line)
    await at_rest(hands)


@SCENES.scene("match", "socker-result")
async def socker_result(hands: Hands) -> None:
    match_id = await match(hands, "socker", NEARLY, SEATS)
    hands.gateway.play_as(match_id, "e9*e10")
    await over(hands)


@SCENES.scene("match", "socker-away")
async def away(hands: Hands) -> None:
    text = TURN.replace("south:1/3", "north:0/3")
    match_id = await match(hands, "socker", text, SEATS)
    hands.app.navigator.home()
    for act in ("f7-f6", "f6-f5", "f5-f4"):
        hands.gateway.play_as(match_id, act)
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.screen.ids.recap.shown)
    hands.screen._recap._ticking.cancel()
    await at_rest(hands)
