"""What can't be a position or an action of Monster Hide and Seek is refused by name."""

from __future__ import annotations

import pytest

from services.engine.core import InvalidNotation, InvalidOption
from services.engine.games.hide_and_seek import RULESET

GOOD = (
    "hide_and_seek/1 2 types=3 | Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,*"
    " | piles - - | turns 0 | idle 0 | first 0"
)


def test_the_good_one_is_good() -> None:
    assert RULESET.format_state(RULESET.parse_state(GOOD)) == GOOD


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("Ab,Ba", "Ab,Ab,Ba", "Ab,Ab,Ba,Ac,Ca,Bc"),
        ("Ab,", "Ad,", "Ad"),
        ("Ab,", "A?,", "A?"),
        ("Ab,", "a,", "a"),
        ("*", "Aa", "Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,Aa | piles - - | turns 0 | idle 0 | first 0"),
        ("Ab,", "Aa,", "Aa,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,* | piles - - | turns 0 | idle 0 | first 0"),
        ("Bc/Cb", "Bc,Cb", "Ab,Ba,Ac,Ca,Bc,Cb,Aa,Bb,Cc,*"),
        ("piles - -", "piles -", "piles -"),
        ("piles - -", "piles - AZ", "AZ"),
        ("turns 0", "turns x", "x"),
        ("turns 0", "turns 200", "first 0"),
        ("idle 0", "idle 5", "first 0"),
        ("first 0", "first 2", "2"),
        ("first 0", "second 0 e1", "second 0 e1"),
        ("first 0", "second 0 a1", "second 0 a1"),
        ("first 0", "second 0 z9", "z9"),
        ("first 0", "over normal", "over normal"),
        ("first 0", "over deadlock", "over deadlock"),
        ("first 0", "over cap", "over cap"),
        ("first 0", "deal", "Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,* | piles - - | turns 0 | idle 0 | deal"),
        ("first 0", "sleep", "sleep"),
        (" | first 0", "", "Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,* | piles - - | turns 0 | idle 0"),
        ("2 types", "5 types", "5"),
        ("types=3", "types=6", "types=6"),
        ("types=3", "types=3 types=3", "types=3"),
        ("types=3", "types=3 first_seat=3", "first_seat=3"),
        ("hide_and_seek/1", "hide_and_seek/2", "hide_and_seek/2"),
        ("hide_and_seek/1", "socker/1", "socker/1"),
    ],
)
def test_a_bad_position_names_the_part_at_fault(old: str, new: str, part: str) -> None:
    text = GOOD.replace(old, new, 1)
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_state(text)
    assert caught.value.part == part


def test_a_deadlock_that_goes_on_is_refused_unless_the_table_plays_on() -> None:
    stuck = (
        "hide_and_seek/1 2 types=3{0} | ..,..,..,..,../Aa,..,Bb,Cc,*"
        " | piles AB,AB,AC,AC,BC,BC - | turns 9 | idle 0 | first 0"
    )
    with pytest.raises(InvalidNotation, match="over deadlock"):
        RULESET.parse_state(stuck.format(""))
    RULESET.parse_state(stuck.format(" end_on_deadlock=false"))


@pytest.mark.parametrize("cut", range(0, len(GOOD) - 1, 7))
def test_truncated_text_is_refused(cut: int) -> None:
    with pytest.raises(InvalidNotation):
        RULESET.parse_state(GOOD[:cut])


def test_a_megabyte_is_refused_and_not_echoed() -> None:
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_state("x" * 1_000_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "",
        "flip",
        "flip:",
        "flip:h1",
        "flip:a5",
        "flip:a1+",
        "flip:a1+a1",
        "flip:a1+b1+c1",
        "candy:",
        "deal:A",
        "deal:AF",
        "e4-e5",
        "stop:a1",
        "flip:a1 b1",
        "flip:١",
    ],
)
def test_a_bad_action_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation):
        RULESET.parse_action(text)


def test_a_view_no_deal_can_look_like_is_refused() -> None:
    view = GOOD.replace("| Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,*", "| known | A?,A?,A?,A?,A?/A?,A?,A?,A?,*")
    with pytest.raises(InvalidNotation, match="no deal"):
        RULESET.parse_information(view)


def test_options_out_of_range_are_named() -> None:
    with pytest.raises(InvalidOption, match="types=6"):
        RULESET.initial({"types": 6}, 2)
    with pytest.raises(InvalidOption, match="seats=5"):
        RULESET.initial({}, 5)
