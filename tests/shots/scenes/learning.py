"""Rules and lessons."""

from __future__ import annotations

from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import frames, rested

SCENES = Scenes()


@SCENES.scene("rules")
async def rules_page(hands: Hands) -> None:
    hands.app.navigator.go("rules", key="sock_monsters")
    await rested(hands)


@SCENES.scene("lesson")
async def lesson(hands: Hands) -> None:
    hands.app.navigator.go("lesson", key="sock_monsters", number="1")
    await frames(hands, 6)


@SCENES.scene("lesson", "lesson-seek")
async def lesson_seek(hands: Hands) -> None:
    hands.app.navigator.go("lesson", key="hide_and_seek", number="0")
    await frames(hands, 6)
