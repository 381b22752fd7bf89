"""Real gRPC servers (grpcio) that say what a test wants to a real client (grpclib)."""

# Methods have the names and arguments of the contract.
# ruff: noqa: N802, ARG002

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import grpc
import grpc.aio
import trustme
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from oddsocks.ai.v1 import advice_pb2 as advice
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.ai.v1 import ai_service_pb2_grpc as ai_grpc
from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts
from oddsocks.matchmaking.v1 import accounts_service_pb2_grpc as accounts_grpc
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import matchmaking_service_pb2_grpc as mm_grpc
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.play.v1 import socker_pb2 as socker
from oddsocks.rules.v1 import rules_service_pb2 as rules
from oddsocks.rules.v1 import rules_service_pb2_grpc as rules_grpc

TOKEN_LIFE_MS = 3_600_000


async def refuse(context: Any, code: grpc.StatusCode, reason: str, **details: str) -> NoReturn:
    """End a call the way the services do."""
    packed = AnyMessage()
    packed.Pack(ErrorInfo(reason=reason, domain="oddsocks", metadata=details))
    status = Status(code=code.value[0], message="said by the test", details=[packed])
    binary = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(code, status.message, binary)
    raise AssertionError("abort returned")


@dataclass
class Script:
    """What the servers do, and what they saw."""

    events: list[play.Event] = field(default_factory=list)
    page: int = 200
    match_pages: int = 1
    good_tokens: set[str] = field(default_factory=set)
    refresh_works: bool = True
    sign_ins: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """The name each sign-in asked for, by its request."""
    refreshes: list[str] = field(default_factory=list)
    refreshing: asyncio.Event | None = None
    """Set to an Event to make refreshes wait for it before they are answered."""
    recovered: str = ""
    """The access token that was given for a recovery code."""
    submits: list[rules.SubmitActionRequest] = field(default_factory=list)
    submit_error: tuple[grpc.StatusCode, str] | None = None
    frozen: bool = False
    silent: bool = False
    watched: list[int] = field(default_factory=list)
    open_streams: int = 0
    deadlines_s: list[float | None] = field(default_factory=list)
    hints: list[ai.SuggestActionRequest] = field(default_factory=list)
    hint_error: tuple[grpc.StatusCode, str] | None = None
    reviews: list[ai.ReviewMatchRequest] = field(default_factory=list)
    cut_reviews: int = 0
    """That many streams of reviews end before their last word."""

    def new_tokens(self) -> mm.Tokens:
        """Tokens that work from now on."""
        number = len(self.sign_ins) + len(self.refreshes)
        self.good_tokens.add(f"access-{number}")
        return mm.Tokens(access_token=f"access-{number}", refresh_token=f"refresh-{number}")

    async def check(self, context: Any) -> None:
        """Freeze, or refuse a token that is not good, as a service would."""
        self.deadlines_s.append(context.time_remaining())
        if self.frozen:
            await asyncio.sleep(3600)
        given = dict(context.invocation_metadata()).get("authorization", "")
        if given.removeprefix("Bearer ") not in self.good_tokens:
            await refuse(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")


class Matchmaking(mm_grpc.MatchmakingServiceServicer):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def SignInGuest(self, request: Any, context: Any) -> mm.SignInGuestResponse:
        if self.script.frozen:
            await asyncio.sleep(3600)
        self.script.sign_ins.append(request.request_id)
        name = self.script.names.setdefault(request.request_id, request.display_name)
        if name != request.display_name:
            await refuse(context, grpc.StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED")
        player = mm.Player(player_id="p1", display_name="Guest")
        return mm.SignInGuestResponse(player=player, tokens=self.script.new_tokens())

    async def RefreshToken(self, request: Any, context: Any) -> mm.RefreshTokenResponse:
        if not self.script.refresh_works:
            await refuse(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
        self.script.refreshes.append(request.refresh_token)
        if self.script.refreshing is not None:
            await self.script.refreshing.wait()
        return mm.RefreshTokenResponse(tokens=self.script.new_tokens())

    async def ListMyMatches(self, request: Any, context: Any) -> mm.ListMyMatchesResponse:
        await self.script.check(context)
        page = int(request.page_token or 0)
        table = mm.Table(table_id=f"t{page}")
        return mm.ListMyMatchesResponse(
            matches=[mm.MyMatch(table=table, my_seats=[0])],
            next_page_token=str(page + 1) if page < self.script.match_pages - 1 else "",
        )


class Accounts(accounts_grpc.AccountsServiceServicer):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def RecoverAccount(self, request: Any, context: Any) -> accounts.RecoverAccountResponse:
        tokens = mm.Tokens(access_token="access-ada", refresh_token="refresh-ada")
        self.script.good_tokens.add(tokens.access_token)
        self.script.recovered = tokens.access_token
        player = mm.Player(player_id="p-ada", display_name="Ada")
        return accounts.RecoverAccountResponse(player=player, tokens=tokens)


class Ai(ai_grpc.AiServiceServicer):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def ListAgents(self, request: Any, context: Any) -> ai.ListAgentsResponse:
        await self.script.check(context)
        agent = play.Agent(name="random", game=request.game, level=1)
        return ai.ListAgentsResponse(agents=[agent])

    async def SuggestAction(self, request: Any, context: Any) -> ai.SuggestActionResponse:
        await self.script.check(context)
        self.script.hints.append(request)
        if self.script.hint_error is not None:
            code, reason = self.script.hint_error
            await refuse(context, code, reason, rule="hints")
        end = play.Action(socker=socker.SockerAction(end_turn=socker.SockerEndTurn()))
        hint = advice.Hint(action=end, reasons=[advice.HINT_REASON_LOOKS], expected_permille=620)
        return ai.SuggestActionResponse(hint=hint, hints_used=2)

    async def ReviewMatch(
        self, request: Any, context: Any
    ) -> AsyncIterator[ai.ReviewMatchResponse]:
        await self.script.check(context)
        self.script.reviews.append(request)
        yield ai.ReviewMatchResponse(progress=ai.ReviewProgress(done=3, total=9))
        if len(self.script.reviews) <= self.script.cut_reviews:
            return
        review = advice.Review(match_id=request.match_id, seat=request.seat, agent="hilda")
        yield ai.ReviewMatchResponse(review=review)


class Rules(rules_grpc.RulesServiceServicer):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def ListEvents(self, request: Any, context: Any) -> rules.ListEventsResponse:
        await self.script.check(context)
        start = int(request.page_token or 0)
        end = start + min(request.page_size or 200, self.script.page)
        token = str(end) if end < len(self.script.events) else ""
        return rules.ListEventsResponse(events=self.script.events[start:end], next_page_token=token)

    async def GetMatch(self, request: Any, context: Any) -> rules.GetMatchResponse:
        await self.script.check(context)
        return rules.GetMatchResponse(match=self.match(request.match_id))

    def match(self, match_id: str) -> play.Match:
        return play.Match(match_id=match_id, game="socker", revision=len(self.script.events))

    async def SubmitAction(self, request: Any, context: Any) -> rules.SubmitActionResponse:
        await self.script.check(context)
        self.script.submits.append(request)
        if self.script.submit_error is not None:
            code, reason = self.script.submit_error
            await refuse(context, code, reason, revision="7")
        return rules.SubmitActionResponse(applied_revision=4, revision=5)

    async def WatchMatch(
        self, request: Any, context: Any
    ) -> AsyncIterator[rules.WatchMatchResponse]:
        await self.script.check(context)
        self.script.watched.append(request.from_revision)
        self.script.open_streams += 1
        try:
            for event in self.script.events[request.from_revision :]:
                yield rules.WatchMatchResponse(event=event)
            yield rules.WatchMatchResponse(match=self.match(request.match_id))
            if self.script.silent:
                await asyncio.sleep(3600)
            yield rules.WatchMatchResponse(finished=rules.Finished())
        finally:
            self.script.open_streams -= 1


async def start(script: Script, port: int = 0, credentials: Any = None) -> tuple[Any, int]:
    """A server with the services that tests call; returns it and its port."""
    server = grpc.aio.server()
    mm_grpc.add_MatchmakingServiceServicer_to_server(Matchmaking(script), server)  # type: ignore[abstract]  # no test calls the rest
    accounts_grpc.add_AccountsServiceServicer_to_server(Accounts(script), server)  # type: ignore[abstract]  # likewise
    rules_grpc.add_RulesServiceServicer_to_server(Rules(script), server)  # type: ignore[abstract]  # likewise
    ai_grpc.add_AiServiceServicer_to_server(Ai(script), server)
    where = f"127.0.0.1:{port}"
    if credentials is None:
        port = server.add_insecure_port(where)
    else:
        port = server.add_secure_port(where, credentials)
    await server.start()
    return server, port


@asynccontextmanager
async def serving(script: Script, credentials: Any = None) -> AsyncGenerator[int]:
    """The same, stopped at the end; yields the port."""
    server, port = await start(script, credentials=credentials)
    try:
        yield port
    finally:
        await server.stop(0)


class Certified:
    """A server's certificate, and the file that vouches for it."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        server = authority.issue_cert("127.0.0.1", "localhost")
        self.ca_file = folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.ca_file))
        self.credentials = grpc.ssl_server_credentials(
            [(server.private_key_pem.bytes(), server.cert_chain_pems[0].bytes())]
        )
