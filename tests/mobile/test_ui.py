"""The screens, touched: every way through the app that a person can take."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from app.boards import socker_motion
from app.model.socker import Phase
from app.model.values import Agent, Match, MatchStatus, Occupant, SeatWish
from app.net.address import BadAddress
from app.net.fake import CODE, ME, FakeGateway, FakeMatch
from app.screens.match import parts
from app.theme import theme
from tests.mobile.positions import NEARLY, RECENTRE, SEATS, SETUP, TURN, cell
from tests.mobile.ui import (
    hands_on,
    playing,
    session_on,
    tap,
    tap_widget,
)

PIP = Agent("random", "socker", 1)


async def test_an_invitation_shows_its_code_and_starts_by_itself(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("friend")
        await hands.press("invite")
        await hands.choose("socker")
        await hands.press("play")
        await hands.on("table")
        await hands.until(lambda: hands.screen.code == CODE)
        assert hands.screen.ids.code.text == " ".join(CODE)
        hands.gateway.friend_joins(hands.screen.table_id)
        await hands.on("match")
        # The way back leaves the table out: its match has started.
        assert hands.back_key()
        assert hands.screen.name == "choose"


async def test_a_closed_table_takes_one_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("friend")
        await hands.press("invite")
        await hands.choose("socker")
        await hands.press("play")
        await hands.on("table")
        await hands.press("leave")
        assert hands.screen.name == "choose"
        await hands.until(lambda: not hands.gateway.tables)


async def test_my_matches_open_by_touch(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    async with playing(tmp_path, gateway) as hands:
        table = await gateway.open_table("r", "socker", (SeatWish.ME, PIP), {})
        await hands.press("matches")
        await hands.until(lambda: hands.screen.ids.rows.data)
        await hands.settle()
        row = hands.screen.ids.rows.children[0].children[0]
        assert row.title == "Pip"
        tap(*row.to_window(*row.center))
        await hands.on("match")
        assert hands.screen.match_id == table.match_id


async def test_home_offers_the_match_that_waits(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    async with playing(tmp_path, gateway) as hands:
        table = await gateway.open_table("r", "socker", (SeatWish.ME, PIP), {})
        hands.app.navigator.home()
        await hands.until(lambda: hands.screen.continued)
        assert hands.screen.continued == "Go on with Pip"
        await hands.press("go_on")
        await hands.on("match")
        assert hands.screen.match_id == table.match_id


async def test_touching_a_socker_and_a_lit_cell_moves_it(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.touch("d3")
        assert hands.board.hand.picked == cell("d3")
        hands.touch("c4")
        await hands.until(lambda: len(hands.gateway.matches[match_id].events) == 1)
        await hands.until(lambda: hands.board.resting and hands.board.hand.may_act)
        assert hands.board.hand.view.position == hands.position(match_id)
        # It stays in the hand, so that the next touch goes on with it.
        assert hands.board.hand.picked == cell("c4")
        assert hands.part.ids.mine.note == "1 action left"


async def test_a_wrong_touch_says_why_and_changes_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(SETUP)
        hands.touch("e3")
        assert hands.app.root.ids.toast.text == "That cell is taken."
        assert hands.app.root.ids.toast.opacity == 1
        assert hands.gateway.matches[match_id].events == []
        await hands.until(lambda: hands.app.root.ids.toast.opacity == 0)


async def test_sockers_are_placed_by_touch(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(SETUP)
        assert hands.part.ids.mine.note == "Place your sockers: 4 to go"
        for count, name in enumerate(("a1", "c4", "g4", "e2"), start=1):
            hands.touch(name)
            await hands.counted(match_id, count)
        assert hands.part.ids.theirs.note == "puts sockers on the pitch"


async def test_the_ball_is_put_back_by_touch(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(RECENTRE)
        assert hands.part.ids.mine.note == "Choose where the ball goes"
        hands.touch("f9")
        await hands.until(lambda: hands.board.hand.view.ball == cell("f9"))
        assert hands.position(match_id).count("o") > 0


async def test_the_second_to_place_is_told_how_many_are_left(tmp_path: Path) -> None:
    second = "socker/1 2 | 9/2N6/9/9/9/4o4/9/1S2S4/2S1S1S2/9/9 setup:south"
    both = (Occupant(player_id=ME.player_id, display_name="Ada"),) * 2
    async with playing(tmp_path) as hands:
        await hands.play_position(second, both)
        assert hands.part.ids.theirs.note == "Place your sockers: 4 to go"
        assert hands.part.ids.mine.note == ""


@pytest.mark.field(2)
async def test_after_a_stale_touch_the_board_equals_the_servers(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.touch("d3")
        # The same player's other device acts in the same moment.
        hands.gateway.play_as(match_id, "g4-g5")
        hands.touch("c4")
        await hands.until(lambda: hands.app.root.ids.toast.opacity)
        words = "The match had moved on. This is how it stands."
        assert hands.app.root.ids.toast.text == words
        await hands.counted(match_id, 1)
        assert hands.board.hand.view.piece_at(cell("d3")) is not None
        assert hands.board.hand.may_act


async def test_end_turn_hands_over(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        assert hands.part.ids.mine.acting
        await hands.press("end")
        await hands.until(lambda: hands.part.ids.theirs.acting)
        assert hands.part.ids.theirs.note == "is thinking"
        assert hands.part.ids.end.disabled
        hands.touch("e10")
        assert hands.app.root.ids.toast.text == "It is the other side's turn."


async def test_the_others_actions_are_shown_and_can_be_skipped_by_touch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socker_motion, "MOVE_S", 1000.0)
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.play_as(match_id, "end")
        await hands.until(lambda: not hands.board.hand.may_act)
        hands.gateway.play_as(match_id, "f7-f6")
        await hands.until(lambda: not hands.board.resting)
        hands.touch("a1")
        assert hands.board.resting
        await hands.until(lambda: hands.board.hand.view.position == hands.position(match_id))
        assert hands.board.trace.steps == ((cell("f7"), cell("f6")),)


async def test_a_pass_is_a_clear_button(tmp_path: Path) -> None:
    stuck = "socker/1 2 sudden_cap=50 | 9/9/4N4/9/9/4o4/9/9/9/2s6/1s7 south:0/3 sudden"
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(stuck)
        assert hands.part.ids.end.text == "Pass"
        assert hands.part.ids.end.kind == "main"
        assert hands.part.ids.mine.note == "Nobody can do anything"
        await hands.press("end")
        await hands.until(lambda: len(hands.gateway.matches[match_id].events) == 1)
        assert hands.gateway.matches[match_id].events[0].notation == "pass"


async def test_a_goal_ends_the_match_and_it_can_be_played_again(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(NEARLY)
        hands.touch("e9")
        hands.touch("e10")
        await hands.until(lambda: hands.screen.over)
        await hands.settle()
        sheet = hands.screen.ids.result
        assert (sheet.title, sheet.score) == ("You won", "1 : 0")
        assert sheet.reason == "The goals are scored."
        button = sheet.ids.rematch
        tap(*button.to_window(*button.center))
        await hands.until(lambda: hands.screen.match_id != match_id)
        await hands.on("match")
        await hands.until(lambda: hands.board.hand.view.phase is Phase.SETUP)
        assert hands.part.my_side == 1
        assert hands.board.flipped


async def test_offline_is_shown_and_goes_away(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.go_offline()
        await hands.until(lambda: hands.app.offline)
        hands.touch("d3")
        hands.touch("c4")  # made offline: kept, and sent when the network is back
        await asyncio.sleep(0.1)
        assert hands.gateway.matches[match_id].events == []
        hands.gateway.offline = False
        await hands.until(lambda: not hands.app.offline)
        await hands.counted(match_id, 1)


async def test_a_touch_while_an_action_is_on_its_way_says_so_and_does_nothing(
    tmp_path: Path,
) -> None:
    words = "One moment: your last move is still on its way."
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.stalled = asyncio.Event()
        hands.touch("d3")
        hands.touch("c4")
        await hands.until(lambda: hands.screen.live.waits)
        hands.touch("e4")
        assert hands.app.root.ids.toast.text == words
        hands.app.toast("")
        await hands.press("end")
        assert hands.app.root.ids.toast.text == words
        # The match as it stood before is said once more, as after a lost connection.
        hands.screen.live._sync(hands.screen.live.match)
        hands.touch("d3")
        assert (hands.board.hand.waits, hands.board.hand.may_act) == (True, False)
        hands.gateway.stalled.set()
        hands.gateway.stalled = None
        await hands.counted(match_id, 1)
        assert (hands.board.hand.waits, hands.gateway.submits) == (False, 1)
        hands.touch("c5")
        await hands.counted(match_id, 2)


async def test_a_match_of_somebody_else_sends_one_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        hands.app.navigator.go("match", match_id="m-none")
        await hands.on("home")
        assert hands.app.root.ids.toast.text == "That match is not here any more."


@pytest.mark.field(28)
async def test_a_match_of_a_newer_server_says_so(tmp_path: Path) -> None:
    gateway = Newer(agents_play=False)
    async with playing(tmp_path, gateway) as hands:
        match_id = gateway.start("socker", SEATS, {}, TURN)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.trouble.text)
        assert hands.screen.ids.trouble.text == "This match needs a newer app."
        hands.touch("d3")
        assert gateway.submits == 0
        assert hands.back_key()


class Newer(FakeGateway):
    """A server whose matches are in a state this app has never heard of."""

    def seen(self, match: FakeMatch) -> Match:
        return replace(super().seen(match), status=MatchStatus.UNKNOWN)


async def test_both_sides_on_one_device_take_turns(tmp_path: Path) -> None:
    both = (Occupant(player_id=ME.player_id, display_name="Ada"),) * 2
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN, both)
        await hands.press("end")
        await hands.until(lambda: hands.board.hand.may_act and hands.board.hand.side.value == 1)
        hands.touch("f7")
        hands.touch("f6")
        await hands.until(lambda: len(hands.gateway.matches[match_id].events) == 2)


@pytest.mark.field(32)
@pytest.mark.parametrize("key", [27, 1073742106])
async def test_both_back_keys_go_back_one_screen_and_leave_at_home(
    tmp_path: Path, key: int
) -> None:
    async with playing(tmp_path) as hands:
        hands.app.navigator.go("matches")
        await hands.play_position(TURN)
        assert hands.back_key(key)
        assert hands.screen.name == "matches"
        assert hands.back_key(key)
        assert hands.screen.name == "home"
        assert not hands.back_key(key)


@pytest.mark.field(30)
async def test_a_pause_ends_the_stream_and_a_resume_catches_up(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        await hands.until(lambda: hands.gateway.streams == 1)
        assert hands.app.on_pause()
        await hands.until(lambda: hands.gateway.streams == 0)
        hands.gateway.play_as(match_id, "d3*d4")
        hands.app.on_resume()
        await hands.until(lambda: hands.board.hand.view.position == hands.position(match_id))
        await hands.until(lambda: hands.gateway.streams == 1)


@pytest.mark.field(30)
async def test_the_exact_screen_comes_back_after_a_kill(tmp_path: Path) -> None:
    gateway = FakeGateway(agents_play=False)
    async with playing(tmp_path, gateway) as hands:
        hands.app.navigator.go("matches")
        match_id = await hands.play_position(TURN)
    async with playing(tmp_path, gateway) as hands:
        await hands.on("match")
        await hands.until(lambda: hands.board.hand.view.position == hands.position(match_id))
        assert hands.back_key()
        assert hands.screen.name == "matches"


@pytest.mark.parametrize("params", [{}, {"match_id": "m-1"}])
async def test_a_screen_that_can_not_come_back_is_no_reason_not_to_start(
    tmp_path: Path, params: dict[str, str]
) -> None:
    session = session_on(tmp_path, FakeGateway(1))
    session.remember_screens([("home", {}), ("match", params)])

    def useless(_server: str) -> NoReturn:
        raise BadAddress("no address any more")

    session._connect = useless
    async with hands_on(session) as hands:
        assert hands.screen.name == "home"
        hands.app.navigator.go("settings")
        await hands.on("settings")


async def test_night_and_day_are_kept(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("settings")
        await hands.settle()
        tap_widget(hands.screen.chip("colours", 1))
        assert not theme.dark
    async with playing(tmp_path):
        assert not theme.dark
    theme.use(dark=True)


async def test_a_server_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("settings")
        hands.screen.ids.server.text = " "
        await hands.reach(hands.screen.ids.use)
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "Type an address, such as play.example.org."


@pytest.mark.field(28)
async def test_a_match_of_a_game_this_app_does_not_know_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(parts.PARTS, "socker")
    async with playing(tmp_path) as hands:
        match_id = hands.gateway.start("socker", SEATS, {}, TURN)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.trouble.text)
        assert hands.screen.ids.trouble.text == "This match needs a newer app."
        await hands.press("leave")
        assert hands.screen.name == "home"
