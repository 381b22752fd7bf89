"""Matches of this device, touched: undo, giving up, ending them, going home, and left hands."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from app.model.socker import Kind, SockerAct
from app.model.terms import Said, Undo
from app.model.values import Agent, Event, Here, MatchStatus, SeatWish
from app.script import act_by_touch
from services.engine.core.options import OptionValue
from tests.mobile.beside import wish
from tests.mobile.gateways import act, legal
from tests.mobile.positions import SEATS, TURN
from tests.mobile.test_pass_and_play import play, touch_socker
from tests.mobile.test_recap import HOUSE
from tests.mobile.ui import (
    PHONE,
    PHONE_WIDE,
    SMALL,
    Hands,
    answer,
    hands_on,
    menu,
    playing,
    session_on,
)

MIA = (SeatWish.ME, Here("Mia"))
MY_HOUSE = " ".join(HOUSE.replace("turn 2 1", "turn 2 0").split())
SHORT: dict[str, OptionValue] = {"turn_cap": 1, "sudden_cap": 1}


async def opened(hands: Hands, game: str = "socker", seats: Any = MIA) -> str:
    """A match on this device, on show; its id."""
    options = SHORT if game == "socker" else {}
    table = await hands.app.session.here.open_table("r", game, seats, options)
    hands.app.navigator.go("match", match_id=table.match_id)
    await shown(hands)
    return table.match_id


async def shown(hands: Hands) -> None:
    """Until the match can be played."""
    await hands.on("match")
    await hands.until(lambda: hands.screen.look is not None and hands.screen.live.match)
    await rested(hands)


async def rested(hands: Hands) -> None:
    """Until everything told is on show."""

    def resting() -> bool:
        if not hands.part.resting:
            hands.part.skip()
        return bool(hands.part.resting and hands.screen.live.may_act)

    await hands.until(resting)
    await hands.settle()


async def touched(hands: Hands, chosen: SockerAct) -> None:
    """Touch what makes an action of Socker, and wait until it has counted."""
    before = hands.screen.live.match.revision
    await act_by_touch(hands.screen, chosen)
    await hands.until(lambda: hands.screen.live.match.revision > before)
    await rested(hands)


async def wanted(hands: Hands, *keys: str) -> None:
    """Answer the menu, and what it asks back."""
    before = hands.screen.live.match.revision
    await menu(hands)
    for key in keys:
        await answer(hands, key)
    await hands.until(lambda: hands.screen.live.match.revision > before)


async def test_an_undo_by_touch_outlives_a_kill_and_dice_and_numbers_are_right_at_the_end(
    tmp_path: Path,
) -> None:
    rng, positions = random.Random(4), list[str]()
    async with hands_on(session_on(tmp_path)) as hands:
        match_id = await opened(hands)
        positions.append(hands.screen.live.match.position)
        assert "undo" not in await menu(hands)  # what came before is the toss
        await answer(hands, "close")
        for _ in range(3):
            await touched(hands, rng.choice(hands.board.hand.legal))
            positions.append(hands.screen.live.match.position)
        await wanted(hands, "undo")
        await hands.until(lambda: hands.board.hand.view.position == positions[2])
        kept = (tmp_path / "matches" / f"{match_id}.json").read_bytes()
    # Killed: nothing but what was on the disk then is there.
    (tmp_path / "matches" / f"{match_id}.json").write_bytes(kept)
    async with hands_on(session_on(tmp_path)) as hands:
        await shown(hands)
        assert hands.screen.match_id == match_id
        assert hands.board.hand.view.position == positions[2]
        for expected in (positions[1], positions[0]):
            await wanted(hands, "undo")
            await rested(hands)
            assert hands.board.hand.view.position == expected
        assert "undo" not in await menu(hands)
        await answer(hands, "close")
        await play(hands, touch_socker, rng)
        events = await hands.app.session.here.list_events(match_id)
        assert [event.said for event in events if event.said] == [Said.UNDO] * 3
        sheet = hands.screen.ids.result
        hands.tap(sheet.ids.check)
        await hands.until(lambda: sheet.checked or sheet.trouble)
        assert sheet.checked == "All dice and draws are as they were promised before the match."
        await hands.until(lambda: sheet.ids.numbers.children)
        kicks = [one.text for one in reversed(sheet.ids.numbers.children)][3:6]
        assert kicks == ["Kicks", *map(str, kicks_of(events))]


def kicks_of(events: tuple[Event, ...]) -> list[int]:
    """How many kicks of each side were not undone, counted from the end."""
    count, skipped = [0, 0], 0
    for event in reversed(events):
        if event.said is Said.UNDO:
            skipped += 1
        elif skipped:
            skipped -= 1
        elif event.actor >= 0 and event.act.kind is Kind.KICK:  # type: ignore[union-attr]  # Socker
            count[event.actor] += 1
    return count


async def test_what_was_undone_is_told_rightly_to_who_comes_back(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        match_id = await opened(hands)
        hands.app.navigator.home()
        here = hands.app.session.here
        match = await here.get_match(match_id)
        for _ in range(2):  # Nobody looks: the gateway itself is asked.
            await act(here, match, legal(match)[0])
            match = await here.get_match(match_id)
        await wish(here, match, Undo(match.revision))
        after = await here.get_match(match_id)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and hands.screen.ids.recap.shown)
        told: list[str] = []
        hands.board.bind(on_shown=lambda _, hand: told.append(hand.view.position))
        await hands.until(lambda: not hands.screen.ids.recap.shown)
        await rested(hands)
        assert hands.board.hand.view.position == after.position
        assert match.position in told
        assert told[-1] == after.position


async def test_a_tile_in_view_offers_no_undo(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = hands.gateway.start("sock_monsters", SEATS, {}, MY_HOUSE)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
        hands.gateway.play_as(match_id, "pawn:b4")
        await hands.until(lambda: hands.screen.look.match.revision == 1)
        assert "undo" in await menu(hands)
        await answer(hands, "close")
        hands.gateway.play_as(match_id, "lift")
        await hands.until(lambda: hands.screen.live.match.revision > 1)
        assert "undo" not in await menu(hands)


@pytest.mark.field(32)
async def test_giving_up_here_is_asked_about_by_name_and_ends_the_match(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        hands.app.session.people.rename_me("Ada")
        match_id = await opened(hands)
        match = hands.screen.live.match
        loser, winner = ("Ada", "Mia")[match.actor], ("Ada", "Mia")[1 - match.actor]
        assert await menu(hands) == {"hint", "end", "resign", "leave", "rules", "close"}
        await answer(hands, "resign")
        dialog = hands.app.root.ids.dialog
        assert dialog.title == f"Does {loser} really give up?"
        assert hands.back_key()
        assert hands.screen.live.match.revision == match.revision
        await wanted(hands, "resign", "resign")
        await hands.until(lambda: hands.screen.over)
        assert hands.screen.result_title == f"{winner} has won"
        kept = await hands.app.session.here.list_my_matches()
        assert [(one.table.match_id, one.status) for one in kept] == [
            (match_id, MatchStatus.FINISHED)
        ]


async def test_a_match_against_the_computer_is_ended_without_a_winner(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        seats = (SeatWish.ME, *(Agent("random", "hide_and_seek", 1),) * 2)
        table = await hands.app.session.here.open_table("r", "hide_and_seek", seats, {})
        hands.app.navigator.go("match", match_id=table.match_id)
        await hands.on("match")
        await hands.until(lambda: hands.screen.look is not None)
        assert await menu(hands) == {"hint", "end", "leave", "rules", "close"}
        await answer(hands, "end")
        await answer(hands, "end")
        await hands.until(lambda: hands.screen.over)
        assert hands.screen.result_reason == "All agreed to stop here."


async def test_the_menu_leads_home_and_to_the_rules_and_the_match_waits(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await opened(hands)
        await menu(hands)
        await answer(hands, "rules")
        await hands.on("rules")
        assert hands.back_key()
        await shown(hands)
        await menu(hands)
        await answer(hands, "leave")
        await hands.on("home")
        await hands.until(lambda: hands.screen.continued)


# --- hands ----------------------------------------------------------------------------------------

AT: dict[str, tuple[str, dict[str, OptionValue]]] = {
    "socker": (TURN, {}),
    "sock_monsters": (MY_HOUSE, {}),
    "hide_and_seek": ("", {}),
}
"""By game: a position in which the first seat acts."""


def reached_for(part: Any) -> list[Any]:
    """What a thumb reaches for in a game: what is one's own, and what ends or chooses."""
    return {
        "socker": lambda: [part.ids.mine, part.ids.end],
        "sock_monsters": lambda: [part.choices],
        "hide_and_seek": lambda: [part.placards[0], part.ids.prompt],
    }[part.game]()


async def test_what_a_thumb_reaches_for_lies_on_its_side_in_all_games(tmp_path: Path) -> None:
    async with playing(tmp_path, size=PHONE_WIDE) as hands:
        for left, game in itertools.product((False, True), AT):
            text, options = AT[game]
            hands.app.session.settings.change(left_handed=left)
            match_id = hands.gateway.start(game, SEATS, options, text)
            hands.app.navigator.go("match", match_id=match_id)
            await shown(hands)
            board = hands.part.ids.board
            begins, ends = board.to_window(*board.pos)[0], board.to_window(board.right, 0)[0]
            for widget in reached_for(hands.part):
                x = widget.to_window(*widget.center)[0]
                assert x < begins if left else x > ends, (game, left, widget)
            hands.app.navigator.home()


@pytest.mark.long
async def test_the_menu_of_a_match_here_lies_on_the_thumbs_side_and_covers_nothing(
    tmp_path: Path,
) -> None:
    async with hands_on(session_on(tmp_path), size=SMALL) as hands:
        for left, game in itertools.product((False, True), AT):
            hands.app.session.settings.change(left_handed=left)
            table = await hands.app.session.here.open_table(f"{left} {game}", game, MIA, {})
            hands.app.navigator.go("match", match_id=table.match_id)
            await hands.on("match")
            if hands.part.secret:
                await hands.take_phone()
            await hands.until(lambda: hands.screen.look is not None)
            for size in (PHONE, SMALL):
                await hands.turn_to(size)
                corner, board = hands.part.ids.back, hands.part.ids.board
                assert corner.icon == "dots"
                x, y = corner.to_window(*corner.center)
                assert (x < size[0] / 2) == left, (game, left, size)
                for other in (board, *others(hands.part)):
                    assert not other.collide_point(*other.to_widget(x, y)), (game, left, other)
            assert "leave" in await menu(hands)
            await answer(hands, "leave")
            await hands.on("home")


def others(part: Any) -> list[Any]:
    """The placards of a game."""
    if part.game == "socker":
        return [part.ids.theirs, part.ids.mine]
    return [placard for placard in part.placards if placard.opacity]
