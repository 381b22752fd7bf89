"""The settings of this device: kept, always usable, heard at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.model.settings import Preferences, Settings, Speed
from app.model.store import Store
from tests.mobile.ui import session_on


def settings(kept: dict[str, Any] | None = None) -> tuple[Settings, dict[str, Any]]:
    into = kept if kept is not None else {}
    return Settings(dict(into), into.__setitem__), into


def test_a_change_outlives_the_app(tmp_path: Path) -> None:
    session_on(tmp_path).settings.change(speed=Speed.QUICK, sound=False, text_size=1.3)
    again = session_on(tmp_path).settings.now
    assert (again.speed, again.sound, again.text_size) == (Speed.QUICK, False, 1.3)


def test_what_older_versions_kept_is_still_read(tmp_path: Path) -> None:
    Store(tmp_path).write("settings", {"dark": False, "less_motion": True, "server": "a:1"})
    now = session_on(tmp_path).settings.now
    assert (now.dark, now.less_motion) == (False, True)


@pytest.mark.parametrize(
    "kept",
    [
        {"speed": "warp"},
        {"loudness": 900},
        {"loudness": "loud"},
        {"sound": 1},
        {"text_size": 7.0},
        {"language": "xx"},
        {"something": "newer"},
    ],
)
def test_spoilt_values_become_the_usual_ones(kept: dict[str, Any]) -> None:
    assert settings(kept)[0].now == Preferences()


def test_a_wrong_value_is_named_and_changes_nothing() -> None:
    made, kept = settings()
    with pytest.raises(ValueError, match="loudness can't be 101"):
        made.change(sound=False, loudness=101)
    with pytest.raises(ValueError, match="colour"):
        made.change(colour="blue")
    assert (made.now, kept) == (Preferences(), {})


def test_who_listens_hears_the_present_and_each_change_once() -> None:
    made, _ = settings()
    heard: list[Preferences] = []
    made.listen(heard.append)
    made.change(speed=Speed.CALM)
    made.change(speed=Speed.CALM)
    made.leave(heard.append)
    made.change(sound=False)
    assert [one.speed for one in heard] == [Speed.USUAL, Speed.CALM]


def test_calm_is_slower_and_quick_is_faster() -> None:
    assert Speed.CALM.factor > Speed.USUAL.factor == 1 > Speed.QUICK.factor > 0
