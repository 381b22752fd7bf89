"""Messages and values: what goes out comes back, and what can't be read is named."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.matchmaking import convert
from services.matchmaking.model import Computer, Free, Pace, Person, Position, Status, Table

ANNA = Person("anna", "Anna")


@given(st.integers(0, 10**15 - 1), st.text("0123456789abcdef", min_size=32, max_size=32))
def test_page_tokens_come_back(opened_at_ms: int, table_id: str) -> None:
    position = Position(opened_at_ms, table_id)
    request = pb.ListMyMatchesRequest(page_size=7, page_token=convert.page_token(position))
    assert convert.page_from_message(request) == (7, position)


@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda b: base64.b64encode(b).decode()))
def test_other_page_tokens_are_refused(token: str) -> None:
    request = pb.ListMyMatchesRequest(page_token=token)
    if token == "":
        assert convert.page_from_message(request) == (50, None)
        return
    with pytest.raises(RefusedError) as caught:
        convert.page_from_message(request)
    assert caught.value.reason == ErrorReason.ERROR_REASON_INVALID_PAGE_TOKEN


def test_a_wish_is_read_seat_by_seat() -> None:
    request = pb.OpenTableRequest(
        game="socker",
        options=play_pb2.Options(values={"goals": play_pb2.OptionValue(number=2)}),
        seats=[
            pb.SeatRequest(self=pb.Self()),
            pb.SeatRequest(self=pb.Self(display_name=" Emil ")),
            pb.SeatRequest(agent="random"),
            pb.SeatRequest(open=pb.Open()),
        ],
    )
    wish = convert.wish_from_message(request, ANNA)
    assert wish.seats == (ANNA, Person("anna", "Emil"), Computer("random"), Free())
    assert (wish.game, dict(wish.options), wish.pace) == ("socker", {"goals": 2}, Pace.LIVE)


def test_a_free_seat_says_nothing_of_whom_it_is_kept_for() -> None:
    table = Table(
        table_id="t",
        host_id="anna",
        game="socker",
        options={"rain": True, "goals": 1, "field": "sand"},
        seats=(ANNA, Free(Person("ben", "Ben"))),
        pace=Pace.DAYS,
        opened_at_ms=5,
        status=Status.OPEN,
        code="CCCCCC",
        rematch_of="m",
    )
    message = convert.table_to_message(table)
    assert message.seats[1] == pb.TableSeat(seat=1)
    assert "ben" not in str(message).lower()
    assert message.options.values["rain"] == play_pb2.OptionValue(flag=True)
    assert message.options.values["goals"] == play_pb2.OptionValue(number=1)
    assert (message.status, message.pace) == (pb.TABLE_STATUS_OPEN, play_pb2.PACE_DAYS)


def test_every_status_and_pace_has_its_message() -> None:
    for values, prefix, enum in (
        (Status, "TABLE_STATUS_", pb.TableStatus),
        (Pace, "PACE_", play_pb2.Pace),
    ):
        names = {f"{prefix}{value.name}" for value in values}
        assert names == set(enum.keys()) - {f"{prefix}UNSPECIFIED"}
