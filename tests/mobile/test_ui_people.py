"""Who I am and whom I know, touched; and every setting."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from app.model.gateway import Offline, Refused
from app.model.online import Profile, Rating, Standing
from app.model.settings import Speed
from app.model.values import Player
from app.net.fake import FRIEND, ME, FakeGateway
from app.net.fake_people import FRIEND_CODE, PICTURES, RECOVERY_CODE
from tests.mobile.fitting import wrong_on
from tests.mobile.ui import (
    PHONE,
    PHONE_WIDE,
    SMALL,
    TABLET,
    Hands,
    answer,
    hands_on,
    playing,
    session_on,
)
from tests.mobile.ui import tap_widget as tap


async def opened(hands: Hands, name: str) -> None:
    """A screen, once it is loaded."""
    hands.app.navigator.go(name)
    await hands.settle()
    await hands.until(lambda: not hands.screen.busy)
    await hands.settle()


async def test_name_and_picture_are_chosen(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("hello")
        await hands.until(lambda: hands.screen.ids.pictures.children)
        await hands.settle()
        hands.screen.ids.name.text = "   Ada  Ä "
        await hands.press("rename")
        await hands.until(lambda: hands.gateway.me.player.display_name == "Ada Ä")
        assert hands.app.session.people.me == "Ada Ä"
        badge = next(one for one in hands.screen.ids.pictures.children if one.picture == "yeti")
        await hands.reach(badge)
        await hands.until(lambda: badge.chosen)
        assert hands.gateway.me.player.picture == "yeti"
        hands.screen.ids.name.text = "   "
        await hands.press("rename")
        assert hands.screen.trouble == "A name has 1 to 24 letters."
        assert hands.gateway.me.player.display_name == "Ada Ä"


async def test_without_a_server_there_is_still_a_name(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("hello")
        await hands.on("profile")
        assert not hands.screen.online
        hands.screen.ids.name.text = "Mia"
        await hands.press("rename")
        assert hands.app.session.people.me == "Mia"
        assert hands.screen.ids.delete.disabled


async def test_a_code_to_keep_is_shown_as_it_is_printed_and_only_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "profile")
        await hands.reach(hands.screen.ids.recovery)
        await hands.until(lambda: hands.screen.code == RECOVERY_CODE)
        assert hands.back_key()
        assert hands.screen.code == ""
        await hands.reach(hands.screen.ids.recovery)
        dialog = hands.app.root.ids.dialog
        await hands.until(lambda: dialog.shown)
        assert "no good any more" in dialog.about
        assert hands.screen.code == ""
        await answer(hands, "fresh")
        await hands.until(lambda: hands.screen.code == RECOVERY_CODE)


async def test_another_device_takes_the_code(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "profile")
        await hands.reach(hands.screen.ids.link)
        await hands.until(lambda: hands.screen.code == "NKM2345C")
        hands.back_key()
        await opened(hands, "code")
        pad = hands.screen.ids.pad
        for sign in "22222222":
            tap(pad.keys[sign])
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "That code is not good, or not any more."
        hands.screen.choose(long=True)
        await hands.settle()
        for sign in RECOVERY_CODE.replace("-", ""):
            pad.type(sign)
        await hands.on("home")
        assert hands.app.session.people.me == ME.display_name


class Forgetful(FakeGateway):
    """Whose first answer to a link code is lost, and the code is used up all the same."""

    def __init__(self) -> None:
        super().__init__(agents_play=False)
        self.used_by: list[str] = []

    def was_asked(self, times: int) -> bool:
        return len(self.used_by) == times

    async def link(self, request_id: str, code: str) -> Player:
        self.used_by.append(request_id)
        if len(self.used_by) == 1:
            raise Offline("the answer is lost")
        if request_id != self.used_by[0]:
            raise Refused("CODE_NOT_FOUND", "used up", {})
        return await super().link(request_id, code)


async def test_a_link_code_whose_answer_was_lost_is_typed_again(tmp_path: Path) -> None:
    gateway = Forgetful()
    async with playing(tmp_path, gateway) as hands:
        await opened(hands, "code")
        for times in (1, 2):
            for sign in "NKM2345C":
                hands.screen.ids.pad.type(sign)
            await hands.until(partial(gateway.was_asked, times))
            await hands.until(lambda: not hands.screen.busy)
        await hands.on("home")
        assert len(set(gateway.used_by)) == 1


async def test_deleting_the_account_takes_three_touches(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "profile")
        await hands.reach(hands.screen.ids.delete)
        await answer(hands, "delete")
        assert hands.gateway.deleted == 0
        await answer(hands, "really")
        await hands.on("home")
        assert hands.gateway.deleted == 1
        await opened(hands, "profile")
        await hands.reach(hands.screen.ids.out)
        await answer(hands, "out")
        await hands.until(lambda: hands.gateway.signed_out == 1)


async def test_friends_come_by_code_and_go(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "friends")
        assert hands.screen.code == "MYCD2345"
        await hands.press("add")
        await hands.until(lambda: hands.screen.typing)
        for sign in FRIEND_CODE:
            hands.screen.ids.pad.type(sign)
        await hands.until(lambda: hands.screen.ids.friends.children)
        await hands.until(lambda: not hands.screen.busy)
        await hands.reach(hands.screen.ids.friends.children[0])
        await answer(hands, "block")
        assert hands.gateway.blocks == []
        await answer(hands, "block")
        await hands.until(lambda: hands.screen.ids.blocked.children)
        assert not hands.screen.ids.friends.children
        await hands.until(lambda: not hands.screen.busy)
        await hands.reach(hands.screen.ids.blocked.children[0])
        await answer(hands, "unblock")
        await hands.until(lambda: not hands.screen.ids.blocked.children)
        await hands.until(lambda: not hands.screen.busy)
        await hands.reach(hands.screen.ids.renew)
        await answer(hands, "renew")
        await hands.until(lambda: hands.screen.code == "CDFG3456")


async def test_the_best_of_a_game_are_listed_with_ones_own_place(tmp_path: Path) -> None:
    gateway = FakeGateway(1)
    gateway.standings = (
        Standing(1, FRIEND, Rating("socker", "", 300, 9)),
        Standing(2, ME, Rating("socker", "", 1, 4)),
    )
    async with playing(tmp_path, gateway) as hands:
        await opened(hands, "best")
        assert hands.screen.empty
        tap(next(chip for chip in hands.screen.ids.games.children if chip.text == "Socker"))
        await hands.until(lambda: hands.screen.ids.rows.children)
        rows = hands.screen.ids.rows.children[::-1]
        assert [(row.place, row.name, row.points) for row in rows] == [
            ("1", "Ben", "300 points"),
            ("2", "Ada", "1 point"),
        ]
        assert [row.chosen for row in rows] == [False, True]
        assert hands.screen.mine == "You are in place 2."


async def test_settings_are_touched_kept_and_take_effect(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "settings")
        for key, index in (("speed", 2), ("sound", 0), ("text", 2)):
            await hands.reach(hands.screen.chip(key, index))
            assert hands.screen.chip(key, index).chosen
    now = session_on(tmp_path).settings.now
    assert (now.speed, now.sound, now.text_size) == (Speed.QUICK, False, 1.3)


async def test_larger_texts_are_larger_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await opened(hands, "settings")
        before = hands.screen.chip("colours", 0).font_size
        await hands.reach(hands.screen.chip("text", 2))
        larger = pytest.approx(before * 1.3, abs=1)
        await hands.until(lambda: hands.screen.chip("colours", 0).font_size == larger)
        assert hands.screen.chip("text", 2).chosen


async def test_memory_help_is_asked_for_at_new_tables(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        hands.app.session.settings.change(memory_help=True)
        hands.app.navigator.go("setup", key="hide_and_seek", whom="computer")
        await hands.until(lambda: hands.screen.ready)
        assert hands.screen.plan.options["memory_aid"] is True
        hands.app.navigator.go("setup", key="socker", whom="computer")
        await hands.until(lambda: hands.screen.ready)
        assert "memory_aid" not in hands.screen.plan.options


@pytest.mark.long  # all of them together take minutes; test_languages looks at every screen
@pytest.mark.field(34)
@pytest.mark.parametrize(
    ("size", "fontscale"),
    [(SMALL, 1.3), (PHONE_WIDE, 1.3), (TABLET, 1.3), (PHONE, 1.0)],
)
async def test_every_screen_of_people_fits(
    tmp_path: Path, size: tuple[int, int], fontscale: float
) -> None:
    gateway = FakeGateway(1)
    gateway.me = Profile(Player("p-me", "A name of 24 letters -- ", "moon"), PICTURES * 5)
    gateway.known, gateway.blocks = [FRIEND], [FRIEND]
    gateway.standings = (Standing(1, FRIEND, Rating("sock_monsters", "international", 300, 9)),)
    wrong: list[str] = []
    async with playing(tmp_path, gateway, size=size, fontscale=fontscale) as hands:
        for name in ("profile", "friends", "code", "best", "settings"):
            await opened(hands, name)
            if name == "friends":
                hands.screen.typing = True
                await hands.settle()
            wrong += wrong_on(hands, name)
        await opened(hands, "profile")
        hands.screen.make_recovery()
        await hands.until(lambda: hands.screen.code)
        await hands.settle()
        assert wrong + wrong_on(hands, "a code") == []
