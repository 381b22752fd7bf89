"""Matches on this device: engine and opponents in the process, everything saved at every action.

The same promises as over the network: a request counts once, nothing acknowledged is lost, and a
seat's view holds what that seat may see. Opponents think only while somebody watches their match.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from app.model.advice import Hint, Progress, Reviewing
from app.model.gateway import GatewayError, Refused
from app.model.places import here_id
from app.model.terms import USUAL, Terms, Wish
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Finished,
    Match,
    MyMatch,
    Player,
    SeatRequest,
    SeatWish,
    Table,
    Update,
)
from app.net import convert_advice, local_advice, local_reviews
from app.net.local_match import LocalMatch, Step
from app.net.local_setting import Setting, fingerprint, new_setting, rotated
from app.net.local_shelf import Shelf, Unreadable
from app.net.local_thinking import Thinker
from services.engine.agents import agents_for
from services.engine.core import Action, EngineError, InvalidOption
from services.engine.core.fairness import SEED_BYTES
from services.engine.core.options import OptionValue

log = logging.getLogger("oddsocks")

PACE_S = 0.7
"""An opponent's action is never made sooner after the one before, so that eyes can follow."""
RETRY_S = 4.0

ME_ID = "here"
"""The account of this device, which all of its people share."""


@dataclass
class _Open:
    """A match in use: what it is, who waits for news, and who thinks."""

    match: LocalMatch
    asked: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from looking at the match to having changed it."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    watchers: int = 0
    opponents: asyncio.Task[None] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    hints: dict[tuple[int, int], Hint] = field(default_factory=dict)
    """By seat and revision, so that asking again gets the same."""


class LocalGateway:
    """A `Gateway` without a network. Create it, and use it, on one event loop.

    `name` is what this device's player is called; `now_ms` milliseconds since 1970 UTC.
    """

    def __init__(
        self,
        shelf: Shelf,
        name: Callable[[], str],
        *,
        thinker: Thinker | None = None,
        rng: random.Random | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        pace_s: float = PACE_S,
        review_s: float = local_advice.REVIEW_S,
    ) -> None:
        self._shelf, self._name = shelf, name
        self._thinker = thinker or Thinker()
        self._rng = rng or random.SystemRandom()
        self._now_ms, self._pace_s, self._review_s = now_ms, pace_s, review_s
        self._open: dict[str, _Open] = {}
        self._opening = asyncio.Lock()

    # --- players and tables -------------------------------------------------------------------

    async def sign_in(self) -> Player:
        return Player(ME_ID, self._name())

    async def list_agents(self, game: str) -> tuple[Agent, ...]:
        try:
            levels = agents_for(game)
        except EngineError as error:
            raise Refused("GAME_NOT_FOUND", str(error), {"game": game[:80]}) from error
        return tuple(Agent(name, game, level) for name, level in levels.items() if level > 0)

    async def open_table(
        self,
        request_id: str,
        game: str,
        seats: Sequence[SeatRequest],
        options: Mapping[str, OptionValue],
        terms: Terms = USUAL,
        *,
        listed: bool = False,
    ) -> Table:
        del listed  # No stranger can come; and of the terms only hints matter to people here.
        if SeatWish.FRIEND in seats:
            problem = "seats: nobody can come from elsewhere to a table on this device"
            raise Refused("INVALID_FIELD", problem, {"field": "seats"})
        match_id, me = here_id(request_id), await self.sign_in()
        # In a thread: the first match of a game imports it.
        setting = await asyncio.to_thread(
            new_setting, match_id, game, seats, options, me, self._now_ms()
        )
        setting = replace(setting, hints=terms.hints)
        return (await asyncio.shield(self._started(setting))).match.table()

    async def get_table(self, table_id: str) -> Table:
        try:
            return (await self._get(table_id)).match.table()
        except Refused as error:
            raise Refused("TABLE_NOT_FOUND", "no such table", {}) from error

    async def join_table(self, request_id: str, invitation_code: str) -> Table:
        del request_id, invitation_code
        raise Refused("TABLE_NOT_FOUND", "nobody is invited to tables of this device", {})

    async def leave_table(self, table_id: str) -> None:
        await self.get_table(table_id)
        raise Refused("TABLE_FULL", "the table is full: its match has begun", {})

    async def rematch(self, request_id: str, match_id: str) -> Table:
        del request_id  # Of each match there is one rematch, whoever asks for it.
        before = (await self._get(match_id)).match
        if before.outcome is None:
            raise Refused("MATCH_RUNNING", "the match is not over yet", {})
        setting = rotated(before.setting, here_id(f"again {match_id}"), self._now_ms())
        return (await asyncio.shield(self._started(setting))).match.table()

    async def list_my_matches(self) -> tuple[MyMatch, ...]:
        return await asyncio.to_thread(self._shelf.listed)

    # --- matches --------------------------------------------------------------------------------

    async def get_match(self, match_id: str) -> Match:
        return (await self._get(match_id)).match.seen()

    async def get_ply(self, match_id: str, revision: int) -> Match:
        this = await self._get(match_id)
        return await asyncio.to_thread(this.match.ply, revision)

    async def submit_action(
        self, match_id: str, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        this = await self._get(match_id)
        # Once begun it is seen through, whoever stops waiting for it.
        return await asyncio.shield(self._submit(this, seat, request_id, expected_revision, act))

    async def _submit(
        self, this: _Open, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        async with this.lock:
            answer = this.match.answer(seat, request_id, expected_revision, act)
            if isinstance(answer, Applied):
                return answer
            step = this.match.step(answer, self._rng, self._now_ms(), request_id=request_id)
            await self._happen(this, step)
            return Applied(expected_revision, this.match.revision)

    async def control(self, match_id: str, seat: int, request_id: str, wish: Wish) -> Applied:
        this = await self._get(match_id)
        return await asyncio.shield(self._wish(this, seat, request_id, wish))

    async def _wish(self, this: _Open, seat: int, request_id: str, wish: Wish) -> Applied:
        async with this.lock:
            revision = this.match.revision
            answer = this.match.wish(seat, request_id, wish, self._now_ms())
            if isinstance(answer, Applied):
                return answer
            await self._happen(this, answer)
            return Applied(revision, this.match.revision)

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        this = await self._get(match_id)
        match = this.match
        if not 0 <= from_revision <= match.revision:
            problem = f"from_revision: must be 0 to {match.revision}"
            raise Refused("INVALID_FIELD", problem, {"field": "from_revision"})
        this.watchers += 1
        self._go_on(this)
        try:
            wanted, shown = from_revision, -1
            while True:
                this.news.clear()  # Before looking, so that nothing is missed in between.
                while wanted < match.revision:
                    yield match.events[wanted]
                    wanted += 1
                if wanted != shown:
                    shown = wanted
                    yield match.seen()
                if wanted == match.revision:
                    if match.outcome is not None:
                        yield Finished(match.outcome)
                        return
                    await this.news.wait()
        finally:
            this.watchers -= 1
            if this.watchers == 0:
                self._rest(this)

    async def list_events(self, match_id: str) -> tuple[Event, ...]:
        return tuple((await self._get(match_id)).match.events)

    async def export_match(self, match_id: str) -> str:
        return await asyncio.to_thread((await self._get(match_id)).match.record)

    async def suggest(self, match_id: str, seat: int, revision: int) -> Hint:
        this = await self._get(match_id)
        this.match.may_ask(seat, revision)
        hint = this.hints.get((seat, revision))
        if hint is None:
            hint = await local_advice.suggest(self._thinker, this.match, seat)
            # Once found it is counted, whoever stops waiting for it.
            hint = await asyncio.shield(self._counted(this, seat, revision, hint))
        return hint

    async def _counted(self, this: _Open, seat: int, revision: int, hint: Hint) -> Hint:
        async with this.lock:
            this.match.may_ask(seat, revision)  # It may have moved on meanwhile.
            before = set(this.match.hinted)
            this.match.hinted.add((seat, revision))
            try:
                await self._keep_as_it_is(this)
            except Refused:
                this.match.hinted = before
                raise
            hint = replace(hint, used=this.match.hints_used()[seat])
            return this.hints.setdefault((seat, revision), hint)

    async def review(self, match_id: str, seat: int) -> AsyncGenerator[Reviewing, None]:
        this = await self._get(match_id)
        if not 0 <= seat < len(this.match.setting.seats):
            raise Refused("INVALID_FIELD", f"seat: no seat {seat}", {"field": "seat"})
        kept = local_reviews.kept(this.match, seat)
        if kept is not None:
            yield kept
            return
        record = await asyncio.to_thread(this.match.record)
        used = this.match.hints_used()
        making = local_advice.review(self._thinker, record, seat, used, self._review_s)
        async with aclosing(making) as updates:
            async for update in updates:
                if isinstance(update, Progress):
                    yield update
                    continue
                # Shown even if there is no room to keep it.
                await asyncio.shield(self._reviewed(this, seat, local_reviews.packed(update)))
                yield convert_advice.review(update)

    async def _reviewed(self, this: _Open, seat: int, packed: str) -> None:
        async with this.lock:
            this.match.reviews[seat] = packed
            try:
                await self._keep_as_it_is(this)
            except Refused as error:
                log.error("a review could not be kept: %s", error)

    def rest(self) -> None:
        """Stop all thinking at once, before the app is paused; watching again takes it up."""
        for this in self._open.values():
            self._rest(this)

    async def close(self) -> None:
        self.rest()
        tasks = [this.opponents for this in self._open.values() if this.opponents is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
        # What is being saved is saved.
        for lock in (self._opening, *(this.lock for this in self._open.values())):
            async with lock:
                pass
        self._thinker.close()

    # --- opponents ------------------------------------------------------------------------------

    def _go_on(self, this: _Open) -> None:
        """Let the opponents play while it is their turn and somebody watches."""
        if this.watchers and this.match.agent_to_act and this.opponents is None:
            this.stop = threading.Event()
            this.opponents = asyncio.ensure_future(self._play(this, this.stop))

    async def _play(self, this: _Open, stop: threading.Event) -> None:
        try:
            while this.match.agent_to_act and not stop.is_set():
                try:
                    await self._play_one(this, stop)
                except GatewayError as error:  # No room to save it: there may be some later.
                    log.error("an opponent's action could not be kept: %s", error)
                    await asyncio.sleep(RETRY_S)
        finally:
            if this.stop is stop:
                this.opponents = None

    async def _play_one(self, this: _Open, stop: threading.Event) -> None:
        match, revision = this.match, this.match.revision
        name, actor = match.agent_to_act, match.actor
        assert actor is not None
        information = match.rules.information(match.state, actor)
        action, _ = await asyncio.gather(
            self._thinker.choose(name, match.rules, information, stop),
            asyncio.sleep(self._pace_s),
        )
        if not stop.is_set():  # Else cut short; it will be thought through another time.
            # Once begun it is seen through, as a person's action is.
            await asyncio.shield(self._answer(this, revision, action, name))

    async def _answer(self, this: _Open, revision: int, action: Action, name: str) -> None:
        async with this.lock:
            if this.match.revision == revision:
                step = this.match.step(action, self._rng, self._now_ms(), origin=name)
                await self._happen(this, step)

    def _rest(self, this: _Open) -> None:
        this.stop.set()
        if this.opponents is not None:
            this.opponents.cancel()
            this.opponents = None

    # --- keeping --------------------------------------------------------------------------------

    async def _happen(self, this: _Open, step: Step) -> None:
        """Save first, tell after: what anybody has seen outlives the process."""
        await self._keep(this, step)
        if any(done.said is not None for done in step.done):
            self._rest(this)  # What an opponent was thinking about is no more.
        this.match.commit(step)
        this.news.set()
        self._go_on(this)

    async def _keep_as_it_is(self, this: _Open) -> None:
        await self._keep(this, Step((), (), this.match.state, this.match.life))

    async def _keep(self, this: _Open, step: Step) -> None:
        try:
            await asyncio.to_thread(self._shelf.keep, this.match, step, this.asked)
        except OSError as error:
            raise Refused("NO_ROOM", f"could not save the match: {error}", {}) from error

    async def _started(self, setting: Setting) -> _Open:
        """The match of a setting, made unless it is there; its id says who asked for it."""
        asked = fingerprint(setting)
        async with self._opening:
            this = await self._find(setting.match_id)
            if this is None:
                this = await self._made(setting, asked)
        if this.asked != asked:
            raise Refused("REQUEST_ID_REUSED", "this request id asked for something else", {})
        return this

    async def _made(self, setting: Setting, asked: str) -> _Open:
        try:
            # Chosen before anybody acts, and kept with the match: its dice follow from it.
            seed = self._rng.randbytes(SEED_BYTES).hex()
            this = _Open(LocalMatch(replace(setting, seed=seed)), asked)
        except InvalidOption as error:
            raise Refused("INVALID_OPTION", str(error), {"option": error.name[:80]}) from error
        step = this.match.begin(self._rng, self._now_ms())
        await self._keep(this, step)
        this.match.commit(step)
        self._open[setting.match_id] = this
        return this

    async def _get(self, match_id: str) -> _Open:
        async with self._opening:
            this = await self._find(match_id)
        if this is None:
            raise Refused("MATCH_NOT_FOUND", "no such match", {})
        return this

    async def _find(self, match_id: str) -> _Open | None:
        """A match in use, or taken from the shelf. The caller holds `_opening`."""
        if match_id not in self._open:
            try:
                loaded = await asyncio.to_thread(self._shelf.load, match_id)
            except Unreadable as error:
                raise Refused("UNREADABLE", str(error), {}) from error
            if loaded is None:
                return None
            self._open[match_id] = _Open(*loaded)
        return self._open[match_id]
