"""About and licences: everything that is shipped is named, with the words of its authors."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

import stage
from app import VERSION
from app.model.licences import FOLDER, LONGEST, licence_text, part, parts
from tests.mobile.readable import labels_on, undrawn
from tests.mobile.ui import playing

OURS = {"python3": "Python", "kivy": "Kivy"}
"""What buildozer.spec calls by other names."""


def shipped() -> Iterator[str]:
    """What an APK is made of, by its specification."""
    spec = configparser.ConfigParser(interpolation=None)
    spec.read(stage.ROOT / "mobile" / "buildozer.spec")
    for requirement in spec["app"]["requirements"].split(","):
        name = requirement.partition("==")[0]
        yield OURS.get(name, name)


def test_everything_that_is_shipped_is_named() -> None:
    names = {one.name for one in parts()}
    assert set(shipped()) <= names
    assert set(stage.PACKAGES) <= names
    assert parts()[0].name == "Oddsocks"
    assert part("of next year") == parts()[0]


@pytest.mark.parametrize("name", [one.name for one in parts()])
def test_each_has_a_licence_in_blocks_that_a_phone_can_draw(name: str) -> None:
    text = licence_text(part(name))
    assert text
    assert max(map(len, text)) <= LONGEST
    whole = (FOLDER / f"{part(name).file}.txt").read_text("utf-8")
    # Nothing is lost but line breaks and rules of dashes.
    assert "".join(re.sub(r"[\W_]", "", block) for block in text) == re.sub(r"[\W_]", "", whole)


@pytest.mark.parametrize("name", sorted(stage.PACKAGES))
def test_a_licence_is_the_one_that_the_package_brings(name: str) -> None:
    """Compared with what is installed, which the lock file pins for phones as well."""
    brought = [
        re.sub(r"\s+", " ", Path(str(file.locate())).read_text("utf-8")).strip()
        for file in distribution(name).files or []
        if "LICENSE" in file.name.upper()
    ]
    kept = re.sub(r"\s+", " ", (FOLDER / f"{part(name).file}.txt").read_text("utf-8")).strip()
    assert any(text in kept for text in brought)


async def test_a_licence_is_read_by_touch_and_left_again(tmp_path: Path) -> None:
    with undrawn():
        async with playing(tmp_path) as hands:
            hands.app.navigator.go("settings")
            hands.app.navigator.go("about")
            await hands.settle()
            assert f"Version {VERSION}" in {label.text for label in labels_on(hands.app.root)}
            rows = hands.screen.ids.parts.children
            assert len(rows) == len(parts())
            row = next(one for one in rows if one.name == "Oddsocks")
            row.dispatch("on_release")
            await hands.on("licence")
            assert hands.screen.title == "Oddsocks"
            shown = {label.text for label in labels_on(hands.app.root)}
            assert set(licence_text(parts()[0])) & shown
            assert hands.back_key()
            assert hands.screen.name == "about"
            assert hands.back_key()
            assert hands.screen.name == "settings"
