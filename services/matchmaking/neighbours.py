"""What matchmaking asks of rules and ai, over their internal listeners.

Games and agents change only with a release, so they are remembered for half a minute, and longer
while the neighbour is away: a table can be opened during a restart of either.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import grpc
import structlog

from oddsocks.ai.v1 import ai_service_pb2, ai_service_pb2_grpc
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb2
from oddsocks.rules.v1 import calls_internal_service_pb2_grpc as calls_grpc
from oddsocks.rules.v1 import news_internal_service_pb2 as news_pb2
from oddsocks.rules.v1 import news_internal_service_pb2_grpc as news_grpc
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2_grpc as internal_grpc
from oddsocks.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.common.clock import Clock
from services.common.errors import RefusedError, error_info
from services.matchmaking import convert
from services.matchmaking.model import Finished, Game, News, Summary, Table
from services.matchmaking.push.store import Call, State

_log = structlog.get_logger("neighbours")

FRESH_MS: Final = 30_000
RETRY_MS: Final = 1_000
QUICK_S: Final = 2.0
"""Deadline of calls somebody waits for; the lists of matches can do without the answer."""
FEED_PAGE: Final = 200

_FINAL: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
    }
)

Value = TypeVar("Value")


class RefusedForGoodError(Exception):
    """Rules will never make this match; the message says why."""


@dataclass(slots=True)
class Remembered(Generic[Value]):
    """The answer to a question, asked again when it is `FRESH_MS` old; the old one while nobody
    answers.
    """

    ask: Callable[[], Awaitable[Value]]
    clock: Clock
    _value: Value | None = None
    _ask_again_at_ms: int = 0

    async def get(self) -> Value:
        """The answer; raises `RefusedError` UNAVAILABLE when there never was one."""
        now = self.clock()
        # No pause is longer than that: an end further away is from before the clock was set back.
        fresh = 0 < self._ask_again_at_ms - now <= FRESH_MS
        if self._value is not None and fresh:
            return self._value
        try:
            self._value = await self.ask()
            self._ask_again_at_ms = now + FRESH_MS
        except RefusedError:
            if self._value is None:
                raise
            self._ask_again_at_ms = now + RETRY_MS
        return self._value


@dataclass(slots=True)
class Rules:
    """The rules service. Its calls raise `RefusedError` UNAVAILABLE when it does not answer."""

    channel: grpc.aio.Channel
    clock: Clock
    _games: Remembered[dict[str, Game]] = field(init=False)

    def __post_init__(self) -> None:
        self._games = Remembered(self._list_games, self.clock)

    async def game(self, name: str) -> Game:
        """A game on the shelf; raises `RefusedError` GAME_NOT_FOUND."""
        games = await self._games.get()
        if name not in games:
            raise RefusedError(
                ErrorReason.ERROR_REASON_GAME_NOT_FOUND, "no such game", game=name[:80]
            )
        return games[name]

    async def promise_seed(self, table_id: str) -> bytes:
        """SHA-256 of the seed that the match of a table will draw by, the same whenever asked."""
        stub = internal_grpc.RulesInternalServiceStub(self.channel)
        request = internal_pb2.PromiseSeedRequest(request_id=table_id)
        answer = await _answer("rules", stub.PromiseSeed(request, timeout=QUICK_S))
        return bytes(answer.seed_sha256)

    async def create_match(self, table: Table) -> str:
        """The match of a full table: the same one however often it is asked for.

        Raises `RefusedForGoodError`, or `RefusedError` UNAVAILABLE when asking again may help.
        """
        stub = internal_grpc.RulesInternalServiceStub(self.channel)
        try:
            answer: internal_pb2.CreateMatchResponse = await stub.CreateMatch(
                convert.create_match_request(table), timeout=QUICK_S
            )
        except grpc.aio.AioRpcError as error:
            if error.code() in _FINAL and error_info(error) is not None:
                raise RefusedForGoodError(error.details() or "") from error
            raise _away("rules", error) from error
        return answer.match_id

    async def summaries(self, match_ids: Sequence[str]) -> dict[str, Summary]:
        """Where each of up to 200 matches stands, by id; unknown ones are left out."""
        stub = internal_grpc.RulesInternalServiceStub(self.channel)
        request = internal_pb2.ListMatchSummariesRequest(match_ids=match_ids)
        answer = await _answer("rules", stub.ListMatchSummaries(request, timeout=QUICK_S))
        return {m.match_id: convert.summary_from_message(m) for m in answer.matches}

    async def news(
        self, player_id: str, asked: Sequence[tuple[str, int | None]]
    ) -> dict[str, News]:
        """Where up to 200 of a player's matches stand, by id, and what happened in each since a
        revision (None: that is not asked). Those that are not the player's are left out.
        """
        stub = news_grpc.NewsInternalServiceStub(self.channel)
        request = news_pb2.ListNewsRequest(
            player_id=player_id,
            matches=[news_pb2.AskedMatch(match_id=m, seen_revision=seen) for m, seen in asked],
        )
        answer = await _answer("rules", stub.ListNews(request, timeout=QUICK_S))
        return {one.summary.match_id: convert.news_from_message(one) for one in answer.matches}

    async def finished_after(self, cursor: int) -> tuple[list[Finished], int]:
        """The next finished matches of the feed, and where to go on."""
        stub = internal_grpc.RulesInternalServiceStub(self.channel)
        request = internal_pb2.ListFinishedMatchesRequest(cursor=cursor, page_size=FEED_PAGE)
        answer = await _answer("rules", stub.ListFinishedMatches(request, timeout=QUICK_S))
        return [convert.finished_from_message(m) for m in answer.matches], answer.cursor

    async def calls(self, most: int = FEED_PAGE) -> list[Call]:
        """The next people to call because of a match, until `ack_calls`."""
        stub = calls_grpc.CallsInternalServiceStub(self.channel)
        request = calls_pb2.ListCallsRequest(page_size=most)
        answer = await _answer("rules", stub.ListCalls(request, timeout=QUICK_S))
        return [convert.call_from_message(call) for call in answer.calls]

    async def ack_calls(self, calls: Sequence[Call]) -> None:
        """Say that these are in safe hands."""
        stub = calls_grpc.CallsInternalServiceStub(self.channel)
        request = calls_pb2.AckCallsRequest(calls=map(convert.call_to_message, calls))
        await _answer("rules", stub.AckCalls(request, timeout=QUICK_S))

    async def check_calls(self, calls: Sequence[Call]) -> list[State]:
        """Whether up to 500 calls are still worth making."""
        stub = calls_grpc.CallsInternalServiceStub(self.channel)
        request = calls_pb2.CheckCallsRequest(calls=map(convert.call_to_message, calls))
        answer = await _answer("rules", stub.CheckCalls(request, timeout=QUICK_S))
        return [State(state) for state in answer.states]

    async def _list_games(self) -> dict[str, Game]:
        stub = rules_service_pb2_grpc.RulesServiceStub(self.channel)
        request = rules_service_pb2.ListGamesRequest()
        answer = await _answer("rules", stub.ListGames(request, timeout=QUICK_S))
        return {game.name: convert.game_from_message(game) for game in answer.games}


@dataclass(slots=True)
class Ai:
    """The ai service."""

    channel: grpc.aio.Channel
    clock: Clock
    _agents: Remembered[frozenset[tuple[str, str]]] = field(init=False)

    def __post_init__(self) -> None:
        self._agents = Remembered(self._list_agents, self.clock)

    async def require(self, game: str, agent: str) -> None:
        """Raise `RefusedError` AGENT_NOT_FOUND unless the agent plays the game."""
        if (game, agent) not in await self._agents.get():
            raise RefusedError(
                ErrorReason.ERROR_REASON_AGENT_NOT_FOUND,
                "no such agent for this game",
                agent=agent[:80],
                game=game,
            )

    async def _list_agents(self) -> frozenset[tuple[str, str]]:
        stub = ai_service_pb2_grpc.AiServiceStub(self.channel)
        request = ai_service_pb2.ListAgentsRequest()
        answer = await _answer("ai", stub.ListAgents(request, timeout=QUICK_S))
        return frozenset((agent.game, agent.name) for agent in answer.agents)


async def _answer(service: str, call: Awaitable[Any]) -> Any:
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise _away(service, error) from error


def _away(service: str, error: grpc.aio.AioRpcError) -> RefusedError:
    _log.warning("no answer", service=service, code=error.code().name)
    return RefusedError(
        ErrorReason.ERROR_REASON_UNAVAILABLE, f"{service} does not answer: try again"
    )
