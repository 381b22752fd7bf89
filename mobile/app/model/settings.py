"""What a person has set on this device, with values that are always usable. Free of Kivy.

Everything else asks here: `session.settings.now.speed`. Whoever shows it live listens as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import Enum
from typing import Any, TypeAlias

from app.i18n import LANGUAGES

TEXT_SIZES = (1.0, 1.15, 1.3)
"""By how much texts may be enlarged, beside what the device does already."""


class Speed(Enum):
    """How fast things move on the boards; its value is what is kept."""

    CALM = "calm"
    USUAL = "usual"
    QUICK = "quick"

    @property
    def factor(self) -> float:
        """What the length of a motion is multiplied with."""
        return {Speed.CALM: 1.6, Speed.USUAL: 1.0, Speed.QUICK: 0.55}[self]


@dataclass(frozen=True, slots=True)
class Preferences:
    """All settings. Never changed, only replaced."""

    dark: bool = True
    """Night colours."""
    less_motion: bool = False
    """Things are there at once instead of moving."""
    speed: Speed = Speed.USUAL
    sound: bool = True
    """Whether anything is heard."""
    loudness: int = 70
    """0 to 100."""
    left_handed: bool = False
    """What is reached for in a match lies where the left thumb is."""
    text_size: float = 1.0
    """One of TEXT_SIZES."""
    memory_help: bool = False
    """New tables start with the game's memory help, where it has one."""
    tell_turns: bool = False
    """The device says when a match over days waits, while the app is away."""
    language: str = ""
    """`en`, `de` or `ko`; empty: the device's."""


Heard: TypeAlias = Callable[[Preferences], None]


class Settings:
    """The settings in use. `keep` is given one name and value at a time, as JSON."""

    def __init__(self, kept: Mapping[str, Any], keep: Callable[[str, Any], None]) -> None:
        self._keep = keep
        self._heard: list[Heard] = []
        self.now = _read(kept)

    def change(self, **values: Any) -> None:
        """Set some, keep them, and tell whoever listens. Raises `ValueError` naming a setting
        that is not there or can't have that value; then nothing is changed."""
        for name, value in values.items():
            if name not in _NAMES or not _usable(name, value):
                raise ValueError(f"settings: {name} can't be {value!r}")
        before, self.now = self.now, replace(self.now, **values)
        if self.now == before:
            return
        for name, value in values.items():
            self._keep(name, value.value if isinstance(value, Enum) else value)
        for heard in list(self._heard):
            heard(self.now)

    def listen(self, heard: Heard) -> None:
        """Call `heard` now, and after each change."""
        self._heard.append(heard)
        heard(self.now)

    def leave(self, heard: Heard) -> None:
        """Call `heard` no more."""
        if heard in self._heard:
            self._heard.remove(heard)


_USUAL = Preferences()
_NAMES = {field.name for field in fields(Preferences)}


def _read(kept: Mapping[str, Any]) -> Preferences:
    """What was kept; the usual value for whatever is missing or was spoilt."""
    found: dict[str, Any] = {}
    for name in _NAMES & set(kept):
        value = kept[name]
        if name == "speed":
            value = next((speed for speed in Speed if speed.value == value), Speed.USUAL)
        if _usable(name, value):
            found[name] = value
    return replace(_USUAL, **found)


def _usable(name: str, value: Any) -> bool:
    usual = asdict(_USUAL)[name]
    if type(value) is not type(usual):
        return False
    match name:
        case "text_size":
            return value in TEXT_SIZES
        case "loudness":
            return bool(0 <= value <= 100)
        case "language":
            return value == "" or value in LANGUAGES
    return True
