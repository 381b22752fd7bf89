"""The app from outside: opened by links, telling of turns while nobody looks; touched for real."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from app.i18n import LANGUAGES
from app.model.introduction import Introduction
from app.model.terms import USUAL, Pace, Terms
from app.model.values import Player, SeatWish
from app.net.fake import CODE, FakeGateway
from tests.mobile.fitting import LOOKS, wrong_on
from tests.mobile.platforms import Platform
from tests.mobile.readable import undrawn
from tests.mobile.ui import Hands, hands_on, session_on, tap_widget

DAYS = Terms(pace=Pace.DAYS, turn_days=3)


@asynccontextmanager
async def opened(
    folder: Path, platform: Platform, gateway: FakeGateway | None = None, *, server: bool = True
) -> AsyncGenerator[Hands]:
    """The app on a platform with a server in the test's hands, or none."""
    gateway = gateway or FakeGateway(agents_play=False)
    session = session_on(folder, gateway if server else None)
    with undrawn():
        async with hands_on(session, gateway, doors=platform.doors) as hands:
            try:
                yield hands
            finally:
                window_in_front()


def window_behind() -> None:
    """Another window comes in front of the app's."""
    Window._focus = False


def window_in_front() -> None:
    """The app's is back."""
    Window._focus = True


def dialog(hands: Hands) -> Any:
    """The sheet over everything."""
    return hands.app.root.ids.dialog


async def answer(hands: Hands, key: str) -> None:
    """Touch an answer of that sheet."""
    await hands.until(lambda: dialog(hands).shown)
    await hands.settle()
    tap_widget(dialog(hands).choices[key])
    await hands.settle()


async def match_over_days(hands: Hands) -> str:
    """A match with a friend, of which it is this player's turn or not."""
    table = await hands.gateway.open_table(
        "r" * 16, "socker", (SeatWish.ME, SeatWish.FRIEND), {}, DAYS
    )
    match_id = hands.gateway.friend_joins(table.table_id)
    await hands.until(lambda: any(one.table.match_id for one in hands.inbox.matches.values()))
    return match_id


async def turn_of(hands: Hands, match_id: str, seat: int) -> None:
    """Play on for whoever is to act until it is that seat's turn."""
    match = hands.gateway.matches[match_id]
    while match.actor != seat:
        match_rules = match.rules
        legal = match_rules.legal_actions(match.state)
        hands.gateway.play_as(match_id, match_rules.format_action(legal[0]))
    await hands.until(
        lambda: all(one.actor == seat for one in hands.inbox.matches.values() if one.revision)
    )


# --- links ----------------------------------------------------------------------------------------


async def test_an_invitation_opens_the_app_and_a_second_one_the_app_that_runs(
    tmp_path: Path,
) -> None:
    platform = Platform(f"oddsocks://join/{CODE.lower()}")
    async with opened(tmp_path, platform) as hands:
        await hands.on("join")
        assert hands.screen.params == {"code": CODE}
        await hands.until(lambda: hands.screen.ready)
        assert hands.gateway.sat == [], "nobody sits down without having looked"
        platform.links.come(f"oddsocks://join/{CODE}")
        await hands.settle()
        assert hands.screen.name == "join"
        await hands.until(lambda: hands.screen.ready)
        await hands.press("sit")
        await hands.on("match")
        match_id = hands.screen.match_id
        assert hands.back_key()
        assert hands.screen.name == "home", "two links are one step back"
        # A reminder leads to its match, and stays there.
        for _ in range(2):
            platform.links.come(f"oddsocks://match/{match_id}")
            await hands.on("match")
        assert hands.screen.match_id == match_id
        assert len(hands.app.navigator.stack) == 2


async def test_a_broken_link_is_named_and_leads_nowhere(tmp_path: Path) -> None:
    platform = Platform("oddsocks://join/7K")
    async with opened(tmp_path, platform) as hands:
        await hands.until(lambda: dialog(hands).shown)
        assert "oddsocks://join/7K" in dialog(hands).about
        await answer(hands, "close")
        assert hands.screen.name == "home"
        hands.app.navigator.go("settings")
        platform.links.come("https://example.org")
        await hands.until(lambda: dialog(hands).shown)
        assert hands.screen.name == "settings"


async def test_without_a_server_an_invitation_leads_to_the_settings(tmp_path: Path) -> None:
    async with opened(tmp_path, Platform(f"oddsocks://join/{CODE}"), server=False) as hands:
        await answer(hands, "settings")
        await hands.on("settings")


async def test_a_server_is_compared_before_it_is_believed(tmp_path: Path) -> None:
    words, met = ("owl", "sock", "moon", "wool"), list[str]()

    async def meet(text: str) -> Introduction:
        met.append(text)
        return Introduction("fake:2", "PEM", words)

    platform = Platform()
    async with opened(tmp_path, platform) as hands:
        hands.app.session._meet = meet
        platform.links.come("oddsocks://server/fake:2#digest")
        await hands.until(lambda: dialog(hands).shown)
        assert met == ["oddsocks://server/fake:2#digest"]
        assert tuple(dialog(hands).title.split()) == words
        assert (hands.app.session.server, hands.app.session.known.authority("fake:2")) == (
            "fake:1",
            "",
        )
        await answer(hands, "close")
        assert hands.app.session.server == "fake:1"
        platform.links.come("oddsocks://server/fake:2#digest")
        await answer(hands, "same")
        await hands.until(lambda: hands.screen.told)
        assert hands.app.session.server == "fake:2"
        assert hands.app.session.known.authority("fake:2") == "PEM"


# --- being told -----------------------------------------------------------------------------------


async def test_it_is_asked_once_after_the_first_match_over_days_and_then_done(
    tmp_path: Path,
) -> None:
    platform = Platform()
    async with opened(tmp_path, platform) as hands:
        match_id = await match_over_days(hands)
        assert platform.notes.asked == 0
        hands.app.navigator.go("match", match_id=match_id)
        await hands.on("match")
        assert not dialog(hands).shown
        assert hands.back_key()
        await answer(hands, "tell")
        await hands.until(lambda: hands.gateway.called)
        assert hands.gateway.called == {"phone": ("Europe/Berlin", 20 * 60, 7 * 60)}
        assert platform.notes.asked == 1
        # Switched off again in the settings.
        hands.app.navigator.go("settings")
        await hands.reach(hands.screen.chip("tell_turns", 0))
        await hands.until(lambda: not hands.gateway.called)


async def test_no_is_an_answer_and_live_matches_ask_nothing(tmp_path: Path) -> None:
    platform = Platform()
    async with opened(tmp_path, platform) as hands:
        table = await hands.gateway.open_table(
            "q" * 16, "socker", (SeatWish.ME, SeatWish.FRIEND), {}, USUAL
        )
        live = hands.gateway.friend_joins(table.table_id)
        days = await match_over_days(hands)
        for match_id, asks in ((live, False), (days, True), (days, False)):
            hands.app.navigator.go("match", match_id=match_id)
            await hands.on("match")
            hands.app.navigator.go("rules", key="socker")
            await hands.settle()
            assert not dialog(hands).shown
            hands.back_key()
            hands.back_key()
            await hands.on("home")
            assert dialog(hands).shown is asks, (match_id, asks)
            if asks:
                await answer(hands, "close")
        assert not hands.gateway.called
        assert not hands.app.session.settings.now.tell_turns


async def test_what_the_device_forbids_is_not_switched_on(tmp_path: Path) -> None:
    platform = Platform()
    platform.notes.allows = False
    async with opened(tmp_path, platform) as hands:
        hands.app.navigator.go("settings")
        await hands.reach(hands.screen.chip("tell_turns", 1))
        await hands.until(lambda: hands.app.root.ids.toast.text)
        assert hands.screen.chip("tell_turns", 0).chosen
        assert not hands.gateway.called


async def test_a_turn_is_told_while_another_window_is_in_front_and_gone_when_seen(
    tmp_path: Path,
) -> None:
    platform = Platform()
    async with opened(tmp_path, platform) as hands:
        hands.app.outside.reminders._now = lambda: datetime(2026, 11, 30, 12)
        hands.app.session.settings.change(tell_turns=True)
        match_id = await match_over_days(hands)
        await turn_of(hands, match_id, 1)
        window_behind()
        await turn_of(hands, match_id, 0)
        await hands.until(lambda: platform.notes.shown)
        assert list(platform.notes.shown) == [match_id]
        window_in_front()
        await hands.settle()
        assert platform.notes.shown, "the player looks at home, not at the match"
        hands.app.navigator.go("match", match_id=match_id)
        assert not platform.notes.shown
        # The match on show is seen the moment the player is back, after a pause too.
        ways = (
            (window_behind, window_in_front),
            (hands.app.outside.pause, hands.app.outside.resume),
        )
        for leave, come in ways:
            await turn_of(hands, match_id, 1)
            leave()
            await turn_of(hands, match_id, 0)
            await hands.until(lambda: platform.notes.shown)
            come()
            assert not platform.notes.shown


async def test_where_the_platform_can_not_there_is_nothing_to_set_and_nothing_asked(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, Platform(able=False)) as hands:
        match_id = await match_over_days(hands)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.on("match")
        assert hands.back_key()
        assert not dialog(hands).shown
        hands.app.navigator.go("settings")
        assert "tell_turns" not in {row.key for row in hands.screen.ids.likings.children}


@pytest.mark.long
async def test_the_setting_and_the_question_fit_in_every_language(tmp_path: Path) -> None:
    scale, sizes = LOOKS[0]
    session = session_on(tmp_path, FakeGateway())
    with undrawn():
        async with hands_on(
            session, size=sizes[0], fontscale=scale, doors=Platform().doors
        ) as hands:
            hands.app.navigator.go("settings")
            for language in set(LANGUAGES) - {"en"}:  # whose words are the shortest
                hands.app.use_language(language)
                rows = {one.key: one for one in hands.screen.ids.likings.children}
                await hands.show(rows["tell_turns"])
                assert wrong_on(hands, f"settings {language}") == []
                hands.app.outside.ask()
                await hands.settle()
                assert wrong_on(hands, f"asked {language}") == []


class Book(FakeGateway):
    """Keeps who was to be called, and not any more, in order."""

    def __init__(self) -> None:
        super().__init__(agents_play=False)
        self.book: list[str] = []

    def booked(self, book: list[str]) -> bool:
        """Whether that is what has happened."""
        return self.book == book

    async def register_device(
        self, push_token: str, time_zone: str, quiet_from: int, quiet_until: int
    ) -> None:
        await super().register_device(push_token, time_zone, quiet_from, quiet_until)
        self.book.append(f"call {self.me.player.player_id}")

    async def forget_device(self, push_token: str) -> None:
        await super().forget_device(push_token)
        self.book.append("forget")

    async def sign_in(self) -> Player:
        await super().sign_in()
        return self.me.player

    async def link(self, request_id: str, code: str) -> Player:
        await super().link(request_id, code)
        self.book.append("link")
        self.me = replace(self.me, player=Player("p-other", "Zoe"))
        return self.me.player

    async def sign_out_everywhere(self) -> None:
        await super().sign_out_everywhere()
        self.called.clear()
        self.book.append("out")

    async def delete_account(self) -> None:
        await super().delete_account()
        self.called.clear()
        self.book.append("delete")
        self.me = replace(self.me, player=Player("p-new", "Fox"))


async def test_whoever_plays_here_is_called_and_nobody_who_has_gone(tmp_path: Path) -> None:
    gateway = Book()
    async with opened(tmp_path, Platform(), gateway) as hands:
        hands.app.session.settings.change(tell_turns=True)
        await hands.until(lambda: gateway.book == ["call p-me"])
        gateway.book.clear()
        for code, booked in (
            ("23456789", ["forget", "call p-me"]),  # No such code: nobody has gone.
            ("NKM2345C", ["forget", "link", "call p-other"]),
        ):
            hands.app.navigator.go("code")
            hands.screen.use(code)
            await hands.until(partial(gateway.booked, booked))
            gateway.book.clear()
        hands.app.navigator.go("profile")
        hands.screen.sign_out()
        await hands.until(lambda: gateway.book == ["out", "call p-other"])
        gateway.book.clear()
        hands.screen.delete()
        await hands.until(lambda: gateway.book == ["delete", "call p-new"])
        gateway.book.clear()
        # Another server: the one that is left forgets, the other one is told.
        hands.app.navigator.go("settings")
        hands.screen.ids.server.text = "fake:2"
        hands.screen.use_server()
        await hands.until(lambda: gateway.book == ["forget", "call p-new"])
        assert set(gateway.called) == {"phone"}
