"""What comes before a match: which game, who plays, who is found, what is under way."""

from __future__ import annotations

from app.model.session import fresh_id
from app.model.values import Occupant, SeatWish, Table, TableStatus
from app.net.fake_people import CODE, FRIEND
from tests.mobile.ui import Hands
from tests.shots.scenes.scene import Scenes
from tests.shots.scenes.ways import ADA, BEN, CHRIS, PIP, frames, rested

SCENES = Scenes()


@SCENES.scene("choose")
async def choose(hands: Hands) -> None:
    hands.app.navigator.go("choose", whom="computer")
    await rested(hands)


@SCENES.scene("setup")
async def setup(hands: Hands) -> None:
    hands.app.navigator.go("setup", key="sock_monsters", whom="computer")
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@SCENES.scene("setup", "setup-options")
async def setup_options(hands: Hands) -> None:
    await setup(hands)
    hands.screen.unfold()
    await frames(hands)


@SCENES.scene("setup", "setup-who")
async def setup_who(hands: Hands) -> None:
    await setup(hands)
    hands.screen.ids.sheet.ask(hands.screen, 1)
    await frames(hands)


@SCENES.scene("join")
async def join(hands: Hands) -> None:
    hands.app.navigator.go("join", code=CODE)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@SCENES.scene("lobby")
async def lobby(hands: Hands) -> None:
    seats = (Occupant(FRIEND.player_id, "", FRIEND.display_name), PIP, Occupant())
    hands.gateway.lobby = [
        Table(f"t-{game}", "", game, seats, TableStatus.OPEN, "", 0)
        for game in ("sock_monsters", "hide_and_seek")
    ]
    hands.app.navigator.go("lobby")
    await hands.until(lambda: hands.screen.ids.rows.children)
    await frames(hands)


@SCENES.scene("table")
async def table(hands: Hands) -> None:
    seats = (SeatWish.ME, SeatWish.FRIEND)
    hands.app.show_table(await hands.gateway.open_table(fresh_id(), "hide_and_seek", seats, {}))
    await rested(hands)


@SCENES.scene("matches")
async def matches(hands: Hands) -> None:
    for game, seats in (
        ("sock_monsters", (ADA, BEN, CHRIS)),
        ("hide_and_seek", (PIP, ADA)),
        ("socker", (ADA, PIP)),
    ):
        hands.gateway.tables[game] = hands.gateway._table(hands.gateway.start(game, seats, {}))
    hands.app.navigator.go("matches")
    await rested(hands)


@SCENES.scene("matches", "matches-none")
async def no_matches(hands: Hands) -> None:
    hands.app.navigator.go("matches")
    await rested(hands)
