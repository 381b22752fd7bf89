"""What people do in a match beside its game: asking, answering, talking, giving up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.i18n import language, tr, trn
from app.model.live import Happened
from app.model.look import Look, seats_here
from app.model.match_menu import (
    Entry,
    More,
    ask_words,
    entries,
    holiday_days,
    name_of,
    question,
    said_words,
)
from app.model.online import Phrase, SaidPhrase
from app.model.session import fresh_id
from app.model.term_knobs import terms_words
from app.model.terms import OfferEnd, Resign, Vacation, Wish
from app.model.values import MatchStatus, Occupant
from app.model.words import seat_names
from app.screens.people.block import ask_block
from app.widgets.dialog import Choice

if TYPE_CHECKING:
    from app.screens.match.match import MatchScreen


class Beside:
    """The questions of one match screen. `screen` is asked for the match whenever it is needed,
    since it may have moved on while somebody was reading."""

    def __init__(self, screen: MatchScreen) -> None:
        self._screen = screen
        self._asked = -1
        self._phrases: tuple[Phrase, ...] = ()
        self._heard = 0

    def reset(self) -> None:
        """Another match is on show."""
        self._asked = -1
        inbox = self._screen.app.inbox
        self._heard = len(inbox.phrases) if inbox else 0

    # --- what happened ------------------------------------------------------------------------

    def synced(self, look: Look) -> None:
        """Ask what is asked of a person here, once."""
        match = look.match
        here = set(look.seats)
        ask = match.ask
        waits = question(match, here) or self._screen_asks(here)
        self._screen.part.asks = waits
        if ask is None or ask.revision == self._asked or match.status is not MatchStatus.RUNNING:
            return
        if here & set(ask.waiting):
            self._asked = ask.revision
            about = ask_words(ask.kind, look.names[ask.seat])
            found = [one for one in self._entries() if one.key in ("yes", "no")]
            self._screen.app.ask(about, "", self._choices(found))

    def _screen_asks(self, here: set[int]) -> bool:
        match = self._screen.live.match if self._screen.live else None
        return match is not None and any(match.seats[seat].sitter for seat in here if seat >= 0)

    def happened(self, change: Happened) -> None:
        """Say what somebody else did."""
        match = self._screen.live.match if self._screen.live else None
        if change.past or match is None or not 0 <= change.actor < len(match.seats):
            return
        if change.actor not in seats_here(match):
            self._screen.app.toast(said_words(change.said, seat_names(match)[change.actor]))

    def listen(self) -> None:
        """Something came in: a phrase of this match, perhaps."""
        inbox = self._screen.app.inbox
        fresh, self._heard = inbox.phrases[self._heard :], len(inbox.phrases)
        for said in fresh:
            if said.match_id == self._screen.match_id:
                self._screen.app.spawn_quietly(self._hear(said))

    async def _hear(self, said: SaidPhrase) -> None:
        text = {one.number: one.text for one in await self._known()}.get(said.number, "")
        match = self._screen.live.match if self._screen.live else None
        if text and match is not None and 0 <= said.seat < len(match.seats):
            name = seat_names(match)[said.seat]
            self._screen.app.toast(tr("{name}: {words}", name=name, words=text))

    async def _known(self) -> tuple[Phrase, ...]:
        if not self._phrases:
            self._phrases = await self._screen.app.session.online.phrases(language())
        return self._phrases

    # --- the menu -----------------------------------------------------------------------------

    @property
    def _look(self) -> Look:
        """How the match looks from here; nothing is asked before that is known."""
        look = self._screen.look
        assert look is not None
        return look

    @property
    def _seat(self) -> int:
        look = self._look
        actor = look.match.actor
        return actor if actor in look.seats and actor is not None else look.seat

    def _entries(self) -> tuple[Entry, ...]:
        look = self._screen.look
        if look is None:
            return ()
        # All seats of this device, not only the one whose eyes these are.
        match = self._screen.live.match if self._screen.live else look.match
        found = entries(match, self._seat, self._screen.ids.strip.times.now_ms)
        # A hint is for whoever holds the device, and for nobody while an action is on its way.
        return tuple(
            one for one in found if one.more is not More.HINT or self._screen.hinting.offered
        )

    def _choices(self, found: tuple[Entry, ...] | list[Entry]) -> list[Choice]:
        return [
            Choice(one.key, one.text, partial(self._chosen, one), one.icon, main=one.key == "yes")
            for one in found
        ]

    def menu(self) -> None:
        """Everything that can be done now."""
        look = self._screen.look
        if look is not None:
            about = terms_words(look.match.terms) if look.match.clock else ""
            rules = Choice("rules", tr("The rules"), self._screen.show_rules, "book")
            self._screen.app.ask(tr("What now?"), about, [*self._choices(self._entries()), rules])

    def _chosen(self, entry: Entry) -> None:
        if entry.wish is not None:
            self._wish(entry.wish)
        elif entry.more is More.HINT:
            self._screen.hinting.ask()
        elif entry.more is More.RESIGN:
            self._ask_resign()
        elif entry.more is More.END:
            self._ask_end()
        elif entry.more is More.HOME:
            self._screen.app.navigator.home()
        elif entry.more is More.HOLIDAY:
            self._ask_holiday()
        elif entry.more is More.PHRASES:
            self._screen.run_quietly(self._ask_phrase(), "")
        elif entry.more is More.BLOCK and entry.whom is not None:
            self._ask_block(entry.whom)

    def _wish(self, wish: Wish, seat: int | None = None) -> None:
        """For `seat`, which was asked; by itself for the one at hand now."""
        screen = self._screen
        if screen.live is not None and screen.look is not None:
            who = self._seat if seat is None else seat
            screen.app.tasks.spawn(screen.live.wish(who, wish), owner=screen.live)

    def _ask_resign(self) -> None:
        look = self._look
        two = len(look.match.seats) == 2
        shared = len(look.seats) > 1
        title = (
            tr("Does {name} really give up?", name=look.names[self._seat])
            if shared
            else tr("Really give up?")
        )
        about = (
            tr("The other side wins then.")
            if two
            else tr("A stand-in plays on for {name}, to the end.", name=look.names[self._seat])
            if shared
            else tr("A stand-in plays on for you, to the end.")
        )
        give_up = Choice(
            "resign", tr("Yes, give up"), partial(self._wish, Resign(), self._seat), "flag"
        )
        self._screen.app.ask(title, about, [give_up])

    def _ask_end(self) -> None:
        about = tr("Nobody wins then, and you can't go on with it.")
        end = Choice("end", tr("Yes, end it"), partial(self._wish, OfferEnd(), self._seat), "cross")
        self._screen.app.ask(tr("Really end the match?"), about, [end])

    def _ask_holiday(self) -> None:
        choices = [
            Choice(
                str(days),
                trn("{count} day", "{count} days", days),
                partial(self._wish, Vacation(days), self._seat),
                "sun",
            )
            for days in holiday_days(self._look.match, self._seat)
        ]
        about = tr("Your time does not run meanwhile.")
        self._screen.app.ask(tr("How long are you away?"), about, choices)

    async def _ask_phrase(self) -> None:
        choices = [
            Choice(str(one.number), one.text, partial(self._say, one.number), "talk")
            for one in await self._known()
        ]
        self._screen.app.ask(tr("What do you want to say?"), "", choices)

    def _say(self, number: int) -> None:
        screen = self._screen
        work = screen.app.session.online.say(fresh_id(), screen.match_id, self._seat, number)
        screen.run_quietly(work, tr("Said."))

    def _ask_block(self, who: Occupant) -> None:
        name = name_of(self._look.match, who)
        ask_block(self._screen.app, name, partial(self._block, who.player_id, name))

    def _block(self, player_id: str, name: str) -> None:
        work = self._screen.app.session.online.block(player_id)
        self._screen.run_quietly(work, tr("{name} is blocked.", name=name))
