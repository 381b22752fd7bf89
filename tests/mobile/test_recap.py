"""While you were away: what happened is told before the present, from one's own seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.boards.motion import style
from app.model.gateway import Offline
from app.model.recap import MOST, missed_of
from app.model.settings import Speed
from app.model.shown import MOST_MATCHES, Shown
from app.model.store import Store
from app.model.values import Match, Occupant
from app.net.fake import ME, FakeGateway
from tests.mobile.positions import SEATS, TURN
from tests.mobile.test_sock_monsters_touch import position as house
from tests.mobile.ui import Hands, playing, tap

ADA, BEN = SEATS
HOUSE = house(
    "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r b | pairs - - | "
    "lairs - - - - | turn 2 1 0 | shown - | phase pawn"
)
CARDS = "hide_and_seek/1 2 types=3 | Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc | piles - - | turns 6 | idle 0"

AWAY: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "socker": (TURN.replace("south:1/3", "north:0/3"), {}, ("f7-f6", "f6-f5")),
    "sock_monsters": (" ".join(HOUSE.split()), {}, ("pawn:d5", "lift")),
    "hide_and_seek": (f"{CARDS} | first 1", {"types": 3}, ("flip:a2", "flip:c2")),
}
"""By game: where one left, the options, and what the other one did since."""


async def left(hands: Hands, game: str) -> tuple[str, list[str]]:
    """A match that was left while the other one acts; its id, and how it stood then and since."""
    text, options, acts = AWAY[game]
    match_id = hands.gateway.start(game, SEATS, options, text)
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    await hands.until(lambda: shown(hands) == hands.position(match_id) and hands.part.resting)
    hands.app.navigator.home()
    stood = [hands.position(match_id)]
    for act in acts:
        hands.gateway.play_as(match_id, act)
        stood.append(hands.position(match_id))
    return match_id, stood


def shown(hands: Hands) -> str:
    """The position on the board."""
    return str(hands.part.ids.board.hand.view.position)


@pytest.mark.parametrize("game", AWAY)
async def test_what_happened_meanwhile_is_told_and_then_the_present(
    tmp_path: Path, game: str
) -> None:
    async with playing(tmp_path) as hands:
        match_id, stood = await left(hands, game)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.recap.shown)
        told: list[str] = []
        board = hands.part.ids.board
        board.bind(on_shown=lambda _, hand: told.append(hand.view.position))
        assert board.hand.legal == ()
        await hands.until(lambda: not hands.screen.ids.recap.shown)
        await hands.until(lambda: shown(hands) == hands.position(match_id))
        # After each event (and what chance did at once) the board stood as the match did then.
        seen = list(dict.fromkeys(told))
        assert [position for position in seen if position in stood[1:]] == stood[1:]
        assert seen[-1] == stood[-1]


@pytest.mark.parametrize("game", AWAY)
async def test_a_touch_jumps_to_the_present_and_does_nothing_else(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(tmp_path) as hands:
        match_id, stood = await left(hands, game)
        monkeypatch.setattr(style, "pace", 1000.0)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.recap.shown)
        count = len(hands.gateway.matches[match_id].events)
        board = hands.part.ids.board
        tap(*board.to_window(*board.center))
        assert not hands.screen.ids.recap.shown
        await hands.until(lambda: hands.part.resting and shown(hands) == stood[-1])
        assert len(hands.gateway.matches[match_id].events) == count
        # What has been told is not told again.
        hands.app.navigator.home()
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and shown(hands) == stood[-1])
        assert not hands.screen.ids.recap.shown


async def test_what_happens_during_the_story_is_shown_after_it(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id, _ = await left(hands, "socker")
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.recap.shown)
        hands.gateway.play_as(match_id, "f5-f4")
        await hands.until(lambda: not hands.screen.ids.recap.shown)
        await hands.until(lambda: shown(hands) == hands.position(match_id))


class Mute(FakeGateway):
    """Has forgotten how matches stood."""

    async def get_ply(self, match_id: str, revision: int) -> Match:
        raise Offline(f"{match_id} at {revision}")


async def test_a_story_that_nobody_tells_keeps_no_one_from_the_match(tmp_path: Path) -> None:
    async with playing(tmp_path, Mute(agents_play=False)) as hands:
        match_id, stood = await left(hands, "socker")
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and shown(hands) == stood[-1])
        assert not hands.screen.ids.recap.shown


async def test_around_one_device_secrets_are_not_told_before_it_is_in_the_right_hands(
    tmp_path: Path,
) -> None:
    seats = (ADA, Occupant(player_id=ME.player_id, display_name="Mia"), BEN)
    text = house(
        "monsters b1 b2 f6 a6 | pawns a3 d4 e5 | tokens cwdb cwdb cwdb | socks r b - | "
        "pairs - - - | lairs - - - - | turn 2 2 0 | shown - | phase pawn",
        seats=3,
    )
    async with playing(tmp_path) as hands:
        match_id = hands.gateway.start("sock_monsters", seats, {}, " ".join(text.split()))
        revision = hands.gateway.matches[match_id].revision
        hands.app.session.shown.note(match_id, revision)
        hands.gateway.play_as(match_id, "pawn:e4")
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.curtain.closed)
        assert not hands.screen.ids.recap.shown


async def test_the_story_is_what_the_seats_saw_and_no_longer_than_one_sits_through() -> None:
    gateway = FakeGateway(3, agents_play=False)
    match_id = gateway.start("hide_and_seek", SEATS, {})
    match = gateway.matches[match_id]
    begun = match.revision
    while match.revision < begun + MOST + 5:
        legal = match.rules.legal_actions(match.state)
        gateway.play_as(match_id, match.rules.format_action(gateway.rng.choice(legal)))
    now = await gateway.get_match(match_id)
    missed = await missed_of(gateway, now, begun)
    assert missed is not None
    assert len(missed.story) == MOST
    assert missed.before.revision == now.revision - MOST
    for event, after in missed.story:
        assert after.revision == event.revision + 1
        assert after.position == match.ply(after.revision).position
        assert all(view.legal == () for view in after.views)
    assert missed.story[-1][1].position == now.position
    assert await missed_of(gateway, now, now.revision) is None
    gateway.offline = True
    assert await missed_of(gateway, now, begun) is None


def test_what_was_seen_is_kept_for_the_newest_matches(tmp_path: Path) -> None:
    seen = Shown(Store(tmp_path))
    assert seen.of("m") is None
    for number in range(MOST_MATCHES + 1):
        seen.note(f"m-{number}", number)
    seen.note("m-1", 7)
    kept = Shown(Store(tmp_path))
    assert (kept.of("m-0"), kept.of("m-1"), kept.of("m-500")) == (None, 7, 500)
    Store(tmp_path).write("seen", {"matches": [["a"], 3, ["b", "x", ""], ["c", 2, ""]]})
    spoilt = Shown(Store(tmp_path))
    assert (spoilt.of("a"), spoilt.of("b"), spoilt.of("c")) == (None, None, 2)


def test_the_first_promise_counts_and_what_an_older_app_kept_is_read(tmp_path: Path) -> None:
    Store(tmp_path).write("seen", {"matches": [["m-1", 3, "promise", "one:443"]]})
    shown = Shown(Store(tmp_path))
    shown.note("m-1", 6, "another promise")
    shown.note("here-1", 5)
    for kept in (shown, Shown(Store(tmp_path))):
        assert (kept.of("m-1"), kept.of("here-1")) == (6, 5)
        assert kept.promise_of("m-1") == "promise"


async def test_the_speed_that_is_set_holds_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        assert style.pace == 1.0
        hands.app.session.settings.change(speed=Speed.QUICK)
        assert style.pace < 1.0
    async with playing(tmp_path) as hands:
        assert style.pace < 1.0
        hands.app.session.settings.change(speed=Speed.USUAL)
    assert style.pace == 1.0
