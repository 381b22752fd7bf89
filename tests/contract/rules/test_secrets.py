"""Nobody sees what their seat may not know: every byte the service sends is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from tests.fixtures.peek import ANIMALS
from tests.fixtures.rules import Client, Rules, refused
from tests.fixtures.shelf import also_on_the_shelf

RULES = "/oddsocks.rules.v1.RulesService/"


@pytest.fixture(autouse=True)
def peek_on_the_shelf() -> Iterator[None]:
    """A game with secrets, until the real ones are there."""
    with also_on_the_shelf("peek", "tests.fixtures.peek"):
        yield


async def new_peek(rules: Rules, *players: str, host: str = "") -> str:
    request = internal_pb2.CreateMatchRequest(request_id="1", game="peek", host_player_id=host)
    for place, who in enumerate(players):
        seat = request.seats.add(seat=place)
        if who.startswith("ai:"):
            seat.agent = who.removeprefix("ai:")
        else:
            seat.player_id = who
    made = await rules.service("matchmaking").call("CreateMatch", request)
    return str(made.match_id)


async def everything(client: Client, match_id: str) -> bytes:
    """All bytes that the methods of the public service send for a match; streams to their end."""

    async def call(method: str, request: Message) -> bytes:
        stub: Any = client.channel.unary_unary(f"{RULES}{method}")
        answer: bytes = await stub(request.SerializeToString(), metadata=client.metadata)
        return answer

    seat = (await client.match(match_id)).views[0].seat
    told = [
        await call("GetMatch", rules_pb2.GetMatchRequest(match_id=match_id)),
        await call("ListEvents", rules_pb2.ListEventsRequest(match_id=match_id)),
    ]
    for revision in range(3):
        ply = rules_pb2.GetPlyRequest(match_id=match_id, revision=revision)
        told.append(await call("GetPly", ply))
    if seat >= 0:
        request = rules_pb2.ListLegalActionsRequest(match_id=match_id, seat=seat)
        told.append(await call("ListLegalActions", request))
    watch = rules_pb2.WatchMatchRequest(match_id=match_id)
    method: Any = client.channel.unary_stream(f"{RULES}WatchMatch")
    stream = method(watch.SerializeToString(), metadata=client.metadata)
    told += [await stream.read() for _ in range(3)]  # two events and the match
    stream.cancel()
    return b"\n".join(told)


def dealt(events: list[play_pb2.Event], seat: int) -> str:
    """The animal that a seat was dealt, as one sees it who may."""
    return events[seat].action.text.removeprefix("deal:")


@pytest.mark.field(3)
async def test_no_byte_tells_a_seat_what_only_the_other_may_know(rules: Rules) -> None:
    match_id = await new_peek(rules, "anna", "ben", host="carla")
    anna, ben = rules.player("anna"), rules.player("ben")
    mine = dealt(await anna.events(match_id), 0)
    theirs = dealt(await ben.events(match_id), 1)
    assert {mine, theirs} <= set(ANIMALS)
    seen_by_anna = await everything(anna, match_id)
    assert f"deal:{mine}".encode() in seen_by_anna
    assert seen_by_anna.count(b"deal:") == seen_by_anna.count(f"deal:{mine}".encode()) == 2
    # Ben's legal actions are empty, so no animal but his own may be named at all.
    seen_by_ben = await everything(ben, match_id)
    for animal in ANIMALS:
        assert (animal.encode() in seen_by_ben) == (animal == theirs)
    with refused("MATCH_NOT_FOUND"):
        await rules.player("dora").match(match_id)


@pytest.mark.field(3)
async def test_who_watches_sees_what_is_public(rules: Rules) -> None:
    match_id = await new_peek(rules, "ai:one", "ai:two", host="carla")
    seen = await everything(rules.player("carla"), match_id)
    assert not [animal for animal in ANIMALS if animal.encode() in seen]


@pytest.mark.field(3)
async def test_two_seats_on_one_device_see_both(sqlite_rules: Rules) -> None:
    match_id = await new_peek(sqlite_rules, "anna", "anna")
    anna = sqlite_rules.player("anna")
    events = await anna.events(match_id)
    match = await anna.match(match_id)
    for seat in (0, 1):
        assert match.views[seat].observation.text.endswith(f"| {dealt(events, seat)};")
    # Asked for as one seat, it is one seat's view.
    request = rules_pb2.ListEventsRequest(match_id=match_id, seats=[1])
    one = (await anna.call("ListEvents", request)).events
    assert [event.HasField("action") for event in one] == [False, True]


@pytest.mark.field(3)
async def test_a_refusal_shows_the_position_as_the_seat_sees_it(sqlite_rules: Rules) -> None:
    match_id = await new_peek(sqlite_rules, "anna", "ben")
    anna, ben = sqlite_rules.player("anna"), sqlite_rules.player("ben")
    mine = dealt(await anna.events(match_id), 0)
    theirs = dealt(await ben.events(match_id), 1)
    wrong = next(animal for animal in ANIMALS if animal not in (mine, theirs))
    with refused("ILLEGAL_ACTION") as details:
        await anna.submit(match_id, 0, "1", 2, f"deal:{wrong}")
    assert details["position"] == f"peek/1 2 | {mine};"
    assert mine == theirs or theirs not in str(details)
    with refused("NOT_YOUR_TURN") as details:
        await ben.submit(match_id, 1, "1", 2, f"name:{wrong}")
    assert not {mine, theirs} & set(str(details).replace(":", " ").split())


@pytest.mark.field(3)
async def test_an_agent_is_given_its_seats_information_only(sqlite_rules: Rules) -> None:
    match_id = await new_peek(sqlite_rules, "ai:one", "ben")
    ai = sqlite_rules.service("ai")
    theirs = dealt(await sqlite_rules.player("ben").events(match_id), 1)
    mine = dealt(await ai.events(match_id), 0)
    request = internal_pb2.GetInformationStateRequest(match_id=match_id, seat=0, revision=2)
    known = await ai.call("GetInformationState", request)
    assert known.information == f"peek/1 2 | {mine};"
    assert mine == theirs or theirs.encode() not in known.SerializeToString()
