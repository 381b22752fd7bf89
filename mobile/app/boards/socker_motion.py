"""How things move on the Socker board."""

from __future__ import annotations

import math

from app.boards.motion import Motion, between, ease_out, made, overshoot
from app.boards.shapes import Point
from app.boards.sprite import Sprite
from app.model.sounds import Sound

MOVE_S = 0.22
KICK_S = 0.3
SOCK_S = 0.34
LAND_S = 0.2


def hop(sprite: Sprite, start: Point, end: Point, cell: float) -> Motion:
    """A step with a little jump."""

    def frame(share: float) -> None:
        x, y = between(start, end, ease_out(share))
        sprite.place(x, y + cell * 0.16 * math.sin(math.pi * share))

    return made(MOVE_S, frame, (1.0, Sound.STEP))


def kick(kicker: Sprite | None, ball: Sprite, stand: Point, way: list[Point]) -> Motion:
    """The kicker leans in, the ball rolls along `way`."""
    towards = between(stand, way[0], 0.3)

    def frame(share: float) -> None:
        if kicker is not None:
            kicker.place(*between(stand, towards, math.sin(math.pi * min(1.0, share * 1.6))))
        if share <= 0.2:
            return
        legs = len(way) - 1
        along = ease_out((share - 0.2) / 0.8) * legs
        leg = min(int(along), legs - 1)
        x, y = between(way[leg], way[leg + 1], along - leg)
        ball.place(x, y, angle=-300 * along)

    seconds = KICK_S if len(way) == 2 else KICK_S * 1.5
    return made(seconds, frame, (0.2, Sound.KICK))


def sock(pusher: Sprite | None, pushed: Sprite, stand: Point, start: Point, end: Point) -> Motion:
    """A push, a slide, a fall."""
    towards = between(stand, start, 0.4)

    def frame(share: float) -> None:
        if pusher is not None:
            pusher.place(*between(stand, towards, math.sin(math.pi * min(1.0, share * 1.5))))
        if share > 0.2:
            done = (share - 0.2) / 0.8
            x, y = between(start, end, ease_out(done))
            pushed.place(x, y, angle=82 * overshoot(done))

    return made(SOCK_S, frame, (0.2, Sound.SOCK))


def land(sprite: Sprite, end: Point, cell: float) -> Motion:
    """Something is put down."""

    def frame(share: float) -> None:
        lifted = cell * 0.5 * (1 - ease_out(share))
        sprite.place(end[0], end[1] + lifted, scale=max(0.05, overshoot(share)))

    return made(LAND_S, frame, (0.8, Sound.LAND))


def glide(sprite: Sprite, start: Point, end: Point) -> Motion:
    """Something is carried to another place."""

    def frame(share: float) -> None:
        sprite.place(*between(start, end, ease_out(share)))

    return made(MOVE_S, frame)
