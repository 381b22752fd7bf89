"""Finished matches to look back on, and what a server says about them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.model.advice import Decision, Luck, Point, Review
from app.net.fake import FakeGateway
from tests.mobile.positions import NEARLY, SEATS

LOSSES = ((3, 310), (8, 140), (12, 40))
"""Which decisions cost something, and how much."""


def finished(gateway: FakeGateway) -> str:
    """A match of Socker that is over after one kick."""
    match_id = gateway.start("socker", SEATS, {}, NEARLY)
    gateway.play_as(match_id, "e9*e10")
    return match_id


def went(seats: int) -> tuple[Point, ...]:
    """Chances that go up and down, and end with a win of the first seat."""
    points = []
    for step in range(60):
        lead = int(330 * math.sin(step / 7) * (step / 60) + 5 * step * (step / 60))
        rest = (1000 - 1000 // seats - lead) // max(1, seats - 1)
        sway = [int(70 * math.sin(step / 4 + seat)) for seat in range(seats - 1)]
        shares = [max(0, min(1000, 1000 // seats + lead))]
        shares += [max(0, min(1000, rest + one)) for one in sway]
        points.append(Point(step, tuple(shares)))
    return (*points, Point(61, (1000, *(0 for _ in range(seats - 1)))))


def review_of(
    gateway: FakeGateway, match_id: str, losses: Sequence[tuple[int, int]] = LOSSES
) -> Review:
    """A review with a bit of everything, for the first seat."""
    playing = gateway.matches[match_id]
    seats = len(playing.setting.seats)
    first = next(event for event in playing.events if event.actor == 0)
    legal = playing.ply(first.revision).views[0].legal
    decisions = tuple(
        Decision(number, first.revision, first.act, legal[number % len(legal)], loss)
        for number, loss in losses
    )
    luck = (Luck(180, 60), *(Luck(-180 // (seats - 1), 60) for _ in range(seats - 1)))
    hints = (2, *(0 for _ in range(seats - 1)))
    return Review(0, "hilda", decisions, went(seats), luck, hints, lucky=9)
