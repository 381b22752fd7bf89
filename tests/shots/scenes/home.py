"""Home."""

from __future__ import annotations

from app.model.session import fresh_id
from app.model.values import Here, SeatWish
from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import frames, rested

SCENES = Scenes()


@SCENES.scene("home")
async def home(hands: Hands) -> None:
    hands.app.navigator.home()
    await rested(hands)


@SCENES.scene("home", "home-with-a-match")
async def home_with_a_match(hands: Hands) -> None:
    await hands.app.session.here.open_table(fresh_id(), "socker", (SeatWish.ME, Here("Mia")), {})
    hands.app.navigator.home()
    await hands.until(lambda: hands.screen.continued)
    await frames(hands)
