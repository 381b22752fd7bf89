"""The rules of a game, page by page, with pictures made of its real board."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty, StringProperty

from app.model.games import offer
from app.model.lessons import Progress, pages, said
from app.screens.base import OddScreen, load_kv

PICTURE_SHARE = 0.52
"""How much of an upright screen a picture may take."""


class RulesScreen(OddScreen):
    """`key` says of which offer, `number` which page (0 is the first)."""

    title = StringProperty("")
    heading = StringProperty("")
    text = StringProperty("")
    number = NumericProperty(0)
    count = NumericProperty(1)
    picture_height = NumericProperty(0)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._still: Any = None
        self.bind(size=self._fit)

    def open(self) -> None:
        key = self.params["key"]
        self.count = len(pages(key))
        self.title = offer(key).title
        number = self.params.get("number", "0")
        self._show(min(int(number) if number.isdecimal() else 0, int(self.count) - 1))

    def close(self) -> None:
        super().close()
        self.ids.picture.clear_widgets()
        self._still = None

    def resume(self) -> None:
        """The graphics context may be lost (kivy#3671)."""
        if self._still is not None:
            self._still.board.redraw()

    def _show(self, number: int) -> None:
        # Only now, so that the app starts fast: the boards of all games come with it.
        from app.screens.learn.still import Still

        key = self.params["key"]
        page = pages(key)[number]
        self.number = number
        self.heading, self.text = said(page.title), said(page.text)
        self._still = Still(offer(key).game, page)
        self.ids.picture.clear_widgets()
        self.ids.picture.add_widget(self._still)
        self.ids.words.scroll_y = 1
        self._fit()

    def _fit(self, *_: object) -> None:
        if self._still is not None:
            wanted = self._still.wanted(self.width - dp(32))
            self.picture_height = min(wanted, self.height * PICTURE_SHARE)

    def turn(self, pages_on: int) -> None:
        """Turn the page; after the last one there is something to try."""
        number = int(self.number) + pages_on
        if number < self.count:
            self._show(max(0, number))
            return
        key = self.params["key"]
        first = Progress(self.app.session.store).next(key)
        self.app.navigator.go("lesson", instead=True, key=key, number=str(first))


load_kv(__file__)
