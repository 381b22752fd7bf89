"""A gateway to a server that a test has in its hands, without a network.

The match itself is the one of this device (local_match); around it are the switches for what goes
wrong on real networks, and agents that play at random from a seed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.model.gateway import GatewayError, Offline, Refused
from app.model.terms import USUAL, Terms, Wish
from app.model.terms import Clock as ClockOfMatch
from app.model.values import (
    SPECTATOR,
    Act,
    Agent,
    Applied,
    Event,
    Finished,
    Heartbeat,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Player,
    SeatRequest,
    Table,
    TableStatus,
    Update,
)
from app.net.fake_advice import FakeAdvice
from app.net.fake_people import CODE, FRIEND, ME, FakePeople
from app.net.local_match import LocalMatch
from app.net.local_setting import Setting, new_setting, rotated
from services.engine.agents import agents_for
from services.engine.core.options import OptionValue, resolve
from services.engine.core.registry import game_names, ruleset

AGENTS = tuple(
    Agent(name, game, level)
    for game in game_names()
    for name, level in agents_for(game).items()
    if level > 0
)


class FakeMatch(LocalMatch):
    """A match, and the bell of its watchers."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.news = asyncio.Event()
        self.beside: dict[str, Any] = {}
        """Fields of `Match` that the test has set: clocks, seats, what is asked."""
        self.version = 0

    def seen(self) -> Match:
        """As this player's seats see it; without one, as who watches does."""
        seen = super().seen()
        return seen if seen.views else replace(seen, views=(self._view(SPECTATOR),))


class FakeGateway(FakeAdvice, FakePeople):
    """See the module. `agents_play` off leaves the other seats to the test (`play_as`)."""

    def __init__(self, seed: int = 0, *, agents_play: bool = True) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.agents_play = agents_play
        self.lose_answers = 0
        """That many answers to SubmitAction get lost after the action has counted."""
        self.stalled: asyncio.Event | None = None
        """Set to an Event to make every call wait for it."""
        self.seed = ""
        """The seed, in hexadecimal, of the dice of matches made from now on; "" to use `rng`."""
        self.promise = ""
        """What tables opened from now on promise of their seed."""
        self.streams = 0
        self.submits = 0
        self.matches: dict[str, FakeMatch] = {}
        self.agents: tuple[Agent, ...] = AGENTS
        self.refuses: GatewayError | None = None
        """Set to refuse every call."""
        self.wishes: list[tuple[str, int, Wish]] = []
        """What was wanted beside the game: match, seat and wish."""
        self._wished: set[str] = set()
        self._by_request: dict[str, tuple[Any, str]] = {}

    # --- the gateway ------------------------------------------------------------------------

    async def sign_in(self) -> Player:
        await self._reach()
        return ME

    async def list_agents(self, game: str) -> tuple[Agent, ...]:
        await self._reach()
        return tuple(agent for agent in self.agents if agent.game == game)

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
        await self._reach()
        setting = new_setting("", game, seats, options, ME, len(self.tables))
        setting = replace(setting, hints=terms.hints)
        asked = (game, setting.seats, setting.options, terms)
        if request_id in self._by_request:
            return self._again(request_id, asked)
        waits = any(occupant.is_open for occupant in setting.seats)
        table = Table(
            table_id=f"t-{len(self.tables)}",
            invitation_code=CODE if waits else "",
            game=game,
            seats=setting.seats,
            status=TableStatus.OPEN if waits else TableStatus.STARTED,
            match_id="" if waits else self._made(setting).match_id,
            opened_at_ms=setting.opened_at_ms,
            options=setting.options,
            terms=terms,
            listed=listed,
            link=f"oddsocks://join/{CODE}" if waits else "",
            promise=self.promise if waits else "",
        )
        return self._keep(request_id, asked, table)

    async def get_table(self, table_id: str) -> Table:
        await self._reach()
        if table_id not in self.tables:
            raise Refused("TABLE_NOT_FOUND", "no such table", {})
        return self.tables[table_id]

    async def join_table(self, request_id: str, invitation_code: str) -> Table:
        await self._reach()
        if invitation_code != CODE:
            raise Refused("TABLE_NOT_FOUND", "no such invitation", {})
        if request_id in self._by_request:
            return self._again(request_id, invitation_code)
        match_id = self.start("socker", (_person(FRIEND), _person(ME)), {})
        return self._keep(request_id, invitation_code, self._table(match_id))

    async def sit_down(
        self,
        request_id: str,
        *,
        code: str = "",
        table_id: str = "",
        persons: Sequence[str] = (),
        nonce: bytes = b"",
    ) -> Table:
        self.sat.append((code, table_id, tuple(persons)))
        if nonce:
            self.nonces[code or table_id] = nonce
        if code:
            return await self.join_table(request_id, code.rpartition("/")[2])
        await self._reach()
        known = [*self.lobby, *self.tables.values()]
        table = next((one for one in known if one.table_id == table_id), None)
        if table is None:
            raise Refused("TABLE_NOT_FOUND", "no such table", {})
        self.lobby = [one for one in self.lobby if one.table_id != table_id]
        names = iter(persons or ("",))
        seats = tuple(
            Occupant(ME.player_id, display_name=next(names, "") or ME.display_name)
            if seat.is_open
            else seat
            for seat in table.seats
        )
        match_id = self.start(table.game, seats, table.options)
        return self._keep(request_id, table_id, replace(self._table(match_id), table_id=table_id))

    async def leave_table(self, table_id: str) -> None:
        table = await self.get_table(table_id)
        if table.match_id:
            raise Refused("TABLE_FULL", "the table is full: its match has begun", {})
        del self.tables[table_id]

    async def rematch(self, request_id: str, match_id: str) -> Table:
        await self._reach()
        del request_id  # Of each match there is one rematch, whoever asks for it.
        match = self._match(match_id)
        if match.outcome is None:
            raise Refused("MATCH_RUNNING", "the match is not over yet", {})
        asked = f"again {match_id}"
        if asked in self._by_request:
            return self._again(asked, asked)
        made = self._made(rotated(match.setting, "", len(self.tables)))
        return self._keep(asked, asked, self._table(made.match_id))

    async def list_my_matches(self) -> tuple[MyMatch, ...]:
        await self._reach()
        return tuple(map(self._mine, reversed(self.tables.values())))

    async def get_match(self, match_id: str) -> Match:
        await self._reach()
        return self.seen(self._match(match_id))

    async def get_ply(self, match_id: str, revision: int) -> Match:
        await self._reach()
        return self._match(match_id).ply(revision)

    async def submit_action(
        self, match_id: str, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        await self._reach()
        self.submits += 1
        match = self._match(match_id)
        answer = match.answer(seat, request_id, expected_revision, act)
        if isinstance(answer, Applied):
            return answer
        match.commit(match.step(answer, self.rng, 0, request_id=request_id))
        applied = Applied(expected_revision, match.revision)
        self._go_on(match)
        if self.lose_answers:
            self.lose_answers -= 1
            raise Offline("answer lost")
        return applied

    async def control(self, match_id: str, seat: int, request_id: str, wish: Wish) -> Applied:
        await self._reach()
        match = self._match(match_id)
        if request_id not in self._wished:
            self._wished.add(request_id)
            self.wishes.append((match_id, seat, wish))
        return Applied(match.revision, match.revision)

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        await self._reach()
        match = self._match(match_id)
        if not 0 <= from_revision <= match.revision:
            raise Refused("INVALID_FIELD", "from_revision", {"field": "from_revision"})
        self.streams += 1
        try:
            yield Heartbeat(0)
            wanted, shown = from_revision, (-1, 0)
            while True:
                match.news.clear()  # Before looking, so that nothing is missed in between.
                if self.offline:
                    raise Offline("cut")
                while wanted < len(match.events):
                    yield match.events[wanted]
                    wanted += 1
                if (wanted, match.version) != shown:
                    shown = (wanted, match.version)
                    yield self.seen(match)
                if match.outcome is not None and wanted == len(match.events):
                    yield Finished(match.outcome)
                    return
                await match.news.wait()
        finally:
            self.streams -= 1

    async def list_events(self, match_id: str) -> tuple[Event, ...]:
        await self._reach()
        return tuple(self._match(match_id).events)

    async def export_match(self, match_id: str) -> str:
        await self._reach()
        return self._match(match_id).record()

    def rest(self) -> None:
        """The server goes on."""

    async def close(self) -> None:
        """Nothing to let go of: a test may use the same server again."""

    # --- the switches -------------------------------------------------------------------------

    def go_offline(self) -> None:
        """Cut every stream and answer no call."""
        self.offline = True
        self.ring()
        for match in self.matches.values():
            match.news.set()

    def start(
        self,
        game: str,
        seats: tuple[Occupant, ...],
        options: Mapping[str, OptionValue],
        position: str = "",
    ) -> str:
        """Make a match, from its beginning or from a position; returns its id."""
        mine = tuple(i for i, seat in enumerate(seats) if seat.player_id == ME.player_id)
        whole = resolve(ruleset(game).option_specs, options)
        return self._made(Setting("", game, whole, seats, mine, start=position)).match_id

    def play_as(self, match_id: str, notation: str) -> None:
        """Let whoever is to act do `notation`, as if it came from elsewhere."""
        match = self.matches[match_id]
        action = match.rules.check(match.state, match.rules.parse_action(notation))
        match.commit(match.step(action, self.rng, 0))
        self._go_on(match)

    def beside(self, match_id: str, **fields: Any) -> None:
        """Let `fields` of the match be so from now on, and tell who watches."""
        match = self.matches[match_id]
        match.beside |= fields
        match.version += 1
        match.news.set()
        self.ring()

    def friend_joins(self, table_id: str) -> str:
        """The friend takes the open seat; returns the match."""
        table = self.tables[table_id]
        seats = tuple(_person(FRIEND) if seat.is_open else seat for seat in table.seats)
        match_id = self.start(table.game, seats, table.options)
        self.tables[table_id] = replace(
            table, seats=seats, status=TableStatus.STARTED, match_id=match_id
        )
        self.ring()
        return match_id

    # --- inside -------------------------------------------------------------------------------

    async def _reach(self) -> None:
        await asyncio.sleep(0)
        if self.stalled is not None:
            await self.stalled.wait()
        if self.refuses is not None:
            raise self.refuses
        if self.offline:
            raise Offline("no network")

    def _made(self, setting: Setting) -> FakeMatch:
        match = FakeMatch(replace(setting, match_id=f"m-{len(self.matches)}", seed=self.seed))
        self.matches[match.match_id] = match
        match.commit(match.begin(self.rng, 0))
        self._go_on(match)
        return match

    def _table(self, match_id: str) -> Table:
        table_id = f"t-{len(self.tables)}"
        return replace(self.matches[match_id].table(), table_id=table_id)

    def _keep(self, request_id: str, asked: Any, table: Table) -> Table:
        self.tables[table.table_id] = table
        self.ring()
        self._by_request[request_id] = (asked, table.table_id)
        return table

    def _again(self, request_id: str, asked: Any) -> Table:
        before, table_id = self._by_request[request_id]
        if before != asked:
            raise Refused("REQUEST_ID_REUSED", "this request id asked for something else", {})
        return self.tables[table_id]

    def _match(self, match_id: str) -> FakeMatch:
        if match_id not in self.matches:
            raise Refused("MATCH_NOT_FOUND", "no such match", {})
        return self.matches[match_id]

    def _go_on(self, match: FakeMatch) -> None:
        """Let agents act until a person is to act or the match is over."""
        while match.agent_to_act and self.agents_play:
            action = self.rng.choice(match.rules.legal_actions(match.state))
            match.commit(match.step(action, self.rng, 0))
        match.news.set()
        self.ring()

    def seen(self, match: FakeMatch) -> Match:
        """The match as this player's seats see it."""
        return replace(match.seen(), **match.beside)

    def _mine(self, table: Table) -> MyMatch:
        if table.match_id:
            match = self.matches[table.match_id]
            clock: ClockOfMatch | None = match.beside.get("clock")
            deadline_ms = clock.deadline_ms if clock else None
            return replace(match.mine(), table=table, deadline_ms=deadline_ms)
        seats = tuple(i for i, seat in enumerate(table.seats) if seat.player_id == ME.player_id)
        return MyMatch(table, seats, 0, MatchStatus.UNKNOWN, None, None)


def _person(player: Player) -> Occupant:
    return Occupant(player_id=player.player_id, display_name=player.display_name)


__all__ = ["AGENTS", "CODE", "FRIEND", "ME", "FakeGateway", "FakeMatch"]
