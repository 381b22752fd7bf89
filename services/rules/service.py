"""Putting the service together. Building it is one thing, running it another."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.rules.v1 import admin_internal_service_pb2_grpc as admin_grpc
from oddsocks.rules.v1 import advice_internal_service_pb2_grpc as advice_grpc
from oddsocks.rules.v1 import calls_internal_service_pb2_grpc as calls_grpc
from oddsocks.rules.v1 import news_internal_service_pb2_grpc as news_grpc
from oddsocks.rules.v1 import players_internal_service_pb2_grpc as players_grpc
from oddsocks.rules.v1 import rules_internal_service_pb2_grpc as internal_grpc
from oddsocks.rules.v1 import rules_service_pb2_grpc as rules_grpc
from services.common.auth import read_secret
from services.common.background import in_background
from services.common.clock import Clock, system_clock
from services.common.database import DatabaseError, connect, migrate
from services.common.errors import RefusedError
from services.common.gate import Gate
from services.common.lease import Lease, Sweep
from services.common.server import RunningServer, Service, run_until_stopped, start, verifier
from services.common.sessions import EndedSessions
from services.rules import metrics
from services.rules.admin_servicer import AdminServicer
from services.rules.advice_servicer import AdviceServicer
from services.rules.cache import LocalNotices, RedisNotices
from services.rules.calls_servicer import CallsServicer
from services.rules.internal_servicer import RulesInternalServicer
from services.rules.matches import Matches
from services.rules.news import News
from services.rules.news_servicer import NewsServicer
from services.rules.paging import Pages
from services.rules.players import Players
from services.rules.players_servicer import PlayersServicer
from services.rules.servicer import RulesServicer
from services.rules.settings import RulesSettings
from services.rules.store import SubmitPath
from services.rules.store.calls import CallsSql
from services.rules.store.counts import CountsSql
from services.rules.store.failures import FAILURES
from services.rules.store.glance import Glance
from services.rules.store.news import NewsSql
from services.rules.store.sql import SqlStore
from services.rules.store.submit_postgres import PostgresSubmit
from services.rules.store.submit_sqlite import SqliteSubmit
from services.rules.store.tables import ENDED_SESSIONS, LEASES, PRESENT
from services.rules.store.watchers import WatchersSql
from services.rules.sweep import Deadlines
from services.rules.uptime import Uptime
from services.rules.wakes import Wakes
from services.rules.watch import Watching
from services.rules.watchers import Watchers

MIGRATIONS: Final = Path(__file__).parent / "migrations"
RULES: Final = "oddsocks.rules.v1.RulesService"
ADMIN: Final = "oddsocks.rules.v1.AdminInternalService"
ADVICE: Final = "oddsocks.rules.v1.AdviceInternalService"
CALLS: Final = "oddsocks.rules.v1.CallsInternalService"
NEWS: Final = "oddsocks.rules.v1.NewsInternalService"
INTERNAL: Final = "oddsocks.rules.v1.RulesInternalService"
PLAYERS: Final = "oddsocks.rules.v1.PlayersInternalService"

SWEEP_S: Final = 1.0
"""How often deadlines are looked at: how long after its time something happens at most."""

LEASE_MS: Final = 5_000
"""After this long another process takes over from one that was killed."""

Wrap = Callable[[SubmitPath], SubmitPath]
"""Where tests put faults between the service and its database."""


async def serve(settings: RulesSettings) -> None:
    """Run until SIGTERM or SIGINT; raises what `run_service` turns into one line."""
    async with running(settings) as server:
        await run_until_stopped(server, settings)


@contextlib.asynccontextmanager
async def running(
    settings: RulesSettings,
    *,
    clock: Clock = system_clock,
    wrap: Wrap = lambda path: path,
) -> AsyncIterator[RunningServer]:
    """The service, serving for as long as the block lasts; the block stops the server itself."""
    secret = read_secret(settings.service_secret_file)
    draining = asyncio.Event()
    wakes = Wakes()
    async with AsyncExitStack() as stack:
        engine = connect(settings.database_url)
        stack.push_async_callback(engine.dispose)
        await migrate(engine, MIGRATIONS)
        path = wrap(await _submit_path(engine))
        stack.push_async_callback(path.close)
        store = SqlStore(engine)
        if engine.dialect.name == "sqlite":
            glance = Glance(engine.url.database or "")
            stack.callback(glance.close)
            store = SqlStore(engine, glance)
        notices = LocalNotices(wakes)
        if settings.redis_url:
            notices = remote = RedisNotices(settings.redis_url, wakes)
            await stack.enter_async_context(remote.running())
        uptime = Uptime(engine, clock)
        # A database that does not answer now is asked again before anybody acts.
        with contextlib.suppress(RefusedError):
            await uptime.beat()
        matches = Matches(store, path, notices, clock, settings.matches_in_memory, uptime)
        stack.push_async_callback(matches.close)
        ended = EndedSessions(engine, ENDED_SESSIONS, clock, matches.forget_names)
        await stack.enter_async_context(ended.following())
        players = Players(engine, matches, ended)
        tokens = replace(verifier(settings, clock), ended=ended.ended)
        await stack.enter_async_context(
            in_background(
                partial(wakes.poll, matches.store.heads, notices.online),
                partial(_wake_on_drain, draining, wakes),
                uptime.keep_beating,
            )
        )
        deadlines = Deadlines(engine, matches)
        sweep = Sweep(
            Lease(engine, LEASES, "deadlines", clock, term_ms=LEASE_MS),
            SWEEP_S,
            deadlines.round,
            deadlines.any_passed,
        )
        await stack.enter_async_context(sweep)
        news = News(matches, NewsSql(engine))
        process = uuid.uuid4().hex
        watchers = Watchers(WatchersSql(engine, process), clock, wakes.ring)
        present = Watchers(WatchersSql(engine, process, PRESENT), clock, lambda _: None)
        for streams, gauge in ((watchers, metrics.WATCHERS), (present, metrics.PRESENT)):
            gauge.set_function(streams.total)
            await stack.enter_async_context(streams.running())
        watching = Watching(matches, wakes, draining, settings.heartbeat_seconds, watchers, present)
        calls = CallsServicer(CallsSql(engine), matches)
        admin = AdminServicer(matches, CountsSql(engine))
        gate = Gate.of(settings, clock)
        server = await start(
            _service(
                matches,
                watching,
                Pages(secret),
                players,
                news,
                calls,
                admin,
                AdviceServicer(matches, tokens),
                gate,
            ),
            settings,
            verifier=tokens,
            draining=draining,
        )
        stack.push_async_callback(server.stop, 0)
        yield server


async def _submit_path(engine: AsyncEngine) -> SubmitPath:
    if engine.dialect.name == "sqlite":
        return SqliteSubmit(engine.url.database or "")
    try:
        return await PostgresSubmit.connect(engine.url)
    except FAILURES as error:
        shown = engine.url.render_as_string(hide_password=True)
        raise DatabaseError(f"{shown}: {error}; check ODDSOCKS_DATABASE_URL") from error


def _service(
    matches: Matches,
    watching: Watching,
    pages: Pages,
    players: Players,
    news: News,
    calls: CallsServicer,
    admin: AdminServicer,
    advice: AdviceServicer,
    gate: Gate,
) -> Service:
    public, internal = (
        RulesServicer(matches, watching, pages),
        RulesInternalServicer(matches, pages, players),
    )
    of_players = PlayersServicer(players)
    of_news = NewsServicer(news)
    return Service(
        public=[(RULES, lambda s: rules_grpc.add_RulesServiceServicer_to_server(public, s))],
        internal=[
            (
                INTERNAL,
                lambda s: internal_grpc.add_RulesInternalServiceServicer_to_server(internal, s),
            ),
            (
                PLAYERS,
                lambda s: players_grpc.add_PlayersInternalServiceServicer_to_server(of_players, s),
            ),
            (ADMIN, lambda s: admin_grpc.add_AdminInternalServiceServicer_to_server(admin, s)),
            (ADVICE, lambda s: advice_grpc.add_AdviceInternalServiceServicer_to_server(advice, s)),
            (CALLS, lambda s: calls_grpc.add_CallsInternalServiceServicer_to_server(calls, s)),
            (NEWS, lambda s: news_grpc.add_NewsInternalServiceServicer_to_server(of_news, s)),
        ],
        gate=gate,
    )


async def _wake_on_drain(draining: asyncio.Event, wakes: Wakes) -> None:
    await draining.wait()
    wakes.ring_all()
