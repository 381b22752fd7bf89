"""What people do beside the game: undo, take back, end by agreement, give up."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections import Counter
from pathlib import Path

import pytest

from oddsocks.play.v1 import play_pb2
from services.engine.core import SPECTATOR
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.contract.rules.test_once import reason_of
from tests.fixtures.rules import Client, Rules, make_settings, new_match_request, refused, serving

SOCKER = ruleset("socker")


async def new_match(rules: Rules, *seats: str, game: str = "socker", **agreed: object) -> str:
    """A match at a table that agreed on these `TableRules`."""
    request = new_match_request(uuid.uuid4().hex, *seats)
    request.game = game
    request.rules.CopyFrom(play_pb2.TableRules(**agreed))  # type: ignore[arg-type] # handed on
    answer = await rules.service("matchmaking").call("CreateMatch", request)
    return str(answer.match_id)


async def move(client: Client, match_id: str, pick: int = 0) -> tuple[int, str]:
    """The seat to act, one of the caller's, does the `pick`-th legal thing: seat and notation."""
    match = await client.match(match_id)
    game = ruleset(match.game)
    legal = next(view.legal_actions for view in match.views if view.seat == match.actor)
    text = game.format_action(action_from_message(game, legal[pick % len(legal)]))
    await client.submit(match_id, match.actor, uuid.uuid4().hex, match.revision, text)
    return match.actor, text


def standing(match: play_pb2.Match) -> play_pb2.Match:
    """A match without its counters and times: what an undo brings back."""
    plain = play_pb2.Match()
    plain.CopyFrom(match)
    plain.revision = 0
    plain.ClearField("clock")
    for view in plain.views:
        view.may_undo = False
    return plain


async def seats_in_turn(rules: Rules, match_id: str) -> tuple[Client, Client, int, int]:
    """Anna and Ben: whose turn it is first, then the other, with their seats."""
    anna, ben = rules.player("anna"), rules.player("ben")
    actor = (await anna.match(match_id)).actor
    return ((anna, ben), (ben, anna))[actor] + (actor, 1 - actor)


def controls(events: list[play_pb2.Event]) -> list[str]:
    """The kinds of what happened beside the game."""
    return [
        play_pb2.ControlKind.Name(event.control.kind).removeprefix("CONTROL_KIND_")
        for event in events
        if event.HasField("control")
    ]


async def test_one_undoes_ones_own_actions_one_by_one_within_ones_turn(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, other, seat, _ = await seats_in_turn(rules, match_id)
    before = [await mover.match(match_id)]
    for _ in range(3):
        await move(mover, match_id)
        before.append(await mover.match(match_id))
    assert [match.views[0].may_undo for match in before] == [False, True, True, True]
    assert not (await other.match(match_id)).views[0].may_undo
    for expected in reversed(before[:-1]):
        now = await mover.match(match_id)
        applied = await mover.wish(
            "UndoAction", match_id, seat, uuid.uuid4().hex, expected_revision=now.revision
        )
        assert applied == (now.revision, now.revision + 1)
        after = await mover.match(match_id)
        assert standing(after) == standing(expected)
        assert after.revision == now.revision + 1, "revisions never go back"
        event = (await other.events(match_id))[-1]
        assert (event.revision, event.actor) == (now.revision, seat)
        assert event.control.kind == play_pb2.CONTROL_KIND_UNDO
        assert event.control.to_revision == expected.revision or expected is before[0]
    # What is left is the toss.
    assert not (await mover.match(match_id)).views[0].may_undo
    with refused("CANNOT_UNDO"):
        await mover.wish("UndoAction", match_id, seat, "more", expected_revision=7)
    # And the match goes on from there, with what was undone still told.
    await move(mover, match_id, pick=-1)
    kinds = [event.HasField("control") for event in await other.events(match_id)]
    assert kinds == [False] * 4 + [True] * 3 + [False]


@pytest.mark.field(3)
async def test_nobody_undoes_a_toss_or_past_anothers_decision_or_for_another(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, other, seat, other_seat = await seats_in_turn(rules, match_id)
    with refused("CANNOT_UNDO"):  # the toss came last
        await mover.wish("UndoAction", match_id, seat, "1", expected_revision=1)
    await move(mover, match_id)
    with refused("CANNOT_UNDO"):
        await other.wish("UndoAction", match_id, other_seat, "1", expected_revision=2)
    with refused("NOT_YOUR_SEAT"):
        await other.wish("UndoAction", match_id, seat, "1", expected_revision=2)
    with refused("STALE_REVISION") as details:
        await mover.wish("UndoAction", match_id, seat, "1", expected_revision=1)
    assert details["revision"] == "2"
    for _ in range(4):  # all five are placed: the other's turn
        await move(mover, match_id)
    for revision in (6, 7):
        match = await mover.match(match_id)
        assert (match.revision, match.views[0].may_undo) == (revision, False)
        with refused("CANNOT_UNDO"):
            await mover.wish("UndoAction", match_id, seat, "1", expected_revision=revision)
        await move(other, match_id)
    stranger = rules.player("dora")
    with refused("MATCH_NOT_FOUND"):
        await stranger.wish("UndoAction", match_id, seat, "1", expected_revision=8)


@pytest.mark.field(3)
@pytest.mark.parametrize("game", ["sock_monsters", "hide_and_seek"])
async def test_a_reveal_or_a_die_can_not_be_undone(sqlite_rules: Rules, game: str) -> None:
    """What must not be undone is told here from the words of the actions alone."""
    anna = sqlite_rules.player("anna")
    match_id = await new_match(sqlite_rules, "anna", "anna", game=game)
    undone = Counter[str]()
    for ply in range(80):
        if (await anna.match(match_id)).status == play_pb2.MATCH_STATUS_FINISHED:
            break
        seat, text = await move(anna, match_id, pick=7 * ply)
        events, match = await anna.events(match_id), await anna.match(match_id)
        words = {"lift", "peek", "flip", "candy"}
        shows = text.partition(":")[0] in words or events[-1].actor == -1
        call = anna.wish(
            "UndoAction", match_id, seat, f"undo-{ply}", expected_revision=match.revision
        )
        result = await reason_of(call)
        undone[result] += 1
        if shows or match.actor != seat:
            assert result in ("CANNOT_UNDO", "MATCH_FINISHED"), (text, ply)
        if result == "OK":
            await move(anna, match_id, pick=7 * ply)  # the same once more, so that play goes on
    assert undone["CANNOT_UNDO"] > 5
    assert (undone["OK"] > 0) == (game == "sock_monsters")


async def test_a_table_may_play_without_undo_and_takeback(rules: Rules) -> None:
    match_id = await new_match(rules, undo=False, takeback=False)
    mover, _, seat, _ = await seats_in_turn(rules, match_id)
    await move(mover, match_id)
    assert not (await mover.match(match_id)).views[0].may_undo
    for method, rule in (("UndoAction", "undo"), ("AskTakeback", "takeback")):
        with refused("TABLE_FORBIDS") as details:
            await mover.wish(method, match_id, seat, "1", expected_revision=2)
        assert details["rule"] == rule


async def test_wishes_count_once_however_often_they_are_sent(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, _, seat, _ = await seats_in_turn(rules, match_id)
    await move(mover, match_id)
    await move(mover, match_id)
    phones = [mover, rules.player(("anna", "ben")[seat])]
    replies = await asyncio.gather(
        *(
            phone.wish("UndoAction", match_id, seat, "same", expected_revision=3)
            for phone in phones
            for _ in range(3)
        )
    )
    assert set(replies) == {(3, 4)}
    with refused("REQUEST_ID_REUSED"):
        await mover.wish("UndoAction", match_id, seat, "same", expected_revision=4)
    with refused("REQUEST_ID_REUSED"):
        await mover.wish("Resign", match_id, seat, "same")
    # Two different ones at once for the same revision are one.
    results = await asyncio.gather(
        *(
            reason_of(mover.wish("UndoAction", match_id, seat, f"{i}", expected_revision=4))
            for i in range(4)
        )
    )
    assert Counter(results) == {"OK": 1, "STALE_REVISION": 3}
    replies = await asyncio.gather(*(mover.wish("Resign", match_id, seat, "go") for _ in range(5)))
    assert set(replies) == {(5, 6)}
    assert await mover.wish("UndoAction", match_id, seat, "same", expected_revision=3) == (3, 4)
    assert controls(await mover.events(match_id)) == ["UNDO", "UNDO", "RESIGN"]


async def test_a_takeback_needs_the_others_consent(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, other, seat, other_seat = await seats_in_turn(rules, match_id)
    for _ in range(5):
        before = await mover.match(match_id)
        await move(mover, match_id)
    await move(other, match_id)
    asked = await mover.match(match_id)
    await mover.wish("AskTakeback", match_id, seat, "ask", expected_revision=asked.revision)
    for client in (mover, other):
        ask = (await client.match(match_id)).ask
        assert ask == play_pb2.Ask(
            kind=play_pb2.CONTROL_KIND_ASK_TAKEBACK,
            seat=seat,
            revision=asked.revision,
            to_revision=before.revision,
            waiting=[other_seat],
        )
    with refused("ASK_PENDING"):
        await other.wish("OfferEnd", match_id, other_seat, "end")
    with refused("ASK_LAPSED"):  # one does not give one's own consent
        await mover.wish("AnswerAsk", match_id, seat, "me", ask_revision=asked.revision, agree=True)
    with refused("ASK_LAPSED"):
        await other.wish("AnswerAsk", match_id, other_seat, "a", ask_revision=1, agree=True)
    reply = await other.wish(
        "AnswerAsk", match_id, other_seat, "yes", ask_revision=asked.revision, agree=True
    )
    assert reply == (asked.revision + 1, asked.revision + 3), "the answer, and what it leads to"
    assert standing(await mover.match(match_id)) == standing(before)
    events = await other.events(match_id)
    assert controls(events) == ["ASK_TAKEBACK", "AGREE", "TAKEBACK"]
    assert (events[-1].actor, events[-1].control.to_revision) == (seat, before.revision)
    await move(mover, match_id)  # and on it goes


async def test_a_declined_or_lapsed_question_changes_nothing(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, other, seat, other_seat = await seats_in_turn(rules, match_id)
    with refused("CANNOT_UNDO"):  # there is nothing to take back yet
        await other.wish("AskTakeback", match_id, other_seat, "0", expected_revision=1)
    await move(mover, match_id)
    before = standing(await mover.match(match_id))
    since = (await mover.match(match_id)).clock.acting_since_ms
    await mover.wish("AskTakeback", match_id, seat, "1", expected_revision=2)
    await other.wish("AnswerAsk", match_id, other_seat, "no", ask_revision=2, agree=False)
    after = await mover.match(match_id)
    assert standing(after) == before
    assert after.clock.acting_since_ms == since, "asking wins nobody time"
    with refused("ASK_PENDING"):  # once asked is enough, until somebody acts
        await mover.wish("OfferEnd", match_id, seat, "2")
    # The other one may ask as well, and take the question back.
    await other.wish("OfferEnd", match_id, other_seat, "3")
    await other.wish("AnswerAsk", match_id, other_seat, "4", ask_revision=4, agree=False)
    assert not (await mover.match(match_id)).HasField("ask")
    await move(mover, match_id)
    await mover.wish("OfferEnd", match_id, seat, "5")
    await move(mover, match_id)  # it lapses
    with refused("ASK_LAPSED"):
        await other.wish("AnswerAsk", match_id, other_seat, "6", ask_revision=7, agree=True)
    kinds = controls(await mover.events(match_id))
    assert kinds == ["ASK_TAKEBACK", "DECLINE", "OFFER_END", "DECLINE", "OFFER_END"]


async def test_agents_do_not_object(rules: Rules) -> None:
    match_id = await new_match(rules, "anna", "ai:random")
    anna, ai = rules.player("anna"), rules.service("ai")
    while True:  # until Anna has acted
        match = await anna.match(match_id)
        before = standing(match)
        await move((anna, ai)[match.actor], match_id)
        if match.actor == 0:
            break
    revision = match.revision + 1
    with refused("NOT_YOUR_SEAT"):
        await ai.wish("AskTakeback", match_id, 1, "1", expected_revision=revision)
    reply = await anna.wish("AskTakeback", match_id, 0, "1", expected_revision=revision)
    assert reply == (revision, revision + 2)
    assert standing(await anna.match(match_id)) == before
    assert await anna.wish("OfferEnd", match_id, 0, "2") == (revision + 2, revision + 4)
    ended = await anna.match(match_id)
    assert (ended.status, ended.outcome.reason) == (play_pb2.MATCH_STATUS_FINISHED, "agreed")


async def test_all_people_agree_to_an_end(rules: Rules) -> None:
    players = ("anna", "ben", "carla", "anna")
    match_id = await new_match(rules, *players, game="hide_and_seek")
    anna, ben, carla = (rules.player(who) for who in ("anna", "ben", "carla"))
    await ben.wish("OfferEnd", match_id, 1, "end")
    at = (await ben.match(match_id)).ask.revision
    assert list((await ben.match(match_id)).ask.waiting) == [0, 2, 3]
    await anna.wish("AnswerAsk", match_id, 3, "yes", ask_revision=at, agree=True)
    match = await carla.match(match_id)
    assert list(match.ask.waiting) == [2], "a person answers once, whatever seats they have"
    assert match.status == play_pb2.MATCH_STATUS_RUNNING
    await carla.wish("AnswerAsk", match_id, 2, "yes", ask_revision=at, agree=True)
    for client in (anna, ben, carla):
        match = await client.match(match_id)
        assert match.status == play_pb2.MATCH_STATUS_FINISHED
        assert (match.outcome.reason, list(match.outcome.winners)) == ("agreed", [])
        assert not match.HasField("ask")
        assert not match.HasField("actor")
    with refused("MATCH_FINISHED"):
        await ben.wish("Resign", match_id, 1, "late")
    assert controls(await anna.events(match_id)) == ["OFFER_END", "AGREE", "AGREE", "END"]


async def test_who_resigns_of_two_loses(rules: Rules) -> None:
    for winner in (0, 1):
        match_id = await new_match(rules)
        clients = rules.player("anna"), rules.player("ben")
        stream = clients[winner].watch(match_id)
        while not (await stream.read()).HasField("match"):
            pass
        # In turn or not.
        await clients[1 - winner].wish("Resign", match_id, 1 - winner, "go")
        told = [await stream.read() for _ in range(3)]
        assert told[0].event.control.kind == play_pb2.CONTROL_KIND_RESIGN
        assert told[1].match.status == play_pb2.MATCH_STATUS_FINISHED
        assert told[2].finished.outcome == told[1].match.outcome
        assert (told[1].match.outcome.reason, list(told[1].match.outcome.winners)) == (
            "resigned",
            [winner],
        )
        with refused("MATCH_FINISHED"):
            await move_any(clients[winner], match_id, winner)


async def move_any(client: Client, match_id: str, seat: int) -> None:
    revision = (await client.match(match_id)).revision
    await client.submit(match_id, seat, "late", revision, "@e3")


async def test_a_seat_given_up_is_its_holders_no_longer(rules: Rules) -> None:
    match_id = await new_match(rules, "anna", "ben", "carla", game="sock_monsters", sitter="quick")
    anna, ben, ai = rules.player("anna"), rules.player("ben"), rules.service("ai")
    stream = ben.watch(match_id, (await ben.match(match_id)).revision)
    assert (await stream.read()).match.views[0].seat == 1
    reply = await ben.wish("Resign", match_id, 1, "go")
    # Ben may watch as others do, also on the stream that he had.
    assert (await stream.read()).event.control.kind == play_pb2.CONTROL_KIND_RESIGN
    assert [view.seat for view in (await stream.read()).match.views] == [SPECTATOR]
    match = await ben.match(match_id)
    assert [view.seat for view in match.views] == [SPECTATOR]
    assert match.status == play_pb2.MATCH_STATUS_RUNNING
    seat = match.seats[1]
    assert (seat.state, seat.sitter) == (play_pb2.SEAT_STATE_GIVEN_UP, "quick")
    with refused("NOT_YOUR_SEAT"):
        await ben.match(match_id, 1)
    with refused("NOT_YOUR_SEAT"):
        await ben.wish("OfferEnd", match_id, 1, "1")
    with refused("NOT_YOUR_SEAT"):
        await ben.wish("Resign", match_id, 1, "2")
    # But what he did is answered again.
    assert await ben.wish("Resign", match_id, 1, "go") == reply
    # The sitter plays it to the end.
    players = [anna, ai, rules.player("carla")]
    for _ in range(40):
        match = await anna.match(match_id)
        if match.actor == 1:
            with refused("NOT_YOUR_SEAT"):
                await ben.submit(match_id, 1, "me", match.revision, "pass")
        await move(players[match.actor], match_id)
    assert {event.actor for event in await anna.events(match_id)} == {-1, 0, 1, 2}
    # He is not asked, either.
    await anna.wish("OfferEnd", match_id, 0, "end")
    assert list((await anna.match(match_id)).ask.waiting) == [2]


async def test_a_match_that_nobody_is_left_in_ends_by_itself(rules: Rules) -> None:
    match_id = await new_match(rules, "anna", "ben", "ai:random", game="hide_and_seek")
    anna, ben = rules.player("anna"), rules.player("ben")
    await ben.wish("Resign", match_id, 1, "go")
    applied, revision = await anna.wish("Resign", match_id, 0, "go")
    assert revision == applied + 2
    match = await anna.match(match_id)
    assert (match.status, match.outcome.reason) == (play_pb2.MATCH_STATUS_FINISHED, "abandoned")
    assert list(match.outcome.winners) == []
    assert controls(await ben.events(match_id)) == ["RESIGN", "RESIGN", "ABANDON"]


async def test_what_is_beside_the_game_outlives_the_process(
    database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (rules, _):
        match_id = await new_match(rules, "anna", "ben", "carla", game="sock_monsters")
        mover, other, seat, other_seat = await seats_in_turn_of_three(rules, match_id)
        for _ in range(20):
            if (await mover.match(match_id)).actor != seat:
                break
            await move(mover, match_id)
        await mover.wish("OfferEnd", match_id, seat, "end")
        before = [await client.match(match_id) for client in (mover, other)]
        events = await mover.events(match_id)
    async with serving(settings) as (rules, _), serving(settings) as (two, _):
        mover, other, seat, other_seat = await seats_in_turn_of_three(rules, match_id, seat)
        assert [await client.match(match_id) for client in (mover, other)] == before
        assert await mover.events(match_id) == events
        at = before[0].ask.revision
        # Through one process and seen through another, which had it in memory.
        elsewhere = two.player(("anna", "ben", "carla")[other_seat])
        assert (await elsewhere.match(match_id)).HasField("ask")
        await other.wish("AnswerAsk", match_id, other_seat, "no", ask_revision=at, agree=False)
        assert not (await elsewhere.match(match_id)).HasField("ask")
        await other.wish("Resign", match_id, other_seat, "go")
        with refused("NOT_YOUR_SEAT"):
            await elsewhere.wish("OfferEnd", match_id, other_seat, "end")


async def seats_in_turn_of_three(
    rules: Rules, match_id: str, seat: int | None = None
) -> tuple[Client, Client, int, int]:
    """Whose turn it is, and the next one."""
    clients = [rules.player(who) for who in ("anna", "ben", "carla")]
    actor = (await clients[0].match(match_id)).actor if seat is None else seat
    return clients[actor], clients[(actor + 1) % 3], actor, (actor + 1) % 3


async def test_watchers_hear_of_everything_in_order_from_any_revision(rules: Rules) -> None:
    match_id = await new_match(rules)
    mover, other, seat, other_seat = await seats_in_turn(rules, match_id)
    await move(mover, match_id)
    await mover.wish("UndoAction", match_id, seat, "1", expected_revision=2)
    await move(mover, match_id, pick=3)
    await mover.wish("OfferEnd", match_id, seat, "2")
    await other.wish("AnswerAsk", match_id, other_seat, "3", ask_revision=4, agree=False)
    await other.wish("Resign", match_id, other_seat, "4")
    whole = await mover.events(match_id)
    assert [event.revision for event in whole] == list(range(7))
    for start in range(8):
        updates = [update async for update in other.watch(match_id, start)]
        assert [update.event for update in updates[:-2]] == whole[start:]
        assert updates[-1].HasField("finished")
    pages = [await mover.events(match_id, page_size=size) for size in (1, 2, 5)]
    assert all(page == whole for page in pages)
    for before, after in itertools.pairwise(whole):
        assert before.committed_at_ms <= after.committed_at_ms
