"""The doors to the platform: plyer itself where a desktop is, a stand-in for Java for Android."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import plyer
import pytest

from app.device.android import FirebasePush, IntentLinks
from app.device.desktop import DesktopNotes
from app.device.doors import doors
from app.model.calls import NoNotes, NoPush
from app.model.links import NoLinks

FROM_HISTORY = 0x00100000
IMMUTABLE = 0x04000000
PATIENCE_S = 30
PLYERS = ("plyer.platforms.android", "plyer.platforms.android.notification")


def test_where_the_platform_has_nothing_nothing_happens() -> None:
    found = doors("oddsocks://join/7KQ4WX", on="ios")
    assert isinstance(found.push, NoPush)
    assert isinstance(found.notes, NoNotes)
    assert found.links.first() == "oddsocks://join/7KQ4WX"
    found.notes.show("m", "a", "b")
    found.notes.clear("m")


# --- desktops -------------------------------------------------------------------------------------


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A Linux desktop whose programs are in the folder, and no others; plyer has not looked yet."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "dbus", None)  # Whether the machine has it or not.
    object.__setattr__(plyer.notification, "_obj", None)
    yield tmp_path
    object.__setattr__(plyer.notification, "_obj", None)


async def test_a_desktop_is_told_through_plyer(desktop: Path) -> None:
    told, program = desktop / "told", desktop / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf \'%s|%s\\n\' "$1" "$2" >> {told}\n')
    program.chmod(0o755)
    notes = doors(on="linux").notes
    assert isinstance(notes, DesktopNotes)
    assert await notes.permit()
    notes.show("m", "It is your turn", "Socker")
    end = time.monotonic() + PATIENCE_S
    while not told.exists() or not told.read_text().endswith("\n"):
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    assert told.read_text() == "It is your turn|Socker\n"
    notes.clear("m")


def test_a_desktop_that_refuses_is_no_trouble(
    desktop: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = desktop / "notify-send"
    program.write_text("no program")
    notes = doors(on="linux").notes
    assert isinstance(notes, DesktopNotes)
    with caplog.at_level("INFO", "oddsocks"):
        notes._show("It is your turn", "Socker")
    assert "nothing shown" in caplog.text


def test_a_desktop_without_any_way_has_none(desktop: Path) -> None:
    assert list(desktop.iterdir()) == []
    assert isinstance(doors(on="linux").notes, NoNotes)


def test_without_plyer_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plyer", None)
    assert isinstance(doors(on="linux").notes, NoNotes)


# --- Android --------------------------------------------------------------------------------------


class Java:
    """What pyjnius and python-for-android give: every class is there unless it is `missing`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.classes: dict[str, MagicMock] = {}
        self.missing: set[str] = set()
        self.granted = self.grants = False
        self.asked: list[str] = []
        self.detached = 0
        self.on_intent: Any = None
        self["android.os.Build$VERSION"].SDK_INT = 35
        self.activity = self["org.kivy.android.PythonActivity"].mActivity
        self.manager = self.activity.getSystemService.return_value
        jnius = self._module(patch, "jnius")
        jnius.autoclass, jnius.cast = self.autoclass, lambda _kind, what: what
        jnius.detach = self._detach
        android = self._module(patch, "android")
        android.python_act = self["org.kivy.android.PythonActivity"]
        android.activity = self._module(patch, "android.activity")
        android.activity.bind = self._bind
        android.config = self._module(patch, "android.config")
        android.config.JAVA_NAMESPACE = "org.kivy.android"
        self._module(patch, "android.runnable").run_on_ui_thread = lambda work: work
        permissions = self._module(patch, "android.permissions")
        permissions.Permission = MagicMock(POST_NOTIFICATIONS="android.permission.POST")
        permissions.check_permission = lambda _wanted: self.granted
        permissions.request_permissions = self._request

    def __getitem__(self, name: str) -> MagicMock:
        return self.classes.setdefault(name, MagicMock(name=name))

    def autoclass(self, name: str) -> MagicMock:
        if name in self.missing:
            raise RuntimeError(f"java.lang.ClassNotFoundException: {name}")
        return self[name]

    def _module(self, patch: pytest.MonkeyPatch, name: str) -> Any:
        module: Any = ModuleType(name)
        patch.setitem(sys.modules, name, module)
        return module

    def _detach(self) -> None:
        self.detached += 1

    def _bind(self, on_new_intent: Any) -> None:
        self.on_intent = on_new_intent

    def _request(self, wanted: list[str], heard: Any) -> None:
        self.asked += wanted
        threading.Thread(target=heard, args=(wanted, [self.grants])).start()

    def intent(self, link: str | None = None, flags: int = 0, **extras: str) -> MagicMock:
        """What opens the app."""
        intent = MagicMock()
        intent.getDataString.return_value = link
        intent.getFlags.return_value = flags
        intent.getStringExtra.side_effect = extras.get
        return intent


@pytest.fixture
def java(monkeypatch: pytest.MonkeyPatch) -> Iterator[Java]:
    yield Java(monkeypatch)
    for name in PLYERS:  # They hold on to the stand-in.
        sys.modules.pop(name, None)


def test_on_android_a_reminder_has_its_matchs_tag_and_leads_to_it(java: Java) -> None:
    notes = doors(on="android").notes
    for key in ("m1", "m2", "m1"):
        notes.show(key, "It is your turn", "Socker")
    shown = [(call.args[0], call.args[1]) for call in java.manager.notify.call_args_list]
    assert shown == [("m1", 0), ("m2", 0), ("m1", 0)]
    parsed = [call.args[0] for call in java["android.net.Uri"].parse.call_args_list]
    assert parsed == [f"oddsocks://match/{key}" for key in ("m1", "m2", "m1")]
    flags = {call.args[3] for call in java["android.app.PendingIntent"].getActivity.call_args_list}
    assert flags == {IMMUTABLE}
    notes.clear("m1")
    java.manager.cancel.assert_called_once_with("m1", 0)


def test_what_java_refuses_is_no_trouble(java: Java) -> None:
    notes = doors(on="android").notes
    java.manager.notify.side_effect = java.manager.cancel.side_effect = RuntimeError("Java")
    notes.show("m", "It is your turn", "Socker")
    notes.clear("m")
    assert java.manager.notify.called


@pytest.mark.parametrize(
    ("sdk", "granted", "grants", "may", "asks"),
    [
        (32, False, False, True, False),
        (33, True, False, True, False),
        (33, False, True, True, True),
        (35, False, False, False, True),
    ],
)
async def test_android_asks_the_person_where_it_has_to(
    java: Java, sdk: int, granted: bool, grants: bool, may: bool, asks: bool
) -> None:
    java["android.os.Build$VERSION"].SDK_INT = sdk
    java.granted, java.grants = granted, grants
    assert await doors(on="android").notes.permit() is may
    assert bool(java.asked) is asks


async def test_firebase_gives_a_token_and_takes_it_back(java: Java) -> None:
    await_ = getattr(java["com.google.android.gms.tasks.Tasks"], "await")
    await_.return_value = "token"
    java["java.util.TimeZone"].getDefault.return_value.getID.return_value = "Asia/Seoul"
    push = doors(on="android").push
    assert isinstance(push, FirebasePush)
    assert (await push.token(), push.time_zone()) == ("token", "Asia/Seoul")
    await push.drop()
    messaging = java["com.google.firebase.messaging.FirebaseMessaging"].getInstance()
    messaging.deleteToken.assert_called_once_with()
    await_.side_effect = RuntimeError("SERVICE_NOT_AVAILABLE")
    assert await push.token() == ""
    assert java.detached == 3, "a thread that stays attached to Java aborts the app when it ends"


def test_an_app_without_firebase_has_no_push_and_all_the_rest(java: Java) -> None:
    java.missing.add("com.google.firebase.messaging.FirebaseMessaging")
    found = doors(on="android")
    assert isinstance(found.push, NoPush)
    assert found.notes.able
    assert isinstance(found.links, IntentLinks)


def test_an_intent_opens_the_app_once(java: Java) -> None:
    java.activity.getIntent.return_value = java.intent("oddsocks://join/7KQ4WX")
    links = doors(on="android").links
    assert (links.first(), links.first()) == ("oddsocks://join/7KQ4WX", "")
    # From the list of recent apps it comes with the intent of long ago.
    java.activity.getIntent.return_value = java.intent("oddsocks://join/7KQ4WX", FROM_HISTORY)
    assert doors(on="android").links.first() == ""


def test_an_intent_reaches_the_app_that_runs(java: Java) -> None:
    heard: list[str] = []
    doors(on="android").links.listen(heard.append)
    java.on_intent(java.intent("oddsocks://server/10.0.0.7:7443#d"))
    java.on_intent(java.intent())
    java.on_intent(java.intent(kind="turn", match_id="m1"))
    java.on_intent(java.intent(kind="invited", table_id="t1"))
    assert heard == [
        "oddsocks://server/10.0.0.7:7443#d",
        "oddsocks://match/m1",
        "oddsocks://table/t1",
    ]


def test_without_java_android_is_like_everything_else() -> None:
    found = doors("oddsocks://join/7KQ4WX", on="android")
    assert isinstance(found.links, NoLinks)
    assert not found.push.able
    assert not found.notes.able
