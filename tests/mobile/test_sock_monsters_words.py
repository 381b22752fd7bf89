"""What Sock Monsters says and draws of an action before it is made."""

from __future__ import annotations

import itertools

import pytest

from app.model.sock_monsters import LAIRS, Kind, beside, distance
from app.model.sock_monsters_ways import track, way
from app.model.sock_monsters_words import (
    choice_label,
    first_player,
    new_pair,
    others,
    pairs_line,
    prompt,
)
from tests.mobile.house import cases, cell, hand, hand_of
from tests.mobile.test_sock_monsters_touch import ACT, AWAKE, MANY, position

NAMES = ("You", "Ben", "Chris", "Ada")


@pytest.mark.ruling("1.5")
@pytest.mark.ruling("1.12")
@pytest.mark.ruling("1.19")
def test_the_way_on_show_is_one_that_the_rules_allow() -> None:
    walked = 0
    for case in cases():
        held = hand_of(case)
        figures = set(held.view.figures)
        for act in held.legal:
            cells = track(held.view, act, held.seat, german=held.german)
            if act.kind not in (Kind.MOVE, Kind.PAWN):
                assert cells == ()
                continue
            assert cells[-1] == act.cell
            free = not figures & set(cells[1:])
            if act.kind is Kind.PAWN and not free:
                continue  # enclosed: it climbs over figures (RULINGS 1.6)
            if act.kind is Kind.PAWN and cells == (cells[0], act.cell):
                continue  # next door, where it is, or out of an enclosure
            walked += 1
            assert free
            assert len(cells) <= 4
            near = beside if act.kind is Kind.MOVE else (lambda a, b: distance(a, b) == 1)
            assert all(near(*step) for step in itertools.pairwise(cells))
            if act.kind is Kind.PAWN:
                assert not set(cells) & set(LAIRS.values())
            elif held.german:
                assert len({where[0] for where in cells}) == 1 or len({w[1] for w in cells}) == 1
    assert walked > 300


def test_without_a_way_it_goes_straight_there() -> None:
    walls = [(1, 0), (0, 1), (1, 1)]
    assert way((0, 0), (3, 3), walls, diagonal=True) == ((0, 0), (3, 3))


def test_the_prompt_is_one_line_for_every_decision() -> None:
    for case in cases():
        held = hand_of(case)
        words = prompt(held, NAMES)
        assert words
        assert len(words) < 60
        assert "\n" not in words
        assert others(held.view, held.seat, NAMES).startswith(NAMES[held.seat])
        for choice in held.choices:
            assert choice_label(held, choice, NAMES), choice
            aimed = held.choose(choice).hand
            if aimed.aimed is not None:
                assert prompt(aimed, NAMES).startswith("Touch again")


@pytest.mark.ruling("1.13")
def test_an_awake_monster_asks_only_what_it_can_do() -> None:
    assert prompt(hand(AWAKE), NAMES) == "Your monster is awake. Peek, steal, or go on?"
    alone = AWAKE.replace("socks - y", "socks - -")
    assert prompt(hand(alone), NAMES) == "Your monster is awake. Peek, or go on?"


def test_choices_are_called_by_who_or_what_they_are() -> None:
    held = hand(ACT)
    labels = [choice_label(held, choice, NAMES) for choice in held.choices]
    assert labels == ["Lift", "Chris", "Done"]
    opened = hand(MANY).touch(cell("c3")).hand
    labels = [choice_label(opened, choice, NAMES) for choice in opened.choices]
    assert labels == ["Red", "Green", "Violet", "Back"]
    assert prompt(opened, NAMES) == "Choose a sock."


@pytest.mark.ruling("1.19")
def test_declining_in_the_german_edition_is_called_so() -> None:
    held = hand(AWAKE.replace("2  |", "2 edition=german |"))
    labels = [choice_label(held, choice, NAMES) for choice in held.choices]
    assert labels == ["Ben", "Go on", "Leave it"]
    german = position(
        "monsters a1 f1 f6 a6 | pawns c1 e5 | tokens cwdb cwdb | socks r g | pairs - - | "
        "lairs - - - - | turn 2 1 0 | shown - | phase move red 0",
        options="edition=german",
    )
    assert prompt(hand(german), NAMES) == "Move the monster up to 3 steps straight ahead."


def test_what_is_said_of_others_names_them() -> None:
    held = hand(ACT, seat=1)
    assert prompt(held, NAMES) == ""
    assert others(held.view, 0, ("Ben", "You", "Chris")) == "Ben searches for socks."
    assert others(held.view, None, NAMES) == ""
    assert first_player("Ben", me=False) == "Ben begins."
    assert first_player("You", me=True) == "You begin."
    assert new_pair("Ben", 1, me=False) == "A pair for Ben"
    assert new_pair("Ben", 2, me=False) == "2 pairs for Ben"
    assert pairs_line((1, 3, 0), 1) == "3 : 1 : 0"
