"""Tables from opened to started, and the seats of a rematch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.matchmaking import pairing
from services.matchmaking.model import Computer, Free, Occupant, Pace, Person, Status, Table

ANNA, BEN, CARL = (Person(name.lower(), name) for name in ("Anna", "Ben", "Carl"))
EMIL = Person("anna", "Emil")  # on Anna's device
BOT = Computer("random")


def table(*seats: Occupant, host: Person = ANNA, rematch_of: str = "") -> Table:
    return Table(
        table_id="t",
        host_id=host.player_id,
        game="socker",
        options={},
        seats=seats,
        pace=Pace.LIVE,
        opened_at_ms=0,
        status=pairing.status_for(seats),
        rematch_of=rematch_of,
    )


def test_a_table_is_open_while_a_seat_is_free() -> None:
    assert table(ANNA, Free()).status is Status.OPEN
    assert table(ANNA, Free(BEN)).status is Status.OPEN
    assert table(ANNA, BOT).status is Status.STARTING
    assert table(BOT, BOT).status is Status.STARTING


def test_who_joins_sits_on_the_first_free_seat_and_the_last_one_starts() -> None:
    before = table(ANNA, Free(), BOT, Free())
    one = pairing.join(before, BEN)
    assert one.seats == (ANNA, BEN, BOT, Free())
    assert one.status is Status.OPEN
    two = pairing.join(one, CARL)
    assert two.seats == (ANNA, BEN, BOT, CARL)
    assert two.status is Status.STARTING
    assert before.seats == (ANNA, Free(), BOT, Free())


def test_who_sits_there_already_does_not_sit_down_twice() -> None:
    for there in (table(ANNA, Free()), pairing.started(table(ANNA, BEN), "m")):
        assert pairing.join(there, ANNA) == there


def test_seats_that_are_kept_go_to_whom_they_are_kept_for() -> None:
    kept = table(BEN, Free(ANNA), Free(EMIL), Free(CARL), host=BEN, rematch_of="m")
    family = pairing.join(kept, Person("anna", "Anna today"))
    assert family.seats == (BEN, ANNA, EMIL, Free(CARL))
    with pytest.raises(RefusedError) as caught:
        pairing.join(family, Person("dora", "Dora"))
    assert caught.value.reason == ErrorReason.ERROR_REASON_TABLE_FULL
    assert pairing.join(family, CARL).status is Status.STARTING


@pytest.mark.parametrize(
    ("there", "reason"),
    [
        (table(ANNA, BOT), ErrorReason.ERROR_REASON_TABLE_FULL),
        (pairing.started(table(ANNA, BOT), "m"), ErrorReason.ERROR_REASON_TABLE_FULL),
        (pairing.closed(table(ANNA, Free())), ErrorReason.ERROR_REASON_TABLE_CLOSED),
    ],
)
def test_joining_what_takes_nobody_is_refused(there: Table, reason: ErrorReason.ValueType) -> None:
    with pytest.raises(RefusedError) as caught:
        pairing.join(there, BEN)
    assert caught.value.reason == reason


def test_leaving_frees_the_seat_and_keeps_it_in_a_rematch() -> None:
    assert pairing.leave(table(ANNA, BEN, Free()), "ben").seats == (ANNA, Free(), Free())
    rematch = table(ANNA, BEN, Free(CARL), rematch_of="m")
    assert pairing.leave(rematch, "ben").seats == (ANNA, Free(BEN), Free(CARL))


def test_the_host_leaving_closes_and_leaving_again_changes_nothing() -> None:
    closed = pairing.leave(table(ANNA, BEN, Free()), "anna")
    assert closed.status is Status.CLOSED
    assert pairing.leave(closed, "anna") == closed
    assert pairing.leave(closed, "ben") == closed


@pytest.mark.parametrize("there", [table(ANNA, BEN), pairing.started(table(ANNA, BEN), "m")])
def test_a_match_that_has_begun_cannot_be_left(there: Table) -> None:
    with pytest.raises(RefusedError) as caught:
        pairing.leave(there, "ben")
    assert caught.value.reason == ErrorReason.ERROR_REASON_TABLE_FULL


def test_a_table_concerns_its_host_and_who_sits_there_only() -> None:
    there = table(BEN, EMIL, Free(CARL), host=Person("dora", "Dora"))
    concerned = [p for p in ("anna", "ben", "carl", "dora", "eve") if there.concerns(p)]
    assert concerned == ["anna", "ben", "dora"]
    assert there.seats_of("anna") == [1]


def test_in_a_rematch_the_second_sits_first_and_the_others_seats_are_kept() -> None:
    seats = (ANNA, BEN, BOT, EMIL)
    assert pairing.rematch_seats(seats, "anna") == (Free(BEN), BOT, EMIL, ANNA)
    assert pairing.rematch_seats(seats, "ben") == (BEN, BOT, Free(EMIL), Free(ANNA))
    assert pairing.rematch_seats((BOT, BOT), "anna") == (BOT, BOT)


people = st.sampled_from([ANNA, BEN, CARL, EMIL, BOT])


@given(st.lists(people, min_size=2, max_size=6), st.data())
def test_however_they_come_a_rematch_seats_everybody_one_further(
    seats: list[Person | Computer], data: st.DataObject
) -> None:
    players = sorted({who.player_id for who in seats if isinstance(who, Person)})
    order = data.draw(st.permutations(players or ["anna"]))
    now = table(
        *pairing.rematch_seats(tuple(seats), order[0]),
        host=Person(order[0], "host"),
        rematch_of="m",
    )
    for player_id in order[1:]:
        assert now.status is Status.OPEN
        now = pairing.join(now, Person(player_id, "renamed"))
    assert now.status is Status.STARTING
    assert list(now.seats) == [*seats[1:], seats[0]]


@given(
    st.lists(
        st.tuples(st.sampled_from(["join", "leave"]), st.sampled_from([ANNA, BEN, CARL])),
        max_size=12,
    )
)
def test_nobody_is_ever_moved_doubled_or_lost(steps: list[tuple[str, Person]]) -> None:
    now = table(ANNA, Free(), BOT, Free())
    for step, who in steps:
        before = now
        try:
            if step == "join":
                now = pairing.join(now, who)
            elif now.concerns(who.player_id):
                now = pairing.leave(now, who.player_id)
        except RefusedError:
            assert before.status is not Status.OPEN
        assert (now.seats[0], now.seats[2]) == (ANNA, BOT)
        sitting = [seat for seat in now.seats if isinstance(seat, Person)]
        assert len(sitting) == len(set(sitting))
        others = [s for s in before.seats if isinstance(s, Person) and s != who]
        assert all(before.seats.index(o) == now.seats.index(o) for o in others)
        if before.status is not Status.OPEN:
            assert now == before
