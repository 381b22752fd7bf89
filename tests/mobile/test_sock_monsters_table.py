"""Where everything lies in Sock Monsters, for every seat, number of players and size of screen."""

from __future__ import annotations

import itertools

import pytest

from app.screens.match.laying import Box
from app.screens.match.sock_monsters_table import Setting, Table, around, rows_for, upright

SIZES = [(320, 568), (390, 844), (768, 1024), (568, 320), (844, 390), (1024, 768), (1280, 800)]


def words(width: float) -> float:
    """A prompt of forty letters, 9 dp each, in lines of 23 dp."""
    return 23.0 * -(-360 // max(1, int(width)))


def laid(
    size: tuple[int, int],
    seats: int,
    mine: int,
    choices: int,
    dp: float = 1.0,
    *,
    left: bool = False,
    corner_right: bool = False,
) -> Table:
    """The table for a screen of `size` dp."""
    setting = Setting(
        room=Box(0, 0, size[0] * dp, size[1] * dp),
        dp=dp,
        seats=seats,
        mine=mine,
        choices=choices,
        words=lambda width: words(width / dp) * dp,
        left=left,
        corner_right=corner_right,
    )
    return (around if size[0] > size[1] else upright)(setting)


def boxes(table: Table) -> list[Box]:
    """All rectangles."""
    return [table.board, table.prompt, table.choices, table.back, *table.placards.values()]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_covers_anything_and_all_is_on_the_screen(
    size: tuple[int, int], seats: int
) -> None:
    hands = ((False, False), (False, True), (True, False))
    for mine, choices, (left, corner_right) in itertools.product(range(seats), range(10), hands):
        table = laid(size, seats, mine, choices, left=left, corner_right=corner_right)
        assert sorted(table.placards) == list(range(seats))
        for box in (*boxes(table), table.bag):
            assert box.x >= -0.5
            assert box.y >= -0.5
            assert box.x + box.width <= size[0] + 0.5
            assert box.top <= size[1] + 0.5
        for one, other in itertools.combinations(boxes(table), 2):
            beside = one.x + one.width <= other.x + 0.5 or other.x + other.width <= one.x + 0.5
            over = one.top <= other.y + 0.5 or other.top <= one.y + 0.5
            assert beside or over, (mine, choices, one, other)


@pytest.mark.parametrize("size", SIZES)
def test_choices_are_as_large_as_a_finger(size: tuple[int, int]) -> None:
    for mine, choices, left in itertools.product(range(4), range(1, 9), (False, True)):
        table = laid(size, 4, mine, choices, left=left)
        rows = rows_for(choices, table.choices.width, 1.0)
        assert (table.choices.height - 6 * (rows - 1)) / rows >= 48, (mine, choices)
        columns = -(-choices // rows)
        assert (table.choices.width - 6 * (columns - 1)) / columns >= 48


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_large_and_square_and_scales_with_the_screen(size: tuple[int, int]) -> None:
    once, twice = laid(size, 4, 0, 3), laid(size, 4, 0, 3, dp=2.0)
    side = min(once.board.width, once.board.height)
    assert side >= 0.62 * min(size)
    assert twice.board == pytest.approx(tuple(2 * number for number in once.board))


def test_the_own_placard_is_at_the_bottom_of_a_phone_that_stands() -> None:
    for mine in range(4):
        table = laid((390, 844), 4, mine, 3)
        own = table.placards[mine]
        assert own.y < 10
        assert all(box.y > table.board.top for seat, box in table.placards.items() if seat != mine)


def test_on_a_tablet_everybody_sits_beside_their_own_lair() -> None:
    table = laid((1024, 768), 4, 0, 3)
    left = {seat for seat, box in table.placards.items() if box.x < table.board.x}
    low = {seat for seat, box in table.placards.items() if box.y < 768 / 2 - 100}
    assert left == {0, 3}  # red a1 and blue a6
    assert low == {0, 1}  # red a1 and yellow f1
