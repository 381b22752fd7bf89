"""Matches of Monster Hide and Seek."""

from __future__ import annotations

from services.engine.core.registry import ruleset
from tests.mobile.ui import Hands, tap_widget
from tests.shots.scenes.positions import TEN, seek
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, CHRIS, PIP, at_rest, frames, match, over, play_out

SCENES = Scenes()


@SCENES.scene("match", "hide_and_seek-start")
async def seek_start(hands: Hands) -> None:
    await match(hands, "hide_and_seek", "", (ADA, BEN, CHRIS, PIP))


@SCENES.scene("match", "hide_and_seek-second")
async def seek_second(hands: Hands) -> None:
    match_id = await match(hands, "hide_and_seek", "", (ADA, BEN))
    rules = ruleset("hide_and_seek")
    legal = rules.legal_actions(hands.gateway.matches[match_id].state)
    hands.gateway.play_as(match_id, rules.format_action(legal[3]))
    await at_rest(hands)


@SCENES.scene("match", "hide_and_seek-candy")
async def seek_candy(hands: Hands) -> None:
    await match(hands, "hide_and_seek", seek(TEN, "- -", 0), (ADA, BEN), types=3)
    hands.part.board.touch_cell((3, 1))
    await frames(hands)


@SCENES.scene("match", "hide_and_seek-pile")
async def seek_pile(hands: Hands) -> None:
    cards = "..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc"
    await match(hands, "hide_and_seek", seek(cards, "AB,BB -", 1), (ADA, BEN), types=3)
    tap_widget(hands.part.placards[0])
    await frames(hands)


@SCENES.scene("match", "hide_and_seek-result")
async def seek_result(hands: Hands) -> None:
    seats = (ADA, BEN, CHRIS)
    match_id = await match(hands, "hide_and_seek", "", seats, types=3)
    play_out(hands, match_id)
    await over(hands)
