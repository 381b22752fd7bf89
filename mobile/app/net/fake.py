"""A gateway without a network, for tests and for looking at screens: the engine in the process.

One player, one agent that plays at random from a seed, and switches for what goes wrong on real
networks. Actions count once per request id here, too.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.model.gateway import Offline, Refused
from app.model.values import (
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
    SeatView,
    SeatWish,
    Table,
    TableStatus,
    Update,
)
from app.net import convert
from services.engine.core.options import OptionValue
from services.engine.core.registry import ruleset
from services.engine.core.types import CHANCE, Action
from services.wire.actions import action_from_message, action_to_message
from services.wire.observations import observation_to_message

ME = Player("p-me", "Ada")
FRIEND = Player("p-friend", "Ben")
CODE = "7KQ4WX"
AGENTS = (Agent("random", "socker", 1), Agent("socker_search", "socker", 2))


@dataclass
class FakeMatch:
    """The truth of one match, and the switches of its server."""

    match_id: str
    game: str
    seats: tuple[Occupant, ...]
    options: Mapping[str, OptionValue]
    state: Any
    events: list[Event] = field(default_factory=list)
    answers: dict[str, tuple[int, Act, Applied]] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)


class FakeGateway:
    """See the module. `agents_play` off leaves the other seats to the test (`play_as`)."""

    def __init__(self, seed: int = 0, *, agents_play: bool = True) -> None:
        self.rng = random.Random(seed)
        self.agents_play = agents_play
        self.offline = False
        self.lose_answers = 0
        """That many answers to SubmitAction get lost after the action has counted."""
        self.stalled: asyncio.Event | None = None
        """Set to an Event to make every call wait for it."""
        self.streams = 0
        self.submits = 0
        self.matches: dict[str, FakeMatch] = {}
        self.tables: dict[str, Table] = {}
        self.agents: tuple[Agent, ...] = AGENTS
        self._by_request: dict[str, Table] = {}

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
    ) -> Table:
        await self._reach()
        if request_id in self._by_request:
            return self._by_request[request_id]
        occupants = tuple(self._occupant(wish) for wish in seats)
        waits = any(occupant.is_open for occupant in occupants)
        table = Table(
            table_id=f"t-{len(self.tables)}",
            invitation_code=CODE if waits else "",
            game=game,
            seats=occupants,
            status=TableStatus.OPEN if waits else TableStatus.STARTED,
            match_id="" if waits else self.start(game, occupants, options),
            opened_at_ms=len(self.tables),
            options=options,
        )
        self.tables[table.table_id] = self._by_request[request_id] = table
        return table

    async def get_table(self, table_id: str) -> Table:
        await self._reach()
        if table_id not in self.tables:
            raise Refused("TABLE_NOT_FOUND", "no such table", {})
        return self.tables[table_id]

    async def join_table(self, request_id: str, invitation_code: str) -> Table:
        await self._reach()
        if invitation_code != CODE:
            raise Refused("TABLE_NOT_FOUND", "no such invitation", {})
        seats = (_person(FRIEND), _person(ME))
        return self._started(request_id, "socker", seats, {})

    async def leave_table(self, table_id: str) -> None:
        await self._reach()
        del self.tables[table_id]

    async def rematch(self, request_id: str, match_id: str) -> Table:
        await self._reach()
        match = self.matches[match_id]
        seats = match.seats[1:] + match.seats[:1]
        return self._started(request_id, match.game, seats, match.options)

    async def list_my_matches(self) -> tuple[MyMatch, ...]:
        await self._reach()
        return tuple(map(self._mine, reversed(self.tables.values())))

    async def get_match(self, match_id: str) -> Match:
        await self._reach()
        return self.seen(self._match(match_id))

    async def submit_action(
        self, match_id: str, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        await self._reach()
        self.submits += 1
        match = self._match(match_id)
        if request_id in match.answers:
            return match.answers[request_id][2]
        revision = len(match.events)
        if expected_revision != revision:
            raise Refused("STALE_REVISION", "the match has moved on", {"revision": str(revision)})
        rules = ruleset(match.game)
        if rules.actor(match.state) != seat:
            raise Refused("NOT_YOUR_TURN", "another seat is to act", {})
        action = action_from_message(rules, convert.act_to(act))
        if not rules.is_legal(match.state, action):
            raise Refused("ILLEGAL_ACTION", "not legal here", {})
        self._apply(match, seat, action)
        self._go_on(match)
        applied = Applied(revision, len(match.events))
        match.answers[request_id] = (revision, act, applied)
        if self.lose_answers:
            self.lose_answers -= 1
            raise Offline("answer lost")
        return applied

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        await self._reach()
        match = self._match(match_id)
        self.streams += 1
        try:
            yield Heartbeat(0)
            wanted, shown = from_revision, -1
            while True:
                match.news.clear()  # Before looking, so that nothing is missed in between.
                if self.offline:
                    raise Offline("cut")
                while wanted < len(match.events):
                    yield match.events[wanted]
                    wanted += 1
                if wanted != shown:
                    shown = wanted
                    yield self.seen(match)
                outcome = ruleset(match.game).outcome(match.state)
                if outcome is not None and wanted == len(match.events):
                    yield Finished(outcome)
                    return
                await match.news.wait()
        finally:
            self.streams -= 1

    async def list_events(self, match_id: str) -> tuple[Event, ...]:
        await self._reach()
        return tuple(self._match(match_id).events)

    async def close(self) -> None:
        """Nothing to let go of: a test may use the same server again."""

    # --- the switches -------------------------------------------------------------------------

    def go_offline(self) -> None:
        """Cut every stream and answer no call."""
        self.offline = True
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
        rules = ruleset(game)
        state = rules.parse_state(position) if position else rules.initial(options, len(seats))
        match = FakeMatch(f"m-{len(self.matches)}", game, seats, options, state)
        self.matches[match.match_id] = match
        self._go_on(match)
        return match.match_id

    def play_as(self, match_id: str, notation: str) -> None:
        """Let whoever is to act do `notation`, as if it came from elsewhere."""
        match = self.matches[match_id]
        rules = ruleset(match.game)
        actor = rules.actor(match.state)
        assert actor is not None
        self._apply(match, actor, rules.check(match.state, rules.parse_action(notation)))
        self._go_on(match)

    def friend_joins(self, table_id: str) -> str:
        """The friend takes the open seat; returns the match."""
        table = self.tables[table_id]
        seats = tuple(_person(FRIEND) if seat.is_open else seat for seat in table.seats)
        match_id = self.start(table.game, seats, table.options)
        self.tables[table_id] = Table(
            table_id, CODE, table.game, seats, TableStatus.STARTED, match_id, 0, table.options
        )
        return match_id

    # --- inside -------------------------------------------------------------------------------

    async def _reach(self) -> None:
        await asyncio.sleep(0)
        if self.stalled is not None:
            await self.stalled.wait()
        if self.offline:
            raise Offline("no network")

    def _started(
        self,
        request_id: str,
        game: str,
        seats: tuple[Occupant, ...],
        options: Mapping[str, OptionValue],
    ) -> Table:
        if request_id not in self._by_request:
            match_id = self.start(game, seats, options)
            table_id = f"t-{len(self.tables)}"
            table = Table(table_id, "", game, seats, TableStatus.STARTED, match_id, 0, options)
            self.tables[table_id] = self._by_request[request_id] = table
        return self._by_request[request_id]

    def _occupant(self, wish: SeatRequest) -> Occupant:
        if isinstance(wish, Agent):
            return Occupant(agent=wish.name, display_name=wish.name)
        return _person(ME) if wish is SeatWish.ME else Occupant()

    def _match(self, match_id: str) -> FakeMatch:
        if match_id not in self.matches:
            raise Refused("MATCH_NOT_FOUND", "no such match", {})
        return self.matches[match_id]

    def _apply(self, match: FakeMatch, actor: int, action: Action) -> None:
        rules = ruleset(match.game)
        act = convert.act(action_to_message(rules, action))
        match.events.append(Event(len(match.events), actor, act))
        match.state = rules.apply(match.state, action)
        match.news.set()

    def _go_on(self, match: FakeMatch) -> None:
        """Let chance and agents act until a person is to act or the match is over."""
        rules = ruleset(match.game)
        while (actor := rules.actor(match.state)) is not None:
            if actor == CHANCE:
                choices = rules.chance_outcomes(match.state)
                weights = [choice.weight for choice in choices]
                action = self.rng.choices(choices, weights)[0].action
            elif match.seats[actor].agent and self.agents_play:
                action = self.rng.choice(rules.legal_actions(match.state))
            else:
                return
            self._apply(match, actor, action)

    def seen(self, match: FakeMatch) -> Match:
        """The match as this player's seats see it."""
        rules = ruleset(match.game)
        actor = rules.actor(match.state)
        legal = rules.legal_actions(match.state)
        views = tuple(
            SeatView(
                seat,
                convert.view(observation_to_message(rules, rules.observe(match.state, seat))),
                tuple(convert.act(action_to_message(rules, one)) for one in legal)
                if seat == actor
                else (),
            )
            for seat, occupant in enumerate(match.seats)
            if occupant.player_id == ME.player_id
        )
        return Match(
            match_id=match.match_id,
            game=match.game,
            seats=match.seats,
            revision=len(match.events),
            status=MatchStatus.RUNNING if actor is not None else MatchStatus.FINISHED,
            actor=actor,
            views=views,
            outcome=rules.outcome(match.state),
            options=match.options,
        )

    def _mine(self, table: Table) -> MyMatch:
        seats = tuple(i for i, seat in enumerate(table.seats) if seat.player_id == ME.player_id)
        if not table.match_id:
            return MyMatch(table, seats, 0, MatchStatus.UNKNOWN, None, None)
        match = self.seen(self.matches[table.match_id])
        return MyMatch(table, seats, match.revision, match.status, match.actor, match.outcome)


def _person(player: Player) -> Occupant:
    return Occupant(player_id=player.player_id, display_name=player.display_name)
