"""What a match is beside its game: written, read back, and worked out from its history."""

from __future__ import annotations

import pytest

from services.rules.life import ALL_THERE, Ask, EventKind, Life, SeatState, dump_life, load_life
from services.rules.match import MatchEvent
from services.rules.wishes import standing

LIVES = (
    ALL_THERE,
    Life(states=(SeatState.PRESENT, SeatState.GIVEN_UP, SeatState.RETURNING)),
    Life(ask=Ask(EventKind.ASK_TAKEBACK, 7, (1, 0), 3), asked=(1,), undoable=(4, 6)),
    Life(ask=Ask(EventKind.OFFER_END, 2, (0,)), states=(SeatState.SITTER, SeatState.PRESENT)),
)


@pytest.mark.parametrize("life", LIVES)
def test_a_life_is_read_back_as_it_was_written(life: Life) -> None:
    assert load_life(dump_life(life)) == life


def test_what_is_as_ever_takes_no_space() -> None:
    """So matches from before, which have nothing there, are read as well."""
    assert dump_life(ALL_THERE) == "{}"


def event(revision: int, kind: EventKind = EventKind.ACTION, to: int | None = None) -> MatchEvent:
    return MatchEvent(revision, 0, "", 0, kind=kind, to_revision=to)


@pytest.mark.parametrize(
    ("told", "stands"),
    [
        ("0 1 2", "0 1 2"),
        ("0 1 u1", "0"),
        ("0 1 u1 3", "0 3"),
        ("0 1 u1 u0", ""),
        ("0 1 u1 3 4 t3", "0"),
        ("0 1 2 t1 4 u4 6", "0 6"),
        ("0 1 t0 3 4 t0 6", "6"),
    ],
)
def test_what_was_undone_or_taken_back_does_not_stand(told: str, stands: str) -> None:
    """`u1`: undone, back to revision 1; `t1`: taken back."""
    kinds = {"u": EventKind.UNDO, "t": EventKind.TAKEBACK}
    history = [
        event(at, kinds[word[0]], int(word[1:])) if word[0] in kinds else event(at)
        for at, word in enumerate(told.split())
    ]
    assert [action.revision for action in standing(history)] == [int(w) for w in stands.split()]
