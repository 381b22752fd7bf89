"""What a touch in Monster Hide and Seek means, by the rules of docs/rules/RULINGS.md section 3."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.model.hide_and_seek import Face, HideAndSeekAct, Kind, Phase
from app.model.hide_and_seek_touch import Hand
from app.model.hide_and_seek_words import prompt
from tests.mobile.seekers import cases, cell, hand, hand_of


def made(held: Hand, depth: int = 2) -> set[HideAndSeekAct]:
    """Every action that up to `depth` touches make, whatever is touched, and the stop."""
    found = {held.stop} if held.stop is not None else set()
    edge, met = [held], {held.aimed}
    for _ in range(depth):
        reached: list[Hand] = []
        for one in edge:
            for where in one.view.cells:
                touched = one.touch(where)
                if touched.act is not None:
                    found.add(touched.act)
                elif touched.hand.aimed not in met:
                    met.add(touched.hand.aimed)
                    reached.append(touched.hand)
        edge = reached
    return found


def test_the_positions_have_every_kind_of_decision() -> None:
    hands = [hand_of(state) for state in cases()]
    phases = {held.view.phase for held in hands}
    assert phases == {Phase.FIRST, Phase.SECOND, Phase.AGAIN, Phase.PAIRED}
    assert {act.kind for held in hands for act in held.legal} == set(Kind) - {Kind.DEAL}
    assert len(hands) > 300


def test_touches_reach_every_legal_action_and_no_other() -> None:
    for state in cases():
        held = hand_of(state)
        assert made(held) == set(held.legal), held.view.position


def test_one_touch_flips_a_card_and_takes_no_candy() -> None:
    for state in cases():
        held = hand_of(state)
        once = made(held, depth=1) - {held.stop}
        assert {act.kind for act in once} <= {Kind.FLIP}
        flips = {act for act in held.legal if act.kind is Kind.FLIP}
        assert once == flips


def test_every_touch_on_the_grid_is_answered() -> None:
    for state in cases():
        held = hand_of(state)
        for where in held.view.cells:
            touched = held.touch(where)
            means = touched.act is not None or touched.hand != held
            assert means == (where in held.lit), (held.view.position, where)
            assert bool(touched.hint) != means


def test_a_hand_that_is_not_to_act_does_nothing_and_says_so() -> None:
    for state in cases(2):
        held = hand_of(state)
        waiting = Hand(held.view, (), held.seat)
        assert waiting.lit == frozenset()
        assert made(waiting) == set()
        assert waiting.touch((0, 0)).hint == "Wait a moment: it is not your turn."
        sent = replace(waiting, waits=True).touch((0, 0))
        assert (sent.act, sent.hint) == (None, "One moment: your last move is still on its way.")


def test_one_is_not_told_of_oneself_while_an_action_is_on_its_way() -> None:
    names = ("You", "Ben", "Chris", "Dora")
    for state in cases(2):
        held = hand_of(state)
        sent = Hand(held.view, (), held.seat)
        assert prompt(sent, names, shared=False) == ""
        other = (held.seat + 1) % len(held.view.piles)
        assert prompt(Hand(held.view, (), other), names, shared=False).startswith(names[held.seat])


def position(cards: str, phase: str, options: str = "types=3", piles: str = "- -") -> str:
    """A position with three types of monsters, six turns into the match."""
    return f"hide_and_seek/1 2 {options} | {cards} | piles {piles} | turns 6 | idle 0 | {phase}"


FULL = "Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc"


@pytest.mark.ruling("3.3")
def test_the_card_just_turned_is_no_second_card() -> None:
    held = hand(position("Ab,Ba,BB,*,CA/Aa,Ac,Bc,Cb,Cc", "second 0 e2"))
    assert cell("e2") not in held.lit
    assert cell("d2") not in held.lit
    assert held.touch(cell("e2")).hint == "You have just turned that one. Now another."
    assert held.touch(cell("d2")).hint == "First another card: candies wait for your next turn."
    assert held.touch(cell("a1")).act == HideAndSeekAct(Kind.FLIP, cell("a1"))


@pytest.mark.ruling("3.4")
def test_after_a_match_there_is_no_candy() -> None:
    cards = "..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc"
    held = hand(position(cards, "again 1", piles="- AB,BB"))
    assert held.stop is None
    assert held.touch(cell("d2")).hint == "No candy after a match. Turn a card."
    assert held.touch(cell("a2")).hint == "Nobody hides there any more."
    options = "types=3 may_stop_after_match=true"
    stopping = hand(position(cards, "again 1", options, "- AB,BB"))
    assert stopping.stop == HideAndSeekAct(Kind.STOP)
    assert stopping.touch(cell("d2")).hint == "No candy after a match. Turn a card, or stop."


@pytest.mark.ruling("3.6")
def test_a_candy_shows_what_it_turns_before_it_is_taken() -> None:
    held = hand(position("..,Ba,..,*,Ca/Aa,Ac,Bc,..,Cc", "first 1", piles="BC AB,BB"))
    aimed = held.touch(cell("d2"))
    assert aimed.act is None
    # Past the gaps on c2 and d1: the closest monster of each line.
    assert set(aimed.hand.found) == {cell("b2"), cell("e2")}
    assert aimed.hand.touch(cell("d2")).act == HideAndSeekAct(Kind.CANDY, cell("d2"))
    assert aimed.hand.touch((9, 9)).hand == held
    assert aimed.hand.touch(cell("a1")).act == HideAndSeekAct(Kind.FLIP, cell("a1"))


@pytest.mark.ruling("3.3")
def test_two_cards_named_together_are_one_action_in_cell_order() -> None:
    held = hand(position(FULL, "first 0", "types=3 flip_together=true"))
    one = held.touch(cell("c2"))
    assert (one.act, one.hand.aimed) == (None, cell("c2"))
    both = HideAndSeekAct(Kind.BOTH, cell("b1"), cell("c2"))
    assert one.hand.touch(cell("b1")).act == both
    assert held.touch(cell("b1")).hand.touch(cell("c2")).act == both
    assert one.hand.touch(cell("c2")).hand == held
    candy = one.hand.touch(cell("d2")).hand
    assert candy.aimed == cell("d2")
    assert candy.touch(cell("a1")).hand.aimed == cell("a1")


def test_a_match_that_is_over_says_so() -> None:
    held = hand(
        "hide_and_seek/1 2 types=3 | AB,..,..,*,BC/..,..,..,..,.. | "
        "piles AA,AB,AC,BB,BC AC,CC | turns 6 | idle 0 | over normal"
    )
    assert held.touch(cell("a2")).hint == "The match is over."
    card = held.view.card(cell("d2"))
    assert card is not None
    assert card.shown is Face.CANDY
