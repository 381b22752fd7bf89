"""Looking back on a match that is over."""

from __future__ import annotations

import asyncio
from typing import Any

from app.model.advice import Progress
from app.model.gateway import Refused
from tests.mobile.looking_back import finished, review_of
from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, CHRIS, PIP, frames, match, play_out

SCENES = Scenes()


async def looked_back(hands: Hands, *steps: Any) -> str:
    """The look back on a match that is over; `steps` are what the server says."""
    match_id = finished(hands.gateway)
    hands.gateway.reviews = list(steps or [review_of(hands.gateway, match_id)])
    hands.app.navigator.go("review", match_id=match_id)
    return match_id


@SCENES.scene("review")
async def review(hands: Hands) -> None:
    await looked_back(hands)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@SCENES.scene("review", "review-four")
async def review_four(hands: Hands) -> None:
    seats = (ADA, BEN, CHRIS, PIP)
    match_id = await match(hands, "hide_and_seek", "", seats, types=3)
    play_out(hands, match_id)
    hands.gateway.reviews = [review_of(hands.gateway, match_id)]
    hands.app.navigator.go("review", match_id=match_id)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@SCENES.scene("review", "review-progress")
async def review_progress(hands: Hands) -> None:
    await looked_back(hands, Progress(14, 40), asyncio.Event())
    await hands.until(lambda: hands.screen.done > 0)
    await frames(hands)


@SCENES.scene("review", "review-failed")
async def review_failed(hands: Hands) -> None:
    await looked_back(hands, Refused("NO_ADVICE", "", {}))
    await hands.until(lambda: hands.screen.trouble)
    await frames(hands)


@SCENES.scene("review", "review-moment")
async def review_moment(hands: Hands) -> None:
    await review(hands)
    row = hands.screen.ids.costly.children[-1]
    # No touch: on a slow machine the list may still be scrolling under the finger.
    hands.screen.show_moment(row.decision)
    await hands.until(lambda: hands.screen.ids.moment.shown)
    await frames(hands)
