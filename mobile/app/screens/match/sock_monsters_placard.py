"""A player's placard: the elf with the pairs it wears, its single socks, and its tokens."""

from __future__ import annotations

from typing import Any, TypeAlias

from kivy.animation import Animation
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.label import Label

from app.boards.elves import elf
from app.boards.house_tiles import token
from app.boards.shapes import Drawn, Point
from app.boards.socks import Needle, sock
from app.boards.wool import seat_wool
from app.model.sock_monsters import Colour, Elf, Motif, Sock
from app.model.words import cut_at
from app.screens.match.sock_monsters_pictures import moved
from app.theme import faded, mix, theme
from app.widgets.card import Backdrop, patch

Pairs: TypeAlias = tuple[tuple[Sock, Sock], ...]

MOTIFS = (Motif.CHEST, Motif.WARDROBE, Motif.DRAWER, Motif.BASKET)


class ElfPlacard(Label):
    """One player; the label itself is the name. Drawn as one canvas, in whatever room it gets."""

    elf = ObjectProperty(None, allownone=True)
    seat = NumericProperty(0)
    name = StringProperty("")
    acting = BooleanProperty(False)
    bounced = NumericProperty(-1)
    """The pair that was just found, while it is shown large."""
    worn = ObjectProperty(())
    """The pairs in the order in which they came: what is on the feet stays there."""
    tokens = ObjectProperty(None, allownone=True)
    socks = ObjectProperty(())

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # Each for itself: hundreds of pieces of felt take longer than a frame may, and of most
        # actions none of them changes.
        ground, figure, tokens, socks = (
            Backdrop(self, draw).refresh
            for draw in (self._ground, self._figure, self._tokens, self._singles)
        )
        self.bind(seat=ground, acting=ground)
        self.bind(seat=figure, worn=figure, bounced=figure, tokens=figure)
        self.bind(seat=tokens, tokens=tokens, socks=socks)
        self.bind(elf=self._take)
        self.bind(size=self._fit, name=self._fit)

    def _take(self, *_: object) -> None:
        one: Elf | None = self.elf
        self.tokens = None if one is None else one.tokens
        self.socks = () if one is None else one.socks

    def show(self, one: Elf, name: str, *, acting: bool) -> bool:
        """Show what a player has; whether a pair came in."""
        known = self.elf is not None and self.elf.seat == one.seat
        before = len(self.worn) if known else len(one.pairs)
        self.worn = worn_as(self.worn if known else (), one.pairs)
        self.seat, self.name, self.acting, self.elf = one.seat, name, acting, one
        if len(self.worn) <= before:
            return False
        self._bounce(len(self.worn) - 1)
        return True

    def _bounce(self, number: int) -> None:
        Animation.cancel_all(self, "bounced")
        self.bounced = number
        settle = Animation(bounced=number, duration=0.6) + Animation(bounced=-1, duration=0)
        settle.start(self)

    @property
    def wide(self) -> bool:
        """Whether the elf stands beside its things instead of over them."""
        return bool(self.width > self.height * 1.45)

    @property
    def _stacked(self) -> bool:
        """Whether the tokens lie under the name for want of width."""
        return bool(self.wide and self.width < self.height * 0.98 + self._token * 4.6 + sp(90))

    @property
    def spot(self) -> Point:
        """Where socks that come or go are, in the coordinates of the parent."""
        left, bottom, width, height = self._room
        return (left + width * 0.35, bottom + height * 0.5)

    def _fit(self, *_: object) -> None:
        self.text = self.name
        big = self.height > dp(100)
        self.font_size = sp(16) if big else min(sp(14), self.height * 0.22)
        self.bold = True
        self.shorten, self.shorten_from = True, cut_at(self.name)
        self.halign, self.valign = "left", "top"
        left, right = dp(8), dp(8)
        if self.wide:
            left = self._stand + dp(6)
            right = dp(6) if self._stacked else self._token * 4.6 + dp(14)
            self.text_size = (self.width, self.height - dp(8))
        else:
            self.halign, self.valign = "center", "bottom"
            self.text_size = (self.width, self.height - 2 * self._foot)
        self.padding = [left, 0, right, 0]

    # --- where everything is ------------------------------------------------------------------

    @property
    def _name_height(self) -> float:
        return float(self.font_size * 1.5)

    @property
    def _mini(self) -> bool:
        """Whether there is no room for a row of socks under the name."""
        return bool(not self.wide and self.height < dp(90))

    @property
    def _foot(self) -> float:
        """The height of what is under the name."""
        return float(dp(5) if self._mini else self._sock_row + dp(4))

    @property
    def _sock_row(self) -> float:
        """The height of the row of single socks of a tall placard."""
        return float(max(dp(17), min(self.height * 0.23, dp(44))))

    @property
    def _stand(self) -> float:
        """The width of where the elf stands."""
        if self._stacked:
            return float(min(self.height * 0.98, self.width * 0.47))
        if self.wide:
            return float(self.height * 0.98)
        return float(self.width - self._token * 2.6)

    @property
    def _token(self) -> float:
        share = 0.2 if self.wide and self.height > dp(100) else 0.16
        return float(min(dp(26), max(dp(11.5), self.height * share)))

    @property
    def _room(self) -> tuple[float, float, float, float]:
        """The room for single socks: x, y, width, height."""
        if self.wide:
            left = self.x + self._stand + dp(4)
            height = min(self.height * (0.38 if self._stacked else 0.52), dp(58))
            return (left, self.y + self.height * 0.1, self.right - left - dp(10), height)
        if self._mini:
            left = self.right - self._token * 2.4
            bottom = self.y + self._foot + self._name_height
            height = max(dp(12), self.top - dp(7) - self._token * 2.3 - bottom)
            return (left - dp(4), bottom, self.right - left - dp(2), height)
        return (self.x + dp(6), self.y + dp(4), self.width - dp(12), self._sock_row)

    # --- drawing ------------------------------------------------------------------------------

    @property
    def _small(self) -> bool:
        """Whether there is no room for anything."""
        return bool(min(self.width, self.height) < dp(30))

    def _ground(self) -> Drawn:
        if self._small:
            return []
        wool = seat_wool(Colour.of(int(self.seat)))
        ground = theme.card_high if self.acting else theme.card
        seam = theme.accent if self.acting else faded(mix(wool, theme.seam, 0.4), 0.8)
        return patch(self, ground, radius=dp(16), seam=seam)

    def _figure(self) -> Drawn:
        if self._small or self.elf is None:
            return []
        if self.wide:
            size = min(self.height * 0.84, self._stand * 0.86)
            x, y = self.x + self._stand / 2 + dp(3), self.center_y - self.height * 0.02
        else:
            bottom = self.y + self._foot + self._name_height
            height = self.top - bottom
            size = min(height * 0.88, self._stand * 0.96)
            x, y = self.x + self._stand / 2 + dp(2), bottom + height * 0.47
        return elf(int(self.seat), self.worn, Needle(x, y, size), int(self.bounced))

    def _tokens(self) -> Drawn:
        if self._small or self.tokens is None:
            return []
        size, colour = self._token, Colour.of(int(self.seat))
        drawn: Drawn = []
        for number, motif in enumerate(MOTIFS):
            if self._stacked:
                size = min(size, (self.width - self._stand - dp(16)) / 4.4)
                x = self.x + self._stand + dp(6) + size * (0.5 + 1.1 * number)
                y = self.top - dp(8) - self._name_height - size * 0.5
            elif self.wide:
                # Off the seam.
                x = self.right - dp(12) - size * (0.55 + 1.12 * (3 - number))
                y = self.top - dp(11) - size * 0.5
            else:
                bottom = self.y + self._foot + self._name_height
                middle = (bottom + self.top) / 2
                if self._mini:
                    middle = self.top - dp(7) - size * 1.05
                x = (
                    self.right
                    - (dp(6) if self._mini else dp(10))
                    - size * (0.5 + 1.1 * (1 - number % 2))
                )
                y = middle + size * (0.55 - 1.1 * (number // 2))
            drawn += moved(x, y, token(colour, motif, size, up=motif in self.tokens))
        return drawn

    def _singles(self) -> Drawn:
        count = len(self.socks)
        if self._small or not count:
            return []
        left, bottom, width, height = self._room
        size = height * 0.92
        step = min(size * 0.82, (width - size * 0.8) / max(1, count - 1))
        drawn: Drawn = []
        for number, kind in enumerate(self.socks):
            x = left + size * 0.4 + number * step
            drawn += sock(kind, Needle(x, bottom + height / 2, size))
        return drawn


def worn_as(before: Pairs, now: Pairs) -> Pairs:
    """The pairs of `now`: first those that were worn before, in their order, then the new ones."""
    left = list(now)
    kept = []
    for pair in before:
        if pair in left:
            left.remove(pair)
            kept.append(pair)
    return (*kept, *left)
