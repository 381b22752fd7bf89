"""Making a match, looking at it, playing it to its end."""

from __future__ import annotations

import hashlib
import hmac
import random
import sqlite3
from pathlib import Path

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.rules import Rules, new_match_request, refused

SOCKER = ruleset("socker")


async def test_a_new_match_has_tossed_and_waits_for_the_winner(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "ben", goals_to_win=2)
    match = await rules.player("anna").match(match_id)
    (toss,) = await rules.player("ben").events(match_id)
    assert (toss.revision, toss.actor, match.revision) == (0, -1, 1)
    winner = toss.action.socker.toss.winner
    assert match.actor == winner - 1, "South is side 1 and seat 0"
    assert match.options.values["goals_to_win"].number == 2
    assert match.options.values["turn_cap"].number == 200, "defaults are named, too"
    assert [seat.player_id for seat in match.seats] == ["anna", "ben"]
    assert match.status == play_pb2.MATCH_STATUS_RUNNING
    assert match.pace == play_pb2.PACE_LIVE
    assert match.clock.acting_since_ms == toss.committed_at_ms > 0


async def test_a_match_is_played_to_its_end(rules: Rules) -> None:
    rng = random.Random(7)
    match_id = await rules.new_match("anna", "ben", turn_limit=6, sudden_cap=1)
    clients = rules.player("anna"), rules.player("ben")
    state = SOCKER.initial({"turn_limit": 6, "sudden_cap": 1}, 2)
    plies = 0
    while (match := await clients[0].match(match_id)).status == play_pb2.MATCH_STATUS_RUNNING:
        actor = match.actor
        legal = await clients[actor].legal(match_id, actor)
        assert legal.revision == match.revision
        assert not (await clients[1 - actor].legal(match_id, 1 - actor)).actions
        request = rules_pb2.SubmitActionRequest(
            match_id=match_id,
            seat=actor,
            request_id=f"ply-{plies}",
            expected_revision=match.revision,
            action=rng.choice(list(legal.actions)),
        )
        reply = await clients[actor].call("SubmitAction", request)
        assert reply.applied_revision == match.revision < reply.revision
        plies += 1
    events = await clients[1].events(match_id)
    assert [event.revision for event in events] == list(range(match.revision))
    for event in events:  # the engine by itself comes to the same end
        state = SOCKER.apply(state, action_from_message(SOCKER, event.action))
    outcome = SOCKER.outcome(state)
    assert outcome is not None
    assert match.outcome.reason == outcome.reason
    assert tuple(match.outcome.winners) == outcome.winners
    assert not match.HasField("actor")
    assert not match.HasField("clock")
    with refused("MATCH_FINISHED"):
        await clients[0].submit(match_id, 0, "late", match.revision, "end")
    # The retry of what ended it, after the end.
    assert await clients[actor].call("SubmitAction", request) == reply


async def test_a_position_is_seen_by_those_who_sit_there(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "ben")
    mine = await rules.player("anna").match(match_id)
    assert [view.seat for view in mine.views] == [0]
    assert bool(mine.views[0].legal_actions) == (mine.actor == 0)
    family = await rules.new_match("anna", "anna")
    both = await rules.player("anna").match(family)
    assert [view.seat for view in both.views] == [0, 1]
    one = await rules.player("anna").match(family, 1)
    assert [view.seat for view in one.views] == [1]


async def test_only_the_host_watches_without_a_seat(rules: Rules) -> None:
    match_id = await rules.new_match("ai:quick", "ai:random", host="anna")
    seen = await rules.player("anna").match(match_id)
    assert [view.seat for view in seen.views] == [-2]
    assert not seen.views[0].legal_actions
    assert await rules.player("anna").events(match_id)
    with refused("MATCH_NOT_FOUND"):
        await rules.player("ben").match(match_id)
    with refused("NOT_YOUR_SEAT"):
        await rules.player("anna").submit(match_id, seen.actor, "x", 1, "@e3")


async def test_making_a_match_again_gives_the_same(rules: Rules) -> None:
    service = rules.service("matchmaking")
    request = new_match_request("table-1", "anna", "ben")
    first = await service.call("CreateMatch", request)
    assert await service.call("CreateMatch", request) == first
    with refused("REQUEST_ID_REUSED"):
        await service.call("CreateMatch", new_match_request("table-1", "anna", "carla"))


async def test_agents_are_given_what_their_seat_knows(rules: Rules) -> None:
    match_id = await rules.new_match("ai:random", "ai:quick")
    service = rules.service("ai")
    waiting = await service.call("ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest())
    (seat,) = waiting.seats
    assert (seat.match_id, seat.revision, seat.game) == (match_id, 1, "socker")
    assert seat.agent == ("random", "quick")[seat.seat]
    known = await service.call(
        "GetInformationState",
        internal_pb2.GetInformationStateRequest(match_id=match_id, seat=seat.seat, revision=1),
    )
    assert known.agent == seat.agent
    information = SOCKER.parse_information(known.information)
    state = SOCKER.determinize(information, random.Random(1))
    action = SOCKER.legal_actions(state)[0]
    await service.submit(match_id, seat.seat, "1", 1, SOCKER.format_action(action), "first")
    (_, event) = await service.events(match_id)
    assert event.origin == "first"
    with refused("STALE_REVISION") as details:
        await service.call(
            "GetInformationState",
            internal_pb2.GetInformationStateRequest(match_id=match_id, seat=seat.seat, revision=1),
        )
    assert details["revision"] == "2"


async def test_waiting_seats_come_oldest_first_in_pages(rules: Rules) -> None:
    made = [await rules.new_match("ai:random", "ai:random") for _ in range(5)]
    await rules.new_match("anna", "ben")
    service, token, pages = rules.service("ai"), "", []
    while True:
        request = internal_pb2.ListWaitingSeatsRequest(page_size=2, page_token=token)
        page = await service.call("ListWaitingSeats", request)
        pages.append([(seat.waiting_since_ms, seat.match_id) for seat in page.seats])
        token = page.next_page_token
        if not token:
            break
    assert [len(page) for page in pages] == [2, 2, 1]
    listed = [seat for page in pages for seat in page]
    assert listed == sorted(listed)
    assert {match_id for _, match_id in listed} == set(made)


async def test_finished_matches_are_fed_in_their_order(rules: Rules) -> None:
    ended = [await _play_out(rules, random.Random(number)) for number in range(3)]
    running = await rules.new_match()
    service = rules.service("matchmaking")
    seen: list[internal_pb2.FinishedMatch] = []
    cursor = 0
    while True:
        request = internal_pb2.ListFinishedMatchesRequest(cursor=cursor, page_size=2)
        page = await service.call("ListFinishedMatches", request)
        if page.cursor == cursor:
            break
        seen += page.matches
        cursor = page.cursor
    assert [match.match_id for match in seen] == ended
    asked = internal_pb2.ListMatchSummariesRequest(
        match_ids=[running, "unknown", "0" * 32, ended[1]]
    )
    summaries = (await service.call("ListMatchSummaries", asked)).matches
    assert [summary.match_id for summary in summaries] == [running, ended[1]]
    assert summaries[0].HasField("actor")
    assert not summaries[1].HasField("actor")
    assert summaries[1].outcome == seen[1].outcome


async def _play_out(rules: Rules, rng: random.Random) -> str:
    match_id = await rules.new_match("anna", "anna", turn_limit=1, sudden_cap=1)
    anna = rules.player("anna")
    while (match := await anna.match(match_id)).HasField("actor"):
        legal = next(view.legal_actions for view in match.views if view.seat == match.actor)
        action = SOCKER.format_action(action_from_message(SOCKER, rng.choice(list(legal))))
        await anna.submit(match_id, match.actor, str(match.revision), match.revision, action)
    return match_id


async def test_the_shelf_names_games_and_their_options(sqlite_rules: Rules) -> None:
    shelf = (
        await sqlite_rules.player("anna").call("ListGames", rules_pb2.ListGamesRequest())
    ).games
    (socker,) = (game for game in shelf if game.name == "socker")
    assert (socker.min_seats, socker.max_seats, socker.ruleset_version) == (2, 2, SOCKER.version)
    options = {option.name: option for option in socker.options}
    assert set(options) == {spec.name for spec in SOCKER.option_specs}
    goals = options["goals_to_win"]
    assert (goals.default.number, goals.minimum, goals.maximum) == (1, 1, 9)


async def test_every_toss_follows_from_the_seed(sqlite_rules: Rules, tmp_path: Path) -> None:
    """What whoever is told the seed of a match can check."""
    matches = [await sqlite_rules.new_match("anna", "ben") for _ in range(20)]
    anna, winners = sqlite_rules.player("anna"), set()
    connection = sqlite3.connect(tmp_path / "migrated.db")
    for match_id in matches:
        (seed,) = connection.execute(
            "SELECT seed FROM matches WHERE match_id = ?", (match_id,)
        ).fetchone()
        message = f"oddsocks-draw/1 {match_id} 0 0".encode()
        number = int(hmac.new(seed, message, hashlib.sha256).hexdigest(), 16)
        (toss,) = await anna.events(match_id)
        assert toss.action.socker.toss.winner == 1 + number % 2
        winners.add(number % 2)
    connection.close()
    assert winners == {0, 1}


@pytest.mark.parametrize("pace", [play_pb2.PACE_LIVE, play_pb2.PACE_DAYS])
async def test_the_pace_is_kept(sqlite_rules: Rules, pace: play_pb2.Pace.ValueType) -> None:
    request = new_match_request("paced", "anna", "ai:random")
    request.pace = pace
    made = await sqlite_rules.service("matchmaking").call("CreateMatch", request)
    assert (await sqlite_rules.player("anna").match(made.match_id)).pace == pace
