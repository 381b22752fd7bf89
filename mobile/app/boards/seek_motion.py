"""How things move in Monster Hide and Seek: cards turn over, lift and fly; candies unwrap."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.boards.motion import Cue, Motion, between, ease_out, made, overshoot
from app.boards.shapes import Point
from app.boards.sprite import Sprite
from app.model.sounds import Sound

FLIP_S = 0.42
LOOK_S = 0.5
"""How long a card is looked at before anything else happens."""
SHRUG_S = 0.45
LIFT_S = 0.25
FLY_S = 0.5
LIGHT_S = 0.4
UNWRAP_S = 0.45
DEAL_S = 0.6
GONE = 0.001
"""The scale of what is not to be seen."""


def pause(seconds: float) -> Motion:
    """Time to look, which less motion does not shorten."""
    return Motion(seconds, lambda _share: None)


def chain(parts: Sequence[Motion]) -> Motion:
    """One motion after the other."""
    total = sum(part.seconds for part in parts)
    done, begun = 0, 0.0

    def frame(share: float) -> None:
        nonlocal done, begun
        now = share * total
        while done < len(parts) and (share >= 1.0 or now >= begun + parts[done].seconds):
            parts[done].frame(1.0)
            begun += parts[done].seconds
            done += 1
        if done < len(parts):
            parts[done].frame((now - begun) / parts[done].seconds)

    cues: list[Cue] = []
    start = 0.0
    for part in parts:
        cues += [((start + share * part.seconds) / total, sound) for share, sound in part.cues]
        start += part.seconds
    return Motion(total, frame, tuple(cues))


def together(parts: Sequence[Motion]) -> Motion:
    """Motions of equal length at the same time."""

    def frame(share: float) -> None:
        for part in parts:
            part.frame(share)

    return Motion(parts[0].seconds, frame, parts[0].cues)


def flip(before: Sprite, after: Sprite, spot: Point, height: float) -> Motion:
    """A card rises, turns over and lands; the middle is its thin edge."""

    def frame(share: float) -> None:
        up = math.sin(math.pi * min(1.0, share))
        x, y = spot[0], spot[1] + height * 0.1 * up
        turned = share * 2 - 1
        if turned < 0:
            before.place(
                x, y, scale=1 + 0.14 * up, width=max(0.03, math.sin(-turned * math.pi / 2))
            )
            after.place(x, y, scale=GONE)
        else:
            before.place(x, y, scale=GONE)
            after.place(x, y, scale=1 + 0.14 * up, width=max(0.03, overshoot(turned)))

    return made(FLIP_S, frame, (0.4, Sound.FLIP))


def shrug(cards: Sequence[Sprite], spots: Sequence[Point]) -> Motion:
    """No match: both shake their heads a little."""

    def frame(share: float) -> None:
        left = 1 - share
        angle = 7 * left * math.sin(share * math.pi * 4)
        for sprite, (x, y) in zip(cards, spots, strict=True):
            sprite.place(x, y, angle=angle)

    return made(SHRUG_S, frame)


def lift(cards: Sequence[Sprite], spots: Sequence[Point], height: float) -> Motion:
    """A match: both jump for joy."""

    def frame(share: float) -> None:
        up = ease_out(share)
        tilt = 6 * math.sin(share * math.pi * 2)
        for sprite, (x, y) in zip(cards, spots, strict=True):
            sprite.place(x, y + height * 0.12 * up, angle=tilt, scale=1 + 0.18 * overshoot(share))

    return made(LIFT_S, frame, (0.0, Sound.PAIR))


def fly(cards: Sequence[Sprite], spots: Sequence[Point], end: Point, height: float) -> Motion:
    """To a pile, getting smaller on the way."""

    def frame(share: float) -> None:
        done = ease_out(share)
        for number, (sprite, (x, y)) in enumerate(zip(cards, spots, strict=True)):
            at = between((x, y + height * 0.12), end, done)
            bow = math.sin(math.pi * done) * height * (0.35 if number else 0.6)
            scale = 1.18 - 0.88 * done if share < 1.0 else GONE
            sprite.place(at[0] + bow * 0.3, at[1] + bow, angle=-20 * done, scale=scale)

    return made(FLY_S, frame, (0.0, Sound.FLY))


def unwrap(paper: Sequence[Sprite], ball: Sprite, spot: Point, side: float) -> Motion:
    """The ends of the paper fly off to both sides, the candy grows."""

    def frame(share: float) -> None:
        done = ease_out(share)
        for end, sprite in zip((-1, 1), paper, strict=True):
            away = end * side * 0.55 * done
            drop = side * 0.5 * share * share
            scale = max(GONE, 1 - share)
            sprite.place(spot[0] + away, spot[1] - drop, angle=-end * 160 * done, scale=scale)
        ball.place(*spot, scale=1 + 0.3 * overshoot(share))

    return made(UNWRAP_S, frame, (0.0, Sound.CANDY))


def deal(cards: Sequence[tuple[Sprite, Point]]) -> Motion:
    """The cards are put down one after the other."""
    late = 0.6 / max(1, len(cards))

    def frame(share: float) -> None:
        for number, (sprite, (x, y)) in enumerate(cards):
            done = min(1.0, max(0.0, (share - number * late) / 0.4))
            sprite.place(x, y, angle=-25 * (1 - ease_out(done)), scale=max(GONE, overshoot(done)))

    return made(DEAL_S, frame, (0.0, Sound.FLIP), (0.5, Sound.FLIP))
