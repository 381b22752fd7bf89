"""A match's menu, and hints."""

from __future__ import annotations

import asyncio

from app.model.advice import Reason
from app.model.sock_monsters import Kind
from tests.mobile.positions import SEATS, TURN
from tests.mobile.ui import Hands
from tests.shots.scenes.positions import GERMAN, TEN, house, seek
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, frames, match

SCENES = Scenes()


async def hinted(hands: Hands, act: str, *why: Reason) -> None:
    """A hint for the decision on show, as soon as it is there."""
    hands.gateway.suggests, hands.gateway.why = act, why
    hands.gateway.thinking = None
    hands.screen.hinting.ask()
    await hands.until(lambda: hands.screen.ids.hint.on and not hands.screen.ids.hint.thinks)
    await frames(hands)


@SCENES.scene("match", "hint-menu")
async def hint_menu(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    hands.screen.beside.menu()
    await frames(hands)


@SCENES.scene("match", "hint-thinking")
async def hint_thinking(hands: Hands) -> None:
    await match(
        hands,
        "sock_monsters",
        house(GERMAN, options="edition=german"),
        (ADA, BEN),
        edition="german",
    )
    hands.gateway.thinking = asyncio.Event()
    hands.screen.hinting.ask()
    await hands.until(lambda: hands.gateway.hints_asked)
    await frames(hands)


@SCENES.scene("match", "hint-socker")
async def hint_socker(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    legal = [act.notation for act in hands.part.ids.board.hand.legal]
    kick = next((text for text in legal if "*" in text), legal[0])
    await hinted(hands, kick, Reason.MUCH_BETTER)


@SCENES.scene("match", "hint-sock_monsters")
async def hint_house(hands: Hands) -> None:
    text = house(GERMAN, options="edition=german")
    await match(hands, "sock_monsters", text, (ADA, BEN), edition="german")
    walk = next(act for act in hands.part.board.hand.legal if act.kind is Kind.PAWN)
    await hinted(hands, walk.notation, Reason.MAY_SCORE, Reason.LOOKS)


@SCENES.scene("match", "hint-hide_and_seek")
async def hint_seek(hands: Hands) -> None:
    await match(hands, "hide_and_seek", seek(TEN, "- -", 0), (ADA, BEN), types=3)
    await hinted(hands, "flip:a1", Reason.LOOKS, Reason.AS_GOOD)
