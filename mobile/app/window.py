"""Settings that Kivy reads when it is first imported; so this module imports none of it."""

from __future__ import annotations

import os


def prepare(
    *,
    headless: bool = False,
    width_dp: int = 390,
    height_dp: int = 844,
    density: float = 1,
    frames_per_s: int = 20,
) -> None:
    """Choose the event loop and, for machines without a display, an offscreen window.

    Offscreen, the window has `width_dp` x `height_dp` at `density` pixels each, no device can touch
    it, and only `frames_per_s` are drawn: without a graphics card they are dear.
    Call this before anything of Kivy is imported.
    """
    os.environ.setdefault("KIVY_EVENTLOOP", "asyncio")
    os.environ.setdefault("KIVY_NO_ARGS", "1")
    if not headless:
        _configure_desktop()
        return
    os.environ.update(
        SDL_VIDEODRIVER="offscreen",
        SDL_AUDIODRIVER="dummy",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_METRICS_DENSITY=str(density),
        KIVY_DPI=str(int(160 * density)),
        KIVY_METRICS_FONTSCALE=os.environ.get("KIVY_METRICS_FONTSCALE", "1"),
    )
    from kivy.config import Config

    Config.set("graphics", "width", str(int(width_dp * density)))
    Config.set("graphics", "height", str(int(height_dp * density)))
    Config.set("kivy", "exit_on_escape", "0")
    Config.set("graphics", "maxfps", str(frames_per_s))
    for device in Config.options("input"):
        Config.remove_option("input", device)


def finish_every_frame() -> None:
    """Offscreen, wait for each frame: without it memory grows by 1-2 MB a frame."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import glFinish

    Window.bind(on_flip=lambda *_: glFinish())


def _configure_desktop() -> None:
    from kivy.config import Config
    from kivy.utils import platform

    # Only Android's own handling of the back key may leave the app (kivy#8068).
    Config.set("kivy", "exit_on_escape", "0")
    if platform in ("linux", "macosx", "win"):
        # A touch with the mouse would else leave red dots and count twice (kivy#6229).
        Config.set("input", "mouse", "mouse,disable_multitouch")
        Config.set("graphics", "width", "430")
        Config.set("graphics", "height", "880")
