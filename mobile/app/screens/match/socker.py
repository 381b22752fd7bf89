"""Socker on the match screen: the pitch, the two sides, and what can be done."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from app.boards.motion import style
from app.boards.socker import SockerBoard
from app.i18n import tr, trn
from app.model.live import Acted
from app.model.look import Look
from app.model.socker import Kind, Phase, Side, SockerAct, SockerView, sockers_to_place
from app.model.socker_touch import Hand
from app.model.sounds import Sound
from app.model.values import Act
from app.model.words import actions_left, on_its_way
from app.screens.base import load_kv
from app.screens.match.part import GamePart
from app.widgets import Avatar, Card


class SockerPlacard(Card):
    """One side: its figure, name, goals, and what it is about to do."""

    side = NumericProperty(0)
    name = StringProperty("")
    goals = NumericProperty(0)
    note = StringProperty("")
    acting = BooleanProperty(False)
    left = NumericProperty(0)
    total = NumericProperty(0)


class SockerPart(GamePart):
    """The board between the placards of both sides."""

    game = "socker"
    view_type = SockerView

    my_side = NumericProperty(0)
    can_end = BooleanProperty(False)
    must_pass = BooleanProperty(False)
    end_proposed = BooleanProperty(False)
    """Whether to end the turn is what was suggested."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.hand: Hand | None = None
        self._actor: int | None = None
        self._allowed = 3
        self.ids.board.bind(
            on_act=lambda _, act: self.dispatch("on_act", act),
            on_hint=lambda _, text: self.dispatch("on_hint", text),
            on_shown=self._on_shown,
            on_aim=lambda _, hand: self._aimed(hand),
        )
        self.bind(wide=self._arrange, left=self._arrange, has_menu=self._arrange)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        """The other side's placard sits over an upright board, and beside one on its side, where
        the hand is that plays."""
        theirs, head = self.ids.theirs, self.ids.head
        theirs.parent.remove_widget(theirs)
        last = not self.wide and self.corner_right
        (self.ids.top if self.wide else head).add_widget(theirs, index=1 if last else 0)
        order = [head, self.ids.board, self.ids.panel]
        self.clear_widgets()
        for widget in reversed(order) if self.wide and self.left else order:
            self.add_widget(widget)

    # --- what the match says ------------------------------------------------------------------

    def reset(self) -> None:
        self.can_end = self.must_pass = self.end_proposed = False
        self.hand = None
        self.ids.board.reset()
        for placard in (self.ids.mine, self.ids.theirs):
            placard.name = placard.note = ""
            placard.goals = placard.left = placard.total = 0
            placard.acting = False

    def show(self, look: Look) -> None:
        assert isinstance(look.view, SockerView)
        self._actor = look.match.actor
        # With both sides on this device the pitch stays as the first of them sees it.
        self.my_side = look.seats[0] if look.seats[0] in (0, 1) else 0
        self.ids.board.flipped = self.my_side == 1
        for placard, seat in ((self.ids.mine, self.my_side), (self.ids.theirs, 1 - self.my_side)):
            placard.side, placard.name = seat, look.names[seat]
        legal = tuple(act for act in look.legal if isinstance(act, SockerAct))
        side = Side(look.seat) if look.seat in (0, 1) else Side.UNKNOWN
        self.ids.board.push(Hand(look.view, legal, side, waits=look.waits))

    def acted(self, change: Acted) -> None:
        self.ids.board.push(change)
        act = change.act
        if change.past or not isinstance(act, SockerAct):
            return
        if act.kind is Kind.TOSS:
            first = self._placard(act.toss_winner.value).name
            self.dispatch("on_hint", tr("The coin is tossed: {name} starts.", name=first))
        elif act.kind is Kind.PASS and not change.mine:
            name = self._placard(change.actor).name
            self.dispatch("on_hint", tr("{name} can't do anything and passes.", name=name))

    def propose(self, act: Act) -> None:
        if isinstance(act, SockerAct):
            self.ids.board.propose(act)

    def _aimed(self, hand: Hand) -> None:
        act = hand.proposed
        self.end_proposed = act is not None and act.kind in (Kind.END_TURN, Kind.PASS)

    def skip(self) -> None:
        self.ids.board.skip()

    def redraw(self) -> None:
        self.ids.board.redraw()

    @property
    def resting(self) -> bool:
        return bool(self.ids.board.resting)

    def _placard(self, seat: int) -> SockerPlacard:
        placard: SockerPlacard = self.ids.mine if seat == self.my_side else self.ids.theirs
        return placard

    # --- the result ---------------------------------------------------------------------------

    def score(self, look: Look) -> str:
        scores = look.match.outcome.scores if look.match.outcome else (0, 0)
        return f"{scores[self.my_side]} : {scores[1 - self.my_side]}"

    def figure(self, *, won: bool) -> Widget:
        return Avatar(side=self.my_side, asleep=not won)

    # --- what is on the board -----------------------------------------------------------------

    def _on_shown(self, _board: SockerBoard, hand: Hand) -> None:
        before, self.hand = self.hand, hand
        view = hand.view
        self._aimed(hand)
        self.can_end = hand.has(Kind.END_TURN) is not None
        self.must_pass = hand.has(Kind.PASS) is not None
        fresh = before is None or before.view.turn is not view.turn
        self._allowed = (
            max(3, view.actions_left) if fresh else max(self._allowed, view.actions_left)
        )
        for seat in (0, 1):
            self._show_side(self._placard(seat), seat, view, hand)
        if before is not None and sum(view.goals) > sum(before.view.goals) > -1:
            style.dispatch("on_sound", Sound.GOAL)
            scorer = 0 if view.goals[0] > before.view.goals[0] else 1
            self.dispatch("on_cheer", tr("Goal for {name}", name=self._placard(scorer).name))

    def _show_side(self, placard: SockerPlacard, seat: int, view: SockerView, hand: Hand) -> None:
        placard.goals = view.goals[seat]
        acting = view.phase in (Phase.SETUP, Phase.TURN, Phase.RECENTRE) and self._actor == seat
        placard.acting = acting
        turn = view.phase in (Phase.TURN, Phase.RECENTRE) and view.turn.value == seat
        placard.left = view.actions_left if turn else 0
        placard.total = self._allowed if turn else 0
        mine = hand.side.value == seat and hand.may_act
        placard.note = self._note(view, Side(seat), acting=acting, mine=mine)

    def _note(self, view: SockerView, side: Side, *, acting: bool, mine: bool) -> str:
        if not acting:
            return ""
        if view.phase is Phase.SETUP:
            if not mine:
                return tr("puts sockers on the pitch")
            left = sockers_to_place(view, side)
            return trn(
                "Place your socker: {count} to go", "Place your sockers: {count} to go", left
            )
        if view.phase is Phase.RECENTRE:
            return tr("Choose where the ball goes") if mine else tr("chooses where the ball goes")
        if mine and self.must_pass:
            return tr("Nobody can do anything")
        return actions_left(view.actions_left) if mine else tr("is thinking")

    # --- what the player does -----------------------------------------------------------------

    def end_turn(self) -> None:
        """End the turn, or pass where nothing can be done."""
        self.ids.board.skip()
        hand = self.ids.board.hand
        act = hand.has(Kind.END_TURN) or hand.has(Kind.PASS)
        if act is not None:
            self.ids.board.make(act)
        elif hand.waits:
            self.dispatch("on_hint", on_its_way())


load_kv(__file__)
