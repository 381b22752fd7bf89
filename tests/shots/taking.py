"""Taking pictures: the app shows a scene in every language, size and light."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glFinish, glPixelStorei, glReadPixels
from PIL import Image

from app import i18n
from app.model.store import Store
from app.net.fake import FakeGateway
from app.theme import theme
from tests.mobile.garbage import collected_as_usual
from tests.mobile.ui import PHONE, PHONE_WIDE, TABLET, TABLET_HIGH, Hands, playing
from tests.shots.measure import clipped_texts, smallest_target
from tests.shots.scenes.scene import Scene
from tests.shots.scenes.ways import frames

SIZES = {
    "phone": PHONE,
    "phone-wide": PHONE_WIDE,
    "tablet": TABLET,
    "tablet-high": TABLET_HIGH,
}
LIGHTS = {"night": True, "day": False}
_PACK_ALIGNMENT = 0x0D05


def languages() -> tuple[str, ...]:
    """The languages that the app speaks."""
    return tuple(getattr(i18n, "LANGUAGES", ("en",)))


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture, and what was measured in it."""

    scene: Scene
    language: str
    size: str
    light: str
    picture: Image.Image
    smallest_target_dp: float
    clipped: tuple[str, ...]

    @property
    def name(self) -> str:
        """What its file is called, without an ending."""
        return f"{self.scene.name}-{self.language}-{self.size}-{self.light}"


async def take(
    folder: Path,
    wishes: Mapping[str, Sequence[Scene]],
    *,
    language: str,
    size: str,
    density: float = 1,
) -> AsyncGenerator[Shot]:
    """Start the app in an empty `folder` and take pictures: `wishes` are scenes by light, since all
    that there is has to be drawn anew when that changes."""
    gateway = FakeGateway(4, agents_play=False)
    i18n.use_language(language)
    Store(folder).write("settings", {"language": language})
    Store(folder).write("people", {"me": "Ada"})
    looks = {"size": SIZES[size], "density": density}
    Window.bind(on_draw=_undrawn)
    try:
        async with playing(folder, gateway, **looks) as hands:
            collected_as_usual()  # One app shows more here than any test's does.
            for light, scenes in wishes.items():
                theme.use(dark=LIGHTS[light])
                for scene in scenes:
                    await _go_to(hands, scene, folder)
                    yield await _shot(hands, scene, language, size, light)
    finally:
        Window.unbind(on_draw=_undrawn)
        theme.use(dark=True)
        i18n.use_language("en")


async def _go_to(hands: Hands, scene: Scene, folder: Path) -> None:
    """From a home on which nothing has happened yet."""
    hands.app.navigator.home()
    hands.gateway.tables.clear()
    hands.gateway.known, hands.gateway.lobby, hands.gateway.standings = [], [], ()
    hands.inbox.matches.clear()
    hands.inbox.invitations.clear()
    shutil.rmtree(folder / "matches", ignore_errors=True)
    (folder / "matches").mkdir()
    await scene.show(hands)
    assert hands.screen.name == scene.screen, f"{scene.name}: {hands.screen.name} is on show"


async def _shot(hands: Hands, scene: Scene, language: str, size: str, light: str) -> Shot:
    hands.app.toast("")
    await frames(hands, 2)
    root = hands.app.root
    clipped = tuple(clipped_texts(root))
    return Shot(scene, language, size, light, window(), smallest_target(root), clipped)


def _undrawn(*_: object) -> bool:
    """Without a graphics card drawing takes most of the time: only what is kept is drawn."""
    return True


def window() -> Image.Image:
    """The window as it is now. (`Window.screenshot` shears at widths such as 390.)"""
    Window.unbind(on_draw=_undrawn)
    Window.dispatch("on_draw")
    Window.bind(on_draw=_undrawn)
    glFinish()
    width, height = Window.size
    glPixelStorei(_PACK_ALIGNMENT, 1)
    pixels = glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE)
    picture = Image.frombytes("RGB", (width, height), pixels)
    return picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


async def take_all(
    folder: Path,
    scenes: Sequence[Scene],
    *,
    languages: Sequence[str],
    sizes: Sequence[str],
    lights: Sequence[str],
    density: float = 1,
) -> AsyncGenerator[Shot]:
    """Every scene in each of `languages`, `sizes` and `lights`."""
    for language in languages:
        for size in sizes:
            wishes = dict.fromkeys(lights, scenes)
            place = folder / f"{language}-{size}"
            shots = take(place, wishes, language=language, size=size, density=density)
            async with aclosing(shots):
                async for shot in shots:
                    yield shot
