"""What can be heard: one sound for each thing that happens on a table. Free of Kivy."""

from __future__ import annotations

from enum import Enum


class Sound(Enum):
    """A sound; its value is the name of its file."""

    STEP = "step"
    """An elf or a socker walks one cell."""
    HOP = "hop"
    """A monster does."""
    KICK = "kick"
    """The ball is kicked."""
    SOCK = "sock"
    """Somebody is socked and falls."""
    LAND = "land"
    """Somebody is put down."""
    DICE = "dice"
    """A die rattles."""
    FLIP = "flip"
    """A card or a tile turns over."""
    FLY = "fly"
    """Something flies from one to another."""
    CANDY = "candy"
    """A candy is unwrapped."""
    PAIR = "pair"
    """Two of a kind have come together."""
    GOAL = "goal"
    TURN = "turn"
    """Somebody on this device is to act."""
    WIN = "win"
    OVER = "over"
    """The match is over, and somebody else has won."""
