"""What phones do to apps, and what this one does: see docs/phone-manners.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kivy.utils
import pytest
from kivy.config import Config
from kivy.core.window import Keyboard, Window
from kivy.graphics.opengl import (
    GL_COLOR_BUFFER_BIT,
    GL_RGBA,
    GL_UNSIGNED_BYTE,
    glClear,
    glFinish,
    glReadPixels,
)
from kivy.uix.textinput import TextInput

from app.model.people import clean
from app.model.values import Here, MatchStatus, SeatWish
from app.net.fake import CODE, FakeGateway
from app.screens.match.parts import PARTS
from app.window import prepare
from tests.mobile.positions import NEARLY, SEATS, TURN, cell
from tests.mobile.test_setup import take_seat
from tests.mobile.ui import (
    PHONE_WIDE,
    Hands,
    hands_on,
    on_show,
    one_pixel,
    playing,
    session_on,
)
from tools.reports import ROOT

BACK_KEYS = (27, 1073742106)


# --- the back key -------------------------------------------------------------------------------


@pytest.mark.field(32)
async def test_back_closes_a_dialog_then_leaves_the_match_and_then_the_app(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        for key in BACK_KEYS:
            await hands.press("here")
            await hands.choose("socker")
            hands.tap(hands.screen.ids.seats.children[0])
            await hands.settle()
            assert hands.screen.ids.sheet.shown
            assert hands.back_key(key)
            assert not hands.screen.ids.sheet.shown
            assert hands.screen.name == "setup"
            await hands.press("play")
            await hands.on("match")
            assert hands.back_key(key)
            assert hands.screen.name == "choose"
            assert hands.back_key(key)
            assert hands.screen.name == "home"
            # The key is left to the platform, which sends the app to the background; Kivy itself
            # would have ended it.
            assert not hands.back_key(key)
            assert Config.get("kivy", "exit_on_escape") == "0"
        assert not hands.back_key(ord("b"))


# --- typing -------------------------------------------------------------------------------------


@pytest.fixture
def keyboards(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every keyboard that was asked for."""
    asked: list[Any] = []
    request = Window.request_keyboard

    def counted(*arguments: Any, **named: Any) -> Keyboard:
        asked.append(arguments)
        return request(*arguments, **named)

    monkeypatch.setattr(Window, "request_keyboard", counted)
    return asked


@pytest.mark.field(33)
async def test_nobody_has_to_type_to_play(tmp_path: Path, keyboards: list[Any]) -> None:
    async with playing(tmp_path) as hands:
        # With a friend, by a code; to the end, and once more.
        await hands.press("friend")
        for sign in CODE:
            hands.tap(hands.screen.ids.pad.keys[sign])
        # Whoever has a code looks at the table first.
        await hands.on("join")
        await hands.until(lambda: hands.screen.ready)
        await hands.press("sit")
        await hands.on("match")
        await hands.play_position(NEARLY)
        hands.touch("e9")
        hands.touch("e10")
        await hands.until(lambda: hands.screen.over)
        await hands.settle()
        hands.tap(hands.screen.ids.result.ids.rematch)
        await hands.until(lambda: not hands.screen.over)
        # On this device, under a name that is offered; it stands there once.
        hands.app.navigator.home()
        await hands.press("here")
        await hands.choose("hide_and_seek")
        await take_seat(hands, 1, "Grandpa")
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.screen.live.match is not None)
        seats = hands.screen.live.match.seats
        assert [seat.display_name for seat in seats] == [hands.app.session.people.me, "Grandpa"]
        assert hands.screen.live.match.status is MatchStatus.RUNNING
    assert keyboards == []


@pytest.mark.field(33)
async def test_a_suggested_word_enters_a_name_once(tmp_path: Path, keyboards: list[Any]) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("here")
        await hands.choose("sock_monsters")
        for way, name in enumerate(("Mia", "지우", "Zoë")):
            hands.screen.ids.sheet.ask(hands.screen, 1)
            await hands.settle()
            field = hands.screen.ids.sheet.ids.name
            hands.tap(field)
            await hands.settle()
            assert field.focus
            # What the keyboard shows while a word comes about, as SDL tells it.
            for shown in (name[:1], name[:2], name):
                Window.dispatch("on_textedit", shown)
            assert field.text == name
            if way != 2:
                if way == 1:
                    Window.dispatch("on_textedit", "")
                keyboard = field.keyboard
                keyboard.dispatch("on_textinput", name)
                assert field.text == name
            hands.tap(hands.screen.ids.sheet.ids.typed)
            await hands.settle()
            assert hands.screen.plan.seats == (SeatWish.ME, Here(name))
    assert len(keyboards) == 3


def test_a_name_is_written_in_one_way() -> None:
    assert clean("Zoe\u0308") == clean("Zo\u00eb") == "Zo\u00eb"
    assert clean("\u110c\u1175\u110b\u116e") == "지우"


async def test_what_is_typed_into_lies_above_the_keyboard(tmp_path: Path) -> None:
    # On its side a phone has the least room.
    async with hands_on(session_on(tmp_path), size=PHONE_WIDE) as hands:
        await hands.press("settings")
        await _type_everywhere(hands)
        hands.app.navigator.home()
        await hands.press("here")
        await hands.choose("socker")
        hands.screen.ids.sheet.ask(hands.screen, 1)
        await hands.settle()
        await _type_everywhere(hands)


async def _type_everywhere(hands: Hands) -> None:
    fields = [field for field in on_show(hands.app.root) if isinstance(field, TextInput)]
    assert fields
    for field in fields:
        await hands.show(field)
        lay = field.to_window(*field.pos)
        hands.tap(field)
        await hands.settle()
        assert field.focus
        bottom = field.to_window(*field.pos)[1]
        assert Window.height / 2 - 1 <= bottom <= Window.height - field.height + 1
        field.focus = False
        await hands.settle()
        assert field.to_window(*field.pos) == lay


# --- drawing ------------------------------------------------------------------------------------


@pytest.mark.every_pixel
async def test_boards_are_one_canvas_and_nothing_is_black_when_the_app_is_back(
    tmp_path: Path,
) -> None:
    frames: list[bytes] = []

    def keep(*_: object) -> None:
        glFinish()
        frames.append(bytes(glReadPixels(0, 0, *Window.size, GL_RGBA, GL_UNSIGNED_BYTE)))

    async with playing(tmp_path) as hands:
        for name in ("home", *PARTS):
            with one_pixel():  # nobody looks at the way there
                if name in PARTS:
                    match_id = hands.gateway.start(name, SEATS, {})
                    hands.app.navigator.go("match", match_id=match_id)
                    await hands.on("match")
                    await hands.until(lambda: hands.part.resting)
                    assert hands.part.ids.board.children == []  # one canvas, no widgets
                await hands.settle()
            before = await _next_frame(hands, frames, keep, asked=True)
            assert len(set(before)) > 100  # a picture, not a plain ground
            hands.app.on_pause()
            # The device took the picture away. Kivy draws only what has changed, and nothing has.
            await hands.settle()
            glClear(GL_COLOR_BUFFER_BIT)
            hands.app.on_resume()
            after = await _next_frame(hands, frames, keep)
            if name in PARTS:
                await hands.until(lambda: hands.screen.live.match and hands.part.resting)
                await hands.settle()
                after = await _next_frame(hands, frames, keep, asked=True)
            assert after == before or differing(before, after) < 0.001, name


async def _next_frame(
    hands: Hands, frames: list[bytes], keep: Callable[..., None], *, asked: bool = False
) -> bytes:
    """Wait for a frame that Kivy draws, by itself unless it is asked to."""
    del frames[:]
    Window.bind(on_flip=keep)
    try:
        if asked:
            Window.canvas.ask_update()
        await hands.until(lambda: frames)
    finally:
        Window.unbind(on_flip=keep)
    return frames[-1]


def differing(one: bytes, other: bytes) -> float:
    """The share of two pictures of one size that can be told apart."""
    assert len(one) == len(other)
    return sum(abs(a - b) > 16 for a, b in zip(one, other, strict=True)) / len(one)


def test_nothing_is_kept_in_a_frame_buffer_alone() -> None:
    """What was drawn into one would be gone with the device's graphics."""
    sources = list((ROOT / "mobile" / "app").rglob("*.py"))
    sources += (ROOT / "mobile" / "app").rglob("*.kv")
    kept = re.compile(r"\b(Fbo|EffectWidget|export_as_image|export_to_png)\b")
    assert [path.name for path in sources if kept.search(path.read_text("utf-8"))] == []


async def test_a_long_list_makes_no_more_rows_than_fit(tmp_path: Path) -> None:
    gateway = FakeGateway()
    async with playing(tmp_path, gateway) as hands:
        for number in range(300):
            await gateway.open_table(str(number), "socker", (SeatWish.ME, SeatWish.FRIEND), {})
        await hands.press("matches")
        rows = hands.screen.ids.rows
        await hands.until(lambda: len(rows.data) == 300)
        await hands.settle()
        shown = rows.children[0].children
        assert 0 < len(shown) < 20
        assert len({row.height for row in shown}) == 1


EMOJI = re.compile("[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]")


TEXTS = {".py", ".kv", ".po", ".toml", ".csv"}


def test_icons_are_drawn_and_no_text_has_an_emoji() -> None:
    sources = [path for path in (ROOT / "mobile" / "app").rglob("*") if path.suffix in TEXTS]
    assert len(sources) > 100
    assert [path.name for path in sources if EMOJI.search(path.read_text("utf-8"))] == []


# --- touches ------------------------------------------------------------------------------------


async def test_what_is_touched_twice_at_once_counts_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.touch("d3")
        for _ in range(2):
            hands.touch("c4")
        await hands.counted(match_id, 1)
        end = hands.part.ids.end
        for _ in range(2):
            hands.tap(end)
        await hands.until(lambda: hands.gateway.matches[match_id].actor == 1)
        await hands.settle()
        assert len(hands.gateway.matches[match_id].events) == 2
        assert hands.board.hand.view.piece_at(cell("c4")) is not None


@pytest.mark.parametrize("platform", ["linux", "android", "ios"])
def test_only_a_mouse_is_kept_from_touching_twice(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = [Config.get("graphics", side) for side in ("width", "height")]
    monkeypatch.setattr(kivy.utils, "platform", platform)
    try:
        prepare(headless=False)
        mouse = dict(Config.items("input")).get("mouse")
        assert mouse == ("mouse,disable_multitouch" if platform == "linux" else None)
    finally:
        Config.remove_option("input", "mouse")
        for side, pixels in zip(("width", "height"), size, strict=True):
            Config.set("graphics", side, pixels)
