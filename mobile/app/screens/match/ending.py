"""How a match ended, for its screen: the result, and what can be done from there."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from app.boards.motion import style
from app.i18n import tr
from app.model import dice, statistics
from app.model.gateway import GatewayError
from app.model.look import Look
from app.model.session import fresh_id
from app.model.sounds import Sound
from app.model.troubles import ForPeople
from app.model.words import outcome_reason, outcome_title, winners_title

if TYPE_CHECKING:
    from app.screens.match.match import MatchScreen


class Ending:
    """The end of the matches of one match screen, which has the sheet that shows it."""

    def __init__(self, screen: MatchScreen) -> None:
        self._screen = screen

    def show(self) -> None:
        """Show the result, if there is one."""
        screen = self._screen
        look = screen.look
        if look is None or look.match.outcome is None:
            return
        outcome = look.match.outcome
        won = bool(set(outcome.winners) & set(look.seats))
        screen.looks_back = look.seat >= 0
        screen.result_title = (
            outcome_title(outcome, look.seats)
            if len(look.seats) == 1 and look.seat >= 0
            else winners_title(outcome, look.names)
        )
        screen.result_reason = outcome_reason(outcome)
        # Who only watches reads it as the first seat does.
        screen.result_score = screen.part.score(replace(look, seat=max(0, look.seat)))
        screen.ids.result.show_figure(screen.part.figure(won=won))
        screen.ids.result.show_numbers(look.names, ())
        style.dispatch("on_sound", Sound.WIN if won else Sound.OVER)
        screen.over = True
        screen.app.tasks.spawn(self._count(look), owner=screen)

    async def _count(self, look: Look) -> None:
        """The numbers come when they are counted; a result is one without them, too."""
        app, match_id = self._screen.app, look.match.match_id
        try:
            events = await app.session.at(match_id).list_events(match_id)
        except GatewayError as error:
            app.report(error)
            return
        self._screen.ids.result.show_numbers(look.names, statistics.rows(look.match, events))

    def check_dice(self) -> None:
        """Replay the match's record here, and say whether its chance is as it was promised."""
        if not self._screen.busy:
            self._screen.run(self._check_dice)

    async def _check_dice(self) -> None:
        screen = self._screen
        screen.checked = ""
        session, match_id = screen.app.session, screen.match_id
        gateway = session.at(match_id)
        events = await gateway.list_events(match_id)  # first: a stream can't renew a spent token
        record = await gateway.export_match(match_id)
        seen = dice.witness(session.shown, session.nonces, match_id)
        try:
            fault = await asyncio.to_thread(dice.check, record, match_id, seen, events)
        except dice.UnreadableRecord as error:
            raise ForPeople(tr("This match needs a newer app.")) from error
        screen.checked = dice.verdict(fault, seen)

    def look_back(self) -> None:
        """See how it went, decision by decision; the way back leads here."""
        self._screen.app.navigator.go("review", match_id=self._screen.match_id)

    def rematch(self) -> None:
        """Play again with the seats rotated."""
        if not self._screen.busy:
            self._screen.run(self._rematch)

    async def _rematch(self) -> None:
        app, match_id = self._screen.app, self._screen.match_id
        table = await app.session.at(match_id).rematch(fresh_id(), match_id)
        app.show_table(table, instead=True)
