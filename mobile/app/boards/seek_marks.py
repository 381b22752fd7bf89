"""What is lit on the quilt, and what a candy that was aimed at would do."""

from __future__ import annotations

from collections.abc import Iterable

from kivy.graphics import PopMatrix, PushMatrix, Translate

from app.boards.seek_cards import rim, turn_badge
from app.boards.seek_layout import CARD, SeekLayout
from app.boards.seek_stage import RAISED
from app.boards.shapes import Drawn, Point, disc, felt
from app.model.hide_and_seek import Cell
from app.model.hide_and_seek_touch import Hand
from app.theme import DARK, faded, mix, theme


def ground_marks(layout: SeekLayout, hand: Hand) -> Drawn:
    """Under the cards: a rim of light around all that can be touched, wider around what was."""
    drawn: Drawn = []
    side = layout.side
    if hand.found and hand.aimed is not None:
        drawn += beams(layout, hand.aimed, hand.found)
    quiet = mix(theme.accent, DARK, 0.12)
    for cell in sorted(hand.cards):
        drawn += _at(layout.middle(cell), rim(layout.card, quiet, side * 0.032))
    for cell in sorted(hand.candies):
        x, y = layout.middle(cell)
        drawn += disc(x, y, side * (CARD * 0.84 + 0.075), quiet)
    for chosen in {hand.view.flipped, hand.aimed} - {None}:
        assert chosen is not None
        x, y = layout.middle(chosen)
        if chosen in hand.candies:
            drawn += disc(x, y, side * (CARD * 0.84 + 0.16), theme.accent)
        else:
            size = (layout.card[0] * RAISED, layout.card[1] * RAISED)
            drawn += _at((x, y), rim(size, mix(theme.accent, DARK, 0.45), side * 0.095))
            drawn += _at((x, y), rim(size, theme.accent, side * 0.08))
    for cell in hand.found:
        drawn += _at(layout.middle(cell), rim(layout.card, theme.accent, side * 0.06))
    for cell in _proposed(hand):
        drawn += _at(
            layout.middle(cell), rim(layout.card, mix(theme.accent, DARK, 0.45), side * 0.1)
        )
        drawn += _at(layout.middle(cell), rim(layout.card, theme.accent, side * 0.085))
    return drawn


def over_marks(layout: SeekLayout, hand: Hand) -> Drawn:
    """Over the cards: which of them a candy would turn, and which were suggested."""
    drawn: Drawn = []
    size = layout.side * 0.32
    for cell in (*hand.found, *_proposed(hand)):
        x, y = layout.middle(cell)
        width, height = layout.card
        drawn += turn_badge(x + width / 2 - size * 0.42, y + height / 2 - size * 0.42, size)
    return drawn


def _proposed(hand: Hand) -> tuple[Cell, ...]:
    return () if hand.proposed is None else hand.proposed.flips


def beams(layout: SeekLayout, candy: Cell, found: Iterable[Cell], share: float = 1.0) -> Drawn:
    """The light along the lines of a candy, `share` of the way to the cards it finds."""
    drawn: Drawn = []
    x, y = layout.middle(candy)
    near, far = layout.side * 0.1, layout.side * 0.2
    for cell in found:
        end = layout.middle(cell)
        to_x, to_y = x + (end[0] - x) * share, y + (end[1] - y) * share
        if abs(end[0] - x) > abs(end[1] - y):
            cone = [(x, y - near), (to_x, to_y - far), (to_x, to_y + far), (x, y + near)]
        else:
            cone = [(x - near, y), (to_x - far, to_y), (to_x + far, to_y), (x + near, y)]
        drawn += felt(cone, faded(theme.accent, 0.5), 1.0)
    return drawn


def _at(where: Point, drawn: Drawn) -> Drawn:
    return [PushMatrix(), Translate(*where), *drawn, PopMatrix()]
