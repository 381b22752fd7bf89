"""Beside the game, touched: clocks, who is away, asking and answering, talking, giving up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.model.online import SaidPhrase
from app.model.terms import (
    Answer,
    Ask,
    AskTakeback,
    Clock,
    OfferEnd,
    Pace,
    Resign,
    Said,
    SeatClock,
    SeatState,
    TakeSeatBack,
    Terms,
    Undo,
    Vacation,
)
from app.model.values import Here, SeatWish
from app.net.fake import FRIEND
from tests.mobile.fitting import LOOKS, Sizes, wrong_at
from tests.mobile.positions import SEATS, TURN
from tests.mobile.ui import answer, menu, playing

DAY_MS = 86_400_000
LIVE = Terms(turn_seconds=60, reserve_seconds=300)
RUNNING = Clock(400_000, 65_000, 5000, (SeatClock(0, 335_000), SeatClock(1, 200_000)))


async def test_every_seat_shows_its_time(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        strip = hands.screen.ids.strip
        hands.gateway.beside(match_id, clock=RUNNING, terms=LIVE, watchers=2)
        await hands.until(lambda: strip.tags[0].time)
        # A slow machine may have taken some seconds to get here.
        assert strip.tags[0].time.endswith(" + 5:35")
        assert strip.tags[0].time <= "1:00 + 5:35"
        assert strip.tags[0].acting
        assert strip.tags[1].time == "+ 3:20"
        assert strip.line == "2 watch"


async def test_a_short_time_is_said_loudly(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.beside(match_id, clock=Clock(20_000, None, 1000), terms=LIVE)
        await hands.until(lambda: hands.screen.ids.strip.tags[0].short)


async def test_a_match_of_this_device_has_no_clock(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        here = hands.app.session.here
        table = await here.open_table("r", "socker", (SeatWish.ME, Here("Mia")), {})
        hands.app.navigator.go("match", match_id=table.match_id)
        await hands.on("match")
        await hands.until(lambda: hands.screen.look is not None)
        assert hands.screen.ids.strip.height == 0
        assert not hands.screen.ids.strip.shown


async def test_who_plays_for_somebody_away_is_named(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        strip = hands.screen.ids.strip
        away = replace(SEATS[1], state=SeatState.SITTER, sitter="random")
        hands.gateway.beside(match_id, seats=(SEATS[0], away), clock=RUNNING)
        await hands.until(lambda: strip.line == f"Pip plays for {SEATS[1].display_name}.")
        assert strip.tags[1].away
        mine = replace(SEATS[0], state=SeatState.SITTER, sitter="random")
        hands.gateway.beside(match_id, seats=(mine, SEATS[1]))
        await hands.until(lambda: strip.line == "Pip plays for you.")
        assert "back" in await menu(hands)
        await answer(hands, "back")
        await hands.until(lambda: hands.gateway.wishes == [(match_id, 0, TakeSeatBack())])


async def test_undo_and_takeback_are_asked_for_from_the_menu(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.touch("d3")
        hands.touch("c4")
        await hands.counted(match_id, 1)
        assert {"takeback", "offer_end", "resign"} <= await menu(hands)
        await answer(hands, "takeback")
        await hands.until(lambda: hands.gateway.wishes)
        assert hands.gateway.wishes[0] == (match_id, 0, AskTakeback(1))
        view = replace(hands.gateway.seen(hands.gateway.matches[match_id]).views[0], may_undo=True)
        hands.gateway.beside(match_id, views=(view,))
        await hands.until(lambda: hands.screen.look.match.views[0].may_undo)
        assert "undo" in await menu(hands)
        await answer(hands, "undo")
        await hands.until(lambda: hands.gateway.wishes[1:] == [(match_id, 0, Undo(1))])
        await menu(hands)
        await answer(hands, "offer_end")
        await hands.until(lambda: hands.gateway.wishes[2:] == [(match_id, 0, OfferEnd())])


@pytest.mark.parametrize(("key", "agree"), [("yes", True), ("no", False)])
async def test_a_question_comes_by_itself_once_and_is_answered(
    tmp_path: Path, key: str, *, agree: bool
) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.beside(match_id, ask=Ask(Said.ASK_TAKEBACK, 1, 7, (0,)))
        dialog = hands.app.root.ids.dialog
        await hands.until(lambda: dialog.shown)
        name = SEATS[1].display_name
        assert dialog.title == f"{name} would like to take a move back. Is that all right?"
        assert set(dialog.choices) == {"yes", "no", "close"}
        await answer(hands, key)
        await hands.until(lambda: hands.gateway.wishes)
        assert hands.gateway.wishes == [(match_id, 0, Answer(7, agree))]
        hands.gateway.beside(match_id, watchers=1)
        await hands.until(lambda: hands.screen.ids.strip.line)
        assert not dialog.shown


@pytest.mark.field(32)
async def test_giving_up_takes_two_touches_and_back_is_none_of_them(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        await menu(hands)
        await answer(hands, "resign")
        dialog = hands.app.root.ids.dialog
        assert (dialog.title, dialog.about) == ("Really give up?", "The other side wins then.")
        assert hands.gateway.wishes == []
        assert hands.back_key()
        assert not dialog.shown
        assert hands.screen.name == "match"
        await menu(hands)
        await answer(hands, "resign")
        await answer(hands, "resign")
        await hands.until(lambda: hands.gateway.wishes == [(match_id, 0, Resign())])


async def test_a_holiday_is_chosen_in_days(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        seats = (SeatClock(0, vacation_left_ms=3 * DAY_MS), SeatClock(1))
        clock = Clock(DAY_MS, None, 1000, seats)
        hands.gateway.beside(match_id, clock=clock, terms=Terms(pace=Pace.DAYS, turn_days=3))
        await hands.until(lambda: hands.screen.look.match.clock is not None)
        await menu(hands)
        await answer(hands, "holiday")
        assert set(hands.app.root.ids.dialog.choices) == {"1", "2", "3", "close"}
        await answer(hands, "2")
        await hands.until(lambda: hands.gateway.wishes == [(match_id, 0, Vacation(2))])


async def test_phrases_are_said_and_heard(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        await menu(hands)
        await answer(hands, "phrases")
        await answer(hands, "3")
        await hands.until(lambda: hands.gateway.said == [(match_id, 0, 3)])
        hands.gateway.comes_in(SaidPhrase(1, "another match", 1, 1))
        hands.gateway.comes_in(SaidPhrase(2, match_id, 1, 2))
        toast = hands.app.root.ids.toast
        await hands.until(lambda: toast.text == f"{SEATS[1].display_name}: Have fun!")


async def test_a_player_is_blocked_with_a_second_touch(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        await menu(hands)
        await answer(hands, f"block {FRIEND.player_id}")
        assert hands.gateway.blocks == []
        await answer(hands, "block")
        await hands.until(lambda: hands.gateway.blocks == [FRIEND])


async def test_a_wish_made_offline_is_sent_once_the_network_is_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.go_offline()
        await hands.until(lambda: hands.app.offline)
        await menu(hands)
        await answer(hands, "offer_end")
        assert hands.gateway.wishes == []
        hands.gateway.offline = False
        await hands.until(lambda: hands.gateway.wishes == [(match_id, 0, OfferEnd())])


async def test_the_menu_lies_where_the_thumb_is(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        theirs = hands.part.ids.theirs
        assert hands.part.ids.back.center_x > theirs.right
        hands.app.session.settings.change(left_handed=True)
        hands.app.navigator.home()
        await hands.play_position(TURN)
        await hands.settle()
        assert hands.part.ids.back.center_x < theirs.x


@pytest.mark.long  # all of them together take minutes; test_languages looks at every screen
@pytest.mark.field(34)
@pytest.mark.parametrize(("fontscale", "sizes"), LOOKS)
async def test_clocks_and_menu_fit(tmp_path: Path, fontscale: float, sizes: Sizes) -> None:
    async with playing(tmp_path, size=sizes[0], fontscale=fontscale) as hands:
        match_id = await hands.play_position(TURN)
        away = replace(SEATS[1], state=SeatState.SITTER, sitter="random")
        beside = {"clock": RUNNING, "terms": LIVE, "watchers": 3}
        hands.gateway.beside(match_id, seats=(SEATS[0], away), **beside)
        await hands.until(lambda: hands.screen.ids.strip.tags[0].time)
        await hands.settle()
        wrong = await wrong_at(hands, "match with clocks", sizes)
        await menu(hands)
        await hands.settle()
        assert wrong + await wrong_at(hands, "menu", sizes) == []
