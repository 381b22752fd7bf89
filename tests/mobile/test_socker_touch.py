"""What a touch on the Socker board means, by the rules of docs/rules/RULINGS.md section 2."""

from __future__ import annotations

import pytest

from app.model.socker import Kind, Side
from app.model.socker_touch import Hand
from tests.mobile.positions import NEARLY, RECENTRE, SETUP, TURN, acts, cell, hand, view

BLOCKED = "socker/1 2 | 9/9/9/9/9/9/9/2NoS4/9/9/9 south:0/3"


def test_touching_an_own_socker_picks_it_up_and_shows_what_it_can_do() -> None:
    touched = hand(TURN).touch(cell("d3"))
    assert touched.picked == cell("d3")
    assert touched.act is None
    offers = {act.notation for act in hand(TURN, "d3").offers}
    # The ball on d4 can be kicked to d5; b3 is too far to sock; c1, e2 and e4 are taken.
    assert offers == {"d3-c2", "d3-d2", "d3-c3", "d3-e3", "d3-c4", "d3*d4"}


def test_touching_a_lit_cell_moves_there() -> None:
    touched = hand(TURN, "d3").touch(cell("c4"))
    assert touched.act is not None
    assert touched.act.notation == "d3-c4"


@pytest.mark.parametrize("where", ["d4", "d5"])
def test_a_kick_is_made_on_the_ball_or_where_it_would_land(where: str) -> None:
    touched = hand(TURN, "d3").touch(cell(where))
    assert touched.act is not None
    assert touched.act.notation == "d3*d4"


@pytest.mark.parametrize("where", ["e7", "f8"])
def test_a_sock_is_made_on_the_opponent_or_where_it_would_land(where: str) -> None:
    position = "socker/1 2 | 9/9/9/9/4N4/3S5/9/4o4/9/9/9 south:0/3"
    touched = hand(position, "d6").touch(cell(where))
    assert touched.act is not None
    assert touched.act.notation == "d6xe7"


def test_touching_the_picked_socker_again_puts_it_down() -> None:
    assert hand(TURN, "d3").touch(cell("d3")).picked is None


def test_touching_another_own_socker_changes_the_choice() -> None:
    assert hand(TURN, "d3").touch(cell("g4")).picked == cell("g4")


@pytest.mark.parametrize(
    ("position", "picked", "where", "words"),
    [
        (TURN, "", "d4", "Touch one of your sockers first."),
        (TURN, "", "e10", "That one plays for the other side."),
        (TURN, "d3", "h9", "One step at a time."),
        (BLOCKED, "e4", "d4", "There is no room behind the ball."),
        (SETUP, "", "e3", "That cell is taken."),
        (SETUP, "", "e6", "That cell is taken."),
        (SETUP, "", "e8", "Your sockers start in your own half."),
        (SETUP, "", "a6", "The middle row stays empty at the start."),
        (SETUP, "", "d5", "Not next to the ball."),
        (RECENTRE, "", "a1", "The ball can go to a marked cell."),
    ],
)
def test_a_touch_that_means_nothing_says_why(
    position: str, picked: str, where: str, words: str
) -> None:
    touched = hand(position, picked).touch(cell(where))
    assert touched.act is None
    assert touched.hint == words


def test_a_lying_socker_says_that_it_was_socked() -> None:
    position = "socker/1 2 | 9/9/9/9/9/9/9/3oS4/9/s8/9 south:0/3"
    assert hand(position).touch(cell("a2")).hint == "It was socked and lies down for this turn."


@pytest.mark.ruling("2.2")
def test_a_fourth_socker_at_the_edge_says_the_limit() -> None:
    position = "socker/1 2 | 9/9/9/9/9/4o4/9/9/S8/S8/S8 setup:south"
    touched = hand(position).touch(cell("d1"))
    assert touched.hint == "At most 3 of yours may end up on goal and side cells."


def test_before_its_turn_a_hand_does_nothing_and_says_so() -> None:
    waiting = Hand(view(TURN), (), Side.NORTH)
    touched = waiting.touch(cell("e10"))
    assert touched.act is None
    assert touched.hint == "It is the other side's turn."


def test_a_hand_whose_action_is_on_its_way_does_nothing_and_says_that() -> None:
    sent = Hand(view(TURN), (), Side.SOUTH, waits=True)
    touched = sent.touch(cell("d3"))
    assert touched.act is None
    assert touched.hint == "One moment: your last move is still on its way."


@pytest.mark.parametrize("position", [SETUP, RECENTRE])
def test_free_cells_are_touched_without_picking_anything_up(position: str) -> None:
    for act in acts(position):
        assert act.target is not None
        assert hand(position).touch(act.target).act == act


@pytest.mark.parametrize("position", [TURN, SETUP, RECENTRE, NEARLY])
def test_every_legal_action_can_be_reached_by_touch(position: str) -> None:
    for act in acts(position):
        if act.kind in (Kind.END_TURN, Kind.PASS):
            continue  # These have a button.
        held = hand(position)
        if act.origin is not None:
            picked = held.touch(act.origin).picked
            assert picked == act.origin
            held = Hand(held.view, held.legal, held.side, picked)
        assert act.target is not None
        assert held.touch(act.target).act == act


def test_a_finger_beside_a_small_cell_means_the_cell_that_means_something() -> None:
    held = hand(TURN)
    # g4 is column 6, row 3; its neighbours h4 and g5 mean nothing without a socker in hand.
    assert held.aim(7.04, 3.5, reach=0.56) == cell("g4")
    assert held.aim(7.2, 3.5, reach=0.56) == cell("h4")
    assert held.aim(6.5, 4.04, reach=0.56) == cell("g4")


def test_a_finger_on_a_cell_that_means_something_means_that_one() -> None:
    held = hand(TURN)
    # d3 and e2 touch at a corner; each keeps its own cell.
    assert held.aim(3.99, 2.01, reach=0.6) == cell("d3")
    assert held.aim(4.01, 1.99, reach=0.6) == cell("e2")
