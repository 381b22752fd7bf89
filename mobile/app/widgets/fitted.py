"""Words that are never broken in their middle: some language has a long one for everything."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.properties import BooleanProperty
from kivy.uix.label import Label

LEAST_SHARE = 0.55
"""How small the type may get, as a part of what it should be."""


class Fitted(Label):
    """A label whose type shrinks until its longest word fits into a line."""

    fits = BooleanProperty(True)
    font_size: Any

    def __init__(self, **kwargs: Any) -> None:
        self._wanted = self._given = 0.0
        self._fit = Clock.create_trigger(self._fit_words, -1)
        super().__init__(**kwargs)
        fit = self._fit
        self.bind(text=fit, text_size=fit, font_size=fit, padding=fit, bold=fit)
        fit()

    def _fit_words(self, *_: object) -> None:
        if self.font_size != self._given:
            self._wanted = self.font_size  # Somebody else has set it.
        room = (self.text_size[0] or 0) - self.padding[0] - self.padding[2]
        if not self.fits or room <= 0 or not self.text:
            return
        longest = sorted(self.text.split(), key=len)[-3:]  # Lines are broken at spaces alone.
        size = self._wanted
        while size > self._wanted * LEAST_SHARE and self._widest(longest, size) > room:
            size = float(int(size - 0.5))
        self._given = size
        self.font_size = size

    def _widest(self, words: list[str], size: float) -> float:
        """How wide the widest of `words` is in a size, pixels."""
        pen = CoreLabel(font_name=self.font_name, font_size=size, bold=self.bold)
        return float(max((pen.get_extents(word)[0] for word in words), default=0))


class Words(Fitted):
    """A paragraph as wide as its place."""
