"""Clocks, absence, coming back and vacations, as people at a table see them.

The clock of the server stands until a test moves it; tests of real processes are in
`test_time_in_processes`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.database import connect
from services.engine.core.registry import ruleset
from services.rules.store.tables import MATCHES
from services.rules.turn_clock import GRACE_MS, IDLE_MS
from services.wire.actions import action_from_message
from tests.fixtures.absence import agents_act, controls, move, table, until_revision, wait_for
from tests.fixtures.rules import Rules, make_settings, refused, serving
from tests.fixtures.sql import ManualClock

SECOND_MS = 1_000
DAY_MS = 86_400 * SECOND_MS
SITTER = play_pb2.ABSENCE_RULE_SITTER
PASS = play_pb2.ABSENCE_RULE_PASS
FORFEIT = play_pb2.ABSENCE_RULE_FORFEIT
LIVE: dict[str, Any] = {"pace": "PACE_LIVE", "turn_seconds": 30, "reserve_seconds": 10}
DAYS: dict[str, Any] = {"pace": "PACE_DAYS", "turn_days": 2, "vacation_days": 10}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def rules(database_url: str, tmp_path: Path, clock: ManualClock) -> AsyncIterator[Rules]:
    """The service with a clock that a test moves, on both databases."""
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        yield rules


def turn_ms(agreed: dict[str, Any]) -> int:
    """A turn and its reserve."""
    if agreed["pace"] == "PACE_DAYS":
        return int(agreed["turn_days"]) * DAY_MS
    return (int(agreed["turn_seconds"]) + int(agreed["reserve_seconds"])) * SECOND_MS


def state(match: play_pb2.Match, seat: int) -> str:
    name = play_pb2.SeatState.Name(match.seats[seat].state)
    return name.removeprefix("SEAT_STATE_")


async def sitting(rules: Rules, match_id: str) -> list[internal_pb2.WaitingSeat]:
    """What the ai service is told of a match."""
    answer = await rules.service().call("ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest())
    return [seat for seat in answer.seats if seat.match_id == match_id]


@pytest.mark.parametrize("agreed", [LIVE, DAYS], ids=["live", "days"])
async def test_a_sitter_plays_until_its_person_takes_over_at_the_next_turn(
    rules: Rules, clock: ManualClock, agreed: dict[str, Any]
) -> None:
    match_id, names = await table(rules, sitter="quick", **agreed)
    match = await rules.player("anna").match(match_id)
    away, there = match.actor, 1 - match.actor
    assert match.clock.deadline_ms == clock() + turn_ms(agreed)
    clock.advance(turn_ms(agreed) - 1)
    assert (await rules.player(names[away]).match(match_id)).revision == match.revision
    clock.advance(1)
    match = await until_revision(rules.player(names[there]), match_id, match.revision + 1)
    assert controls(await rules.player(names[there]).events(match_id)) == [("SIT", away)]
    assert (state(match, away), match.seats[away].sitter) == ("SITTER", "quick")
    assert not match.clock.HasField("deadline_ms"), "nobody's time runs for an agent"
    with refused("SITTER_PLAYS"):
        await move(rules.player(names[away]), match_id)
    (waiting,) = await sitting(rules, match_id)
    assert (waiting.seat, waiting.agent, waiting.revision) == (away, "quick", match.revision)
    # The person comes back in the middle of the sitter's turn.
    await agents_act(rules, match_id, times=1)
    back = rules.player(names[away])
    first = await back.wish("TakeSeatBack", match_id, away, "back")
    assert await back.wish("TakeSeatBack", match_id, away, "back") == first
    match = await back.match(match_id)
    assert (match.actor, state(match, away)) == (away, "RETURNING")
    with refused("SITTER_PLAYS"):
        await move(back, match_id)
    await agents_act(rules, match_id)
    match = await back.match(match_id)
    assert (match.actor, state(match, away)) == (there, "PRESENT")
    events = await back.events(match_id)
    assert controls(events) == [("SIT", away), ("RETURN", away)]
    own = [event for event in events if event.actor == away and event.HasField("action")]
    assert {event.origin for event in own} == {"quick"}, "what the sitter did is marked"
    # And now plays again, with a turn of the same length and nothing left of the reserve.
    other = rules.player(names[there])
    while (match := await other.match(match_id)).actor == there:
        await move(other, match_id)
    full_ms = agreed.get("turn_days", 0) * DAY_MS or agreed["turn_seconds"] * SECOND_MS
    assert match.clock.deadline_ms == clock() + full_ms
    assert match.clock.seats[away].reserve_left_ms == 0
    await move(rules.player(names[away]), match_id)


async def test_coming_back_between_ones_turns_is_coming_back_at_once(
    rules: Rules, clock: ManualClock
) -> None:
    match_id, names = await table(rules, **LIVE)
    away = (await rules.player("anna").match(match_id)).actor
    clock.advance(turn_ms(LIVE))
    await wait_for(lambda: sitting(rules, match_id))
    await agents_act(rules, match_id)
    back = rules.player(names[away])
    applied, revision = await back.wish("TakeSeatBack", match_id, away, "1")
    assert revision == applied + 1
    assert state(await back.match(match_id), away) == "PRESENT"
    # Who is there has nothing to take back, and that is no fault.
    assert await back.wish("TakeSeatBack", match_id, away, "2") == (revision, revision)
    with refused("NOT_YOUR_SEAT"):
        await back.wish("TakeSeatBack", match_id, 1 - away, "3")


@pytest.mark.parametrize("agreed", [LIVE, DAYS], ids=["live", "days"])
@pytest.mark.field(8)
async def test_with_two_seats_who_is_away_forfeits(
    rules: Rules, clock: ManualClock, agreed: dict[str, Any]
) -> None:
    match_id, names = await table(rules, absence=FORFEIT, **agreed)
    match = await rules.player("anna").match(match_id)
    streams = [rules.player(name).watch(match_id, match.revision) for name in names]
    for stream in streams:
        assert (await stream.read()).HasField("match")
    clock.advance(turn_ms(agreed))
    for stream in streams:
        event = (await stream.read()).event
        assert controls([event]) == [("FORFEIT", match.actor)]
        assert (await stream.read()).match.status == play_pb2.MATCH_STATUS_FINISHED
        outcome = (await stream.read()).finished.outcome
        assert (outcome.reason, list(outcome.winners)) == ("forfeit", [1 - match.actor])


async def test_with_more_seats_who_is_away_gives_the_seat_up(
    rules: Rules, clock: ManualClock
) -> None:
    match_id, names = await table(
        rules, "anna", "ben", "carla", game="sock_monsters", absence=FORFEIT, sitter="quick", **LIVE
    )
    gone: list[int] = []
    for _ in range(3):
        match = await until_persons_turn(rules, match_id, names)
        away = match.actor
        clock.advance(turn_ms(LIVE))
        match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
        gone.append(away)
        if len(gone) == 3:
            break
        assert (state(match, away), match.seats[away].sitter) == ("GIVEN_UP", "quick")
        former = rules.player(names[away])
        assert [view.seat for view in (await former.match(match_id)).views] == [-2]
        for method in ("TakeSeatBack", "Resign", "OfferEnd"):
            with refused("NOT_YOUR_SEAT"):
                await former.wish(method, match_id, away, method)
    match = await rules.player("anna").match(match_id)
    assert (match.status, match.outcome.reason) == (play_pb2.MATCH_STATUS_FINISHED, "abandoned")
    assert not match.outcome.winners
    assert sorted(gone) == [0, 1, 2]


async def until_persons_turn(rules: Rules, match_id: str, names: tuple[str, ...]) -> play_pb2.Match:
    """Agents act until a person is to; everybody's clock is fresh then."""
    await agents_act(rules, match_id)
    return await rules.player(names[0]).match(match_id)


async def test_a_turn_passes_where_the_game_allows_it(rules: Rules, clock: ManualClock) -> None:
    match_id, names = await table(rules, absence=PASS, **LIVE)
    await set_up(rules, match_id, names)
    match = await rules.player("anna").match(match_id)
    away = match.actor
    await move(rules.player(names[away]), match_id, pick=1)  # one of up to three
    match = await rules.player("anna").match(match_id)
    assert match.actor == away, "the turn goes on"
    clock.advance(turn_ms(LIVE))
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert match.actor == 1 - away
    assert state(match, away) == "PRESENT"
    event = (await rules.player("anna").events(match_id))[-1]
    assert (event.actor, event.origin) == (away, "time")
    socker = ruleset("socker")
    assert socker.format_action(action_from_message(socker, event.action)) == "end"


async def test_where_no_turn_may_pass_a_sitter_plays(rules: Rules, clock: ManualClock) -> None:
    match_id, _ = await table(rules, absence=PASS, **LIVE)
    match = await rules.player("anna").match(match_id)  # players are set up: nobody may pass
    clock.advance(turn_ms(LIVE))
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert state(match, match.actor) == "SITTER"


async def set_up(rules: Rules, match_id: str, names: tuple[str, ...]) -> None:
    """Play Socker's opening, where all is mandatory."""
    for _ in range(40):
        match = await rules.player("anna").match(match_id)
        view = await rules.player(names[match.actor]).match(match_id, match.actor)
        game = ruleset("socker")
        texts = [
            game.format_action(action_from_message(game, action))
            for action in view.views[0].legal_actions
        ]
        if not texts[0].startswith("@"):
            return
        await move(rules.player(names[match.actor]), match_id)
    raise AssertionError("the opening does not end")


@pytest.mark.parametrize("absence", [SITTER, PASS])
@pytest.mark.field(8)
async def test_a_match_in_which_nobody_is_left_ends_by_itself(
    rules: Rules, clock: ManualClock, absence: int
) -> None:
    """Nobody acts for a while, agents included, since nobody would see it; then it is over."""
    match_id, names = await table(rules, absence=absence, **LIVE)
    first = (await rules.player("anna").match(match_id)).actor
    streams = [rules.player(name).watch(match_id) for name in names]
    clock.advance(turn_ms(LIVE))
    await wait_for(lambda: sitting(rules, match_id))
    await agents_act(rules, match_id)
    match = await rules.player("anna").match(match_id)
    assert match.actor == 1 - first
    clock.advance(turn_ms(LIVE))
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert match.actor == 1 - first
    assert await sitting(rules, match_id) == []
    assert match.clock.deadline_ms == clock() + GRACE_MS
    clock.advance(GRACE_MS)
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert match.outcome.reason == "abandoned"
    for stream in streams:
        updates = [update async for update in stream]
        assert updates[-1].finished.outcome.reason == "abandoned"


async def test_whoever_comes_back_in_time_keeps_the_match(rules: Rules, clock: ManualClock) -> None:
    match_id, names = await table(rules, **LIVE)
    first = (await rules.player("anna").match(match_id)).actor
    clock.advance(turn_ms(LIVE))
    await wait_for(lambda: sitting(rules, match_id))
    await agents_act(rules, match_id)
    match = await rules.player("anna").match(match_id)
    clock.advance(turn_ms(LIVE))
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    clock.advance(GRACE_MS - 1)
    await rules.player(names[first]).wish("TakeSeatBack", match_id, first, "back")
    match = await rules.player("anna").match(match_id)
    assert (state(match, first), state(match, 1 - first)) == ("PRESENT", "SITTER")
    assert len(await sitting(rules, match_id)) == 1, "it goes on: the other's sitter is to act"
    await agents_act(rules, match_id)
    match = await rules.player("anna").match(match_id)
    assert match.clock.deadline_ms == clock() + LIVE["turn_seconds"] * SECOND_MS


async def test_a_reserve_is_used_up_over_the_turns(rules: Rules, clock: ManualClock) -> None:
    match_id, names = await table(rules, **LIVE)
    match = await rules.player("anna").match(match_id)
    seat, began = match.actor, clock()
    assert match.clock.reserve_from_ms == began + 30 * SECOND_MS
    clock.advance(33 * SECOND_MS)
    while (match := await rules.player("anna").match(match_id)).actor == seat:
        assert match.clock.deadline_ms == began + 40 * SECOND_MS, "all of a turn is one turn"
        await move(rules.player(names[seat]), match_id)
    left = [part.reserve_left_ms for part in match.clock.seats]
    assert left[seat] == 7 * SECOND_MS
    assert left[1 - seat] == 10 * SECOND_MS


@pytest.mark.field(3)
async def test_undoing_wins_no_time(rules: Rules, clock: ManualClock) -> None:
    match_id, names = await table(rules, **LIVE)
    match = await rules.player("anna").match(match_id)
    seat, deadline_ms = match.actor, match.clock.deadline_ms
    person = rules.player(names[seat])
    for number in range(3):
        clock.advance(10 * SECOND_MS)
        await move(person, match_id)
        match = await person.match(match_id)
        revision = match.revision
        await person.wish("UndoAction", match_id, seat, str(number), expected_revision=revision)
        assert (await person.match(match_id)).clock.deadline_ms == deadline_ms
    clock.advance(10 * SECOND_MS)
    match = await until_revision(person, match_id, revision + 2)
    assert state(match, seat) == "SITTER"


async def test_a_vacation_stops_the_clock_within_its_bound(
    rules: Rules, clock: ManualClock
) -> None:
    match_id, names = await table(rules, **DAYS)
    match = await rules.player("anna").match(match_id)
    seat = match.actor
    clock.advance(DAY_MS)
    with refused("INVALID_FIELD") as details:
        await rules.player(names[seat]).wish("SetVacation", match_id, seat, "1", days=11)
    assert details["field"] == "days"
    person = rules.player(names[seat])
    reply = await person.wish("SetVacation", match_id, seat, "2", days=5)
    assert await person.wish("SetVacation", match_id, seat, "2", days=5) == reply
    match = await rules.player(names[1 - seat]).match(match_id)
    assert match.clock.deadline_ms == clock() + 6 * DAY_MS
    shown = match.clock.seats[seat]
    assert shown.vacation_until_ms == clock() + 5 * DAY_MS, "all at the table see it"
    assert shown.vacation_left_ms == 5 * DAY_MS
    event = (await person.events(match_id))[-1]
    assert (event.control.kind, event.control.length_ms) == (
        play_pb2.CONTROL_KIND_VACATION,
        5 * DAY_MS,
    )
    clock.advance(2 * DAY_MS)
    person = rules.player(names[seat])
    await person.wish("SetVacation", match_id, seat, "3", days=0)
    match = await person.match(match_id)
    assert match.clock.deadline_ms == clock() + DAY_MS
    assert match.clock.seats[seat].vacation_left_ms == 8 * DAY_MS
    assert not match.clock.seats[seat].HasField("vacation_until_ms")
    with refused("INVALID_FIELD"):
        await person.wish("SetVacation", match_id, seat, "4", days=-1)
    with refused("NOT_YOUR_SEAT"):
        await person.wish("SetVacation", match_id, 1 - seat, "5", days=1)
    clock.advance(DAY_MS)
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert state(match, seat) == "SITTER"


async def test_vacations_of_one_do_not_keep_another_from_acting(
    rules: Rules, clock: ManualClock
) -> None:
    """Each change of a vacation moves the match on, so there must not be any number of them."""
    match_id, names = await table(rules, **DAYS)
    match = await rules.player("anna").match(match_id)
    waits = 1 - match.actor
    person = rules.player(names[waits])
    for number in range(3):
        reply = await person.wish("SetVacation", match_id, waits, f"none {number}", days=0)
        assert reply == (match.revision, match.revision)
    for number in range(10):
        await person.wish("SetVacation", match_id, waits, f"go {number}", days=1)
        clock.advance(1_000)
        await person.wish("SetVacation", match_id, waits, f"come {number}", days=0)
    with refused("INVALID_FIELD"):
        await person.wish("SetVacation", match_id, waits, "more", days=1)
    now = await person.match(match_id)
    assert now.revision == match.revision + 20
    await person.wish("SetVacation", match_id, waits, "none again", days=0)
    assert (await person.match(match_id)).revision == now.revision


@pytest.mark.parametrize("agreed", [LIVE, {**DAYS, "vacation_days": 0}], ids=["live", "none"])
async def test_a_table_without_vacations_has_none(rules: Rules, agreed: dict[str, Any]) -> None:
    match_id, names = await table(rules, **agreed)
    with refused("TABLE_FORBIDS") as details:
        await rules.player(names[0]).wish("SetVacation", match_id, 0, "1", days=1)
    assert details["rule"] == "vacation_days"


@pytest.mark.parametrize(
    ("pace", "length_ms"),
    [("PACE_UNSPECIFIED", 420_000), ("PACE_LIVE", 420_000), ("PACE_DAYS", 3 * DAY_MS)],
)
async def test_who_says_only_a_pace_plays_by_the_defaults(
    rules: Rules, clock: ManualClock, pace: str, length_ms: int
) -> None:
    match_id, _ = await table(rules, beside=pace)
    match = await rules.player("anna").match(match_id)
    assert match.clock.deadline_ms == clock() + length_ms
    assert (match.rules.absence, match.rules.sitter) == (SITTER, "random")
    assert match.pace == match.rules.pace


async def test_nobody_hurries_who_plays_alone(rules: Rules, clock: ManualClock) -> None:
    match_id, _ = await table(rules, "anna", "ai:random")
    await agents_act(rules, match_id)
    match = await rules.player("anna").match(match_id)
    assert match.rules.turn_seconds == 0
    assert match.clock.deadline_ms == clock() + IDLE_MS, "and even that one ends some time"
    clock.advance(IDLE_MS)
    match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
    assert match.outcome.reason == "abandoned"


async def test_agents_among_themselves_have_no_clock(rules: Rules, clock: ManualClock) -> None:
    match_id, _ = await table(rules, "ai:random", "ai:random", **LIVE)
    before = await sitting(rules, match_id)
    clock.advance(IDLE_MS)
    other, _ = await table(rules, **LIVE)  # by the time this one's is up, the sweep has passed
    clock.advance(turn_ms(LIVE))
    await wait_for(lambda: sitting(rules, other))
    assert await sitting(rules, match_id) == before != []


async def test_a_match_from_before_there_were_clocks_plays_on_without(
    database_url: str, tmp_path: Path, clock: ManualClock
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings, clock=clock) as (rules, _):
        match_id, names = await table(rules, **LIVE)
    engine = connect(database_url)
    async with engine.begin() as connection:  # what the migration makes of it
        await connection.execute(
            update(MATCHES).values(rules="{}", clock=None, deadline_ms=None, short_ms=None)
        )
    await engine.dispose()
    async with serving(settings, clock=clock) as (rules, _):
        match = await rules.player("anna").match(match_id)
        assert match.rules.turn_seconds == 0
        assert match.clock.deadline_ms == clock() + IDLE_MS
        clock.advance(DAY_MS)
        await move(rules.player(names[match.actor]), match_id)
        after = await rules.player("anna").match(match_id)
        assert after.revision == match.revision + 1
        assert after.clock.deadline_ms == match.clock.deadline_ms, "the same turn goes on"
        clock.advance(IDLE_MS)
        over = await until_revision(rules.player("anna"), match_id, after.revision + 1)
        assert over.outcome.reason == "abandoned"


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("anna", "0" * 64),
        ("ai", "0" * 63),
        ("ai", "x" * 64),
        ("ai", "A" * 64),
        ("ai", "0" * 64),  # of something that the seat does not know here
    ],
)
async def test_only_agents_say_what_they_knew_and_only_by_its_hash(
    rules: Rules, who: str, said: str
) -> None:
    match_id, _ = await table(rules, *(["ai:quick"] * 2 if who == "ai" else ["anna"] * 2))
    client = rules.service() if who == "ai" else rules.player("anna")
    match = await client.match(match_id)
    action = (await client.legal(match_id, match.actor)).actions[0]
    request = rules_pb2.SubmitActionRequest(
        match_id=match_id,
        seat=match.actor,
        request_id="1",
        expected_revision=match.revision,
        action=action,
        information_sha256=said,
    )
    with refused("INVALID_FIELD") as details:
        await client.call("SubmitAction", request)
    assert details["field"] == "information_sha256"
    assert (await client.match(match_id)).revision == match.revision


async def test_taking_back_wins_nobody_a_reserve(rules: Rules, clock: ManualClock) -> None:
    match_id, names = await table(rules, **LIVE)
    seat = (await rules.player("anna").match(match_id)).actor
    mover, other = rules.player(names[seat]), rules.player(names[1 - seat])
    clock.advance(35 * SECOND_MS)
    while (match := await mover.match(match_id)).actor == seat:
        await move(mover, match_id)
    clock.advance(32 * SECOND_MS)
    await mover.wish("AskTakeback", match_id, seat, "1", expected_revision=match.revision)
    asked = await other.match(match_id)
    assert asked.clock.deadline_ms == match.clock.deadline_ms, "a question stops no clock"
    await other.wish(
        "AnswerAsk", match_id, 1 - seat, "2", ask_revision=asked.ask.revision, agree=True
    )
    match = await mover.match(match_id)
    assert match.actor == seat
    left = [part.reserve_left_ms for part in match.clock.seats]
    assert (left[seat], left[1 - seat]) == (5 * SECOND_MS, 8 * SECOND_MS)
    assert match.clock.deadline_ms == clock() + 35 * SECOND_MS
