"""What is told outside the app: one reminder a match, gone once it is seen or waits no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from app.i18n import LANGUAGES, use_language
from app.model.calls import Calls
from app.model.reminders import Reminders, is_quiet
from app.model.terms import USUAL, Pace
from app.model.values import MatchStatus, MyMatch, Occupant, Table, TableStatus
from tests.mobile.platforms import FakeNotes, FakePush
from tests.mobile.ui import session_on

NOON = datetime(2026, 11, 30, 12, 0)
STRANGER = "Zebediah"


def match(name: str, *, mine: bool, status: MatchStatus = MatchStatus.RUNNING) -> MyMatch:
    """How a match stands: whether it waits for this player."""
    seats = (Occupant("p-me", "", "Ada"), Occupant("p-x", "", STRANGER))
    terms = replace(USUAL, pace=Pace.DAYS)
    table = Table(f"t-{name}", "", "socker", seats, TableStatus.STARTED, name, 0, terms=terms)
    return MyMatch(table, (0,), 4, status, 0 if mine else 1, None)


class Device:
    """Reminders of a device whose owner wants them."""

    def __init__(self, folder: Path, *, wanted: bool = True, able: bool = True) -> None:
        self.session = session_on(folder)
        self.session.settings.change(tell_turns=wanted)
        self.notes = FakeNotes(able=able)
        self.now = NOON
        calls = Calls(self.session, FakePush(able=able), self.notes)
        self.reminders = Reminders(calls, lambda: self.now)

    def look(self, *matches: MyMatch, away: bool = True) -> list[str]:
        """Let the matches stand so; the matches that are told of."""
        self.reminders.look(matches, away=away)
        return sorted(self.notes.shown)


def test_a_turn_that_comes_while_away_is_told_once(tmp_path: Path) -> None:
    device = Device(tmp_path)
    assert device.look(match("a", mine=False), match("b", mine=False), away=False) == []
    assert device.look(match("a", mine=True), match("b", mine=False)) == ["a"]
    assert device.look(match("a", mine=True), match("b", mine=True)) == ["a", "b"]
    assert device.look(match("a", mine=True), match("b", mine=True)) == ["a", "b"]
    assert device.notes.count == 2


def test_what_waited_before_one_looked_away_is_not_told(tmp_path: Path) -> None:
    device = Device(tmp_path)
    device.look(match("a", mine=True), away=False)
    assert device.look(match("a", mine=True)) == []


@pytest.mark.parametrize("after", [{"mine": False}, {"mine": True, "status": MatchStatus.FINISHED}])
def test_it_goes_when_the_match_waits_no_more_and_comes_again(
    tmp_path: Path, after: dict[str, object]
) -> None:
    device = Device(tmp_path)
    device.look(match("a", mine=True))
    assert device.look(match("a", **after)) == []  # type: ignore[arg-type]  # the cases above
    assert device.look(match("a", mine=True)) == ["a"]


def test_it_goes_when_the_match_is_seen(tmp_path: Path) -> None:
    device = Device(tmp_path)
    device.look(match("a", mine=True), match("b", mine=True))
    device.reminders.seen("a")
    assert device.look() == ["b"]
    device.reminders.seen("of another start, told by the server")
    assert device.notes.cleared[-1] == "of another start, told by the server"


def test_who_does_not_want_it_or_can_not_have_it_is_told_nothing(tmp_path: Path) -> None:
    assert Device(tmp_path / "no", wanted=False).look(match("a", mine=True)) == []
    assert Device(tmp_path / "never", able=False).look(match("a", mine=True)) == []


@pytest.mark.parametrize(
    ("hour", "minute", "quiet"),
    [(6, 59, True), (7, 0, False), (19, 59, False), (20, 0, True), (0, 0, True)],
)
def test_at_night_it_is_quiet(tmp_path: Path, hour: int, minute: int, quiet: bool) -> None:
    device = Device(tmp_path)
    device.now = NOON.replace(hour=hour, minute=minute)
    assert is_quiet(device.now) is quiet
    assert device.look(match("a", mine=True)) == ([] if quiet else ["a"])


def test_it_names_the_game_and_nobody_in_every_language(tmp_path: Path) -> None:
    said = set()
    for language in LANGUAGES:
        use_language(language)
        device = Device(tmp_path / language)
        device.look(match("a", mine=True))
        title, text = device.notes.shown["a"]
        assert title
        assert STRANGER not in title + text
        said.add(title)
    assert len(said) == len(LANGUAGES)


def test_somebody_else_on_the_device_finds_nothing_of_it(tmp_path: Path) -> None:
    device = Device(tmp_path)
    device.look(match("a", mine=True))
    device.reminders.forget()
    assert device.notes.shown == {}
    assert device.look(match("a", mine=True)) == ["a"], "if it is theirs as well"
