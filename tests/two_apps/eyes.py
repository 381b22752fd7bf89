"""Whoever holds the phone looks at it now and then, and only then is a frame drawn.

Without a graphics card a frame costs a quarter of a second of processor, most of which would go
into frames of motions that nobody looks at; everything else runs as on a phone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.core.window import Window

from app.pictures import take_picture


class Eyes:
    """Create one before the app runs; there is one window."""

    def __init__(self, *, shut: bool) -> None:
        """With `shut` eyes nothing is drawn but pictures."""
        self._shut = shut
        self._draw = Window.on_draw
        self._looking = False
        Window.on_draw = self._frame

    def _frame(self, *_: Any) -> None:
        if self._looking:
            self._draw()

    def look(self) -> None:
        """Have the present frame drawn, whole."""
        if not self._shut:
            self._looking = True
            try:
                Window.dispatch("on_draw")
                Window.dispatch("on_flip")
            finally:
                self._looking = False

    def picture(self, path: Path) -> str:
        """Save what is on the screen as PNG; where it is."""
        self._looking = True
        try:
            return str(take_picture(path))
        finally:
            self._looking = False
