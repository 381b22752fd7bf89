"""How each thing that happens in Monster Hide and Seek looks, as one motion."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from app.boards import seek_motion as motions
from app.boards.house_motion import rain
from app.boards.motion import CALM_S, Motion, made
from app.boards.seek_cards import star, sweet, wrapper
from app.boards.seek_layout import CARD
from app.boards.seek_marks import beams
from app.boards.seek_stage import Side, Stage
from app.boards.shapes import Point, fill
from app.boards.sprite import Sprite
from app.model.hide_and_seek import Cell, HideAndSeekView
from app.model.hide_and_seek_story import Beat


class Borders:
    """Which side of each card is up: it says that a card was flipped, and nothing else.

    Where the app joins, both are as likely everywhere; from then on each flip changes it.
    """

    def __init__(self, key: str = "") -> None:
        self._key = key
        self._night: dict[Cell, bool] = {}

    @property
    def night(self) -> Mapping[Cell, bool]:
        """Whether the night side is up, by cell."""
        return self._night

    def meet(self, view: HideAndSeekView) -> None:
        """See to it that each card has a side."""
        for card in view.cards:
            chance = crc32(f"{self._key} {card.cell}".encode()) >> 7
            self._night.setdefault(card.cell, bool(chance % 2))

    def flip(self, cell: Cell) -> bool:
        """A card turns over; whether its night side is up now."""
        self._night[cell] = not self._night.get(cell, False)
        return self._night[cell]

    def catch_up(self, before: HideAndSeekView, after: HideAndSeekView) -> None:
        """Cards that show another face without having been seen to turn have turned."""
        for card in after.cards:
            old = before.card(card.cell)
            if old is not None and old.shown is not card.shown:
                self.flip(card.cell)


class Play:
    """Makes motions on a stage. `spots` is where each seat's pile is, in its coordinates."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.spots: dict[int, Point] = {}

    def motion(self, beat: Beat, borders: Borders, *, own: bool) -> Motion:
        """How a beat looks; `own` flips need no pause to be noticed."""
        if beat.candy:
            return motions.chain(self._candy(beat, borders))
        parts = [self._flips(beat, borders)]
        if beat.missed:
            parts += [motions.pause(motions.LOOK_S / 2), *self._shrug(beat.missed)]
            parts.append(motions.pause(motions.LOOK_S / 2))
        elif beat.taken:
            parts += [motions.pause(motions.LOOK_S), *self._fly(beat)]
        elif not own:
            parts.append(motions.pause(motions.LOOK_S))
        return motions.chain(parts)

    def deal(self) -> Motion:
        """All cards are put down."""
        layout = self.stage.layout
        return motions.deal(
            [(sprite, layout.middle(cell)) for cell, sprite in self.stage.sprites.items()]
        )

    def rain(self, box: tuple[float, float, float, float]) -> Motion:
        """The match is over: it rains stars into a rectangle (left, right, bottom, top)."""
        size = self.stage.layout.side * 0.4
        stars = [self.stage.fly(star(0, 0, size * (0.7 + 0.1 * (i % 5)))) for i in range(28)]
        left, right, bottom, top = box
        for one in stars:
            one.place(left, top * 2)
        return rain(stars, left, right, bottom - size, top + size)

    def _flips(self, beat: Beat, borders: Borders) -> Motion:
        parts: list[Motion] = []
        for turned in beat.turned:
            before = self.stage.above(turned.cell)
            side = Side(turned.after, borders.flip(turned.cell))
            after = self.stage.turned(turned.cell, side)
            if before is not None:
                spot = self.stage.layout.middle(turned.cell)
                parts.append(motions.flip(before, after, spot, self.stage.layout.side))
        return motions.together(parts) if parts else motions.pause(CALM_S)

    def _shrug(self, cells: tuple[Cell, ...]) -> list[Motion]:
        there = self.stage.sprites
        shown = [cell for cell in cells if cell in there]
        spots = [self.stage.layout.middle(cell) for cell in shown]
        return [motions.shrug([there[cell] for cell in shown], spots)]

    def _fly(self, beat: Beat) -> list[Motion]:
        cards: list[Sprite] = []
        spots: list[Point] = []
        for cell in beat.taken:
            if not any(turned.cell == cell for turned in beat.turned):
                self.stage.above(cell)
            sprite = self.stage.take(cell)
            if sprite is not None:
                cards.append(sprite)
                spots.append(self.stage.layout.middle(cell))
        height = self.stage.layout.side
        end = self.spots.get(beat.actor, self.stage.layout.box[:2])
        return [
            motions.lift(cards, spots, height),
            motions.pause(CALM_S),
            motions.fly(cards, spots, end, height),
        ]

    def _candy(self, beat: Beat, borders: Borders) -> list[Motion]:
        """The candy unwraps, the light goes along its lines, and what it finds there turns over."""
        stage, cell = self.stage, beat.taken[0]
        layout, spot = stage.layout, stage.layout.middle(cell)
        side = layout.side * CARD
        found = [turned.cell for turned in beat.turned]
        wrapped = stage.above(cell)
        stage.take(cell)
        paper = [stage.fly(wrapper(side, end)) for end in (-1, 1)]
        ball = stage.fly(sweet(side))
        for sprite in (*paper, ball):
            sprite.place(*spot, scale=motions.GONE)
        unwrap = motions.unwrap(paper, ball, spot, side)

        def opened(share: float) -> None:
            if wrapped is not None:
                wrapped.place(*spot, scale=motions.GONE)
            unwrap.frame(share)

        def light(share: float) -> None:
            fill(stage.marks, beams(layout, cell, found, share))

        end = self.spots.get(beat.actor, layout.box[:2])
        parts = [Motion(unwrap.seconds, opened, unwrap.cues)]
        if found:
            parts += [made(motions.LIGHT_S, light), self._flips(beat, borders)]
            parts.append(motions.pause(motions.LOOK_S))
        return [*parts, motions.fly([ball], [spot], end, side)]
