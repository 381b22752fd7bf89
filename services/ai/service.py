"""Putting the service together (`running`), and running it until told to stop (`serve`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from oddsocks.ai.v1.admin_internal_service_pb2_grpc import (
    add_AdminInternalServiceServicer_to_server,
)
from oddsocks.ai.v1.ai_service_pb2_grpc import add_AiServiceServicer_to_server
from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import add_JobsInternalServiceServicer_to_server
from oddsocks.rules.v1.advice_internal_service_pb2_grpc import AdviceInternalServiceStub
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceStub
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai.admin_servicer import AdminServicer
from services.ai.advice.asking import Asking
from services.ai.advice.hints import Hints
from services.ai.advice.reviews import Reviews
from services.ai.advice.store import AdviceStore
from services.ai.answers import SERVICE
from services.ai.dispatcher import Dispatcher
from services.ai.fallback import Children
from services.ai.jobs_servicer import JobsServicer
from services.ai.metrics import QueueLengths
from services.ai.publish import Publisher
from services.ai.servicer import AiServicer
from services.ai.settings import AiSettings
from services.ai.store import MIGRATIONS, Dispatches, leases
from services.ai.wake import Waker
from services.common.auth import ServiceTokens, read_secret
from services.common.background import in_background
from services.common.clock import system_clock
from services.common.database import connect, migrate
from services.common.gate import Gate
from services.common.lease import Lease, Sweep
from services.common.server import (
    RunningServer,
    Service,
    internal_channel,
    run_until_stopped,
    start,
    verifier,
)

NAME: Final = "oddsocks.ai.v1.AiService"
ADMIN: Final = "oddsocks.ai.v1.AdminInternalService"
JOBS: Final = "oddsocks.ai.v1.JobsInternalService"
ADVICE_AT_ONCE: Final = 1
"""Child processes beside those for turns, which never wait for advice."""
LEASE_MS: Final = 6_000
"""After this long another process takes over from one that was killed: agents rest meanwhile."""


async def serve(settings: AiSettings) -> None:
    """Run until SIGTERM or SIGINT; raises what `run_service` turns into one line."""
    async with running(settings) as server:
        await run_until_stopped(server, settings)


@asynccontextmanager
async def running(settings: AiSettings) -> AsyncIterator[RunningServer]:
    """The service, serving and sweeping for as long as the block lasts."""
    tokens = verifier(settings, system_clock)
    secret = read_secret(settings.service_secret_file)
    async with AsyncExitStack() as stack:
        engine = connect(settings.database_url)
        stack.push_async_callback(engine.dispose)
        await migrate(engine, MIGRATIONS)
        own = ServiceTokens(SERVICE, secret, system_clock)
        channel = await stack.enter_async_context(internal_channel(settings.rules_address, own))
        publisher = Publisher(settings.redis_url) if settings.redis_url else None
        if publisher is not None:
            stack.callback(publisher.close)
            stack.enter_context(QueueLengths(settings.redis_url).shown())
        dispatches = Dispatches(engine)
        admin = AdminServicer(dispatches)
        dispatcher = Dispatcher(
            RulesInternalServiceStub(channel),
            RulesServiceStub(channel),
            dispatches,
            publisher,
            system_clock,
        )
        stack.push_async_callback(dispatcher.close)
        asking, advice = Asking(AdviceInternalServiceStub(channel)), AdviceStore(engine)
        children, draining = Children(ADVICE_AT_ONCE), asyncio.Event()
        stack.push_async_callback(children.close)
        hints = Hints(asking, advice, publisher, children, settings.hint_seconds)
        stack.push_async_callback(hints.close)
        reviews = Reviews(
            asking,
            RulesServiceStub(channel),
            own,
            advice,
            publisher,
            children,
            system_clock,
            draining,
            settings.review_seconds,
        )
        stack.push_async_callback(reviews.close)
        public, jobs = AiServicer(hints, reviews), JobsServicer(hints, reviews)
        server = await start(
            Service(
                [(NAME, lambda s: add_AiServiceServicer_to_server(public, s))],
                [
                    (ADMIN, lambda s: add_AdminInternalServiceServicer_to_server(admin, s)),
                    (JOBS, lambda s: add_JobsInternalServiceServicer_to_server(jobs, s)),
                ],
                gate=Gate.of(settings, system_clock),
            ),
            settings,
            verifier=tokens,
            draining=draining,
        )
        stack.push_async_callback(server.stop, 0)
        lease = Lease(engine, leases, "dispatch", system_clock, term_ms=LEASE_MS)
        sweep = await stack.enter_async_context(
            Sweep(lease, settings.poll_seconds, dispatcher.round)
        )
        dispatcher.wake = admin.wake = sweep.wake
        making = await stack.enter_async_context(
            Sweep(
                Lease(engine, leases, "reviews", system_clock, term_ms=LEASE_MS),
                settings.poll_seconds,
                reviews.round,
                wanted=advice.unfinished,
            )
        )
        reviews.wake = making.wake
        if settings.redis_url:
            waker = Waker(settings.redis_url, sweep.wake)
            await stack.enter_async_context(in_background(waker.run))
        yield server
