"""Pictures of the window, for tests, documentation and runs without a display."""

from __future__ import annotations

from pathlib import Path

from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glFinish, glReadPixels
from kivy.graphics.texture import Texture


def take_picture(path: Path) -> Path:
    """Draw a frame and save it as PNG. (`Window.screenshot` shears at widths such as 390.)"""
    path.parent.mkdir(parents=True, exist_ok=True)
    Window.dispatch("on_draw")
    glFinish()
    width, height = Window.size
    pixels = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    texture = Texture.create(size=(width, height), colorfmt="rgba")
    texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
    texture.save(str(path), flipped=True)
    return path
