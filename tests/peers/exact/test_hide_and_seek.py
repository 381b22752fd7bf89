"""The solver of Monster Hide and Seek beside the rules themselves, on positions of three cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from services.engine.core import Action
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.values import Information
from tests.peers.exact import comparing
from tests.peers.exact.hide_and_seek import RULES, NotSolved, Oracle, solve

CENTRE = 2
CARDS = 3


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the layers of three cards."""
    folder = tmp_path_factory.mktemp("values")
    assert not any(layer["kept"] for layer in solve(CENTRE, CARDS, folder))
    return folder


@pytest.fixture(scope="module")
def oracle(values: Path) -> Iterator[Oracle]:
    with Oracle(CENTRE, CARDS, values) as oracle:
        yield oracle


@pytest.mark.ruling("3.9")
def test_worths_are_those_of_following_the_rules_to_the_end(oracle: Oracle) -> None:
    # Six idle turns end these matches, so that they can be followed; no layer needs that many.
    positions = [*islice(comparing.small_positions(CARDS, CARDS, idle_cap=6), 25)]
    different = [comparing.difference_in_hide_and_seek(oracle, each) for each in positions]
    assert max(different) < 1e-6
    assert any(_unknown(each) > 1 for each in positions)
    assert any(0.5 < max(oracle.worths(each).values()) < 1 for each in positions)


def test_a_match_that_is_certain_and_wins_is_worth_a_win(oracle: Oracle) -> None:
    position = RULES.parse_information(
        "hide_and_seek/1 2 types=3 | known | ..,..,..,..,../AB,CB,..,..,CA"
        " | piles AB,BC,* AA,BB,CC,AC | turns 9 | idle 0 | first 0"
    )
    worths = oracle.worths(position)
    # From four stars to four: two cards more win, and then no match is left for the other seat.
    assert worths[RULES.parse_action("flip:a1")] == 1
    assert worths[RULES.parse_action("flip:b1")] == 1


def test_who_can_no_longer_catch_up_has_lost(oracle: Oracle) -> None:
    position = RULES.parse_information(
        "hide_and_seek/1 2 types=3 | known | ..,..,..,..,../AB,CB,..,..,CA"
        " | piles AB,BC AA,BB,CC,AC,* | turns 9 | idle 0 | first 0"
    )
    assert {*oracle.worths(position).values()} == {0}


def test_a_mirror_changes_nothing(oracle: Oracle) -> None:
    for position in islice(comparing.small_positions(CARDS, CARDS), 12):
        worths, mirrored = oracle.worths(position), oracle.worths(_mirrored(position))
        assert sorted(worths.values()) == pytest.approx(sorted(mirrored.values()), abs=1e-8)
        for cell in (0, 1, 2, 3, 4, 7, 8, 9, 10, 11):
            here, there = Action(at.A_FLIP + cell), Action(at.A_FLIP + _across(cell))
            assert worths.get(here, 2) == pytest.approx(mirrored.get(there, 2), abs=1e-8)


def test_what_is_solved_is_kept(values: Path) -> None:
    layers = [*solve(CENTRE, CARDS, values)]
    assert all(layer["kept"] for layer in layers)
    assert {layer["candy"] for layer in layers} == {False, True}


def test_what_is_not_solved_is_said(tmp_path: Path) -> None:
    position = next(comparing.small_positions(CARDS, CARDS))
    with (
        Oracle(CENTRE, CARDS, tmp_path) as oracle,
        pytest.raises(NotSolved, match="exact solve"),
    ):
        oracle.worths(position)


def _unknown(position: Information) -> int:
    return position.buffer[at.HIDDEN : at.HIDDEN + at.CELLS].count(-1)


def _across(cell: int) -> int:
    """The cell of the five columns' mirror."""
    return cell - cell % at.COLUMNS + 4 - cell % at.COLUMNS


def _mirrored(position: Information) -> Information:
    words = [*position.buffer]
    for slot in (at.SHOWN, at.HIDDEN, at.KNOWN):
        for row in (0, 1):
            first = slot + row * at.COLUMNS
            words[first : first + 5] = position.buffer[first : first + 5][::-1]
    if words[at.FLIPPED] >= 0:
        words[at.FLIPPED] = _across(words[at.FLIPPED])
    return Information(tuple(words))
