"""Putting the service together (`build`), and running it until told to stop (`serve`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jwt import PyJWTError

from oddsocks.matchmaking.v1.accounts_service_pb2_grpc import (
    add_AccountsServiceServicer_to_server,
)
from oddsocks.matchmaking.v1.admin_internal_service_pb2_grpc import (
    add_AdminInternalServiceServicer_to_server,
)
from oddsocks.matchmaking.v1.friends_service_pb2_grpc import add_FriendsServiceServicer_to_server
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import (
    add_MatchmakingServiceServicer_to_server,
)
from oddsocks.matchmaking.v1.push_service_pb2_grpc import add_PushServiceServicer_to_server
from services.common.auth import KeyRing, ServiceTokens, TokenVerifier, read_secret
from services.common.background import in_background
from services.common.clock import Clock, system_clock
from services.common.database import connect, migrate
from services.common.gate import Gate
from services.common.lease import Lease, Sweep
from services.common.limits import Limit
from services.common.server import (
    RunningServer,
    Service,
    internal_channel,
    run_until_stopped,
    start,
)
from services.common.sessions import EndedSessions
from services.matchmaking import schema
from services.matchmaking.admin_servicer import AdminServicer
from services.matchmaking.feed import Feed
from services.matchmaking.finding.parts import Finding
from services.matchmaking.guesses import Guesses
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.metrics import Measures
from services.matchmaking.neighbours import Ai, Rules
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.people.accounts_servicer import AccountsServicer
from services.matchmaking.people.deletion import Deletion
from services.matchmaking.people.devices import Devices
from services.matchmaking.people.friends import Friends
from services.matchmaking.people.friends_servicer import FriendsServicer
from services.matchmaking.people.herald import Herald
from services.matchmaking.people.profiles import Profiles
from services.matchmaking.push.calling import Calling, PushDevices
from services.matchmaking.push.fcm import Credentials, FcmSender
from services.matchmaking.push.senders import LogSender, Sender
from services.matchmaking.push.servicer import PushServicer
from services.matchmaking.servicer import MatchmakingServicer
from services.matchmaking.settings import MatchmakingSettings
from services.matchmaking.starter import Starter
from services.matchmaking.tables import Tables

NAME: Final = "oddsocks.matchmaking.v1.MatchmakingService"
ACCOUNTS: Final = "oddsocks.matchmaking.v1.AccountsService"
FRIENDS: Final = "oddsocks.matchmaking.v1.FriendsService"
ADMIN: Final = "oddsocks.matchmaking.v1.AdminInternalService"
PUSH: Final = "oddsocks.matchmaking.v1.PushService"
SIGN_IN_METHODS: Final = frozenset(
    {f"/{NAME}/SignInGuest", f"/{ACCOUNTS}/RecoverAccount", f"/{ACCOUNTS}/LinkDevice"}
)
OPEN_METHODS: Final = SIGN_IN_METHODS | {f"/{NAME}/RefreshToken"}
TIDY_SECONDS: Final = 3_600.0

Work = Callable[[], Awaitable[None]]
Wanted = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Matchmaking:
    """The service with its listeners started; its sweeps run once they are entered."""

    server: RunningServer
    sweeps: tuple[Sweep, ...]


@asynccontextmanager
async def build(
    settings: MatchmakingSettings, clock: Clock = system_clock
) -> AsyncIterator[Matchmaking]:
    """Migrate the database and start both listeners; stops and closes everything at the end.

    Raises `DatabaseError`, `TakenError`, or OSError and ValueError for keys that can't be read
    or can't sign.
    """
    ring = _signing_keys(settings.keys_file)
    secret = read_secret(settings.service_secret_file)
    async with AsyncExitStack() as stack:
        engine = connect(settings.database_url)
        stack.push_async_callback(engine.dispose)
        await migrate(engine, schema.MIGRATIONS)
        tokens = ServiceTokens("matchmaking", secret, clock)
        to_rules = internal_channel(settings.rules_address, tokens)
        stack.push_async_callback(to_rules.close)
        to_ai = internal_channel(settings.ai_address, tokens)
        stack.push_async_callback(to_ai.close)
        rules = Rules(to_rules, clock)
        bells = Bells(settings.redis_url)
        await stack.enter_async_context(bells.running())
        starter = Starter(engine, rules, bells, clock)
        accounts = Accounts(
            engine,
            ring,
            clock,
            access_ms=settings.access_minutes * 60_000,
            refresh_ms=settings.refresh_days * 24 * 3_600_000,
        )
        guesses = Guesses(clock)
        ended = EndedSessions(engine, schema.ended_sessions, clock)
        await stack.enter_async_context(ended.following())
        herald = Herald(engine, to_rules, clock)
        tables = Tables(engine, rules, Ai(to_ai, clock), starter, guesses, bells, clock)
        finding = Finding.of(accounts, tables)
        draining = asyncio.Event()
        inbox = finding.inbox(draining, settings.heartbeat_seconds)
        servicer = MatchmakingServicer(accounts, tables, finding.mine)
        accounts_servicer = AccountsServicer(
            accounts,
            Profiles(engine),
            Devices(accounts, guesses, ended, herald),
            Deletion(accounts, ended, herald),
        )
        friends_servicer = FriendsServicer(accounts, Friends(engine, guesses, clock))
        admin = AdminServicer(engine, clock)
        push_devices = PushDevices(engine, clock)
        push_servicer = PushServicer(accounts, push_devices)
        sender = _sender(settings, clock)
        stack.push_async_callback(sender.close)
        calling = Calling(engine, rules, sender, clock)
        server = await start(
            Service(
                [
                    (NAME, lambda s: add_MatchmakingServiceServicer_to_server(servicer, s)),
                    (
                        ACCOUNTS,
                        lambda s: add_AccountsServiceServicer_to_server(accounts_servicer, s),
                    ),
                    (FRIENDS, lambda s: add_FriendsServiceServicer_to_server(friends_servicer, s)),
                    (PUSH, lambda s: add_PushServiceServicer_to_server(push_servicer, s)),
                    *finding.services(inbox),
                ],
                [(ADMIN, lambda s: add_AdminInternalServiceServicer_to_server(admin, s))],
                open_methods=OPEN_METHODS,
                gate=Gate.of(
                    settings,
                    clock,
                    SIGN_IN_METHODS,
                    Limit(settings.sign_ins_per_hour, 3_600_000),
                ),
            ),
            settings,
            verifier=TokenVerifier(ring, secret, clock, ended.ended),
            draining=draining,
        )
        stack.push_async_callback(server.stop, 0)
        measures = Measures(engine, clock)
        await stack.enter_async_context(
            in_background(inbox.keep_comparing, inbox.wake_on_drain, measures.keep_measuring)
        )
        feed = Feed(engine, rules)

        def often(name: str, work: Work, wanted: Wanted, every_s: float) -> Sweep:
            return Sweep(Lease(engine, schema.leases, name, clock), every_s, work, wanted)

        def hourly(name: str, work: Work) -> Sweep:
            return Sweep(Lease(engine, schema.leases, name, clock), TIDY_SECONDS, work)

        soon, tickets, ratings = settings.sweep_seconds, finding.tickets, finding.ratings
        yield Matchmaking(
            server,
            (
                often("start tables", starter.sweep, starter.any_waiting, soon),
                often("finished matches", feed.read, feed.any_new, soon),
                often("ratings", ratings.count, ratings.any_new, soon),
                often("pair", tickets.pair, tickets.any_waiting, settings.pairing_seconds),
                often("news for rules", herald.sweep, herald.any_untold, soon),
                often("push", calling.round, calling.any_waiting, settings.push_seconds),
                hourly("tidy push", push_devices.tidy),
                hourly("tidy accounts", accounts.tidy),
                hourly("tidy phrases", finding.phrases.forget),
                hourly("tidy tickets", tickets.forget),
                hourly("tidy sessions", ended.forget),
                hourly("lapse tables", tables.lapse),
            ),
        )


@asynccontextmanager
async def running(
    settings: MatchmakingSettings, *, clock: Clock = system_clock
) -> AsyncIterator[RunningServer]:
    """The whole service, serving and sweeping for as long as the block lasts."""
    async with build(settings, clock) as service, AsyncExitStack() as stack:
        for sweep in service.sweeps:
            await stack.enter_async_context(sweep)
        yield service.server


async def serve(settings: MatchmakingSettings) -> None:
    """Serve until SIGTERM or SIGINT; raises what `run_service` turns into one line."""
    async with running(settings) as server:
        await run_until_stopped(server, settings)


def _signing_keys(path: Path) -> KeyRing:
    """Keys that are known to sign: better to fail now than at the first sign-in."""
    ring = KeyRing.load(path)
    try:
        ring.sign("nobody", now_ms=0, expires_at_ms=0)
    except (ValueError, PyJWTError) as error:
        raise ValueError(f"{path}: {error}; matchmaking needs signing.json") from error
    return ring


def _sender(settings: MatchmakingSettings, clock: Clock) -> Sender:
    if settings.fcm_credentials_file is None:
        return LogSender()
    return FcmSender(Credentials.load(settings.fcm_credentials_file), settings.fcm_url, clock)
