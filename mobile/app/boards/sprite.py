"""Something on a board that is drawn once and then only moved, turned and stretched."""

from __future__ import annotations

from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Rotate, Scale, Translate

from app.boards.shapes import Drawn, Point


class Sprite(InstructionGroup):
    """A drawing around (0, 0) that can be moved without drawing it anew."""

    def __init__(self, drawn: Drawn) -> None:
        super().__init__()
        self._at, self._turn, self._stretch = Translate(), Rotate(angle=0), Scale(1.0)
        self.add(PushMatrix())
        for instruction in (self._at, self._turn, self._stretch, *drawn):
            self.add(instruction)
        self.add(PopMatrix())

    def place(
        self, x: float, y: float, angle: float = 0.0, scale: float = 1.0, width: float = 1.0
    ) -> None:
        """Put its origin at (x, y), turned by `angle` degrees; `width` narrows it, as a card
        that turns over."""
        self._at.x, self._at.y = x, y
        self._turn.angle = angle
        self._stretch.xyz = (scale * width, scale, 1)

    @property
    def spot(self) -> Point:
        """Where its origin is."""
        return (self._at.x, self._at.y)
