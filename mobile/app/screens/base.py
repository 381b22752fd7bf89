"""What all screens have in common."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from kivy.core.window import Window
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.screenmanager import Screen

from app.model.troubles import trouble


def load_kv(module_file: str) -> None:
    """Load the .kv file beside a screen's module."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))


class OddScreen(Screen):
    """A screen. `open` and `close` frame its time on show; its tasks end with it."""

    busy = BooleanProperty(False)
    trouble = StringProperty("")
    wide = BooleanProperty(False)
    """Whether the window is wider than high; from Window.size alone (p4a#1302)."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        super().__init__(**kwargs)
        self.params: dict[str, str] = {}
        Window.bind(size=self._measure)
        self._measure()

    def _measure(self, *_: object) -> None:
        self.wide = Window.width > Window.height

    def open(self) -> None:
        """Come on show."""

    def close(self) -> None:
        """Leave the show."""
        self.app.tasks.cancel(self)

    def pause(self) -> None:
        """The app goes to the background."""

    def resume(self) -> None:
        """The app is back."""

    def takes_back(self) -> bool:
        """Whether a step back was for something over this screen, which is gone now."""
        return False

    def back(self) -> None:
        """One step back."""
        self.app.navigator.back()

    def run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work` as long as this screen is on show; its trouble is shown in one line."""
        self.app.tasks.spawn(self._guarded(work), owner=self)

    def run_quietly(self, work: Coroutine[Any, Any, object], told: str) -> None:
        """Run `work` as long as this screen is on show, and say `told`, or what went wrong, over
        whatever is on show."""

        async def guarded() -> None:
            try:
                await work
                self.app.toast(told)
            except Exception as error:
                self.app.toast(trouble(error))
                self.app.report(error)

        self.app.tasks.spawn(guarded(), owner=self)

    async def _guarded(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.busy, self.trouble = True, ""
        try:
            await work()
        except Exception as error:  # The last line of defence: a screen says it and lives on.
            self.trouble = trouble(error)
            self.app.report(error)
        finally:
            self.busy = False
