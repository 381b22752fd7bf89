"""What everybody has found: placards with stars, and a sheet with both sides of every card."""

from __future__ import annotations

import math
from typing import Any

from kivy.animation import Animation
from kivy.graphics import PopMatrix, PushMatrix, Rotate, Translate
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from app.boards.elves import pawn
from app.boards.seek_cards import candy, card, star
from app.boards.shapes import Drawn, felt, rounded
from app.model.hide_and_seek import Pair, Pile, Prices
from app.model.hide_and_seek_words import empty_pile, pile_title
from app.theme import mix, theme
from app.widgets.card import Backdrop, Card, patch

FRONT_ANGLE = 7


def moved(x: float, y: float, drawn: Drawn, angle: float = 0.0) -> Drawn:
    """A drawing somewhere else, turned."""
    return [PushMatrix(), Translate(x, y), Rotate(angle=angle), *drawn, PopMatrix()]


class ElfHead(Widget):
    """The elf of a seat."""

    seat = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(seat=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The elf, as large as fits."""
        size = min(self.width * 1.2, self.height * 0.86)
        return moved(self.center_x, self.center_y, pawn(int(self.seat), size))


class StarCount(Label):
    """A star and how many there are; it jumps when there are more."""

    count = NumericProperty(0)
    jump = NumericProperty(1.0)
    natural_width = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bold, self.halign, self.valign = True, "left", "middle"
        self.bind(jump=self._backdrop.refresh, size=self._fit, count=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        self.text = str(int(self.count))
        self.font_size = sp(24) if self.height > dp(40) else sp(18)
        self.padding = [self._star + dp(6), 0, 0, 0]
        self.text_size = (self.width, self.height)
        self.natural_width = (
            min(dp(34), self.height * 0.8) + dp(8) + self.font_size * 0.62 * max(2, len(self.text))
        )

    @property
    def _star(self) -> float:
        return float(min(dp(34), self.height * 0.8, self.width * 0.45))

    def more(self) -> None:
        """Jump for joy."""
        Animation.cancel_all(self, "jump")
        self.jump = 1.0
        jump = Animation(jump=1.45, duration=0.14) + Animation(jump=1.0, duration=0.3, t="out_back")
        jump.start(self)

    def backdrop(self) -> Drawn:
        """The star."""
        return star(self.x + self._star / 2, self.center_y, self._star * self.jump)


class PileStrip(Widget):
    """A few of the cards found last, overlapping."""

    pile = ObjectProperty(Pile(0))

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(pile=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """As many as fit."""
        pile: Pile = self.pile
        side = self.height * 0.92
        count = len(pile.monsters) + pile.candies
        if side < dp(12) or not count:
            return []
        fits = max(1, int((self.width - side) / (side * 0.5)) + 1)
        step = min(side * 0.84, (self.width - side) / max(1, min(count, fits) - 1))
        drawn: Drawn = []
        for number in range(min(count, fits)):
            x = self.x + side / 2 + number * step
            if number < pile.candies:
                picture = candy(side)
            else:
                one, _ = pile.monsters[number - pile.candies]
                picture = card(one, (side, side), night=bool(number % 2))
            drawn += moved(x, self.center_y, picture)
        return drawn


class SeekerPlacard(ButtonBehavior, Card):
    """One player: elf, name, stars, and what was found. A touch shows the whole pile."""

    seat = NumericProperty(0)
    name = StringProperty("")
    acting = BooleanProperty(False)
    narrow = BooleanProperty(False)
    found = NumericProperty(0)
    pile = ObjectProperty(None, allownone=True)

    def backdrop(self) -> Drawn:
        """In lamp light while it is this player's turn."""
        if not self.acting:
            return super().backdrop()
        rim = dp(3)
        width, height = self.width + 2 * rim, self.height + 2 * rim
        lamp = rounded(self.x - rim, self.y - rim, width, height, self.radius + rim)
        seam = mix(theme.accent, theme.ink, 0.2)
        return felt(lamp, theme.accent, 1.2) + patch(
            self, theme.card_high, radius=self.radius, seam=seam
        )

    def show(self, pile: Pile, stars: int, name: str, *, acting: bool) -> None:
        """Show what a player has."""
        before: Pile | None = self.pile
        self.seat, self.name, self.acting, self.pile = pile.seat, name, acting, pile
        self.ids.strip.pile = pile
        self.found = len(pile.monsters) + pile.candies
        grown = before is not None and stars > self.ids.stars.count
        self.ids.stars.count = stars
        if grown:
            self.ids.stars.more()

    def forget(self) -> None:
        """Another match is coming."""
        self.pile = None
        self.acting, self.found = False, 0
        self.ids.stars.count = 0

    @property
    def spot(self) -> tuple[float, float]:
        """Where cards that were found fly to, in the coordinates of the parent."""
        stars = self.ids.stars
        return (stars.x + dp(17), stars.center_y)


class PileCards(Widget):
    """Both sides of every card of a pile, side by side."""

    pile = ObjectProperty(Pile(0))

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(pile=self._backdrop.refresh)

    def wanted(self, width: float) -> float:
        """The height at which cards have their usual size."""
        rows = math.ceil(self._count / max(1, int(width // dp(104))))
        return float(rows * dp(76))

    @property
    def _count(self) -> int:
        pile: Pile = self.pile
        return len(pile.monsters) + pile.candies

    def backdrop(self) -> Drawn:
        """All cards, as large as fits."""
        pile: Pile = self.pile
        if not self._count or min(self.size) < dp(20):
            return []
        across = self._across()
        width = min(self.width / across, dp(130))
        height = min(self.height / math.ceil(self._count / across), width * 0.72)
        drawn: Drawn = []
        things: list[Pair | None] = [*pile.monsters, *[None] * pile.candies]
        for number, pair in enumerate(things):
            row, column = divmod(number, across)
            here = min(across, self._count - row * across)
            x = self.center_x + (column - (here - 1) / 2) * width
            y = self.top - (row + 0.5) * height
            drawn += self._thing(pair, x, y, min(height * 0.86, width * 0.54))
        return drawn

    def _across(self) -> int:
        """How many in a row make the cards largest."""

        def side(across: int) -> float:
            rows = math.ceil(self._count / across)
            return float(min(self.height / rows, self.width / across * 0.72))

        return max(range(1, self._count + 1), key=side)

    def _thing(self, pair: Pair | None, x: float, y: float, side: float) -> Drawn:
        if pair is None:
            return moved(x, y, candy(side))
        aside = side * 0.4
        back = card(pair[1], (side, side), night=True)
        front = card(pair[0], (side, side), night=False)
        drawn = moved(x + aside, y, back, -FRONT_ANGLE)
        return drawn + moved(x - aside, y, front, FRONT_ANGLE)


class PileSheet(FloatLayout):
    """A pile over everything, until somebody touches the screen."""

    shown = BooleanProperty(False)
    title = StringProperty("")
    words = StringProperty("")
    seat = NumericProperty(-1)

    def open(self, pile: Pile, name: str, prices: Prices) -> None:
        """Show a pile."""
        self.seat = pile.seat
        self.title = pile_title(name, prices.stars(pile))
        self.words = "" if pile.monsters or pile.candies else empty_pile(name)
        self.ids.cards.pile = pile
        self.ids.cards.height = self.ids.cards.wanted(self.ids.cards.width)
        self.shown = True

    def close(self) -> None:
        """Back to the board."""
        self.shown = False

    def on_touch_down(self, _touch: Any) -> bool:
        """Any touch closes it, and means nothing else."""
        if not self.shown:
            return False
        self.close()
        return True
