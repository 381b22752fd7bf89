"""What all motions share: short, ease out, a small overshoot when something lands.

A motion only moves sprites that are there; it knows nothing of rules and may be dropped at any
moment, because the position that follows is drawn from the server's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, NumericProperty

from app.boards.shapes import Point
from app.model.sounds import Sound

CALM_S = 0.2
"""With less motion everything takes this long, and is where it goes from the start."""

Frame: TypeAlias = Callable[[float], None]
"""Draws the motion at a share of its time, 0 to 1."""


Cue: TypeAlias = tuple[float, Sound]
"""At a share of a motion's time, 0 to 1, something is heard."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Something that takes `seconds`, and what is heard of it; of a motion that is cut short, only
    what came before."""

    seconds: float
    frame: Frame
    cues: tuple[Cue, ...] = ()

    def sound(self, before: float, now: float) -> None:
        """Let everything be heard that comes after one share of its time, up to another."""
        for share, sound in self.cues:
            if before < share <= now:
                style.dispatch("on_sound", sound)


def ease_out(share: float) -> float:
    """Fast first, then slow."""
    return 1 - (1 - share) ** 3


def overshoot(share: float) -> float:
    """Past the end and back, by a tenth."""
    left = share - 1
    return 1 + 2.7 * left**3 + 1.7 * left**2


def between(start: Point, end: Point, share: float) -> Point:
    """The point `share` of the way."""
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


class Style(EventDispatcher):
    """How things move, for all boards: chosen in the settings."""

    less = BooleanProperty(False)
    """Less motion: things are where they go at once, with a short pause instead of a way."""
    pace = NumericProperty(1.0)
    """What the length of every motion is multiplied with."""

    __events__ = ("on_sound",)

    def on_sound(self, sound: Sound) -> None:
        """Something is to be heard; whoever plays sounds listens here."""


style = Style()


def made(seconds: float, frame: Frame, *cues: Cue) -> Motion:
    """A motion, or with less motion its end and a short pause, in which the last of its sounds is
    heard."""
    if not style.less:
        return Motion(seconds, frame, cues)
    return Motion(CALM_S, lambda _share: frame(1.0), tuple((0.0, one) for _, one in cues[-1:]))
