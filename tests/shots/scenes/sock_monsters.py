"""Matches of Sock Monsters."""

from __future__ import annotations

from typing import Any

from app.model.sock_monsters import Kind
from app.model.values import Occupant
from app.net.fake import ME
from tests.mobile.ui import Hands
from tests.shots.scenes.positions import FOUR, GERMAN, LAST, LIFTED, house
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, CHRIS, PIP, frames, match, over

SCENES = Scenes()

MIA_HERE = Occupant(player_id=ME.player_id, display_name="Mia")


@SCENES.scene("match", "sock_monsters-steal")
async def steal(hands: Hands) -> None:
    await match(hands, "sock_monsters", house(FOUR, 4), (ADA, BEN, CHRIS, PIP))


@SCENES.scene("match", "sock_monsters-choices")
async def sock_choices(hands: Hands) -> None:
    """The longest row of choices that the rules allow."""
    text = house(FOUR.replace("rgv", "rygbv"), 4)
    await match(hands, "sock_monsters", text, (ADA, BEN, CHRIS, PIP))
    board: Any = hands.part.board
    board.choose(max(board.hand.choices, key=lambda choice: len(choice.acts)))
    await frames(hands)


@SCENES.scene("match", "sock_monsters-pawn")
async def pawn(hands: Hands) -> None:
    text = house(GERMAN, options="edition=german")
    await match(hands, "sock_monsters", text, (ADA, BEN), edition="german")
    hands.part.board.touch_cell((1, 3))
    await frames(hands)


@SCENES.scene("match", "sock_monsters-lifted")
async def lifted(hands: Hands) -> None:
    match_id = await match(hands, "sock_monsters", house(LIFTED), (ADA, BEN))
    hands.gateway.play_as(match_id, "lift")
    board: Any = hands.part.board
    await hands.until(lambda: board.looking_at is not None)
    board._motion.frame(0.6)
    board._ticking.cancel()
    await frames(hands)


@SCENES.scene("match", "sock_monsters-result")
async def sock_result(hands: Hands) -> None:
    match_id = await match(hands, "sock_monsters", house(LAST), (ADA, BEN))
    legal = [act for act in hands.part.board.hand.legal if act.kind is Kind.LAIR]
    hands.gateway.play_as(match_id, legal[0].notation)
    await over(hands)


@SCENES.scene("match", "sock_monsters-curtain")
async def curtain(hands: Hands) -> None:
    seats = (ADA, MIA_HERE)
    match_id = hands.gateway.start("sock_monsters", seats, {}, house(GERMAN))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.screen.ids.curtain.closed)
    await frames(hands)
