"""What can be done in a match beside its game, and how terms are put in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.model.match_menu import entries, holiday_days, question
from app.model.term_knobs import agreed, term_knobs, terms_words
from app.model.terms import Absence, Ask, Clock, Pace, Said, SeatClock, SeatState, Terms
from app.model.values import Agent, Match, MatchStatus, Occupant, SeatView, UnknownView
from app.net import convert_terms
from services.rules.table_rules import read_rules, rules_to_message

DAY_MS = 86_400_000
SEATS = (Occupant("p1", "", "Ada"), Occupant("p2", "", "Ben"), Occupant("", "random", ""))
MATCH = Match(
    "m", "sock_monsters", SEATS, 5, MatchStatus.RUNNING, 0, (SeatView(0, UnknownView(), ()),), None
)
PIP, OTTO = Agent("random", "socker", 1), Agent("socker_search", "socker", 2)


def keys(match: Match, seat: int = 0) -> list[str]:
    return [entry.key for entry in entries(match, seat, 1000)]


def test_a_running_match_with_others() -> None:
    assert keys(MATCH) == [
        "hint",
        "takeback",
        "offer_end",
        "phrases",
        "resign",
        "leave",
        "block p2",
    ]


def test_undo_only_where_seat_and_table_allow_it() -> None:
    may = replace(MATCH, views=(replace(MATCH.views[0], may_undo=True),))
    assert keys(may)[0] == "undo"
    assert "undo" not in keys(replace(may, terms=Terms(undo=False)))
    assert "takeback" not in keys(replace(MATCH, terms=Terms(takeback=False)))
    assert "takeback" not in keys(replace(MATCH, revision=0))


def test_alone_with_the_computer_there_is_nobody_to_ask() -> None:
    alone = replace(MATCH, seats=(SEATS[0], SEATS[2]))
    assert keys(alone) == ["hint", "end", "resign", "leave"]
    # Nobody could win for whom it matters.
    assert keys(replace(MATCH, seats=(SEATS[0], SEATS[2], SEATS[2]))) == ["hint", "end", "leave"]


def test_around_one_device_there_is_a_way_home_and_each_may_give_up() -> None:
    mia = replace(SEATS[0], display_name="Mia")
    views = (MATCH.views[0], replace(MATCH.views[0], seat=1))
    here = replace(MATCH, match_id="here-1", seats=(SEATS[0], mia, SEATS[2]), views=views)
    assert keys(here) == ["hint", "end", "resign", "leave"]
    gone = replace(mia, state=SeatState.GIVEN_UP, sitter="random")
    assert keys(replace(here, seats=(SEATS[0], gone, SEATS[2]))) == ["hint", "end", "leave"]
    assert keys(replace(here, status=MatchStatus.FINISHED)) == ["leave"]


def test_a_question_is_answered_or_taken_back() -> None:
    asked = replace(MATCH, ask=Ask(Said.OFFER_END, 1, 4, (0,)))
    assert keys(asked)[:2] == ["yes", "no"]
    assert question(asked, {0})
    mine = replace(MATCH, ask=Ask(Said.OFFER_END, 0, 4, (1,)))
    assert keys(mine)[0] == "unask"
    assert not question(mine, {0})
    assert "takeback" not in keys(mine)


def test_who_is_played_for_may_come_back_and_who_gave_up_may_not() -> None:
    away = replace(SEATS[0], state=SeatState.SITTER, sitter="random")
    assert keys(replace(MATCH, seats=(away, *SEATS[1:])))[0] == "back"
    gone = replace(SEATS[0], state=SeatState.GIVEN_UP, sitter="random")
    assert "resign" not in keys(replace(MATCH, seats=(gone, *SEATS[1:])))


def test_holidays_of_a_match_over_days() -> None:
    days = Terms(pace=Pace.DAYS, turn_days=3)
    left = (SeatClock(0, vacation_left_ms=3 * DAY_MS + 5),)
    match = replace(MATCH, terms=days, clock=Clock(DAY_MS, None, 1000, left))
    assert "holiday" in keys(match)
    assert holiday_days(match, 0) == (1, 2, 3)
    away = (SeatClock(0, vacation_until_ms=DAY_MS, vacation_left_ms=DAY_MS),)
    assert "home" in keys(replace(match, clock=Clock(DAY_MS, None, 1000, away)))
    assert "holiday" not in keys(replace(match, terms=Terms()))


def test_who_only_watches_may_leave_and_block_and_nothing_else() -> None:
    watched = replace(MATCH, views=(SeatView(-2, UnknownView(), ()),))
    assert keys(watched, -2) == ["leave", "block p1", "block p2"]


def test_a_match_that_is_over_can_still_be_talked_about() -> None:
    assert keys(replace(MATCH, status=MatchStatus.FINISHED)) == ["phrases", "leave", "block p2"]


@pytest.mark.parametrize("pace", list(Pace))
def test_every_choice_is_one_that_the_server_takes(pace: Pace) -> None:
    first = {"pace": list(Pace).index(pace)}
    for knob in term_knobs(pace, (PIP, OTTO)):
        assert knob.title
        assert knob.about
        for index in range(len(knob.choices)):
            terms, _ = agreed({**first, knob.key: index}, (PIP, OTTO))
            message = convert_terms.terms_to(terms)
            read = read_rules(message, 0, 2)
            back = convert_terms.terms(rules_to_message(read), 0)
            assert back.pace is terms.pace
            assert back.absence is terms.absence
            if terms.pace is Pace.DAYS:
                assert back.turn_days == terms.turn_days
                assert back.vacation_days == terms.vacation_days
            else:
                assert back.turn_seconds == terms.turn_seconds
                assert back.reserve_seconds == terms.reserve_seconds


def test_the_usual_terms_are_those_of_the_server() -> None:
    usual, listed = agreed({}, (PIP, OTTO))
    assert not listed
    assert read_rules(convert_terms.terms_to(usual), 0, 2) == read_rules(
        convert_terms.terms_to(Terms()), 0, 2
    )


def test_terms_in_words() -> None:
    words = terms_words(Terms())
    assert words.startswith("2 minutes for each turn, and 5 minutes in reserve.")
    assert words.endswith("A stand-in plays on for whoever is away.")
    days = Terms(pace=Pace.DAYS, turn_days=1, absence=Absence.FORFEIT)
    assert terms_words(days) == "1 day for each turn. Whoever is too late loses the match."
    short = Terms(turn_seconds=30, reserve_seconds=0, sitter="random")
    assert terms_words(short) == "30 seconds for each turn. Pip plays on for whoever is away."
