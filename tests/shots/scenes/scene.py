"""What a scene is, and how a module of this package collects its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.mobile.ui import Hands

Show = Callable[[Hands], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of a screen, and the way to it from home."""

    screen: str
    name: str
    show: Show


class Scenes(list[Scene]):
    """The scenes of one module, in the order in which it writes them."""

    def scene(self, screen: str, name: str = "") -> Callable[[Show], Show]:
        """Register the way to a state of `screen`."""

        def add(show: Show) -> Show:
            self.append(Scene(screen, name or screen, show))
            return show

        return add
