"""Monster Hide and Seek on the match screen: the grid, who has which stars, and what to do now."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp, sp
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from app.boards.hide_and_seek import HideAndSeekBoard
from app.boards.seek_cards import candy, star
from app.boards.seek_monsters import hider
from app.boards.shapes import Drawn
from app.model.hide_and_seek import (
    MONSTERS,
    NOTHING,
    HideAndSeekAct,
    HideAndSeekView,
    Kind,
    Pile,
    Prices,
)
from app.model.hide_and_seek_touch import Hand
from app.model.hide_and_seek_words import prompt, stars_line
from app.model.live import Acted
from app.model.look import Look
from app.model.values import Act
from app.model.words import on_its_way
from app.screens.base import load_kv
from app.screens.match.hide_and_seek_piles import SeekerPlacard, moved
from app.screens.match.hide_and_seek_table import LOW_DP, Setting, lay
from app.screens.match.laying import Box
from app.screens.match.part import GamePart
from app.theme import theme
from app.widgets.card import Backdrop
from app.widgets.toast import SHOWN_S

SEATS = 4
WORDS = 2.9
"""The height of two lines, in sizes of their type."""


class SeekTable(FloatLayout):
    """Puts board, placards and words where they belong; the part says how (`place`)."""

    def do_layout(self, *_: object, **__: object) -> None:
        if self.parent is not None:
            self.parent.place()
        sheet = next((one for one in self.children if hasattr(one, "shown")), None)
        if sheet is not None:
            sheet.pos, sheet.size = self.pos, self.size


class Parade(Widget):
    """The monsters that a player has found, for the result."""

    def __init__(self, pile: Pile, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._pile = pile
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """Side by side under stars, as large as fits."""
        found = {face for pair in self._pile.monsters for face in pair}
        pictures = [face for face in MONSTERS if face in found]
        count = len(pictures) + (1 if self._pile.candies else 0)
        if not count:
            return star(self.center_x, self.center_y, min(self.size) * 0.7)
        size = min(self.height * 0.82, self.width / count)
        left = self.center_x - size * (count - 1) / 2
        drawn: Drawn = []
        for number, face in enumerate(pictures):
            y = self.center_y + size * (0.04 if number % 2 else -0.04)
            drawn += hider(face, size * 0.94, left + number * size, y)
        if self._pile.candies:
            drawn += moved(left + (count - 1) * size, self.center_y, candy(size * 0.9))
        return drawn


class HideAndSeekPart(GamePart):
    """The board among the placards."""

    game = "hide_and_seek"
    view_type = HideAndSeekView

    def __init__(self, **kwargs: Any) -> None:
        self._look: Look | None = None
        self._names: tuple[str, ...] = ()
        self._prices = Prices()
        self._mine = 0
        self._stops = False
        self.hand = Hand(NOTHING, (), 0)
        super().__init__(**kwargs)
        self.placards = [SeekerPlacard(size_hint=(None, None)) for _ in range(SEATS)]
        # Under the board, whose flying cards land on them.
        for placard in self.placards:
            placard.bind(on_release=self._open_pile)
            self.ids.table.add_widget(placard, index=len(self.ids.table.children))
        self.board: HideAndSeekBoard = self.ids.board
        self._place = Clock.create_trigger(self.place, -1)
        self._ask = Clock.create_trigger(lambda *_: self._aimed(self.hand), SHOWN_S)
        self.board.bind(
            on_act=lambda _, act: self._act(act),
            on_hint=lambda _, text: self._say(text),
            on_shown=lambda _, hand: self._shown(hand),
            on_aim=lambda _, hand: self._aimed(hand),
        )
        self.bind(wide=self._place, left=self._place, has_menu=self._place)

    # --- what the match says ------------------------------------------------------------------

    def reset(self) -> None:
        self._look, self._names = None, ()
        self.hand = Hand(NOTHING, (), 0)
        for placard in self.placards:
            placard.forget()
        self.ids.sheet.close()
        self._ask.cancel()
        self.ids.prompt.text = ""
        self.board.reset()

    def show(self, look: Look) -> None:
        assert isinstance(look.view, HideAndSeekView)
        if self._look is None:
            self.board.reset(look.match.match_id)
        self._look, self._names = look, look.names
        self._prices = _prices(look)
        self._stops = look.match.options.get("may_stop_after_match") is True
        self.board.play.spots = {seat: placard.spot for seat, placard in enumerate(self.placards)}
        legal = tuple(act for act in look.legal if isinstance(act, HideAndSeekAct))
        self.board.push(Hand(look.view, legal, look.seat, waits=look.waits))

    def acted(self, change: Acted) -> None:
        self.board.acted(change)

    def propose(self, act: Act) -> None:
        if isinstance(act, HideAndSeekAct):
            self.board.propose(act)

    def skip(self) -> None:
        self.board.skip()

    def redraw(self) -> None:
        self.board.redraw()

    def takes_back(self) -> bool:
        """A pile that is looked at goes first."""
        shown = bool(self.ids.sheet.shown)
        self.ids.sheet.close()
        return shown

    @property
    def resting(self) -> bool:
        return self.board.resting

    def score(self, look: Look) -> str:
        return stars_line(look.match.outcome.scores if look.match.outcome else (), look.seat)

    def figure(self, *, won: bool) -> Widget:
        """The monsters of whoever won."""
        outcome = self._look.match.outcome if self._look else None
        seat = self._mine
        if outcome is not None and outcome.winners and not won:
            seat = outcome.winners[0]
        piles = {pile.seat: pile for pile in self.hand.view.piles}
        return Parade(piles.get(seat, Pile(seat)))

    # --- what is on the board -----------------------------------------------------------------

    def _shown(self, hand: Hand) -> None:
        if self._look is None or hand.view is NOTHING:
            return
        view, before = hand.view, self.hand.view
        # With several people on this device everybody stays where they sit.
        # (Who only watches sees it from the first seat.)
        mine = max(0, self._look.seats[0])
        new = mine != self._mine or len(view.piles) != len(before.piles)
        new = new or (view.columns, view.rows) != (before.columns, before.rows)
        self._mine = mine
        for pile in view.piles:
            acting = view.turn == pile.seat
            stars = self._prices.stars(pile)
            self.placards[pile.seat].show(pile, stars, self._name(pile.seat), acting=acting)
        self._aimed(hand)
        if new:
            self._place()

    def _aimed(self, hand: Hand) -> None:
        could_stop = self.hand.stop is not None
        self.hand = hand
        stops = hand.proposed is not None and hand.proposed.kind is Kind.STOP
        self.ids.stop.kind = "main" if stops else "plain"
        shared = self._look is not None and len(self._look.seats) > 1
        self._ask.cancel()
        self.ids.prompt.text = prompt(hand, self._names, shared=shared)
        self.ids.prompt.color = theme.ink
        self._fit_words()
        if could_stop != (hand.stop is not None):
            self._place()

    def _say(self, text: str) -> None:
        """Why a touch meant nothing, where the eye is anyway; nothing is covered by it."""
        self.ids.prompt.text, self.ids.prompt.color = text, theme.warn
        self._fit_words()
        self._ask()

    def _fit_words(self, *_: object) -> None:
        """Larger words where there is room for them."""
        label = self.ids.prompt
        for size in (20, 18, 16, 14):
            label.font_size, label.text_size = sp(size), (label.width, None)
            label.texture_update()
            if label.texture_size[1] <= label.height:
                break
        label.text_size = label.size

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else ""

    # --- what the player does -----------------------------------------------------------------

    def _act(self, act: HideAndSeekAct) -> None:
        self._ask.cancel()
        self.ids.prompt.text = ""
        self.dispatch("on_act", act)

    def stop(self) -> None:
        """End the turn after a match."""
        self.board.hurry()
        act = self.board.hand.stop
        if act is not None:
            self.board.make(act)
        elif self.board.hand.waits:
            self._say(on_its_way())

    def on_touch_down(self, touch: Any) -> bool:
        """A touch beside everything hurries up what moves, as one on the board does."""
        if super().on_touch_down(touch):
            return True
        return bool(self.collide_point(*touch.pos) and self.board.hurry())

    def _open_pile(self, placard: SeekerPlacard) -> None:
        if placard.pile is not None:
            self.ids.sheet.open(placard.pile, placard.name, self._prices)

    # --- where everything is ------------------------------------------------------------------

    def place(self, *_: object) -> None:
        """Lay the table for the size of the screen."""
        if min(self.width, self.height) < dp(100):
            return
        view = self.hand.view
        table = lay(
            Setting(
                room=Box(*self.pos, *self.size),
                dp=dp(1),
                seats=max(2, len(view.piles)),
                mine=self._mine,
                left=self.left,
                corner_right=self.corner_right,
                grid=(view.columns, view.rows),
                stops=self._stops,
                words=sp(14 if self.height < dp(LOW_DP) else 16) * WORDS,
            )
        )
        nowhere = Box(self.x, self.top * 2, 0, 0)
        for seat, placard in enumerate(self.placards):
            placard.opacity = 1 if seat in table.placards else 0
            _put(placard, table.placards.get(seat, nowhere))
        _put(self.board, table.board)
        can_stop = self.hand.stop is not None
        _put(self.ids.prompt, table.beside if can_stop else table.prompt)
        self._fit_words()
        _put(self.ids.stop, table.stop if can_stop else nowhere)
        self.ids.stop.disabled = not can_stop
        _put(self.ids.back, table.back)


def _prices(look: Look) -> Prices:
    options = look.match.options
    monster, sweet = options.get("monster_stars", 1), options.get("candy_stars", 2)
    return Prices(int(monster), int(sweet))


def _put(widget: Widget, box: Box) -> None:
    widget.pos, widget.size = box[:2], box[2:]


load_kv(__file__)
