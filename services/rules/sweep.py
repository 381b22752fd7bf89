"""The sweep over deadlines: what tables chose for when time is up happens.

It runs in one process at a time, under a lease. Should it run in two, each match is acted on once
all the same: what happens is written like any action, on the revision it was decided on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core.registry import game_names, ruleset
from services.rules.absence import TimeUp
from services.rules.matches import Matches
from services.rules.store import Request
from services.rules.store.deadlines import Rules, by_other_rules, passed

_log = structlog.get_logger("deadlines")

BATCH: Final = 200
ACCOUNT: Final = "service:rules"
"""Under this account stand the request ids of what nobody asked for."""


@dataclass(slots=True)
class Deadlines:
    """The work of the sweep."""

    engine: AsyncEngine
    matches: Matches
    _told: bool = False

    async def any_passed(self) -> bool:
        """Whether there is anything to do or to tell. Raises `RefusedError` UNAVAILABLE."""
        served_ms = await self.matches.served_ms()
        return not self._told or bool(await passed(self.engine, _rules(), served_ms, 1))

    async def round(self) -> None:
        """Act on every deadline that has passed. Raises `RefusedError` UNAVAILABLE.

        Matches by rules that this version does not have are left alone, and told of once.
        """
        rules = _rules()
        if not self._told:
            await self._tell_of_others(rules)
        served_ms, after = await self.matches.served_ms(), None
        # Each once: those that can't be acted on hold up none of those behind them.
        while late := await passed(self.engine, rules, served_ms, BATCH, after):
            for _, match_id in late:
                await self._act(match_id)
            after = late[-1]

    async def _tell_of_others(self, rules: Collection[Rules]) -> None:
        others = await by_other_rules(self.engine, rules)
        self._told = True
        for (game, version), matches in others.items():
            _log.warning("left alone: unknown rules", game=game, version=version, matches=matches)

    async def _act(self, match_id: str) -> None:
        try:
            info = await self.matches.info(match_id)
            assert info is not None, "matches are never deleted"
            position = await self.matches.current(info)
            if position.actor is None:
                return
            wish = TimeUp(position.actor, position.revision)
            request = Request(ACCOUNT, f"time:{wish.seat}:{wish.expected_revision}")
            await self.matches.submit(info, wish, request, _nobody)
        except RefusedError as error:
            if error.reason == ErrorReason.ERROR_REASON_UNAVAILABLE:
                # Of everything, and then this raises it, too; or it is this match's events that the
                # database does not take, and no others have to wait for that.
                await passed(self.engine, _rules(), 0, 1)
                _log.error("could not act", match_id=match_id, error="the database says no")
                return
            # Somebody was faster.
            _log.info("left alone", match_id=match_id, problem=str(error))
        except Exception as error:
            # One match at fault keeps no other from going on. The type only: what an exception
            # says may tell what is hidden.
            _log.error("could not act", match_id=match_id, error=type(error).__name__)
        else:
            _log.info("time was up", match_id=match_id, seat=wish.seat, revision=position.revision)


def _rules() -> list[Rules]:
    """What this version can play."""
    return [(game.game, game.version) for game in map(ruleset, game_names())]


def _nobody(applied: int, revision: int) -> bytes:
    """Nobody reads this reply."""
    return f"{applied} {revision}".encode()
