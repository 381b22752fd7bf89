"""Pictures: every screen is among them, and those kept with the code still look the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from PIL import Image, ImageChops

from app.screens.match.parts import PARTS
from app.shell import SCREENS
from tests.shots import page, references
from tests.shots.measure import clipped_texts, smallest_target
from tests.shots.references import MOST, difference, small
from tests.shots.scenes import scenes
from tests.shots.taking import SIZES


def test_every_screen_and_every_game_is_in_the_pictures() -> None:
    assert {scene.screen for scene in scenes()} == set(SCREENS)
    names = [scene.name for scene in scenes()]
    assert len(set(names)) == len(names)
    for game in PARTS:
        assert any(name.startswith(game) for name in names)


def test_a_new_screen_and_a_new_game_join_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCREENS, "attic", SCREENS["settings"])
    monkeypatch.setitem(PARTS, "tiny", PARTS["socker"])
    found = {(scene.screen, scene.name) for scene in scenes()}
    assert ("attic", "attic") in found
    assert ("match", "tiny") in found


@pytest.mark.every_pixel
@pytest.mark.field(34)
async def test_the_screens_look_as_in_the_pictures_kept(tmp_path: Path) -> None:
    """After a change that is meant: `python -m tests.shots --accept`, and look at them."""
    kept = {path.stem for path in references.FOLDER.glob("*.png")}
    far: dict[str, float] = {}
    async for shot in references.taken(tmp_path):
        kept.remove(shot.name)
        before = Image.open(references.FOLDER / f"{shot.name}.png").convert("RGB")
        share = difference(before, small(shot.picture))
        if share > MOST:
            far[shot.name] = round(share, 4)
            small(shot.picture).save(tmp_path / f"{shot.name}.png")
    assert far == {}, f"see {tmp_path}"
    assert kept == set(), "pictures of scenes that are gone"


def test_a_broken_layout_is_seen_and_a_smoother_edge_is_not() -> None:
    kept = Image.open(references.FOLDER / "home-en-phone-night.png").convert("RGB")
    assert difference(kept, kept) == 0
    nudged = ImageChops.offset(kept, 1, 0)
    assert difference(kept, nudged) <= MOST
    shifted = ImageChops.offset(kept, 0, 8)
    assert difference(kept, shifted) > 2 * MOST
    without_a_button = kept.copy()
    width, height = kept.size
    button = (0, int(height * 0.78), width, int(height * 0.86))
    ground = kept.getpixel((1, height - 2))
    assert isinstance(ground, tuple)
    without_a_button.paste(ground, button)
    assert difference(kept, without_a_button) > 2 * MOST
    assert difference(kept, kept.resize((width, height - 1))) == 1.0


def test_what_is_cut_off_is_found() -> None:
    box = BoxLayout(size=(300, 300))
    whole = Label(text="whole", size=(100, 40))
    wide = Label(text="far too wide for its place", size=(60, 40))
    short = Label(text="shortened because it is long", size=(60, 40), text_size=(60, 40))
    short.shorten = True
    high = Label(text="one two three four five six seven", size=(60, 30), text_size=(60, 30))
    for label in (whole, wide, short, high):
        label.size_hint = (None, None)
        label.texture_update()
        box.add_widget(label)
    box.do_layout()
    for label in (whole, wide, short, high):
        label.pos = (0, 0)
    assert clipped_texts(box) == [wide.text, short.text, high.text]
    assert smallest_target(box) == 0


def test_the_index_names_what_was_measured(tmp_path: Path) -> None:
    entry = page.Entry("a.png", "home", "home<1>", "de", SIZES["phone"], "day", 47.5, ("Spiel",))
    page.write(tmp_path, [entry])
    (line,) = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert line["size"] == [390, 844]
    assert (line["clipped_texts"], line["smallest_target_dp"]) == (1, 47.5)
    shown = (tmp_path / "index.html").read_text("utf-8")
    assert "home&lt;1&gt;" in shown
    assert "cut: “Spiel”" in shown
