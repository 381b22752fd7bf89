"""Small rules and ai services that keep to the contract, on real sockets, with real tokens."""

# ruff: noqa: N802 (the contract's names)

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import grpc

from oddsocks.ai.v1 import ai_service_pb2, ai_service_pb2_grpc
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb2
from oddsocks.rules.v1 import calls_internal_service_pb2_grpc as calls_grpc
from oddsocks.rules.v1 import news_internal_service_pb2 as news_pb2
from oddsocks.rules.v1 import news_internal_service_pb2_grpc as news_grpc
from oddsocks.rules.v1 import players_internal_service_pb2 as players_pb2
from oddsocks.rules.v1 import players_internal_service_pb2_grpc as players_grpc
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2_grpc as internal_grpc
from oddsocks.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.common.clock import system_clock
from services.common.errors import RefusedError
from services.common.interceptors import Context
from services.common.server import RunningServer, Service, TakenError, start, verifier
from services.common.settings import ServiceSettings

PATIENCE_S = 30.0

SOCKER = play_pb2.Game(
    name="socker",
    ruleset_version=1,
    min_seats=2,
    max_seats=2,
    options=[
        play_pb2.OptionSpec(
            name="goals",
            default=play_pb2.OptionValue(number=1),
            summary="Goals that win.",
            minimum=1,
            maximum=5,
        ),
        play_pb2.OptionSpec(name="rain", default=play_pb2.OptionValue(flag=False)),
        play_pb2.OptionSpec(
            name="field", default=play_pb2.OptionValue(choice="grass"), choices=["grass", "sand"]
        ),
    ],
)
MONSTERS = play_pb2.Game(
    name="sock_monsters",
    ruleset_version=1,
    min_seats=2,
    max_seats=4,
    options=[
        play_pb2.OptionSpec(
            name="edition",
            default=play_pb2.OptionValue(choice="international"),
            choices=["international", "german"],
        )
    ],
)


async def _at_once() -> None:
    """Think of nothing before a match is made."""


class StandInRules(
    rules_service_pb2_grpc.RulesServiceServicer,
    internal_grpc.RulesInternalServiceServicer,
    news_grpc.NewsInternalServiceServicer,
    calls_grpc.CallsInternalServiceServicer,
):
    """Makes matches once per request id, and says of them what a test has set."""

    def __init__(self) -> None:
        self.made: dict[str, internal_pb2.CreateMatchRequest] = {}
        self.asked = 0
        self.summaries: dict[str, internal_pb2.MatchSummary] = {}
        self.finished: list[internal_pb2.FinishedMatch] = []
        self.refusal: RefusedError | None = None
        self.failing: set[str] = set()
        self.given_up: set[tuple[str, int]] = set()
        self.players = StandInPlayers()
        self.calls: list[calls_pb2.Call] = []
        self.lapsed: set[tuple[str, int]] = set()
        self.looking: set[tuple[str, str]] = set()
        self.pause: Callable[[], Awaitable[None]] = _at_once

    def end(
        self, match_id: str, *, in_feed: bool, reason: str = "goals", agents_acted: bool = False
    ) -> None:
        """Let a match be over; the feed tells now or never."""
        outcome = play_pb2.Outcome(reason=reason, winners=[1], scores=[0, 1])
        self.summaries[match_id] = internal_pb2.MatchSummary(
            match_id=match_id,
            revision=37,
            status=play_pb2.MATCH_STATUS_FINISHED,
            outcome=outcome,
        )
        if in_feed:
            self.finished.append(
                internal_pb2.FinishedMatch(
                    match_id=match_id,
                    outcome=outcome,
                    finished_at_ms=5,
                    agents_acted=agents_acted,
                )
            )

    async def ListGames(
        self, _request: rules_service_pb2.ListGamesRequest, _context: Context
    ) -> rules_service_pb2.ListGamesResponse:
        return rules_service_pb2.ListGamesResponse(games=[SOCKER, MONSTERS])

    async def PromiseSeed(
        self, request: internal_pb2.PromiseSeedRequest, _context: Context
    ) -> internal_pb2.PromiseSeedResponse:
        promise = hashlib.sha256(request.request_id.encode()).digest()
        return internal_pb2.PromiseSeedResponse(seed_sha256=promise)

    async def CreateMatch(
        self, request: internal_pb2.CreateMatchRequest, _context: Context
    ) -> internal_pb2.CreateMatchResponse:
        self.asked += 1
        await self.pause()
        if self.refusal is not None:
            raise self.refusal
        if request.request_id in self.failing:
            raise RuntimeError("this one always fails")
        known = self.made.setdefault(request.request_id, request)
        assert known == request, "a request id for two matches"
        match_id = f"match-{request.request_id}"
        self.summaries.setdefault(
            match_id,
            internal_pb2.MatchSummary(
                match_id=match_id, revision=3, status=play_pb2.MATCH_STATUS_RUNNING, actor=1
            ),
        )
        return internal_pb2.CreateMatchResponse(match_id=match_id)

    async def ListMatchSummaries(
        self, request: internal_pb2.ListMatchSummariesRequest, _context: Context
    ) -> internal_pb2.ListMatchSummariesResponse:
        known = [self.summaries[m] for m in request.match_ids if m in self.summaries]
        return internal_pb2.ListMatchSummariesResponse(matches=known)

    async def ListNews(
        self, request: news_pb2.ListNewsRequest, _context: Context
    ) -> news_pb2.ListNewsResponse:
        found = []
        for asked in request.matches:
            made = self.made.get(asked.match_id.removeprefix("match-"))
            held = [s.seat for s in made.seats if s.player_id == request.player_id] if made else []
            mine = made is not None and (held or made.host_player_id == request.player_id)
            if not mine or asked.match_id not in self.summaries:
                continue
            summary = self.summaries[asked.match_id]
            seen = asked.seen_revision if asked.HasField("seen_revision") else summary.revision
            events = [
                play_pb2.Event(revision=revision, actor=revision % 2)
                for revision in range(max(seen, summary.revision - 20), summary.revision)
            ]
            left = [seat for seat in held if (asked.match_id, seat) not in self.given_up]
            found.append(news_pb2.MatchNews(summary=summary, seats=left, events=events))
        return news_pb2.ListNewsResponse(matches=found)

    async def ListCalls(
        self, request: calls_pb2.ListCallsRequest, _context: Context
    ) -> calls_pb2.ListCallsResponse:
        return calls_pb2.ListCallsResponse(calls=self.calls[: request.page_size])

    async def AckCalls(
        self, request: calls_pb2.AckCallsRequest, _context: Context
    ) -> calls_pb2.AckCallsResponse:
        self.calls = [call for call in self.calls if call not in request.calls]
        return calls_pb2.AckCallsResponse()

    async def CheckCalls(
        self, request: calls_pb2.CheckCallsRequest, _context: Context
    ) -> calls_pb2.CheckCallsResponse:
        states = []
        for call in request.calls:
            if (call.match_id, call.turn_revision) in self.lapsed:
                states.append(calls_pb2.CALL_STATE_LAPSED)
            elif (call.match_id, call.player_id) in self.looking:
                states.append(calls_pb2.CALL_STATE_SEEN)
            else:
                states.append(calls_pb2.CALL_STATE_STANDS)
        return calls_pb2.CheckCallsResponse(states=states)

    def move_on(self, match_id: str) -> None:
        """Let a match reach its next revision."""
        self.summaries[match_id].revision += 1

    async def ListFinishedMatches(
        self, request: internal_pb2.ListFinishedMatchesRequest, _context: Context
    ) -> internal_pb2.ListFinishedMatchesResponse:
        page = self.finished[request.cursor : request.cursor + 2]
        return internal_pb2.ListFinishedMatchesResponse(
            matches=page, cursor=request.cursor + len(page)
        )


class StandInPlayers(players_grpc.PlayersInternalServiceServicer):
    """Notes what it is told of players."""

    def __init__(self) -> None:
        self.ended: list[players_pb2.EndSessionsRequest] = []
        self.forgotten: list[players_pb2.ForgetPlayerRequest] = []

    async def EndSessions(
        self, request: players_pb2.EndSessionsRequest, _context: Context
    ) -> players_pb2.EndSessionsResponse:
        self.ended.append(request)
        return players_pb2.EndSessionsResponse()

    async def ForgetPlayer(
        self, request: players_pb2.ForgetPlayerRequest, _context: Context
    ) -> players_pb2.ForgetPlayerResponse:
        self.forgotten.append(request)
        return players_pb2.ForgetPlayerResponse()


class StandInAi(ai_service_pb2_grpc.AiServiceServicer):
    """Two agents for Socker."""

    async def ListAgents(
        self, request: ai_service_pb2.ListAgentsRequest, _context: Context
    ) -> ai_service_pb2.ListAgentsResponse:
        agents = [
            play_pb2.Agent(name=name, game="socker", level=level)
            for level, name in enumerate(("random", "searcher"), start=1)
        ]
        if request.game not in ("", "socker"):
            raise RefusedError(ErrorReason.ERROR_REASON_GAME_NOT_FOUND, "no such game")
        return ai_service_pb2.ListAgentsResponse(agents=agents)


@dataclass(slots=True)
class Neighbour:
    """A stand-in that can go away and come back at the same address."""

    service: Service
    settings: Callable[[str], ServiceSettings]
    address: str = "127.0.0.1:0"
    _running: RunningServer | None = field(default=None)

    async def come(self) -> None:
        """Listen, and after having been away where it was before."""
        settings = self.settings(self.address)
        async with asyncio.timeout(PATIENCE_S):
            while self._running is None:
                # Meanwhile somebody's call may go out from that very port, for a moment.
                with contextlib.suppress(TakenError):
                    self._running = await start(
                        self.service,
                        settings,
                        verifier=verifier(settings, system_clock),
                        draining=asyncio.Event(),
                    )
                if self._running is None:
                    await asyncio.sleep(0.1)
        self.address = f"127.0.0.1:{self._running.internal_port}"

    async def go(self) -> None:
        """Be away."""
        if self._running is not None:
            await self._running.stop(0)
            self._running = None


def rules_service(rules: StandInRules) -> Service:
    """The stand-in on both listeners, as the real one."""

    def public(server: grpc.aio.Server) -> None:
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(rules, server)

    def internal(server: grpc.aio.Server) -> None:
        internal_grpc.add_RulesInternalServiceServicer_to_server(rules, server)

    def players(server: grpc.aio.Server) -> None:
        players_grpc.add_PlayersInternalServiceServicer_to_server(rules.players, server)

    def news(server: grpc.aio.Server) -> None:
        news_grpc.add_NewsInternalServiceServicer_to_server(rules, server)

    def calls(server: grpc.aio.Server) -> None:
        calls_grpc.add_CallsInternalServiceServicer_to_server(rules, server)

    return Service(
        public=[("oddsocks.rules.v1.RulesService", public)],
        internal=[
            ("oddsocks.rules.v1.RulesInternalService", internal),
            ("oddsocks.rules.v1.PlayersInternalService", players),
            ("oddsocks.rules.v1.NewsInternalService", news),
            ("oddsocks.rules.v1.CallsInternalService", calls),
        ],
    )


def ai_service(ai: StandInAi) -> Service:
    """The stand-in on both listeners, as the real one."""

    def public(server: grpc.aio.Server) -> None:
        ai_service_pb2_grpc.add_AiServiceServicer_to_server(ai, server)

    return Service(public=[("oddsocks.ai.v1.AiService", public)])
