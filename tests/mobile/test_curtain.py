"""Several people, one device: nothing is shown before it is in the right hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.model.look import Look
from app.model.values import Occupant
from app.net.fake import ME
from app.screens.match import parts
from app.screens.match.socker import SockerPart
from tests.mobile.positions import NEARLY, TURN
from tests.mobile.ui import Hands, playing

BOTH = (
    Occupant(player_id=ME.player_id, display_name="Ada"),
    Occupant(player_id=ME.player_id, display_name="Mia"),
)


class SecretPart(SockerPart):
    """Socker as if seats saw different things; remembers whose view it was given."""

    secret = True

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[int] = []

    def reset(self) -> None:
        super().reset()
        self.shown = []

    def show(self, look: Look) -> None:
        assert [view.seat for view in look.match.views] == [look.seat]
        self.shown.append(look.seat)
        super().show(look)


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.PARTS, "socker", (__name__, "SecretPart"))


async def opened(hands: Hands, position: str = TURN) -> str:
    """Open a match of Ada and Mia on this device."""
    match_id = hands.gateway.start("socker", BOTH, {}, position)
    hands.app.navigator.go("match", match_id=match_id)
    await hands.on("match")
    await hands.until(lambda: hands.screen.ids.curtain.closed)
    await hands.settle()
    return match_id


async def test_a_match_opens_behind_the_curtain(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands)
        curtain = hands.screen.ids.curtain
        assert curtain.ids.words.text == "Hand it to Ada"
        assert hands.part.shown == []
        # The board behind it can't be touched.
        hands.touch("d3")
        hands.touch("c4")
        assert hands.gateway.submits == 0
        await hands.settle()
        hands.tap(curtain.ids.ready)
        await hands.until(lambda: not curtain.closed)
        await hands.until(lambda: hands.board.hand.may_act)
        assert hands.part.shown == [0]


async def test_the_curtain_falls_between_two_people_and_forgets_the_first_ones_view(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands)
        curtain = hands.screen.ids.curtain
        hands.tap(curtain.ids.ready)
        await hands.until(lambda: hands.board.hand.may_act)
        await hands.press("end")
        await hands.until(lambda: curtain.closed)
        await hands.settle()
        assert curtain.ids.words.text == "Hand it to Mia"
        assert hands.part.shown == []
        assert not hands.board.hand.view.pieces
        hands.tap(curtain.ids.ready)
        await hands.until(lambda: hands.board.hand.may_act)
        assert hands.part.shown == [1]
        assert hands.board.hand.side.value == 1


async def test_news_behind_the_curtain_show_nobodys_view(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands)
        await hands.take_phone()
        await hands.until(lambda: hands.board.hand.may_act)
        await hands.press("end")
        await hands.until(lambda: hands.screen.ids.curtain.closed)
        # The connection breaks and comes back: the server says again how the match stands.
        hands.gateway.go_offline()
        await hands.until(lambda: hands.app.offline)
        hands.gateway.offline = False
        await hands.until(lambda: not hands.app.offline)
        await hands.settle()
        assert hands.part.shown == []
        assert await hands.take_phone() == "Mia"
        await hands.until(lambda: hands.board.hand.may_act)
        assert hands.part.shown == [1]


async def test_who_comes_back_is_asked_again(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands)
        curtain = hands.screen.ids.curtain
        hands.tap(curtain.ids.ready)
        await hands.until(lambda: hands.board.hand.may_act)
        hands.app.on_pause()
        # Also the picture that the system keeps of the app in the background shows nothing.
        assert curtain.closed
        assert hands.part.shown == []
        hands.app.on_resume()
        await hands.until(lambda: curtain.name == "Ada")
        assert hands.part.shown == []


async def test_the_curtain_has_a_way_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands)
        hands.tap(hands.screen.ids.curtain.ids.back)
        assert hands.screen.name == "home"


async def test_the_end_is_shown_to_everybody(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, NEARLY)
        hands.tap(hands.screen.ids.curtain.ids.ready)
        await hands.until(lambda: hands.board.hand.may_act)
        hands.touch("e9")
        hands.touch("e10")
        await hands.until(lambda: hands.screen.over)
        assert not hands.screen.ids.curtain.closed
        # Two of the same device: somebody won, not "you".
        assert hands.screen.result_title == "Ada has won"
