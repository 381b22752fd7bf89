"""A match on the screen, whatever the game: following it, and who may look.

The game itself is a part (part.py) that this screen tells what happened and asks for nothing but
a picture and a score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from app.boards.motion import style
from app.i18n import tr
from app.model.follow import Connection
from app.model.games import offer_of
from app.model.gateway import Refused
from app.model.live import (
    Acted,
    Broken,
    Change,
    Happened,
    LiveMatch,
    Overtaken,
    Pulse,
    Rejected,
    Synced,
)
from app.model.look import Holder, Look, look_of
from app.model.places import is_here
from app.model.recap import Missed
from app.model.sounds import Sound
from app.model.troubles import trouble
from app.model.values import Act, Match, MatchStatus
from app.model.words import on_its_way, seat_names
from app.screens.base import OddScreen, load_kv
from app.screens.match import curtain, result, strip
from app.screens.match.beside import Beside
from app.screens.match.ending import Ending
from app.screens.match.hinting import Hinting
from app.screens.match.part import GamePart
from app.screens.match.parts import make_part
from app.screens.match.recap import Recap, can_tell
from app.widgets.dialog import Choice

RESULT_AFTER_S = 0.9
CURTAIN_AFTER_S = 0.7
"""How long the end of the match, or of one's own turn, is left on show."""
LOOK_EVERY_S = 0.05
CHEER_S = 1.6


class MatchScreen(OddScreen):
    """Follows one match; events of a match no longer on show never reach the board."""

    match_id = StringProperty("")
    part = ObjectProperty(None, allownone=True)
    """The game's own part; None until the match is known."""
    over = BooleanProperty(False)
    result_title = StringProperty("")
    result_reason = StringProperty("")
    result_score = StringProperty("")
    checked = StringProperty("")
    cheer = StringProperty("")
    looks_back = BooleanProperty(False)
    """Whether somebody here has something to look back on."""
    live = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.look: Look | None = None
        self._holder = Holder(secret=False)
        self._parts: dict[str, GamePart] = {}
        self._later: Any = None
        self._recap: Recap | None = None
        self.beside = Beside(self)
        self.hinting = Hinting(self)
        self.ending = Ending(self)
        self._calm = Clock.create_trigger(self._no_cheer, CHEER_S)
        self.bind(wide=self._arrange)

    def _arrange(self, *_: object) -> None:
        self.ids.strip.wide = self.wide
        if self.part is not None:
            self.part.wide = self.wide

    # --- coming and going -----------------------------------------------------------------

    def open(self) -> None:
        self.match_id = self.params["match_id"]
        self.over = False
        self.result_title = self.cheer = self.checked = ""
        self.look = None
        self._take_part(None)
        self._arrange()
        self.beside.reset()
        if self.app.inbox is not None:
            self.app.inbox.listen(self.beside.listen)
        self._follow()

    def _follow(self) -> None:
        kept = None if is_here(self.match_id) else self.app.session.kept
        self.live = LiveMatch(
            self.app.session.at(self.match_id),
            self.match_id,
            self._changed,
            seen=self.app.session.shown.of(self.match_id),
            kept=kept,
        )
        self.run(self.live.run)

    def close(self) -> None:
        if self.app.inbox is not None:
            self.app.inbox.leave(self.beside.listen)
        self._unfollow()
        self.ids.strip.forget()
        super().close()

    def takes_back(self) -> bool:
        return self.part is not None and bool(self.part.takes_back())

    def pause(self) -> None:
        """A paused app's loop stands still: let the stream go (kivy#1621)."""
        self._unfollow()
        self.app.tasks.cancel(self)
        if self.part is not None and self.part.secret and self._is_shared():
            # Now already: the system keeps a picture of apps in the background.
            self._close_curtain("", 0)

    def _is_shared(self) -> bool:
        return self.look is not None and len(self.look.seats) > 1 and self.look.running

    def resume(self) -> None:
        if self.part is not None:
            self.part.redraw()
        self._follow()

    def _unfollow(self) -> None:
        self._not_later()
        self.hinting.drop()
        self._note_seen()
        self._forget_recap()
        # Who comes back may be somebody else.
        self._holder.let_go()
        if self.live is not None:
            self.live.close()
            self.live = None
        self.app.offline = False

    def _take_part(self, game: str | None) -> None:
        """Put the part of `game` on the screen, fresh; None for nothing."""
        self.ids.place.clear_widgets()
        self.ids.curtain.open()
        self.part = None if game is None else self._part_of(game)
        if self.part is None:
            return
        self.part.reset()
        self.part.wide = self.wide
        self.part.left = self.app.session.settings.now.left_handed
        self.part.has_menu = True
        self.ids.place.add_widget(self.part)
        self._holder = Holder(secret=self.part.secret)

    def _part_of(self, game: str) -> GamePart | None:
        if game not in self._parts:
            part = make_part(game)
            if part is None:
                return None
            part.bind(
                on_act=lambda _, act: self._on_act(act),
                on_hint=lambda _, text: self.app.toast(text),
                on_cheer=lambda _, text: self._cheer(text),
                on_menu=lambda _: self.beside.menu(),
            )
            self._parts[game] = part
        return self._parts[game]

    # --- what the match says ------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        match change:
            case Missed():
                self._tell(change)
            case Acted():
                if self.part is not None and not self.ids.curtain.closed and not self._recap:
                    self.part.acted(change)
            case Overtaken(act=act):
                self._ask_again(act)
            case Happened():
                self.beside.happened(change)
            case Pulse(now_ms=now_ms, watchers=watchers):
                self.ids.strip.heard(now_ms, watchers)
            case Synced(match=match):
                self._synced(match)
            case Rejected(error=error):
                if self.part is not None:
                    self.part.skip()
                self.app.toast(trouble(error))
            case Connection(online=online):
                self.app.offline = not online
            case Broken(error=error):
                if isinstance(error, Refused):
                    self.app.navigator.back()
                self.app.toast(trouble(error))

    def _synced(self, match: Match) -> None:
        self.hinting.moved(match.revision)
        if self._recap is not None:
            self._recap.present = match
            return
        self._note_seen()
        if self.part is None or self.part.game != match.game:
            self._take_part(match.game)
        if self.part is None or not self._can_show(match):
            self.trouble = tr("This match needs a newer app.")
            return
        one = offer_of(match.game, match.options)
        self.ids.curtain.key = one.key if one else ""
        holding = self._holder.take(match)
        names = seat_names(match)
        if not is_here(match.match_id):
            self.ids.strip.show(match, names)
        was_ours = self.look is None or self.look.match.acting_view is not None
        if holding.seat is not None:
            waits = self.live is not None and self.live.waits
            self.look = look_of(match, holding.seat, names, waits=waits)
            self.part.show(self.look)
            self.beside.synced(replace(self.look, match=match))
            if not was_ours and self.look.match.acting_view is not None:
                # After all that led to it.
                self._when_rested(lambda: style.dispatch("on_sound", Sound.TURN), LOOK_EVERY_S)
        elif not self.ids.curtain.closed:
            self.ids.curtain.close()
        if holding.hand_to is not None:
            self._hand_over(names[holding.hand_to], holding.hand_to, at_once=holding.seat is None)
        elif match.status is MatchStatus.FINISHED and not self.over:
            self._when_rested(self.ending.show, RESULT_AFTER_S)

    def _can_show(self, match: Match) -> bool:
        views = [view.view for view in match.views]
        readable = all(isinstance(view, self.part.view_type) for view in views)
        return bool(views) and readable and match.status is not MatchStatus.UNKNOWN

    # --- what was missed ------------------------------------------------------------------------

    def _tell(self, missed: Missed) -> None:
        """Show what happened while nobody looked; the present waits, but not for long."""
        if self.part is None or self.part.game != missed.before.game:
            self._take_part(missed.before.game)
        if self.part is not None and can_tell(self.part, missed):
            self._recap = Recap(self.part, missed, self._told)
            self.ids.recap.shown = True

    def skip_recap(self) -> None:
        """On to the present."""
        if self._recap is not None:
            self._recap.end()

    def _told(self) -> None:
        present = self._recap.present if self._recap else None
        self._forget_recap()
        if present is not None:
            self._synced(present)

    def _forget_recap(self) -> None:
        if self._recap is not None:
            self._recap.cancel()
        self._recap = None
        self.ids.recap.shown = False

    def _note_seen(self) -> None:
        """What was on show until now has been seen."""
        if self.look is not None:
            match = self.look.match
            # What is said only after the end was promised to nobody.
            promise = match.promise if self.look.running else ""
            self.app.session.shown.note(self.match_id, match.revision, promise)

    # --- from hand to hand --------------------------------------------------------------------

    def _hand_over(self, name: str, seat: int, *, at_once: bool) -> None:
        if at_once:
            self._close_curtain(name, seat)
        else:
            self._when_rested(lambda: self._close_curtain(name, seat), CURTAIN_AFTER_S)

    def _close_curtain(self, name: str, seat: int) -> None:
        """Nothing of what was seen before stays, or comes back, behind the curtain."""
        self.hinting.drop()
        self._holder.let_go()
        self.part.reset()
        self.ids.curtain.close(name, seat)

    def handed_over(self, seat: int) -> None:
        """The person of `seat` has the device."""
        self._holder.handed_to(seat)
        self.ids.curtain.open()
        match = self.live.match if self.live else None
        if match is not None:
            self._synced(match)

    # --- waiting for motions ------------------------------------------------------------------

    def _when_rested(self, work: Callable[[], None], after_s: float) -> None:
        """Do `work` once everything told to the part is on show, and was for `after_s`."""
        self._not_later()
        rested_s = 0.0

        def look(passed_s: float) -> None:
            nonlocal rested_s
            rested_s = rested_s + passed_s if self.part.resting else 0.0
            if rested_s >= after_s:
                self._not_later()
                work()

        self._later = Clock.schedule_interval(look, LOOK_EVERY_S)

    def _not_later(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    def _cheer(self, text: str) -> None:
        self.cheer = text
        self._calm()

    def _no_cheer(self, *_: object) -> None:
        self.cheer = ""

    def show_rules(self) -> None:
        """Look at the rules of this match's game; the way back leads here."""
        match = self.live.match if self.live else None
        one = offer_of(match.game, match.options) if match is not None else None
        if one is not None:
            self.app.navigator.go("rules", key=one.key)

    def _ask_again(self, act: Act) -> None:
        """What was done offline is no longer about the same position: is it still wanted?"""
        again = Choice("again", tr("Do it anyway"), partial(self._on_act, act), "end")
        about = tr("The match went on while you were offline. Look at the board first.")
        self.app.ask(tr("Your move was not sent"), about, [again])

    # --- what the player does -----------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """Whatever is touched: a hint has been read by then."""
        self.hinting.touched()
        return bool(super().on_touch_down(touch))

    def _on_act(self, act: Act) -> None:
        self.hinting.drop()
        if self.live is not None and self.live.waits:
            self.app.toast(on_its_way())  # A dialog asked, while something else was done.
        elif self.live is not None:
            # Not this screen's own task: an action on its way is seen through when one leaves.
            self.app.tasks.spawn(self.live.act(act), owner=self.live)


__all__ = ["MatchScreen", "curtain", "result", "strip"]

load_kv(__file__)
