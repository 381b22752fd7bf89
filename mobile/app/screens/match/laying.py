"""What laying a table has in common whatever the game: rectangles, and where hands reach."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

GAP_DP = 6
BACK_DP = 48


class Box(NamedTuple):
    """A rectangle: its bottom left corner, and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y + self.height

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What any table is laid for."""

    room: Box
    dp: float
    """Pixels in a dp."""
    seats: int
    mine: int
    left: bool = False
    """Whether what a thumb reaches for belongs on the left."""
    corner_right: bool = False
    """Whether the button of the corner lies on the right, where the window is upright."""

    @property
    def others(self) -> list[int]:
        """The other seats, in the order in which they follow."""
        return [(self.mine + n) % self.seats for n in range(1, self.seats)]

    def mirrored(self, box: Box) -> Box:
        """Where a rectangle lies for a left hand: on the other side of the room."""
        return box._replace(x=self.room.x + self.room.right - box.right)


@dataclass(frozen=True, slots=True)
class Laid:
    """The rectangle of each thing on any table; of the placards by seat."""

    board: Box
    placards: dict[int, Box]
    prompt: Box
    back: Box

    def mirrored(self, setting: Seating) -> Self:
        """The same for the other hand."""
        there = setting.mirrored
        moved: dict[str, Any] = {}
        for field in fields(self):
            where: Box | dict[int, Box] = getattr(self, field.name)
            moved[field.name] = (
                there(where)
                if isinstance(where, Box)
                else {seat: there(box) for seat, box in where.items()}
            )
        return replace(self, **moved)


def head(
    setting: Seating, there: Sequence[int], height: float, most: float = math.inf
) -> tuple[dict[int, Box], Box]:
    """Placards side by side at the top of an upright window, `most` wide at the most, and the
    button of the corner beside them."""
    room, dp = setting.room, setting.dp
    gap, back = dp * GAP_DP, dp * BACK_DP
    top = room.top - dp * 2
    left = room.x + (gap if setting.corner_right else back + dp * 2)
    count = max(1, len(there))
    width = min((room.width - back - dp * 2 - gap * len(there)) / count, most)
    placards = {
        seat: Box(left + number * (width + gap), top - height, width, height)
        for number, seat in enumerate(there)
    }
    x = room.right - back if setting.corner_right else room.x
    return placards, Box(x, top - height / 2 - back / 2, back, back)
