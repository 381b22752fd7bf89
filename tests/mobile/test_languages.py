"""The app in all its languages: switched by touch, readable everywhere, nothing left in English."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kivy.metrics import dp

from app.i18n import LANGUAGES, LOCALES, SOURCE
from app.i18n.system import spoken, system_language
from app.model.advice import Progress, Reason
from app.model.advice_words import reason_words
from app.model.lessons import lessons, pages, said
from app.model.online import Rating, Standing
from app.model.store import Store
from app.model.terms import Pace, Terms
from app.model.values import Invitation, Occupant, Player, SeatWish, Table, TableStatus
from app.net.fake import FakeGateway
from app.screens.match.parts import PARTS
from app.shell import SCREENS
from tests.mobile.looking_back import finished, review_of
from tests.mobile.positions import SEATS
from tests.mobile.readable import hard_to_touch, labels_on, undrawn, unreadable
from tests.mobile.ui import SMALL, Hands, playing
from tools import words

LARGE_PRINT = 1.3
FOREIGN = tuple(language for language in LANGUAGES if language != SOURCE)
LONG_NAME = "Schlummer-Rotkehlchen"
"""As long as the names that the app itself gives."""
ANOTHER = Player("p-other", LONG_NAME)
INVITED = Table(
    "t-other",
    "",
    "hide_and_seek",
    (Occupant(ANOTHER.player_id, "", LONG_NAME), Occupant(), Occupant()),
    TableStatus.OPEN,
    "",
    5,
    terms=Terms(Pace.DAYS, turn_days=3),
)
KEYS = ("sock_monsters", "sock_monsters_german", "socker", "hide_and_seek")

Way = Callable[[Hands], Awaitable[None]]


def peopled() -> FakeGateway:
    """A server with somebody on every list."""
    gateway = FakeGateway(agents_play=False)
    gateway.tables[INVITED.table_id] = INVITED
    gateway.lobby = [INVITED]
    gateway.known = gateway.blocks = [ANOTHER]
    gateway.standings = (Standing(1, ANOTHER, Rating("sock_monsters", "international", 1300, 9)),)
    gateway.comes_in(Invitation(INVITED, ANOTHER, 100, seen=True))
    return gateway


def to(name: str, **params: Any) -> Way:
    """The way to a screen that needs parameters."""

    async def go(hands: Hands) -> None:
        hands.app.navigator.go(name, **params)

    return go


async def to_table(hands: Hands) -> None:
    seats = (SeatWish.ME, SeatWish.FRIEND)
    hands.app.show_table(await hands.gateway.open_table("r", "socker", seats, {}))


async def to_setup(hands: Hands) -> None:
    hands.app.navigator.go("setup", key="sock_monsters_german", whom="here")
    await hands.until(lambda: hands.screen.ready)
    hands.screen.unfold()


async def to_join(hands: Hands) -> None:
    hands.app.navigator.go("join", table_id=INVITED.table_id)
    await hands.until(lambda: hands.screen.ready)
    assert hands.screen.invited


async def to_lobby(hands: Hands) -> None:
    hands.app.navigator.go("lobby")
    await hands.until(lambda: hands.screen.ids.rows.children)


async def to_friends(hands: Hands) -> None:
    hands.app.navigator.go("friends")
    await hands.until(lambda: hands.screen.ids.friends.children)
    hands.screen.typing = True


async def to_matches(hands: Hands) -> None:
    hands.gateway.start("socker", SEATS, {})
    hands.app.navigator.go("matches")


def to_match(game: str) -> Way:
    """The way to a match of a game at its beginning."""

    async def go(hands: Hands) -> None:
        hands.app.navigator.go("match", match_id=hands.gateway.start(game, SEATS, {}))
        await hands.until(lambda: hands.part is not None and hands.part.resting)

    return go


def to_hint(game: str) -> Way:
    """The way to a match with the longest hint there is."""

    async def go(hands: Hands) -> None:
        await to_match(game)(hands)
        hands.gateway.why = (max(Reason, key=lambda reason: len(reason_words(reason))),)
        hands.screen.hinting.ask()
        await hands.until(lambda: hands.screen.ids.hint.on and not hands.screen.ids.hint.thinks)

    return go


async def to_review(hands: Hands) -> None:
    match_id = finished(hands.gateway)
    hands.gateway.reviews = [review_of(hands.gateway, match_id)]
    hands.app.navigator.go("review", match_id=match_id)
    await hands.until(lambda: hands.screen.ready)


async def to_waiting(hands: Hands) -> None:
    hands.gateway.reviews = [Progress(3, 8), asyncio.Event()]
    hands.app.navigator.go("review", match_id=finished(hands.gateway))
    await hands.until(lambda: hands.screen.done)


async def to_moment(hands: Hands) -> None:
    await to_review(hands)
    hands.screen.show_moment(hands.screen.review.costly[0])
    await hands.until(lambda: hands.screen.ids.moment.shown)


def to_lesson(key: str) -> Way:
    """The way to a lesson, with the longest words that any of its game has."""

    async def go(hands: Hands) -> None:
        steps = [step for lesson in lessons(key) for step in lesson.steps]
        hands.app.navigator.go("lesson", key=key)
        screen = hands.screen
        screen.words = max((f"{said(step.say)} {said(step.hint)}" for step in steps), key=len)
        screen.told = screen.solved = True
        await hands.settle()
        # Something of the board stays in sight, and can be touched to put the words away.
        assert screen.ids.sheet.top < screen.height - dp(56), screen.words

    return go


def to_rules(key: str) -> Way:
    """The way to the rules, with the longest words of any of their pages."""

    async def go(hands: Hands) -> None:
        hands.app.navigator.go("rules", key=key)
        page = max(pages(key), key=lambda page: len(said(page.text)))
        hands.screen.heading, hands.screen.text = said(page.title), said(page.text)

    return go


WAYS: dict[str, tuple[Way, ...]] = {
    "setup": (to_setup,),
    "join": (to_join,),
    "lobby": (to_lobby,),
    "quick": tuple(to("quick", key=key) for key in KEYS),
    "friends": (to_friends,),
    "matches": (to_matches,),
    "table": (to_table,),
    "match": (*(to_match(game) for game in PARTS), to_hint("socker")),
    "review": (to_review, to_waiting, to_moment),
    "rules": tuple(map(to_rules, KEYS)),
    "lesson": tuple(map(to_lesson, KEYS)),
    "licence": (to("licence", part="Noto Sans CJK"),),
}
"""How to get to screens that need more than their name. All others are opened as they are, so a new
screen is looked at without a line here."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every text without placeholders, and its translation."""
    return {
        message.id: message.string
        for message in words.read(language)
        if isinstance(message.id, str) and isinstance(message.string, str) and message.id
    }


def in_english(hands: Hands, language: str) -> list[str]:
    """What can be read on the screen in English, although it is said otherwise in `language`."""
    known = {text for text, other in catalogue(language).items() if text != other}
    return [label.text for label in labels_on(hands.app.root) if label.text in known]


@pytest.fixture
def unseen() -> Iterator[None]:
    with undrawn():
        yield


@pytest.mark.field(34)
@pytest.mark.field(35)
@pytest.mark.parametrize("language", list(LANGUAGES))
async def test_every_screen_can_be_read_on_a_small_phone_in_large_print(
    tmp_path: Path, unseen: None, language: str
) -> None:
    wrong: list[str] = []
    Store(tmp_path).write("settings", {"language": language})
    Store(tmp_path).write("people", {"me": LONG_NAME})
    async with playing(tmp_path, peopled(), size=SMALL, fontscale=LARGE_PRINT) as hands:
        for name in SCREENS:
            for way in WAYS.get(name, (to(name),)):
                await way(hands)
                assert hands.screen.name == name
                await hands.settle()
                wrong += [f"{name}: {fault}" for fault in unreadable(hands.app.root)]
                wrong += [f"{name}: {fault}" for fault in hard_to_touch(hands.app.root)]
                if language != SOURCE:
                    wrong += [f"{name}: English: {text}" for text in in_english(hands, language)]
                hands.app.navigator.home()
    assert not wrong, "\n".join(wrong)


async def test_the_language_is_switched_by_touch_and_kept(
    tmp_path: Path, unseen: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def texts() -> set[str]:
        return {label.text for label in labels_on(hands.app.root)}

    async with playing(tmp_path) as hands:
        await hands.press("settings")
        old = [weakref.ref(hands.app.root), weakref.ref(hands.screen)]
        await hands.reach(hands.screen.ids.de)
        assert hands.screen.name == "settings"
        assert {"Optionen", "Sprache", "Nacht"} <= texts()
        hands.app.offline = True  # Words over all screens are switched as well.
        assert "Keine Verbindung. Neuer Versuch …" in texts()
        hands.app.offline = False
        assert hands.back_key()
        await hands.settle()
        assert {"Jetzt spielen", "Lernen", "Meine Partien"} <= texts()
        await hands.press("settings")
        await hands.reach(hands.screen.ids.ko)
        assert "설정" in texts()
        hands.app.navigator.home()
        await hands.settle()
        assert "바로 시작" in texts()

        def gone() -> bool:
            gc.collect()
            return all(one() is None for one in old)

        await hands.until(gone)  # Nothing of the old screens is kept.
    async with playing(tmp_path) as hands:
        assert "바로 시작" in texts()
        await hands.press("settings")
        await hands.reach(hands.screen.ids.of_system)
        assert "Settings" in texts()
    async with playing(tmp_path) as hands:
        assert "Settings" in texts()
        # The device is switched while the app is in the background.
        hands.app.on_pause()
        monkeypatch.setenv("LANGUAGE", "ko")
        hands.app.on_resume()
        await hands.settle()
        assert "설정" in texts()


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (["de_AT.UTF-8"], "de"),
        (["ko-KR"], "ko"),
        (["DE"], "de"),
        (["fr_FR", "ko_KR.UTF-8", "de"], "ko"),
        (["en_GB", "de_DE"], "en"),
        (["C.UTF-8"], "en"),
        (["deutsch"], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_of_the_device_that_the_app_speaks(
    wanted: list[str], language: str
) -> None:
    assert spoken(wanted) == language


def test_the_language_of_a_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert system_language() == "ko"
    monkeypatch.setenv("LANGUAGE", "fr:de:en")
    assert system_language() == "de"


def test_the_language_of_an_android_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Locale:
        """java.util.Locale, as far as it is asked."""

        @staticmethod
        def getDefault() -> Locale:  # noqa: N802 - the name it has in Java
            return Locale()

        def toString(self) -> str:  # noqa: N802 - the name it has in Java
            return "de_DE_#Latn"

    class Jnius:
        """pyjnius, as far as it is asked."""

        @staticmethod
        def autoclass(name: str) -> type[Locale]:
            assert name == "java.util.Locale"
            return Locale

    monkeypatch.setenv("ANDROID_ARGUMENT", "/data")
    monkeypatch.setitem(sys.modules, "jnius", Jnius())
    assert system_language() == "de"


def test_each_language_has_what_the_phone_reads() -> None:
    assert {path.parts[-3] for path in LOCALES.rglob("*.mo")} == set(FOREIGN)
