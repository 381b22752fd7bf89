"""A platform in a test's hands: push, words outside the app, links."""

from __future__ import annotations

from app.device.doors import Doors
from app.model.links import LinkHeard


class FakePush:
    """A device that a server reaches as `name`."""

    def __init__(self, *, able: bool = True) -> None:
        self.able, self.name, self.zone = able, "phone", "Europe/Berlin"
        self.dropped = 0

    async def token(self) -> str:
        return self.name

    async def drop(self) -> None:
        self.dropped += 1

    def time_zone(self) -> str:
        return self.zone


class FakeNotes:
    """What is shown outside the app: words by key. `allows` is what the person tells the device."""

    def __init__(self, *, able: bool = True, allows: bool = True) -> None:
        self.able, self.allows = able, allows
        self.shown: dict[str, tuple[str, str]] = {}
        self.count = self.asked = 0
        self.cleared: list[str] = []

    async def permit(self) -> bool:
        self.asked += 1
        return self.allows

    def show(self, key: str, title: str, text: str) -> None:
        self.count += 1
        self.shown[key] = (title, text)

    def clear(self, key: str) -> None:
        self.cleared.append(key)
        self.shown.pop(key, None)


class FakeLinks:
    """Links that come from outside."""

    def __init__(self, first: str = "") -> None:
        self._first = first
        self.heard: list[LinkHeard] = []

    def first(self) -> str:
        return self._first

    def listen(self, heard: LinkHeard) -> None:
        self.heard.append(heard)

    def come(self, text: str) -> None:
        """Another app opens a link, while this one runs."""
        for heard in self.heard:
            heard(text)


class Platform:
    """All three."""

    def __init__(self, link: str = "", *, able: bool = True) -> None:
        self.push, self.notes = FakePush(able=able), FakeNotes(able=able)
        self.links = FakeLinks(link)

    @property
    def doors(self) -> Doors:
        """As the app takes them."""
        return Doors(self.push, self.notes, self.links)
