"""Motions of all boards: what "less motion" makes of them."""

from __future__ import annotations

import pytest

from app.boards import house_motion, seek_motion, socker_motion
from app.boards.motion import style
from app.boards.sprite import Sprite

HERE, THERE, FAR = (10.0, 10.0), (50.0, 10.0), (90.0, 90.0)


class Followed(Sprite):
    """A sprite that remembers where it was put."""

    def __init__(self) -> None:
        super().__init__([])
        self.at: tuple[float, ...] = ()

    def place(
        self, x: float, y: float, angle: float = 0.0, scale: float = 1.0, width: float = 1.0
    ) -> None:
        self.at = (x, y, angle, scale, width)


@pytest.mark.parametrize("less", [False, True])
def test_with_less_motion_everything_is_where_it_goes_at_once(
    monkeypatch: pytest.MonkeyPatch, less: bool
) -> None:
    monkeypatch.setattr(style, "less", less)
    one, other = Followed(), Followed()
    for motion in (
        seek_motion.flip(one, other, HERE, 40),
        seek_motion.lift([one, other], [HERE, THERE], 40),
        seek_motion.fly([one, other], [HERE, THERE], FAR, 40),
        seek_motion.unwrap([one, Followed()], other, HERE, 40),
        seek_motion.deal([(one, HERE), (other, THERE)]),
        house_motion.walk(one, [HERE, THERE, FAR], 40),
        house_motion.land(one, HERE, 40),
        house_motion.fly(one, HERE, FAR, 40, grip=True),
        socker_motion.hop(one, HERE, THERE, 40),
        socker_motion.kick(one, other, HERE, [THERE, FAR]),
        socker_motion.sock(one, other, HERE, THERE, FAR),
        socker_motion.land(one, HERE, 40),
        socker_motion.glide(one, HERE, THERE),
    ):
        motion.frame(0.0)
        motion.frame(0.25)
        begin = (one.at, other.at)
        motion.frame(1.0)
        assert ((one.at, other.at) == begin) == less
