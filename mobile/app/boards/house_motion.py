"""How things move in the house: pawns walk, monsters hop, dice rattle, tiles flip, socks fly."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from app.boards.motion import CALM_S, Motion, between, ease_out, made, overshoot, style
from app.boards.shapes import Point
from app.boards.sprite import Sprite
from app.model.sounds import Sound

STEP_S = 0.19
LAND_S = 0.25
MONSTER_HOP = 0.2
"""From so many cells' height on a step is a hop."""
FLY_S = 0.5
RATTLE_S = 0.95
FLIP_S = 0.22
LOOK_S = 1.5
PEEK_S = 2.2
GLANCE_S = 0.8
"""The least time a tile is looked at, also by the impatient."""
BOUNCE_S = 0.3
RAIN_S = 2.2


def walk(sprite: Sprite, points: Sequence[Point], cell: float, height: float = 0.14) -> Motion:
    """From point to point with a little hop on each."""
    legs = max(1, len(points) - 1)

    def frame(share: float) -> None:
        along = min(share * legs, legs - 1e-6)
        leg = int(along)
        start, end = points[leg], points[min(leg + 1, len(points) - 1)]
        x, y = between(start, end, ease_out(along - leg))
        sprite.place(x, y + cell * height * math.sin(math.pi * (along - leg)))

    sound = Sound.STEP if height < MONSTER_HOP else Sound.HOP
    return made(STEP_S * legs, frame, *((leg / legs, sound) for leg in range(1, legs + 1)))


def land(sprite: Sprite, end: Point, cell: float) -> Motion:
    """Somebody is put down."""

    def frame(share: float) -> None:
        lifted = cell * 0.6 * (1 - ease_out(share))
        sprite.place(end[0], end[1] + lifted, scale=max(0.05, overshoot(share)))

    return made(LAND_S, frame, (0.8, Sound.LAND))


def bounce(sprite: Sprite, spot: Point, cell: float) -> Motion:
    """A little jump on the spot: it was chosen."""

    def frame(share: float) -> None:
        sprite.place(spot[0], spot[1] + cell * 0.22 * math.sin(math.pi * share))

    return made(BOUNCE_S, frame)


def fly(
    sprite: Sprite, start: Point, end: Point, cell: float, *, grip: bool = False, spin: float = 0.0
) -> Motion:
    """Through the air; with `grip` it stretches before it lets go."""

    def frame(share: float) -> None:
        if grip and share < 0.3 and not style.less:
            pulled = share / 0.3
            x, y = between(start, end, 0.06 * pulled)
            sprite.place(x, y, scale=1 + 0.35 * pulled, width=1 - 0.3 * pulled)
            return
        done = ease_out((share - 0.3) / 0.7 if grip else share)
        x, y = between(start, end, done)
        arc = math.sin(math.pi * min(1.0, done)) * cell * 0.8
        sprite.place(x, y + arc, angle=spin * (1 - done), scale=1 + 0.25 * math.sin(math.pi * done))

    return made(FLY_S, frame, (0.3 if grip else 0.0, Sound.FLY))


def rattle(faces: Sequence[Sprite], spot: Point, size: float) -> Motion:
    """A die tumbles and shows the last of its `faces`."""
    rng = random.Random(len(faces))
    shakes = [(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.randrange(len(faces))) for _ in range(9)]

    def frame(share: float) -> None:
        rolling = min(1.0, share / 0.62)
        number = min(int(rolling * len(shakes)), len(shakes) - 1)
        aside, turn, which = shakes[number]
        shown = faces[-1] if rolling >= 1.0 else faces[which]
        for face in faces:
            face.place(*spot, scale=0.001)
        left = 1 - rolling
        x, y = spot[0] + aside * size * 0.28 * left, spot[1] + abs(aside) * size * 0.4 * left
        grown = 1.0 if rolling < 1.0 else overshoot(min(1.0, (share - 0.62) / 0.2)) * 0.25 + 0.9
        shown.place(x, y, angle=turn * 40 * left, scale=grown)

    return made(RATTLE_S, frame, (0.0, Sound.DICE))


def rattle_under(
    monster: Sprite, faces: Sequence[Sprite], spot: Point, cell: float, woken: Callable[[], None]
) -> Motion:
    """The monster is lifted, the eye die rattles under it; `woken` is called when it shows."""
    under = (spot[0], spot[1] - cell * 0.1)
    die = rattle(faces, under, cell)
    called = False

    def frame(share: float) -> None:
        nonlocal called
        die.frame(share)
        lifted = math.sin(math.pi * min(1.0, share * 1.08)) ** 0.5 if share < 0.92 else 0.0
        monster.place(spot[0], spot[1] + cell * 0.66 * lifted)
        if share >= 1.0 and not called:
            called = True
            woken()

    return made(RATTLE_S, frame, (0.0, Sound.DICE))


def flip(
    back: Sprite, face: Sprite, start: Point, spot: Point, *, look_s: float, stays: bool
) -> Motion:
    """A tile comes up from `start`, turns over at `spot`, is looked at, and turns back."""
    back_s = 0.0 if stays else FLIP_S
    total_s = 0.01 + look_s if style.less else 2 * FLIP_S + look_s + back_s
    grown = 1.75

    def frame(share: float) -> None:
        now_s = share * total_s
        back.place(*start, scale=0.001)
        face.place(*start, scale=0.001)
        if style.less:
            if share < 1.0 or stays:
                face.place(*spot, scale=grown)
            return
        if now_s < FLIP_S:
            done = ease_out(now_s / FLIP_S)
            x, y = between(start, spot, done)
            back.place(x, y, scale=1 + (grown - 1) * done, width=max(0.02, 1 - now_s / FLIP_S))
        elif now_s < total_s - back_s:
            turned = min(1.0, (now_s - FLIP_S) / FLIP_S)
            face.place(*spot, scale=grown, width=max(0.02, overshoot(turned)))
        elif not stays:
            done = (now_s - (total_s - back_s)) / back_s
            x, y = between(spot, start, ease_out(done))
            back.place(x, y, scale=grown - (grown - 1) * done, width=max(0.02, done))
        if stays and share >= 1.0:
            face.place(*start)

    return Motion(total_s, frame, ((0.0, Sound.FLIP),))


def rain(socks: Sequence[Sprite], left: float, right: float, bottom: float, top: float) -> Motion:
    """Somebody has won: it rains socks."""
    rng = random.Random(7)
    drops = [(rng.random(), rng.random() * 0.45, rng.uniform(-1, 1)) for _ in socks]

    def frame(share: float) -> None:
        for sprite, (across, later, turn) in zip(socks, drops, strict=True):
            done = max(0.0, share - later) / 0.55
            x = left + (right - left) * across + math.sin(done * 5 + turn) * (right - left) * 0.02
            sprite.place(x, top - (top - bottom) * done, angle=turn * 160 * done)

    return Motion(CALM_S, lambda _: None) if style.less else Motion(RAIN_S, frame)
