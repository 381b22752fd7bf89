"""All that there is to see is whole and large enough, on windows of every size and turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior

from app.boards.socker import SockerBoard
from app.model.values import Here, SeatWish
from tests.mobile.fitting import LOOKS, Sizes, wrong_at
from tests.mobile.positions import NEARLY, TURN, cell
from tests.mobile.ui import PHONE, PHONE_WIDE, SIZES, TABLET, Hands, on_show, playing


async def _every_screen(hands: Hands, sizes: Sizes) -> list[str]:
    """Show every screen once; returns what is wrong with what can be seen there."""
    wrong: list[str] = []
    for name in ("home", "choose", "friend", "matches", "settings", "table"):
        if name == "table":
            seats = (SeatWish.ME, SeatWish.FRIEND)
            hands.app.show_table(await hands.gateway.open_table("r", "socker", seats, {}))
        elif name != "home":
            hands.app.navigator.go(name, whom="here")
        # (A table's screen is busy as long as it waits.)
        await hands.until(lambda: hands.screen.name == "table" or not hands.screen.busy)
        await hands.settle()
        wrong += await wrong_at(hands, name, sizes)
    for key in ("sock_monsters_german", "hide_and_seek"):
        hands.app.navigator.go("setup", key=key, whom="here")
        await hands.until(lambda: hands.screen.ready)
        await hands.settle()
        wrong += await wrong_at(hands, key, sizes)
        hands.screen.unfold()
        hands.screen.ids.sheet.ask(hands.screen, 1)
        await hands.settle()
        wrong += await wrong_at(hands, f"options and sheet of {key}", sizes)
    here = hands.app.session.here
    await here.open_table("r", "socker", (SeatWish.ME, Here("Mia")), {})
    hands.app.navigator.home()
    await hands.until(lambda: hands.screen.continued)
    await hands.settle()
    wrong += await wrong_at(hands, "home with a match", sizes)
    await hands.play_position(TURN)
    hands.touch("d3")
    await hands.settle()
    wrong += await wrong_at(hands, "match", sizes)
    await hands.play_position(NEARLY)
    hands.touch("e9")
    hands.touch("e10")
    await hands.until(lambda: hands.screen.over)
    await hands.settle()
    return wrong + await wrong_at(hands, "result", sizes)


# `make test` looks at every screen on the smallest phone, in large print: test_languages.py.
@pytest.mark.long
@pytest.mark.field(34)
@pytest.mark.parametrize(("fontscale", "sizes"), LOOKS)
async def test_every_screen_fits_at_five_sizes(
    tmp_path: Path, fontscale: float, sizes: Sizes
) -> None:
    async with playing(tmp_path, size=sizes[0], fontscale=fontscale) as hands:
        assert await _every_screen(hands, sizes) == []


@pytest.mark.long  # all of them together take minutes; test_languages looks at every screen
@pytest.mark.field(34)
@pytest.mark.parametrize("density", [2.0, 3.0])
async def test_every_screen_fits_at_other_densities(tmp_path: Path, density: float) -> None:
    async with playing(tmp_path, size=PHONE, density=density, fontscale=1.3) as hands:
        assert await _every_screen(hands, (PHONE,)) == []


@pytest.mark.field(34)
async def test_the_board_is_whole_and_every_cell_is_where_it_is_touched(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        for size in SIZES:
            await hands.turn_to(size)
            await hands.until(lambda: _lies(hands.board))
            _whole(hands.board)


def _lies(board: SockerBoard) -> bool:
    """Whether the pitch is in the middle of the board, as it is once the board is laid out."""
    left, bottom, width, height = board.place.box(0, 0, 9, 11)
    middle = (left + width / 2, bottom + height / 2)
    return middle == pytest.approx(board.center, abs=1) and bool(width < board.width)


def _whole(board: SockerBoard) -> None:
    for column in range(9):
        for row in range(11):
            x, y = board.place.middle((column, row))
            assert board.collide_point(x, y)
            assert board.hand.aim(*board.place.place(x, y), 0.5) == (column, row)
    left, bottom, width, height = board.place.box(0, 0, 9, 11)
    assert left >= board.x
    assert bottom >= board.y
    assert left + width <= board.right
    assert bottom + height <= board.top
    # A cell may be smaller than a finger, but not by much: a touch beside it counts for it.
    assert board.place.cell >= dp(36)


async def test_turning_the_phone_keeps_the_match_and_lays_the_pitch_down(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        hands.touch("d3")
        upright = hands.board.place
        assert not upright.sideways
        Window.size = PHONE_WIDE
        await hands.until(lambda: tuple(hands.app.root.size) == PHONE_WIDE)
        await hands.until(lambda: hands.board.place.sideways)
        await hands.settle()
        assert hands.board.hand.picked == cell("d3")
        hands.touch("c4")
        await hands.until(lambda: hands.board.hand.view.piece_at(cell("c4")) is not None)
        Window.size = TABLET
        await hands.until(lambda: not hands.board.place.sideways)
        Window.size = PHONE
        await hands.until(lambda: hands.board.place == upright)


async def test_nothing_lies_under_a_notch(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        hands.app.insets = [0, dp(47), 0, dp(34)]
        await hands.play_position(TURN)
        for widget in on_show(hands.app.root):
            if isinstance(widget, ButtonBehavior):
                _, y = widget.to_window(*widget.pos)
                assert y >= dp(34)
                assert y + widget.height <= Window.height - dp(47) + 1
