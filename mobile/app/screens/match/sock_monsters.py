"""Sock Monsters on the match screen: the house, the elves around it, and the big choices.

Upright the board takes the full width, with the own placard under the thumb and the others above;
lying, everybody sits beside the lair of their colour.
"""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp, sp
from kivy.properties import NumericProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from app.boards.elves import elf
from app.boards.house import bag
from app.boards.motion import style
from app.boards.shapes import Drawn
from app.boards.sock_monsters import SockMonstersBoard
from app.boards.socks import Needle
from app.model.live import Acted
from app.model.look import Look
from app.model.sock_monsters import NOTHING, Kind, SockMonstersAct, SockMonstersView
from app.model.sock_monsters_touch import Choice, Hand
from app.model.sock_monsters_words import (
    first_player,
    new_pair,
    others,
    pairs_line,
    prompt,
    tokens_line,
)
from app.model.sounds import Sound
from app.model.values import Act
from app.screens.base import load_kv
from app.screens.match.laying import Box
from app.screens.match.part import GamePart
from app.screens.match.sock_monsters_choices import Choices
from app.screens.match.sock_monsters_placard import ElfPlacard, Pairs
from app.screens.match.sock_monsters_table import Setting, around, upright
from app.theme import Rgba, theme
from app.widgets.card import Backdrop
from app.widgets.toast import SHOWN_S


class LaundryBag(Widget):
    """How many socks are left to draw."""

    count = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """The bag, behind its number."""
        return bag(Needle(self.center_x, self.center_y, min(self.size)))


class ElfPicture(Widget):
    """An elf in all it has found, for the result."""

    def __init__(self, seat: int, pairs: Pairs, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._seat, self._pairs = seat, pairs
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """The elf, as large as fits."""
        size = min(self.width, self.height) * 0.92
        return elf(self._seat, self._pairs, Needle(self.center_x, self.center_y, size))


class HouseTable(FloatLayout):
    """Puts board, placards and choices where they belong; the part says how (`place`)."""

    def do_layout(self, *_: object, **__: object) -> None:
        if self.parent is not None:
            self.parent.place()


class SockMonstersPart(GamePart):
    """The board among the placards."""

    game = "sock_monsters"
    view_type = SockMonstersView
    secret = True

    def __init__(self, **kwargs: Any) -> None:
        self.hand = Hand(NOTHING, (), 0)
        self._look: Look | None = None
        self._names: tuple[str, ...] = ()
        self._mine = 0
        super().__init__(**kwargs)
        self.placards = [ElfPlacard(size_hint=(None, None)) for _ in range(4)]
        # Under the board, whose flying socks land on them.
        for placard in self.placards:
            self.ids.table.add_widget(placard, index=len(self.ids.table.children))
        self.board: SockMonstersBoard = self.ids.board
        self.choices: Choices = self.ids.choices
        self._place = Clock.create_trigger(self.place, -1)
        self._ask = Clock.create_trigger(lambda *_: self._aimed(self.hand), SHOWN_S)
        self.board.bind(
            on_act=lambda _, act: self.dispatch("on_act", act),
            on_hint=lambda _, text: self._say(text),
            on_shown=lambda _, hand: self._shown(hand),
            on_aim=lambda _, hand: self._aimed(hand),
        )
        self.choices.bind(on_choose=lambda _, choice: self._choose(choice))
        self.bind(wide=self._place, left=self._place, has_menu=self._place)

    # --- what the match says ------------------------------------------------------------------

    def reset(self) -> None:
        self._look, self._names = None, ()
        self.hand = Hand(NOTHING, (), 0)
        for placard in self.placards:
            placard.elf = None
        self.board.reset()
        self._aimed(self.hand)

    def show(self, look: Look) -> None:
        assert isinstance(look.view, SockMonstersView)
        self._look, self._names = look, look.names
        options = look.match.options
        german = options.get("edition") == "german"
        self.board.play.to_thief = german and options.get("lair_source") != "lair"
        legal = tuple(act for act in look.legal if isinstance(act, SockMonstersAct))
        memory = options.get("memory_aid") is True
        hand = Hand(look.view, legal, look.seat, german, memory, waits=look.waits)
        self.board.push(hand)

    def acted(self, change: Acted) -> None:
        self.board.push(change)
        act = change.act
        if not change.past and isinstance(act, SockMonstersAct) and act.kind is Kind.FIRST:
            me = self._look is not None and self._look.seats == (act.seat,)
            self.dispatch("on_hint", first_player(self._name(act.seat), me=me))

    def propose(self, act: Act) -> None:
        if isinstance(act, SockMonstersAct):
            self.board.propose(act)

    def skip(self) -> None:
        self.board.skip()

    def redraw(self) -> None:
        self.board.redraw()

    @property
    def resting(self) -> bool:
        return self.board.resting

    def score(self, look: Look) -> str:
        outcome = look.match.outcome
        return pairs_line(outcome.scores, look.seat) if outcome else ""

    def figure(self, *, won: bool) -> Widget:
        """The elf of whoever won, in all it has found; one's own in a match without winners."""
        outcome = self._look.match.outcome if self._look else None
        seat = self._mine
        if outcome is not None and outcome.winners and not won:
            seat = outcome.winners[0]
        return ElfPicture(seat, self.placards[seat].worn)

    # --- what is on the board -----------------------------------------------------------------

    def _shown(self, hand: Hand) -> None:
        if self._look is None or hand.view is NOTHING:
            return
        view, before = hand.view, self.hand.view
        moved = hand.seat != self._mine or len(view.elves) != len(before.elves)
        self._mine = hand.seat
        for one in view.elves:
            name = self._name(one.seat)
            acting = view.acting == one.seat
            if self.placards[one.seat].show(one, name, acting=acting):
                style.dispatch("on_sound", Sound.PAIR)
                me = self._look.seats == (one.seat,)
                self.dispatch("on_cheer", new_pair(name, len(one.pairs), me=me))
        self.ids.bag.count = view.bagged
        self._aimed(hand)
        if moved:
            self._place()

    def _say(self, text: str, colour: Rgba | None = None) -> None:
        """Why a touch meant nothing, where the eye is anyway; nothing is covered by it."""
        self.ids.prompt.text, self.ids.prompt.color = text, colour or theme.warn
        self._ask()
        self._place()

    def _aimed(self, hand: Hand) -> None:
        self._ask.cancel()
        count, said = len(self.hand.choices), self.ids.prompt.text
        self.hand = hand
        actor = hand.view.acting
        does = others(hand.view, actor, self._names) if actor != hand.seat else ""
        self.ids.prompt.text = prompt(hand, self._names) or does
        self.ids.prompt.color = theme.ink
        self.choices.show(hand, self._names)
        if count != len(hand.choices) or len(said) != len(self.ids.prompt.text):
            self._place()

    def _name(self, seat: int | None) -> str:
        return self._names[seat] if seat is not None and seat < len(self._names) else ""

    # --- what the player does -----------------------------------------------------------------

    def _choose(self, choice: Choice) -> None:
        self.board.choose(choice)

    def on_touch_down(self, touch: Any) -> bool:
        """A touch beside everything hurries up what moves, as one on the board does."""
        if super().on_touch_down(touch):
            return True
        if not self.collide_point(*touch.pos):
            return False
        if self.board.hurry():
            return True
        if any(one.opacity and one.collide_point(*touch.pos) for one in self.placards):
            self._say(tokens_line(), theme.ink)
            return True
        return False

    # --- where everything is ------------------------------------------------------------------

    def place(self, *_: object) -> None:
        """Lay the table for the size of the screen."""
        if min(self.width, self.height) < dp(100):
            return
        seats = max(2, len(self.hand.view.elves))
        table = (around if self.wide else upright)(
            Setting(
                room=Box(*self.pos, *self.size),
                dp=dp(1),
                seats=seats,
                mine=self._mine,
                left=self.left,
                corner_right=self.corner_right,
                choices=len(self.hand.choices),
                words=self._words_height,
                narrowest=self.choices.narrowest,
            )
        )
        nowhere = Box(self.x, self.top * 2, 0, 0)
        for seat, placard in enumerate(self.placards):
            placard.opacity = 1 if seat in table.placards else 0
            _put(placard, table.placards.get(seat, nowhere))
        for widget, box in (
            (self.board, table.board),
            (self.ids.prompt, table.prompt),
            (self.choices, table.choices),
            (self.ids.bag, table.bag),
            (self.ids.back, table.back),
        ):
            _put(widget, box)
        spots = {seat: self.placards[seat].spot for seat in table.placards}
        self.board.stand(spots, self.ids.bag.center)

    def _words_height(self, width: float) -> float:
        label = self.ids.prompt
        label.text_size = (width, None)
        label.texture_update()
        return float(max(label.texture_size[1], sp(22)))


def _put(widget: Widget, box: Box) -> None:
    widget.pos, widget.size = box[:2], box[2:]


load_kv(__file__)
