"""The guard and the course of a match, without a service around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import Kind, Principal
from services.common.errors import RefusedError
from services.engine.core import SPECTATOR, Action, Outcome, WeightedAction
from services.engine.core.registry import ruleset
from services.rules.access import Actor, actor_for, known, person_for, seats_to_see
from services.rules.life import SeatState
from services.rules.match import (
    MatchEvent,
    MatchInfo,
    Move,
    Occupant,
    begin,
    play,
    replay,
    restore,
)
from services.rules.table_rules import UNTIMED
from tests.fixtures.peek import RULESET as PEEK

SOCKER = ruleset("socker")


def info(*seats: Occupant, host: str = "") -> MatchInfo:
    return MatchInfo(
        match_id="0" * 32,
        ruleset=SOCKER,
        options={spec.name: spec.default for spec in SOCKER.option_specs},
        seats=seats or (Occupant("A", "anna"), Occupant("B", "ben")),
        pace=1,
        host_player_id=host,
        seed=b"x" * 32,
    )


def refused(reason: str) -> pytest.RaisesExc[RefusedError]:
    code = ErrorReason.Value(f"ERROR_REASON_{reason}")
    return pytest.RaisesExc(RefusedError, check=lambda error: error.reason == code)


def south_first(number: int, outcomes: Sequence[WeightedAction]) -> Action:
    """A toss that South wins."""
    assert number == 0
    return outcomes[0].action


def place(cell: str, seat: int, revision: int) -> Move:
    return Move(seat, revision, SOCKER.parse_action(f"@{cell}"))


def test_chance_acts_before_anybody_else() -> None:
    step = begin(info(), south_first, 1_000)
    (event,) = step.events
    assert event == MatchEvent(0, -1, "toss:south", 1_000, draw=0)
    assert (step.after.revision, step.after.draws, step.after.actor) == (1, 1, 0)


def test_the_guard_refuses_in_a_fixed_order() -> None:
    match, position = info(), begin(info(), south_first, 1_000).after
    with refused("STALE_REVISION") as caught:
        play(match, position, place("e9", 1, 0), south_first, 2_000)  # also the wrong seat
    assert caught.value.details == {"revision": "1"}
    with refused("NOT_YOUR_TURN") as caught:
        play(match, position, place("a1", 1, 1), south_first, 2_000)  # also illegal
    assert caught.value.details == {"actor": "0", "revision": "1"}
    with refused("ILLEGAL_ACTION") as caught:
        play(match, position, place("e9", 0, 1), south_first, 2_000)
    assert caught.value.details["action"] == "@e9"
    over = replace(position, actor=None, outcome=Outcome("goals", (0,), (1, 0)))
    with refused("MATCH_FINISHED"):
        play(match, over, place("e3", 0, 1), south_first, 2_000)


def test_an_action_is_one_event_and_the_clock_never_goes_back() -> None:
    match, position = info(), begin(info(), south_first, 5_000).after
    step = play(match, position, place("e3", 0, 1), south_first, 4_000)
    assert step.events == (MatchEvent(1, 0, "@e3", 5_000),)
    assert (step.after.revision, step.after.acting_since_ms) == (2, 5_000)
    later = play(match, step.after, place("d3", 0, 2), south_first, 9_000)
    assert later.after.acting_since_ms == 9_000


def test_a_stored_history_replays_to_the_same_position() -> None:
    match = info()
    step = begin(match, south_first, 1_000)
    start = restore(match, 0, 0, SOCKER.initial(match.options, 2), 1_000)
    events, position = list(step.events), step.after
    for cell in ("e3", "d3", "c3", "b3", "f3"):
        step = play(match, position, place(cell, 0, position.revision), south_first, 2_000)
        events += step.events
        position = step.after
    assert position.actor == 1
    assert replay(match, start, events, None) == position


def test_an_outcome_that_no_rule_gave_is_restored() -> None:
    match = info()
    position = begin(match, south_first, 1_000).after
    resigned = Outcome("resigned", (1,), (0, 0))
    over = replay(match, position, [], resigned)
    assert (over.actor, over.outcome, over.revision) == (None, resigned, 1)


def test_what_each_seat_sees_is_decided_when_it_happens() -> None:
    match = replace(info(), ruleset=PEEK, options={})
    first, second = begin(match, lambda _, outcomes: outcomes[2].action, 1_000).events
    assert first.seen == {1: "?", SPECTATOR: "?"}
    assert second.seen == {0: "?", SPECTATOR: "?"}
    assert first.seen_by([0]) == first.seen_by([0, 1]) == first.seen_by([1, 0]) == "deal:ocelot"
    assert first.seen_by([1]) == first.seen_by([SPECTATOR]) == first.seen_by([]) == "?"


ANNA, BEN, AI, OTHER = (
    Principal(Kind.PLAYER, "anna"),
    Principal(Kind.PLAYER, "ben"),
    Principal(Kind.SERVICE, "ai"),
    Principal(Kind.SERVICE, "anna"),  # a service is nobody's player, whatever its name
)


def test_a_caller_sees_their_seats() -> None:
    match = info(Occupant("A", "anna"), Occupant("C", agent="quick"), host="carla")
    here = begin(match, south_first, 0).after
    carla = Principal(Kind.PLAYER, "carla")
    assert seats_to_see(match, here, ANNA, ()) == (0,)
    assert seats_to_see(match, here, AI, ()) == (1,)
    assert seats_to_see(match, here, carla, ()) == (SPECTATOR,)
    for someone in (ANNA, AI, carla):
        assert known(match, someone) is match
        with refused("MATCH_NOT_FOUND"):
            known(None, someone)
    for stranger in (BEN, OTHER, Principal(Kind.SERVICE, "carla"), Principal(Kind.PLAYER, "")):
        with refused("MATCH_NOT_FOUND"):
            known(match, stranger)
        with refused("MATCH_NOT_FOUND"):
            seats_to_see(match, here, stranger, ())


def test_strangers_watch_only_where_the_table_says_so() -> None:
    match = replace(info(), rules=replace(UNTIMED, spectators=True))
    here = begin(match, south_first, 0).after
    stranger = Principal(Kind.PLAYER, "dora")
    assert seats_to_see(match, here, stranger, ()) == (SPECTATOR,)
    with refused("NOT_YOUR_SEAT"):
        seats_to_see(match, here, stranger, (0,))
    with refused("MATCH_NOT_FOUND"):
        seats_to_see(match, here, OTHER, ())


def test_request_ids_belong_to_a_person_or_to_an_agents_seat() -> None:
    match = info(Occupant("A", "anna"), Occupant("C", agent="quick"))
    assert actor_for(match, ANNA, 0) == Actor("player:anna", is_agent=False)
    assert actor_for(match, AI, 1) == Actor("agent:1", is_agent=True)
    for seat in (1, 2, -1, -2):
        with refused("NOT_YOUR_SEAT"):
            actor_for(match, ANNA, seat)
    for seat in (2, -1, -2):
        with refused("NOT_YOUR_SEAT"):
            actor_for(match, AI, seat)
    with refused("NOT_YOUR_SEAT"):
        person_for(match, AI, 1)


def test_the_guard_tells_agents_from_persons() -> None:
    match = info(Occupant("A", "anna"), Occupant("C", agent="quick"))
    position = begin(match, south_first, 1_000).after
    move = place("e3", 0, 1)
    with refused("NOT_YOUR_SEAT"):
        play(match, position, replace(move, by_agent=True), south_first, 2_000)
    absent = position.life.with_state(0, SeatState.SITTER, 2)
    sat_for = replace(position, life=absent)
    assert match.agent_to_act(sat_for) == match.rules.sitter
    with refused("SITTER_PLAYS"):
        play(match, sat_for, move, south_first, 2_000)
    assert play(match, sat_for, replace(move, by_agent=True), south_first, 2_000)
