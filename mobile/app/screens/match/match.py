"""A match of Socker: the board, the two sides, what can be done, and how it ended."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import (
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.floatlayout import FloatLayout

from app.boards.socker import SockerBoard
from app.i18n import tr, trn
from app.model.follow import Connection
from app.model.gateway import Refused
from app.model.live import Acted, Broken, Change, LiveMatch, Rejected, Synced, Why
from app.model.session import fresh_id
from app.model.socker import Kind, Phase, Side, SockerAct, SockerView, sockers_to_place
from app.model.socker_touch import Hand
from app.model.values import Match, MatchStatus
from app.model.words import (
    actions_left,
    occupant_name,
    outcome_reason,
    outcome_title,
    trouble,
)
from app.screens.base import OddScreen, load_kv
from app.widgets import Card

RESULT_AFTER_S = 0.9


class Placard(Card):
    """One side: its figure, name, goals, and what it is about to do."""

    side = NumericProperty(0)
    name = StringProperty("")
    goals = NumericProperty(0)
    note = StringProperty("")
    acting = BooleanProperty(False)
    left = NumericProperty(0)
    total = NumericProperty(0)


class ResultSheet(FloatLayout):
    """How the match ended, over the board; and what can be done next."""

    over = BooleanProperty(False)
    busy = BooleanProperty(False)
    won = BooleanProperty(False)
    side = NumericProperty(0)
    title = StringProperty("")
    score = StringProperty("")
    reason = StringProperty("")
    trouble = StringProperty("")

    __events__ = ("on_rematch", "on_home")

    def on_rematch(self) -> None:
        """Play again."""

    def on_home(self) -> None:
        """Go home."""


class MatchScreen(OddScreen):
    """Follows one match; events of a match no longer on show never reach the board."""

    match_id = StringProperty("")
    my_side = NumericProperty(0)
    can_end = BooleanProperty(False)
    must_pass = BooleanProperty(False)
    over = BooleanProperty(False)
    result_title = StringProperty("")
    result_reason = StringProperty("")
    result_score = StringProperty("")
    won = BooleanProperty(False)
    cheer = StringProperty("")
    live = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.hand: Hand | None = None
        self._allowed = 3
        self._result = Clock.create_trigger(self._show_result, RESULT_AFTER_S)
        self._calm = Clock.create_trigger(self._no_cheer, 1.6)
        self.ids.board.bind(on_act=self._on_act, on_hint=self._on_hint, on_shown=self._on_shown)
        self.bind(wide=self._arrange)
        self._arrange()

    def _arrange(self, *_: object) -> None:
        """The other side's placard sits over an upright board, and beside one on its side."""
        theirs = self.ids.theirs
        theirs.parent.remove_widget(theirs)
        (self.ids.top if self.wide else self.ids.head).add_widget(theirs)

    # --- coming and going -----------------------------------------------------------------

    def open(self) -> None:
        self.match_id = self.params["match_id"]
        self.over = self.can_end = self.must_pass = False
        self.result_title = self.cheer = ""
        self.hand = None
        self.ids.board.reset()
        for placard in (self.ids.mine, self.ids.theirs):
            placard.name = placard.note = ""
            placard.goals = placard.left = placard.total = 0
            placard.acting = False
        self._follow()

    def _follow(self) -> None:
        self.live = LiveMatch(self.app.session.gateway, self.match_id, self._changed)
        self.run(self.live.run)

    def close(self) -> None:
        self._unfollow()
        super().close()

    def pause(self) -> None:
        """A paused app's loop stands still: let the stream go (kivy#1621)."""
        self._unfollow()
        self.app.tasks.cancel(self)

    def resume(self) -> None:
        self.ids.board.redraw()
        self._follow()

    def _unfollow(self) -> None:
        self._result.cancel()
        if self.live is not None:
            self.live.close()
            self.live = None
        self.app.offline = False

    # --- what the match says ------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        match change:
            case Acted():
                self.ids.board.push(change)
                self._announce(change)
            case Synced(match=match):
                self._synced(match)
            case Rejected(why=why, message=message):
                self.ids.board.skip()
                self.app.toast(_why_words(why, message))
            case Connection(online=online):
                self.app.offline = not online
            case Broken(error=error):
                if isinstance(error, Refused):
                    self.app.navigator.back()
                self.app.toast(trouble(error))

    def _synced(self, match: Match) -> None:
        view = match.views[0].view if match.views else None
        if not isinstance(view, SockerView) or match.status is MatchStatus.UNKNOWN:
            self.trouble = tr("This match needs a newer app.")
            return
        acting = match.acting_view if match.status is MatchStatus.RUNNING else None
        seats = [shown.seat for shown in match.views]
        seat = acting.seat if acting else seats[0]
        # With both sides on this device the pitch stays as the first of them sees it.
        self.my_side = seats[0] if seats[0] in (0, 1) else 0
        self.ids.board.flipped = self.my_side == 1
        legal = tuple(act for act in acting.legal if isinstance(act, SockerAct)) if acting else ()
        side = Side(seat) if seat in (0, 1) else Side.UNKNOWN
        self._name(match)
        self.ids.board.push(Hand(view, legal, side))

    def _name(self, match: Match) -> None:
        mine = [shown.seat for shown in match.views]
        for placard, seat in ((self.ids.mine, self.my_side), (self.ids.theirs, 1 - self.my_side)):
            placard.side = seat
            occupant = match.seats[seat]
            words = occupant_name(occupant, match.game)
            placard.name = tr("You") if mine == [seat] else words

    def _announce(self, change: Acted) -> None:
        act = change.act
        if change.past or not isinstance(act, SockerAct):
            return
        if act.kind is Kind.TOSS:
            first = self._placard(act.toss_winner.value).name
            self.app.toast(tr("The coin is tossed: {name} starts.", name=first))
        elif act.kind is Kind.PASS and not change.mine:
            name = self._placard(change.actor).name
            self.app.toast(tr("{name} can't do anything and passes.", name=name))

    def _placard(self, seat: int) -> Placard:
        placard: Placard = self.ids.mine if seat == self.my_side else self.ids.theirs
        return placard

    # --- what is on the board -----------------------------------------------------------------

    def _on_shown(self, _board: SockerBoard, hand: Hand) -> None:
        before, self.hand = self.hand, hand
        view = hand.view
        self.can_end = hand.has(Kind.END_TURN) is not None
        self.must_pass = hand.has(Kind.PASS) is not None
        fresh = before is None or before.view.turn is not view.turn
        self._allowed = (
            max(3, view.actions_left) if fresh else max(self._allowed, view.actions_left)
        )
        for seat in (0, 1):
            self._show_side(self._placard(seat), seat, view, hand)
        if before is not None and sum(view.goals) > sum(before.view.goals) > -1:
            self._cheer(Side.SOUTH if view.goals[0] > before.view.goals[0] else Side.NORTH)
        if view.phase is Phase.OVER and not self.over:
            self._result()

    def _show_side(self, placard: Placard, seat: int, view: SockerView, hand: Hand) -> None:
        live = self.live.match if self.live else None
        placard.goals = view.goals[seat]
        acting = view.phase in (Phase.SETUP, Phase.TURN, Phase.RECENTRE) and (
            live is not None and live.actor == seat
        )
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

    def _cheer(self, side: Side) -> None:
        self.cheer = tr("Goal for {name}", name=self._placard(side.value).name)
        self._calm()

    def _no_cheer(self, *_: object) -> None:
        self.cheer = ""

    def _show_result(self, *_: object) -> None:
        match = self.live.match if self.live else None
        if match is None or match.outcome is None:
            return
        mine = tuple(shown.seat for shown in match.views)
        self.won = bool(set(match.outcome.winners) & set(mine))
        self.result_title = outcome_title(match.outcome, mine if len(mine) == 1 else ())
        self.result_reason = outcome_reason(match.outcome)
        scores = match.outcome.scores
        self.result_score = f"{scores[self.my_side]} : {scores[1 - self.my_side]}"
        self.over = True

    # --- what the player does -----------------------------------------------------------------

    def _on_act(self, _board: SockerBoard, act: SockerAct) -> None:
        if self.live is not None:
            # Not this screen's own task: an action on its way is seen through when one leaves.
            self.app.tasks.spawn(self.live.act(act), owner=self.live)

    def _on_hint(self, _board: SockerBoard, text: str) -> None:
        self.app.toast(text)

    def end_turn(self) -> None:
        """End the turn, or pass where nothing can be done."""
        self.ids.board.skip()
        hand = self.ids.board.hand
        act = hand.has(Kind.END_TURN) or hand.has(Kind.PASS)
        if act is not None:
            self.ids.board.make(act)

    def rematch(self) -> None:
        """Play again with the sides swapped."""
        if not self.busy:
            self.run(self._rematch)

    async def _rematch(self) -> None:
        table = await self.app.session.gateway.rematch(fresh_id(), self.match_id)
        self.app.show_table(table, instead=True)


def _why_words(why: Why, message: str) -> str:
    return {
        Why.MOVED_ON: tr("The match had moved on. This is how it stands."),
        Why.ILLEGAL: tr("That doesn't work here."),
        Why.OVER: tr("The match is over."),
    }.get(why, message)


load_kv(__file__)
