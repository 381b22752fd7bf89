"""Quick match: what to play, and the wait for somebody to play it with."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from app.i18n import tr, trn
from app.model.games import offer
from app.model.gateway import Offline
from app.model.online import Fill, Ticket, TicketStatus
from app.model.session import fresh_id
from app.model.setup import usual_agent
from app.model.term_knobs import terms_words
from app.model.terms import USUAL, Pace
from app.model.values import Agent
from app.model.words import portrait
from app.screens.base import OddScreen, load_kv
from app.widgets import Chip
from services.engine.core.registry import ruleset

FILL_S = 20
"""After so long a computer opponent may sit down, seconds."""
RETRY_S = 1.0
LIVE = replace(USUAL, turn_seconds=120, reserve_seconds=300)
DAYS = replace(USUAL, pace=Pace.DAYS, turn_days=3)


class QuickScreen(OddScreen):
    """A few wishes, since only equal wishes meet (ADR 0074); then the wait."""

    key = StringProperty("")
    title = StringProperty("")
    days = BooleanProperty(False)
    fill = BooleanProperty(True)
    seats = NumericProperty(2)
    least = NumericProperty(2)
    most = NumericProperty(2)
    about = StringProperty("")
    waiting = BooleanProperty(False)
    waited = StringProperty("")
    hope = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._agent: Agent | None = None
        self._ticket: Ticket | None = None
        self._waited_s = 0.0
        self._ticking: Any = None
        self.bind(days=self._tell, fill=self._tell)

    def open(self) -> None:
        one = offer(self.params.get("key", ""))
        self.key, self.title = one.key, one.title
        rules = ruleset(one.game)
        self.least, self.most = rules.min_seats, rules.max_seats
        self.seats, self.days, self.fill = rules.min_seats, False, True
        self.waiting, self._ticket = False, None
        self._show_seats()
        self._tell()
        self.run(self._prepare)

    async def _prepare(self) -> None:
        agents = await self.app.session.here.list_agents(offer(self.key).game)
        self._agent = usual_agent(agents)
        self._tell()

    def close(self) -> None:
        """Whoever does not look any more gives the place back, over days excepted."""
        self._stop(keep=self.days)
        super().close()

    def pause(self) -> None:
        self.app.tasks.cancel(self)

    def resume(self) -> None:
        if self._ticket is not None and self.waiting:
            self.run(self._wait)

    # --- what is wanted ---------------------------------------------------------------------------

    def _show_seats(self) -> None:
        place = self.ids.seats
        place.clear_widgets()
        for count in range(int(self.least), int(self.most) + 1):
            place.add_widget(self._seat_chip(count))

    def _seat_chip(self, count: int) -> Chip:
        chip = Chip(
            text=trn("{count} player", "{count} players", count), chosen=count == self.seats
        )
        chip.bind(on_release=lambda _: self._sit(count))
        return chip

    def _sit(self, count: int) -> None:
        self.seats = count
        self._show_seats()

    def _tell(self, *_: object) -> None:
        words = terms_words(DAYS if self.days else LIVE)
        if self.fill and not self.days and self._agent is not None:
            name = portrait(self._agent).name
            words += " " + trn(
                "If nobody comes for {count} second, {name} sits down.",
                "If nobody comes for {count} seconds, {name} sits down.",
                FILL_S,
                name=name,
            )
        self.about = words

    # --- the wait ---------------------------------------------------------------------------------

    def find(self) -> None:
        """Take a place in the queue."""
        if not self.busy:
            self.run(self._find)

    async def _find(self) -> None:
        one = offer(self.key)
        fill = None
        if self.fill and not self.days and self._agent is not None:
            fill = Fill(self._agent.name, FILL_S)
        self._ticket = await self.app.session.online.open_ticket(
            fresh_id(), one.game, int(self.seats), one.options, DAYS if self.days else LIVE, fill
        )
        self.waiting, self._waited_s = True, 0.0
        self._ticking = Clock.schedule_interval(self._tick, 1.0)
        self._tick(0)
        await self._wait()

    def _tick(self, passed_s: float) -> None:
        self._waited_s += passed_s
        seconds = int(self._waited_s)
        self.waited = f"{seconds // 60}:{seconds % 60:02}"
        self.hope = self._hope(seconds)

    def _hope(self, seconds: int) -> str:
        ticket = self._ticket
        if ticket is None:
            return ""
        if ticket.agents_at_ms and seconds < FILL_S:
            name = portrait(self._agent).name if self._agent else ""
            return trn(
                "{name} comes in {count} second.",
                "{name} comes in {count} seconds.",
                FILL_S - seconds,
                name=name,
            )
        if ticket.rating_window is None:
            return tr("Whoever comes next will do.")
        return tr("Looking for somebody who plays about as well as you.")

    async def _wait(self) -> None:
        assert self._ticket is not None
        while True:
            await asyncio.sleep(max(0.01, self._ticket.poll_after_ms / 1000))
            try:
                self._ticket = await self.app.session.online.get_ticket(self._ticket.ticket_id)
                self.app.offline = False
            except Offline:
                self.app.offline = True
                await asyncio.sleep(RETRY_S)
                continue
            if self._found(self._ticket):
                return

    def _found(self, ticket: Ticket) -> bool:
        """Whether the wait is over."""
        if ticket.status is TicketStatus.SEATED and ticket.table is not None:
            self._ticket = None  # Nothing is to be given back.
            self._rest()
            self.app.show_table(ticket.table, instead=True)
            return True
        if ticket.status in (TicketStatus.LAPSED, TicketStatus.CLOSED):
            self._ticket = None
            self._rest()
            self.trouble = tr("The wait was interrupted. Try it once more.")
            return True
        return False

    def cancel(self) -> None:
        """Not any more."""
        self._stop()
        self.app.tasks.cancel(self)

    def _stop(self, *, keep: bool = False) -> None:
        ticket, self._ticket = self._ticket, None
        if ticket is not None and not keep:
            self.app.spawn_quietly(self.app.session.online.close_ticket(ticket.ticket_id))
        self._rest()

    def _rest(self) -> None:
        self.waiting = False
        self.app.offline = False
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def takes_back(self) -> bool:
        """The way back ends the wait first; one over days goes on."""
        was = bool(self.waiting and not self.days)
        if was:
            self.cancel()
        return was


load_kv(__file__)
