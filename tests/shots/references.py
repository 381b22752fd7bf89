"""The reference pictures: a quarter of the size, kept with the code, and how far one may differ.

A pixel counts as different when nothing like it is beside it in the other picture: an edge may
move by a few dp, and another driver may smooth it otherwise, but a part that is somewhere else, or
not there, is seen.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter

from tests.shots.scenes import scenes
from tests.shots.taking import Shot, take

FOLDER = Path(__file__).parent / "kept"
SHRINK = 4
UNLIKE = 28
"""Of 255: so far apart two colours are different ones."""
MOST = 0.006
"""The share of different pixels up to which a picture is the same: on a phone about four places of
the size of an icon's outline."""

CHOSEN: dict[str, dict[str, tuple[str, ...]]] = {
    "phone": {
        "night": (
            "home",
            "choose",
            "setup",
            "setup-who",
            "table",
            "matches",
            "settings",
            "sock_monsters-steal",
            "sock_monsters-result",
            "sock_monsters-curtain",
            "socker-turn",
            "hide_and_seek-start",
        ),
        "day": (
            "home-with-a-match",
            "setup-options",
            "friend",
            "sock_monsters-pawn",
            "socker-result",
            "hide_and_seek-candy",
        ),
    },
    "phone-wide": {"night": ("socker-turn", "sock_monsters-pawn")},
    "tablet": {"day": ("sock_monsters-steal",), "night": ("hide_and_seek-second",)},
}
"""Scenes by size and light; all in English."""


def small(picture: Image.Image) -> Image.Image:
    """The picture as it is kept."""
    size = (picture.width // SHRINK, picture.height // SHRINK)
    return picture.resize(size, Image.Resampling.BOX)


def difference(kept: Image.Image, now: Image.Image) -> float:
    """The share of pixels, 0 to 1, that are somewhere else or not there any more; 1 for pictures of
    different sizes."""
    if kept.size != now.size:
        return 1.0
    unlike = ImageChops.lighter(_beyond(kept, now), _beyond(now, kept))
    counts = unlike.histogram()
    return sum(counts[UNLIKE:]) / sum(counts)


def _beyond(one: Image.Image, other: Image.Image) -> Image.Image:
    """How far each pixel of `one` is outside of what `other` has around it."""
    darkest, lightest = (
        other.filter(ImageFilter.MinFilter(3)),
        other.filter(ImageFilter.MaxFilter(3)),
    )
    over = ImageChops.subtract(one, lightest)
    under = ImageChops.subtract(darkest, one)
    bands = ImageChops.lighter(over, under).split()
    return ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])


async def taken(folder: Path) -> AsyncGenerator[Shot]:
    """The chosen pictures as they look now."""
    known = {scene.name: scene for scene in scenes()}
    for size, chosen in CHOSEN.items():
        wishes = {light: [known[name] for name in names] for light, names in chosen.items()}
        shots = take(folder / size, wishes, language="en", size=size)
        async with aclosing(shots):
            async for shot in shots:
                yield shot


async def accept() -> None:
    """Keep what the app looks like now."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as place:
        async for shot in taken(Path(place)):
            small(shot.picture).save(FOLDER / f"{shot.name}.png", optimize=True)
