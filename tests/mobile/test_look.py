"""Who may look at a device that several people share."""

from __future__ import annotations

from app.model.look import Holder, Holding, look_of
from app.model.values import Match, MatchStatus, Occupant, Outcome, SeatView, UnknownView

NAMES = ("Ada", "Mia", "Hilda")


def match(actor: int | None, here: tuple[int, ...] = (0, 1)) -> Match:
    """A match of three seats of which `here` are on this device."""
    return Match(
        match_id="m",
        game="sock_monsters",
        seats=tuple(Occupant(display_name=name) for name in NAMES),
        revision=4,
        status=MatchStatus.FINISHED if actor is None else MatchStatus.RUNNING,
        actor=actor,
        views=tuple(SeatView(seat, UnknownView(), ()) for seat in here),
        outcome=Outcome("pairs", (0,), (1, 0, 0)) if actor is None else None,
    )


def test_a_look_holds_one_view_alone() -> None:
    look = look_of(match(1), 1, NAMES)
    assert [view.seat for view in look.match.views] == [1]
    assert look.seats == (0, 1)


def test_the_only_person_of_a_device_is_never_asked() -> None:
    holder = Holder(secret=True)
    assert holder.take(match(2, (1,))) == Holding(1)
    assert holder.take(match(1, (1,))) == Holding(1)


def test_where_nothing_is_secret_the_view_goes_to_whoever_is_to_act() -> None:
    holder = Holder(secret=False)
    assert holder.take(match(2)) == Holding(0)
    assert holder.take(match(1)) == Holding(1)
    assert holder.take(match(2)) == Holding(1)
    assert holder.take(match(0)) == Holding(0)


def test_secrets_are_shown_to_nobody_before_the_right_person_is_there() -> None:
    holder = Holder(secret=True)
    assert holder.take(match(2)) == Holding(None)
    assert holder.take(match(1)) == Holding(None, hand_to=1)
    assert holder.take(match(1)) == Holding(None, hand_to=1)
    holder.handed_to(1)
    assert holder.take(match(1)) == Holding(1)


def test_whoever_acted_sees_how_it_ended_before_handing_over() -> None:
    holder = Holder(secret=True)
    holder.handed_to(1)
    assert holder.take(match(2)) == Holding(1)
    assert holder.take(match(0)) == Holding(1, hand_to=0)
    holder.handed_to(0)
    assert holder.take(match(0)) == Holding(0)


def test_after_a_pause_the_device_may_be_in_other_hands() -> None:
    holder = Holder(secret=True)
    holder.handed_to(1)
    holder.let_go()
    assert holder.take(match(1)) == Holding(None, hand_to=1)


def test_the_end_hides_nothing_any_more() -> None:
    assert Holder(secret=True).take(match(None)) == Holding(0)
    holder = Holder(secret=True)
    holder.handed_to(1)
    assert holder.take(match(None)) == Holding(1)


def test_a_device_without_a_seat_shows_nobodys_view() -> None:
    assert Holder(secret=True).take(match(1, ())) == Holding(None)
