"""Whom one knows, and who is the best."""

from __future__ import annotations

from app.model.online import Rating, Standing
from app.net.fake import ME
from app.net.fake_people import FRIEND, STRANGER
from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import frames, rested

SCENES = Scenes()


@SCENES.scene("friends")
async def friends(hands: Hands) -> None:
    hands.gateway.known = [FRIEND, STRANGER]
    hands.app.navigator.go("friends")
    await hands.until(lambda: hands.screen.ids.friends.children)
    await frames(hands)


@SCENES.scene("best")
async def best(hands: Hands) -> None:
    hands.gateway.standings = tuple(
        Standing(place, player, Rating("sock_monsters", "international", 1300 - 40 * place, 9))
        for place, player in enumerate((FRIEND, STRANGER, ME), 1)
    )
    hands.app.navigator.go("best")
    await rested(hands)
