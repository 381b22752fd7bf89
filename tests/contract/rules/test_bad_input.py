"""Bad input: a clear status with a reason that names the part at fault, and nothing changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.auth import KeyRing, ServiceTokens
from services.common.clock import system_clock
from services.common.errors import STATUS, error_info
from services.engine.core.registry import ruleset
from tests.fixtures.rules import Rules, make_settings, new_match_request, refused, serving
from tests.fixtures.rules_faults import Faults

SOCKER = ruleset("socker")
LONG = "x" * 10_000
RULES = "/oddsocks.rules.v1.RulesService"


@pytest.mark.parametrize("match_id", ["", "0" * 32, "0" * 31, "x" * 32, LONG, "\0", "é", "../x"])
async def test_an_unknown_match_is_not_found(sqlite_rules: Rules, match_id: str) -> None:
    anna = sqlite_rules.player("anna")
    with refused("MATCH_NOT_FOUND"):
        await anna.match(match_id)
    with refused("MATCH_NOT_FOUND"):
        await anna.submit(match_id, 0, "1", 1, "end")
    with refused("MATCH_NOT_FOUND"):
        await anna.events(match_id)
    with refused("MATCH_NOT_FOUND"):
        await anna.watch(match_id).read()


async def test_permission_comes_before_existence(sqlite_rules: Rules) -> None:
    """A stranger learns nothing, not even that a match is there."""
    match_id = await sqlite_rules.new_match("anna", "ben")
    stranger, told = sqlite_rules.player("carla"), []
    for asked in (match_id, "0" * 32):
        calls: list[Callable[[], Any]] = [
            lambda asked=asked: stranger.match(asked, 0),  # type: ignore[misc] # bound default
            lambda asked=asked: stranger.legal(asked, 0),  # type: ignore[misc] # bound default
            lambda asked=asked: stranger.events(asked),  # type: ignore[misc] # bound default
            lambda asked=asked: stranger.submit(asked, 0, "", -1, LONG),  # type: ignore[misc] # bound default
        ]
        for call in calls:
            with refused("MATCH_NOT_FOUND") as details:
                await call()
            told.append(details["message"])
    assert len(set(told)) == 1


async def test_somebody_elses_seat_is_not_yours(sqlite_rules: Rules) -> None:
    match_id = await sqlite_rules.new_match("anna", "ai:random")
    anna, ai = sqlite_rules.player("anna"), sqlite_rules.service("ai")
    for seat in (1, 2, -1, -2, 2**31 - 1):
        with refused("NOT_YOUR_SEAT"):
            await anna.match(match_id, 0, seat)
        with refused("NOT_YOUR_SEAT"):
            await anna.submit(match_id, seat, "1", 1, "end")
    with refused("NOT_YOUR_SEAT"):
        await ai.submit(match_id, 0, "1", 1, "end")
    information = internal_pb2.GetInformationStateRequest(match_id=match_id, seat=0, revision=1)
    with refused("NOT_YOUR_SEAT"):
        await ai.call("GetInformationState", information)
    for name in ("matchmaking", "somebody"):
        information.seat = 1
        with refused("MATCH_NOT_FOUND"):
            await sqlite_rules.service(name).call("GetInformationState", information)
    assert len(await anna.events(match_id)) == 1


async def test_tokens_have_to_be_ours_current_and_of_the_right_kind(
    sqlite_rules: Rules, tmp_path: Path
) -> None:
    rules = sqlite_rules
    match_id = await rules.new_match("anna", "ben")
    ring = KeyRing.load(rules.keys / "signing.json")
    now = system_clock()
    good = ring.sign("anna", now_ms=now, expires_at_ms=now + 60_000)
    head, body, signature = good.split(".")
    forged = {
        "TOKEN_INVALID": [
            "x",
            "x" * 5_000,
            f"{head}.{body}.",
            f"{head}.{body}.{signature[:-4]}AAAA",
            KeyRing.generate().sign("anna", now_ms=now, expires_at_ms=now + 60_000),
            # The right key id, another key.
            KeyRing(ring.active, dict.fromkeys([ring.active], _foreign_key())).sign(
                "anna", now_ms=now, expires_at_ms=now + 60_000
            ),
            ServiceTokens("ai", "guessed" * 8, system_clock).current(),
            rules.service("ai").token,
        ],
        "TOKEN_EXPIRED": [ring.sign("anna", now_ms=now, expires_at_ms=now - 1)],
    }
    for reason, tokens in forged.items():
        for token in tokens:
            with refused(reason):
                await rules.caller(token).match(match_id)
            with refused(reason):
                await rules.caller(token).watch(match_id).read()
    with refused("TOKEN_MISSING"):
        await rules.player("anna").rules.GetMatch(rules_pb2.GetMatchRequest(match_id=match_id))
    with refused("TOKEN_INVALID"):  # a player's token on the internal listener
        await rules.caller(good, internal=True).match(match_id)


def _foreign_key() -> Any:
    ring = KeyRing.generate()
    return ring.keys[ring.active]


async def test_the_public_listener_has_no_internal_methods(sqlite_rules: Rules) -> None:
    anna = sqlite_rules.player("anna")
    for method in (
        "/oddsocks.rules.v1.RulesInternalService/CreateMatch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        f"{RULES}/Nothing",
    ):
        call: Any = anna.channel.unary_unary(method)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"", metadata=anna.metadata)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\xff\xff\xff", "INVALID_FIELD"),
        (b"\x0a\x02\xff\xfe", "INVALID_FIELD"),  # a string that is not UTF-8
        (b"\x0a" + b"\xff" * 9, "INVALID_FIELD"),
        (b"x" * 300_000, "TOO_LARGE"),
    ],
)
async def test_bytes_that_are_no_message_are_refused(
    sqlite_rules: Rules, body: bytes, reason: str
) -> None:
    anna = sqlite_rules.player("anna")
    for method in ("GetMatch", "SubmitAction"):
        unary: Any = anna.channel.unary_unary(f"{RULES}/{method}")
        with refused(reason):
            await unary(body, metadata=anna.metadata)
    stream: Any = anna.channel.unary_stream(f"{RULES}/WatchMatch")
    with refused(reason):
        await stream(body, metadata=anna.metadata).read()


@pytest.mark.parametrize(
    ("field", "value", "reason", "named"),
    [
        ("request_id", "", "INVALID_FIELD", "request_id"),
        ("request_id", "x" * 101, "INVALID_FIELD", "request_id"),
        ("request_id", "a\0b", "INVALID_FIELD", "request_id"),
        ("expected_revision", -1, "INVALID_FIELD", "expected_revision"),
        ("expected_revision", 2**63 - 1, "STALE_REVISION", ""),
        ("origin", "search", "INVALID_FIELD", "origin"),
        ("origin", LONG, "INVALID_FIELD", "origin"),
        ("text", "", "INVALID_NOTATION", ""),
        ("text", LONG, "INVALID_NOTATION", ""),
        ("text", "e4-e5\0", "INVALID_NOTATION", ""),
        ("text", "z9-z10", "INVALID_NOTATION", ""),
        ("text", "e6-e7", "ILLEGAL_ACTION", ""),
        ("text", "toss:north", "ILLEGAL_ACTION", ""),
        ("text", "end", "ILLEGAL_ACTION", ""),
    ],
)
async def test_a_bad_action_changes_nothing(
    sqlite_rules: Rules, field: str, value: Any, reason: str, named: str
) -> None:
    match_id = await sqlite_rules.new_match("anna", "anna")
    anna = sqlite_rules.player("anna")
    before = await anna.match(match_id)
    request = rules_pb2.SubmitActionRequest(
        match_id=match_id, seat=before.actor, request_id="1", expected_revision=before.revision
    )
    request.action.text = "@e3" if before.actor == 0 else "@e9"
    good = copy.deepcopy(request)
    if field == "text":
        request.action.text = value
    else:
        setattr(request, field, value)
    with refused(reason) as details:
        await anna.call("SubmitAction", request)
    assert details.get("field", "") == named
    if reason == "ILLEGAL_ACTION":
        assert details["action"] == value
        assert SOCKER.parse_observation(details["position"]), "what the seat sees"
    assert await anna.match(match_id) == before
    await anna.call("SubmitAction", good)


@pytest.mark.field(28)
async def test_what_is_newer_than_this_server_is_refused_by_name(sqlite_rules: Rules) -> None:
    rules = sqlite_rules
    match_id = await rules.new_match("anna", "anna")
    anna = rules.player("anna")
    seat = (await anna.match(match_id)).actor
    request = rules_pb2.SubmitActionRequest(
        match_id=match_id, seat=seat, request_id="1", expected_revision=1
    )
    # Field 14 of Action: the arm of a game that this server does not know.
    request.action.MergeFromString(b"\x72\x02\x08\x01")
    with refused("INVALID_FIELD") as details:
        await anna.call("SubmitAction", request)
    assert details["field"] == "action"
    # Field 9 of SockerAction: an action that this server does not know.
    request.action.Clear()
    request.action.socker.MergeFromString(b"\x4a\x02\x08\x01")
    with refused("INVALID_FIELD") as details:
        await anna.call("SubmitAction", request)
    assert details["field"] == "action.socker"
    request.action.socker.toss.winner = 99  # type: ignore[assignment] # that is the point
    with refused("INVALID_FIELD") as details:
        await anna.call("SubmitAction", request)
    assert details["field"] == "action.socker"
    new = new_match_request("newer", "anna", "ben")
    new.pace = 99  # type: ignore[assignment] # that is the point
    with refused("INVALID_FIELD") as details:
        await rules.service("matchmaking").call("CreateMatch", new)
    assert details["field"] == "pace"
    assert len(await anna.events(match_id)) == 1


def _change(**fields: Any) -> Callable[[internal_pb2.CreateMatchRequest], None]:
    def change(request: internal_pb2.CreateMatchRequest) -> None:
        for name, value in fields.items():
            setattr(request, name, value)

    return change


def _option(name: str, value: play_pb2.OptionValue) -> Callable[[Any], None]:
    return lambda request: request.options.values[name].CopyFrom(value)


Value = play_pb2.OptionValue


@pytest.mark.parametrize(
    ("change", "reason", "named"),
    [
        (_change(request_id=""), "INVALID_FIELD", "request_id"),
        (_change(request_id=LONG), "INVALID_FIELD", "request_id"),
        (_change(game=""), "GAME_NOT_FOUND", ""),
        (_change(game=LONG), "GAME_NOT_FOUND", ""),
        (_change(host_player_id=LONG), "INVALID_FIELD", "host_player_id"),
        (_option("goals_to_win", Value(number=0)), "INVALID_OPTION", "goals_to_win"),
        (_option("goals_to_win", Value(number=2**60)), "INVALID_OPTION", "goals_to_win"),
        (_option("goals_to_win", Value(flag=True)), "INVALID_OPTION", "goals_to_win"),
        (_option("goals_to_win", Value(choice="3")), "INVALID_OPTION", "goals_to_win"),
        (_option("goals_to_win", Value()), "INVALID_OPTION", "goals_to_win"),
        (_option("gaols", Value(number=1)), "INVALID_OPTION", "gaols"),
        (_option("turn_limit", Value(number=300)), "INVALID_OPTION", "turn_limit"),
        (lambda r: r.seats.pop(), "INVALID_FIELD", "seats"),
        (lambda r: r.seats.add(seat=2, player_id="c"), "INVALID_FIELD", "seats"),
        (lambda r: setattr(r.seats[1], "seat", 0), "INVALID_FIELD", "seats[1].seat"),
        (lambda r: r.seats[1].ClearField("occupant"), "INVALID_FIELD", "seats[1].occupant"),
        (lambda r: setattr(r.seats[0], "player_id", ""), "INVALID_FIELD", "seats[0].player_id"),
        (lambda r: setattr(r.seats[0], "agent", LONG), "INVALID_FIELD", "seats[0].agent"),
        (
            lambda r: setattr(r.seats[0], "display_name", LONG),
            "INVALID_FIELD",
            "seats[0].display_name",
        ),
        (
            lambda r: setattr(r.seats[0], "display_name", "a\0b"),
            "INVALID_FIELD",
            "seats[0].display_name",
        ),
    ],
)
async def test_a_bad_match_is_not_made(
    sqlite_rules: Rules, change: Callable[[Any], None], reason: str, named: str
) -> None:
    service = sqlite_rules.service("matchmaking")
    request = new_match_request("once", "ai:random", "ai:random")
    good = copy.deepcopy(request)
    change(request)
    with refused(reason) as details:
        await service.call("CreateMatch", request)
    assert details.get("field", details.get("option", "")) == named
    waiting = await service.call("ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest())
    assert not waiting.seats
    await service.call("CreateMatch", good)


async def test_lists_refuse_sizes_and_cursors_out_of_range(sqlite_rules: Rules) -> None:
    service = sqlite_rules.service("ai")
    match_id = await sqlite_rules.new_match("anna", "ben")
    for size in (-1, 501, 2**31 - 1):
        for method, request in (
            ("ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest(page_size=size)),
            ("ListFinishedMatches", internal_pb2.ListFinishedMatchesRequest(page_size=size)),
        ):
            with refused("INVALID_FIELD") as details:
                await service.call(method, request)
            assert details["field"] == "page_size"
        with refused("INVALID_FIELD"):
            await sqlite_rules.player("anna").events(match_id, size)
    with refused("INVALID_FIELD") as details:
        request = internal_pb2.ListFinishedMatchesRequest(cursor=-1)
        await service.call("ListFinishedMatches", request)
    assert details["field"] == "cursor"
    with refused("INVALID_PAGE_TOKEN"):
        await service.call(
            "ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest(page_token="1,2")
        )
    with refused("INVALID_FIELD") as details:
        await service.call(
            "ListMatchSummaries", internal_pb2.ListMatchSummariesRequest(match_ids=["x"] * 201)
        )
    assert details["field"] == "match_ids"


@pytest.mark.field(29)
async def test_a_fault_of_ours_tells_an_id_and_nothing_else(tmp_path: Path) -> None:
    faults = Faults()
    settings = make_settings(tmp_path / "keys", f"sqlite:///{tmp_path}/rules.db")
    async with serving(settings, wrap=faults.wrap) as (rules, _):
        match_id = await rules.new_match("anna", "anna")
        anna = rules.player("anna")
        seat = (await anna.match(match_id)).actor
        text = "@e3" if seat == 0 else "@e9"
        faults.raises = ValueError("ben holds the red striped sock")
        with capture_logs() as logs, pytest.raises(grpc.aio.AioRpcError) as caught:
            await anna.submit(match_id, seat, "1", 1, text)
        error = caught.value
        assert error.code() is grpc.StatusCode.INTERNAL
        told = repr((error.details(), error.trailing_metadata(), error.debug_error_string()))
        assert "striped" not in told
        info = error_info(error)
        assert info is not None
        assert info.metadata["error_id"] in str(logs)
        assert "ValueError" in str(logs)
        assert "striped" not in str(logs), "neither does the log"
        faults.raises = None
        assert (await anna.submit(match_id, seat, "1", 1, text)).revision == 2


def test_every_reason_has_a_status() -> None:
    assert set(ErrorReason.values()) - {0} == set(STATUS)
