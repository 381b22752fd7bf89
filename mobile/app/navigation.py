"""Which screen is on show, and the way back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from kivy.uix.screenmanager import ScreenManager

from app.screens.base import OddScreen

HOME = "home"

log = logging.getLogger("oddsocks")


class Screens(ScreenManager):
    """Screens by name, each built when it is shown for the first time: to build all of them is most
    of a start, and who opens the app for a turn sees two."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._makers: dict[str, Callable[[], OddScreen]] = {}

    def offer(self, makers: Mapping[str, Callable[[], OddScreen]]) -> None:
        """Have screens of these names, and show home."""
        self._makers.update(makers)
        self.current = HOME

    def has_screen(self, name: str) -> bool:
        """Whether there is one of that name, built or not."""
        return name in self._makers

    def get_screen(self, name: str) -> OddScreen:
        """The screen of that name, built now if it was not; KeyError where there is none."""
        built: OddScreen | None = next((one for one in self.screens if one.name == name), None)
        if built is None:
            built = self._makers[name]()
            self.add_widget(built)
        return built


class Navigator:
    """A stack of screens with their parameters. `kept` is told of each change, so that the
    exact screen can come back after a kill."""

    def __init__(
        self, manager: ScreenManager, kept: Callable[[list[tuple[str, dict[str, str]]]], None]
    ) -> None:
        self._manager, self._kept = manager, kept
        self._stack: list[tuple[str, dict[str, str]]] = []

    @property
    def current(self) -> OddScreen:
        """The screen on show."""
        screen = self._manager.current_screen
        assert isinstance(screen, OddScreen)
        return screen

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the screen on show."""
        return self._stack[-1][1]

    @property
    def stack(self) -> list[tuple[str, dict[str, str]]]:
        """The way to the screen on show, with the parameters of each."""
        return list(self._stack)

    def start(self, stack: list[tuple[str, dict[str, str]]]) -> None:
        """Show the last of `stack`; home where it names a screen that is not there, or one that
        can't be shown: kept by another version, or of a server whose address is of no use now."""
        known = [entry for entry in stack if self._manager.has_screen(entry[0])]
        self._stack = known if known and known[0][0] == HOME else [(HOME, {})]
        try:
            self._show()
        except (KeyError, ValueError) as error:
            log.warning("not shown again: %s: %r", self._stack[-1][0], error)
            self.home()

    def go(self, name: str, *, instead: bool = False, **params: str) -> None:
        """Show a screen; `instead` of the one on show, which the way back then leaves out."""
        self._leave()
        if instead and len(self._stack) > 1:
            self._stack.pop()
        self._stack.append((name, params))
        self._show()

    def back(self) -> bool:
        """One step back; False at home, where the way back leaves the app."""
        if self.current.takes_back():
            return True
        if len(self._stack) < 2:
            return False
        self._leave()
        self._stack.pop()
        self._show()
        return True

    def home(self) -> None:
        """All the way back."""
        self._leave()
        self._stack = [(HOME, {})]
        self._show()

    def _leave(self) -> None:
        self.current.close()

    def _show(self) -> None:
        name, params = self._stack[-1]
        self._manager.current = name
        self.current.busy, self.current.trouble = False, ""
        self.current.params = dict(params)
        self.current.open()
        self._kept(list(self._stack))
