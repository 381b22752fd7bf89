"""Monster Hide and Seek over the wire and back: every action, every position, what is newer."""

from __future__ import annotations

from typing import Any

import pytest

from app.model.hide_and_seek import Face, HideAndSeekAct, HideAndSeekView, Kind, Phase
from app.model.values import UnknownAct, UnknownView
from app.net import convert
from oddsocks.play.v1 import hide_and_seek_pb2 as pb
from oddsocks.play.v1 import play_pb2 as play
from services.engine.games.hide_and_seek.layout import ACTION_COUNT
from services.wire.actions import action_from_message, action_to_message
from services.wire.observations import observation_to_message
from tests.mobile.seekers import RULES, TABLES, cell, hand, playout, view


@pytest.mark.parametrize("first", range(0, ACTION_COUNT, 100))
def test_every_action_of_the_notation_is_read_and_written(first: int) -> None:
    for number in range(first, min(first + 100, ACTION_COUNT)):
        action: Any = number
        act = convert.act(action_to_message(RULES, action))
        assert isinstance(act, HideAndSeekAct)
        assert act.notation == RULES.format_action(action)
        assert action_from_message(RULES, convert.act_to(act)) == action


def test_a_deal_is_seen_from_above_only() -> None:
    dealt = pb.HideAndSeekDeal(shown=pb.HIDE_AND_SEEK_FACE_B)
    act = convert.act(play.Action(hide_and_seek=pb.HideAndSeekAction(deal=dealt)))
    assert isinstance(act, HideAndSeekAct)
    assert act.notation == "deal:B?"
    assert convert.act_to(act).hide_and_seek.deal == dealt


def test_every_view_says_what_its_notation_says() -> None:
    met: set[Phase] = set()
    for seats, options in TABLES:
        for number, (state, _) in enumerate(playout(seats, options, seed=3)):
            if number % 5 and RULES.outcome(state) is None:
                continue
            seen = view(state)
            met.add(seen.phase)
            assert written(seen) == [part.strip() for part in seen.position.split("|")][2:]
    assert met == set(Phase) - {Phase.UNKNOWN}


def written(seen: HideAndSeekView) -> list[str]:
    """The sections of a view's notation."""
    order = [(column, row) for row in range(seen.rows) for column in range(seen.columns)]
    words = {}
    for number, where in enumerate(order):
        card = seen.card(where)
        if card is None:
            words[where] = ".." if number < seen.dealt else "__"
        elif card.shown is Face.CANDY:
            words[where] = "*"
        else:
            words[where] = card.shown.value + (card.hidden.value if card.hidden else "?")
    rows = [
        ",".join(words[column, row] for column in range(seen.columns))
        for row in reversed(range(seen.rows))
    ]
    piles = [
        ",".join([*(one.value + other.value for one, other in pile.monsters), *"*" * pile.candies])
        or "-"
        for pile in seen.piles
    ]
    phase = [seen.phase.value, *([] if seen.turn is None else [str(seen.turn)])]
    if seen.flipped is not None:
        phase.append(f"{chr(97 + seen.flipped[0])}{seen.flipped[1] + 1}")
    if seen.phase is Phase.OVER:
        phase = seen.position.split("|")[-1].split()
        assert phase[0] == "over"
    return [
        "/".join(rows),
        " ".join(["piles", *piles]),
        f"turns {seen.turns}",
        f"idle {seen.idle_turns}",
        " ".join(phase),
    ]


@pytest.mark.ruling("3.10")
def test_no_earlier_face_reaches_the_app_without_a_memory_aid() -> None:
    rest = "piles - - | turns 6 | idle 0"
    text = "hide_and_seek/1 2 types=3 {} | AB,Ab,BB,*,CA/Aa,Ca,Bc,Cc,CB | {} | first 0"
    plain = hand(text.format("", rest)).view
    assert all(card.hidden is None for card in plain.cards if card.shown is not Face.CANDY)
    aided = hand(text.format("memory_aid=true", rest)).view
    known = {card.cell: card.hidden for card in aided.cards if card.hidden is not None}
    assert known == {
        cell("a2"): Face.B,
        cell("c2"): Face.B,
        cell("d2"): Face.CANDY,
        cell("e2"): Face.A,
        cell("e1"): Face.B,
    }


def message() -> Any:
    """An observation in the middle of a match."""
    state = next(state for state, _ in playout(2, {}, 1) if state.buffer[13] >= 0)
    return observation_to_message(RULES, RULES.observe(state, 0))


@pytest.mark.field(28)
def test_words_of_a_newer_server_are_unknown_and_the_rest_is_read() -> None:
    newer = message()
    newer.hide_and_seek.phase = 99
    newer.hide_and_seek.cards[3].shown = 77
    seen = convert.view(newer)
    assert isinstance(seen, HideAndSeekView)
    assert seen.phase is Phase.UNKNOWN
    assert seen.cards[3].shown is Face.UNKNOWN
    assert seen.cards[4].shown is not Face.UNKNOWN


@pytest.mark.field(28)
@pytest.mark.parametrize("change", ["grid", "card", "flipped", "seat"])
def test_a_grid_this_app_does_not_know_is_unknown(change: str) -> None:
    newer = message()
    body = newer.hide_and_seek
    match change:
        case "grid":
            body.columns = 8
        case "card":
            body.cards[2].cell.row = 4
        case "flipped":
            body.flipped.column = -1
        case "seat":
            body.piles[1].seat = 7
    assert isinstance(convert.view(newer), UnknownView)


@pytest.mark.field(28)
def test_an_action_of_a_newer_server_is_unknown() -> None:
    empty = play.Action(hide_and_seek=pb.HideAndSeekAction())
    assert isinstance(convert.act(empty), UnknownAct)


def test_an_action_is_written_as_the_contract_wants_it() -> None:
    both = HideAndSeekAct(Kind.BOTH, cell("c1"), cell("a2"))
    body = convert.act_to(both).hide_and_seek.flip_both
    assert (body.first.column, body.first.row, body.second.column, body.second.row) == (2, 0, 0, 1)
