"""What there is to see: the states of the app that pictures are taken of.

Every screen of `app.shell.SCREENS` and every game of the match screen joins by itself, as it looks
when it is opened. The modules here have the states that somebody should look at beyond that: one
module for each part of the app, and one for each game. `ways` and `positions` are what they share.
"""

from __future__ import annotations

from app.screens.match.parts import PARTS
from app.shell import SCREENS
from tests.mobile.ui import Hands
from tests.shots.scenes import (
    hide_and_seek,
    hints,
    home,
    learning,
    people,
    review,
    sock_monsters,
    socker,
    tables,
)
from tests.shots.scenes.scene import Scene, Show
from tests.shots.scenes.ways import ADA, BEN, match, rested

_MODULES = (home, tables, people, learning, sock_monsters, socker, hide_and_seek, hints, review)


def scenes() -> tuple[Scene, ...]:
    """All of them, screen by screen in the order in which the app names them."""
    written = [scene for module in _MODULES for scene in module.SCENES]
    found: list[Scene] = []
    for screen in SCREENS:
        of_it = [scene for scene in written if scene.screen == screen]
        found += of_it or [Scene(screen, screen, _opened(screen))]
    played = {game for game in PARTS for scene in found if scene.name.startswith(game)}
    found += [Scene("match", game, _first(game)) for game in PARTS if game not in played]
    return tuple(found)


def _opened(screen: str) -> Show:
    async def show(hands: Hands) -> None:
        hands.app.navigator.go(screen)
        await rested(hands)

    return show


def _first(game: str) -> Show:
    async def show(hands: Hands) -> None:
        await match(hands, game, "", (ADA, BEN))

    return show
