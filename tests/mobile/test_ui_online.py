"""People elsewhere, touched: what comes in, invitations, tables of others, quick match."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kivy.core.clipboard import Clipboard

from app.model.gateway import Refused
from app.model.online import CaughtUp, TicketStatus
from app.model.terms import Absence, Clock, Pace, Terms
from app.model.values import Agent, Here, Invitation, Occupant, SeatWish, Table, TableStatus
from app.net.fake import CODE, FRIEND, FakeGateway
from app.widgets import qr
from tests.mobile.fitting import LOOKS, Sizes, wrong_at
from tests.mobile.positions import NEARLY
from tests.mobile.ui import Hands, answer, playing, tap_widget

PIP = Agent("random", "socker", 1)
DAY_MS = 86_400_000
BENS = Table(
    "t-ben",
    "",
    "hide_and_seek",
    (Occupant(FRIEND.player_id, "", "Ben"), Occupant(), Occupant()),
    TableStatus.OPEN,
    "",
    5,
    terms=Terms(turn_seconds=60, reserve_seconds=0),
)


def rows(hands: Hands) -> list[dict[str, Any]]:
    """The list of matches on show."""
    return list(hands.screen.ids.rows.data)


async def touch_row(hands: Hands, number: int) -> None:
    """Touch a row of the list on show."""
    await hands.settle()
    views = sorted(hands.screen.ids.rows.children[0].children, key=lambda row: -row.top)
    tap_widget(views[number])


# --- what comes in ------------------------------------------------------------


async def test_the_list_changes_while_one_looks(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    table = await gateway.open_table("r", "socker", (SeatWish.ME, PIP), {})
    gateway.comes_in(CaughtUp(1000))
    gateway.beside(table.match_id, clock=Clock(2 * DAY_MS + 5000, None, 1000))
    async with playing(tmp_path, gateway) as hands:
        await hands.press("matches")
        await hands.until(lambda: rows(hands))
        first = rows(hands)[0]
        turn = "Your turn" if gateway.matches[table.match_id].actor == 0 else "Their turn"
        assert first["state_words"] == f"{turn} · 2 days left · Socker"
        gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=False))
        await hands.until(lambda: len(rows(hands)) == 2)
        assert rows(hands)[0]["title"] == "Ben invites you"
        assert rows(hands)[0]["news"]


async def test_invitations_on_show_are_seen_and_nothing_else_is(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=False))
    async with playing(tmp_path, gateway) as hands:
        await hands.until(lambda: hands.screen.calls)
        assert gateway.seen_invitations == []
        await hands.press("matches")
        await hands.until(lambda: gateway.seen_invitations == ["t-ben"])


async def test_an_invitation_is_taken_up_by_two_of_this_phone(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    gateway.tables["t-ben"] = BENS
    gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=True))
    async with playing(tmp_path, gateway) as hands:
        await hands.press("matches")
        await hands.until(lambda: rows(hands))
        await touch_row(hands, 0)
        await hands.on("join")
        await hands.until(lambda: hands.screen.ready)
        assert hands.screen.ids.title.text == "Monster Hide and Seek"
        assert hands.screen.ids.terms.text.startswith("1 minute for each turn.")
        await hands.press("more")
        await answer(hands, "Dad")
        await hands.press("sit")
        await hands.on("match")
        assert gateway.sat == [("", "t-ben", ("", "Dad"))]
        assert len(hands.screen.look.seats) == 2


async def test_an_invitation_can_be_turned_down(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    gateway.tables["t-ben"] = BENS
    gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=True))
    async with playing(tmp_path, gateway) as hands:
        await hands.until(lambda: hands.screen.calls)
        hands.app.navigator.go("join", table_id="t-ben")
        await hands.until(lambda: hands.screen.ready)
        await hands.press("decline")
        await hands.until(lambda: gateway.declined == ["t-ben"])
        assert hands.screen.name == "home"
        assert not hands.screen.calls


async def test_a_pause_lets_go_of_the_inbox_and_a_resume_takes_it_up(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.until(lambda: len(hands.gateway.inboxes) == 1)
        hands.app.on_pause()
        await hands.settle()
        hands.app.on_resume()
        await hands.until(lambda: len(hands.gateway.inboxes) == 2)
        hands.gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=True))
        await hands.until(lambda: hands.screen.calls)


async def test_a_server_that_is_away_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.until(lambda: hands.inbox.online)
        hands.gateway.go_offline()
        await hands.until(lambda: hands.screen.state)
        words = "The server doesn't answer. What is on this device goes on."
        assert hands.screen.ids.state.text == words
        hands.gateway.offline = False
        await hands.until(lambda: not hands.screen.state)


async def test_an_app_that_is_too_old_is_told_so_at_home(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    gateway.refuses = Refused("CLIENT_TOO_OLD", "needs 2.0.0", {"minimum": "2.0.0"})
    async with playing(tmp_path, gateway) as hands:
        await hands.until(lambda: hands.screen.state)
        words = "This app is too old for the server. Update it, then go on."
        assert hands.screen.ids.state.text == words
        # What needs no server goes on.
        await hands.press("play")
        await hands.on("choose")


# --- tables of others ------------------------------------------------------------


@pytest.mark.field(33)
async def test_joining_by_code_needs_no_keyboard_and_shows_the_table_first(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("friend")
        keys = hands.screen.ids.pad.keys
        for sign in "7KQ4WY":
            tap_widget(keys[sign])
        await hands.on("join")
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "There is no table with that code."
        assert hands.screen.ids.sit.disabled
        hands.back_key()
        await hands.settle()
        for sign in CODE:
            tap_widget(keys[sign])
        await hands.on("join")
        await hands.until(lambda: hands.screen.ready)
        assert hands.screen.ids.about.text == "With Ben"
        await hands.press("sit")
        await hands.on("match")


async def test_a_link_can_be_pasted(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("friend")
        Clipboard.copy(f"oddsocks://join/{CODE}")
        tap_widget(hands.screen.ids.pad.ids.paste)
        await hands.on("join")
        assert hands.screen.params["code"] == CODE


async def test_the_open_list_leads_to_a_seat(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    gateway.lobby = [BENS]
    gateway.tables["t-ben"] = BENS
    async with playing(tmp_path, gateway) as hands:
        await hands.press("friend")
        await hands.press("lobby")
        await hands.until(lambda: hands.screen.ids.rows.children)
        await hands.settle()
        row = hands.screen.ids.rows.children[0]
        assert (row.title, row.about) == ("Ben", "Monster Hide and Seek · 2 free seats")
        tap_widget(row)
        await hands.on("join")
        await hands.until(lambda: hands.screen.ready)
        await hands.press("sit")
        await hands.on("match")


async def test_a_match_can_be_watched_from_the_list(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    seats = (Occupant(FRIEND.player_id, "", "Ben"), Occupant("p-other", "", "Cleo"))
    match_id = gateway.start("socker", seats, {})
    gateway.shows = [replace(gateway.matches[match_id].table(), match_id=match_id)]
    async with playing(tmp_path, gateway) as hands:
        hands.app.navigator.go("lobby")
        await hands.press("watch")
        await hands.until(lambda: hands.screen.ids.rows.children)
        await hands.settle()
        tap_widget(hands.screen.ids.rows.children[0])
        await hands.on("match")
        await hands.until(lambda: hands.screen.look is not None)
        assert (hands.part.ids.mine.name, hands.part.ids.theirs.name) == ("Ben", "Cleo")
        assert not hands.screen.live.may_act


async def test_who_watches_is_told_who_won(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    seats = (Occupant(FRIEND.player_id, "", "Ben"), Occupant("p-other", "", "Cleo"))
    match_id = gateway.start("socker", seats, {}, NEARLY)
    async with playing(tmp_path, gateway) as hands:
        hands.app.navigator.go("match", match_id=match_id)
        await hands.on("match")
        gateway.play_as(match_id, "e9*e10")
        await hands.until(lambda: hands.screen.over)
        assert hands.screen.result_title == "Ben has won"
        assert hands.screen.result_score == "1 : 0"


async def test_a_table_shows_its_invitation_in_three_ways(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        hands.gateway.known = [FRIEND]
        await hands.press("friend")
        await hands.press("invite")
        await hands.choose("socker")
        await hands.press("play")
        await hands.on("table")
        await hands.until(lambda: hands.screen.link)
        assert hands.screen.ids.qr.text == f"oddsocks://join/{CODE}"
        await hands.press("copy_link")
        assert Clipboard.paste() == f"oddsocks://join/{CODE}"
        await hands.press("invite")
        await answer(hands, FRIEND.player_id)
        await hands.until(lambda: hands.gateway.invited)
        assert hands.gateway.invited == [(hands.screen.table_id, FRIEND.player_id)]
        await hands.until(lambda: hands.app.root.ids.toast.text == "Ben is invited.")


def test_the_picture_of_a_link_is_a_qr_code() -> None:
    rows = qr.modules(f"oddsocks://join/{CODE}")
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for x, y in ((0, 0), (len(rows) - 7, 0), (0, len(rows) - 7)):
        seen = ["".join(str(int(m)) for m in row[x : x + 7]) for row in rows[y : y + 7]]
        assert seen == finder
    assert {len(row) for row in rows} == {len(rows)}


async def test_what_is_agreed_goes_with_the_table(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        hands.app.navigator.go("choose", whom="friend")
        await hands.choose("hide_and_seek")
        await hands.press("unfold")
        for key, index in (("pace", 1), ("turn_days", 2), ("absence", 2), ("listed", 1)):
            chip = hands.screen.chip(key, index)
            hands.screen.ids.knobs.parent.parent.parent.scroll_to(chip, animate=False)
            await hands.settle()
            tap_widget(chip)
            await hands.settle()
        assert hands.screen.ids.unfold.text == "Rules of your own"
        hands.screen.sit(1, Here("Mia"))
        hands.screen.add()
        await hands.press("play")
        await hands.on("table")
        table = hands.gateway.tables[hands.screen.table_id]
        assert (table.terms.pace, table.terms.turn_days) == (Pace.DAYS, 7)
        assert table.terms.absence is Absence.FORFEIT
        assert table.listed
        assert [seat.display_name for seat in table.seats if not seat.is_open] == ["Ada", "Mia"]


# --- quick match ------------------------------------------------------------


async def quick(hands: Hands, key: str = "socker") -> None:
    """Up to the wishes of a quick match."""
    await hands.press("friend")
    await hands.press("quick")
    await hands.on("choose")
    await hands.settle()
    tap_widget(next(card for card in hands.screen.ids.games.children if card.key == key))
    await hands.on("quick")
    await hands.until(lambda: not hands.screen.busy)


async def test_quick_match_waits_and_is_seated(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    async with playing(tmp_path, gateway) as hands:
        await quick(hands)
        await hands.press("find")
        await hands.until(lambda: hands.screen.waiting)
        assert gateway.fill is not None
        assert (gateway.fill.agent, gateway.fill.after_s) == ("pip", 20)
        await hands.until(lambda: hands.screen.hope)
        assert re.fullmatch(r"Pip comes in \d+ seconds?\.", hands.screen.hope)
        table = await gateway.open_table("r", "socker", (SeatWish.ME, PIP), {})
        assert gateway.ticket is not None
        gateway.ticket = replace(gateway.ticket, status=TicketStatus.SEATED, table=table)
        await hands.on("match")
        assert hands.screen.match_id == table.match_id
        assert gateway.tickets_closed == 0


async def test_whoever_stops_waiting_gives_the_place_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await quick(hands, "sock_monsters")
        await hands.press("people")
        tap_widget(hands.screen.ids.seats.children[0])
        await hands.press("find")
        await hands.until(lambda: hands.screen.waiting)
        assert hands.gateway.fill is None
        assert hands.gateway.ticket is not None
        assert hands.gateway.ticket.seats == 4
        await hands.until(lambda: hands.screen.hope)
        assert hands.screen.hope == "Looking for somebody who plays about as well as you."
        assert hands.back_key()
        await hands.until(lambda: hands.gateway.tickets_closed == 1)
        assert hands.screen.name == "quick"
        assert not hands.screen.waiting


async def test_a_place_that_lapsed_is_said(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await quick(hands)
        await hands.press("find")
        await hands.until(lambda: hands.screen.waiting)
        assert hands.gateway.ticket is not None
        hands.gateway.ticket = replace(hands.gateway.ticket, status=TicketStatus.LAPSED)
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "The wait was interrupted. Try it once more."
        assert not hands.screen.ids.find.disabled


# --- how it all looks ------------------------------------------------------------


@pytest.mark.long  # all of them together take minutes; test_languages looks at every screen
@pytest.mark.field(34)
@pytest.mark.parametrize(("fontscale", "sizes"), LOOKS)
async def test_every_screen_with_others_fits(
    tmp_path: Path, fontscale: float, sizes: Sizes
) -> None:
    gateway = FakeGateway(1, agents_play=False)
    gateway.lobby = [BENS]
    gateway.tables["t-ben"] = BENS
    gateway.comes_in(Invitation(BENS, FRIEND, 100, seen=True))
    wrong: list[str] = []
    async with playing(tmp_path, gateway, size=sizes[0], fontscale=fontscale) as hands:
        await hands.until(lambda: hands.screen.calls)
        for name, key in (
            ("friend", ""),
            ("join", ""),
            ("lobby", ""),
            ("quick", "sock_monsters"),
            ("setup", "hide_and_seek"),
        ):
            hands.app.navigator.go(name, key=key, whom="friend", table_id="t-ben")
            await hands.settle()
            await hands.until(lambda: not hands.screen.busy)
            if name == "setup":
                hands.screen.unfold()
            await hands.settle()
            wrong += await wrong_at(hands, name, sizes)
        hands.app.ask("What now?", "One of these.", [])
        await asyncio.sleep(0.05)
        wrong += await wrong_at(hands, "dialog", sizes)
    assert wrong == []
