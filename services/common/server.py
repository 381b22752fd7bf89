"""Building a service's two listeners, and running them until told to stop.

The public listener takes players' tokens, the internal one services' tokens; only the internal
one has reflection. SIGTERM drains: health says NOT_SERVING, streams are told to end, running
calls finish within the grace, then the process leaves.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from services.common.auth import KeyRing, Kind, ServiceTokens, TokenVerifier, read_secret
from services.common.clock import Clock
from services.common.gate import Gate
from services.common.interceptors import Guard, Policy
from services.common.settings import ServiceSettings

_log = structlog.get_logger("server")

MAX_RESPONSE_BYTES: Final = 3 * 1024 * 1024
_OPTIONS: Final = (
    # Well above what the guard reads, so that it is the guard that refuses, with a reason.
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.max_send_message_length", MAX_RESPONSE_BYTES),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)

Register = Callable[[grpc.aio.Server], None]
"""Adds a servicer to a server, e.g. by a generated `add_…_to_server`."""


@dataclass(frozen=True, slots=True)
class Service:
    """What a process serves: names for health, and who is registered on which listener.

    `gate` stands before the public listener; without one, everybody may call as often as they like.
    """

    public: Sequence[tuple[str, Register]]
    internal: Sequence[tuple[str, Register]] = ()
    open_methods: frozenset[str] = frozenset()
    gate: Gate = field(default_factory=Gate)


class TakenError(OSError):
    """An address that can't be listened on."""

    def __init__(self, address: str) -> None:
        super().__init__(f"can't listen on {address}: taken, or not an address of this machine")


@dataclass(slots=True)
class RunningServer:
    """Both listeners, started. `draining` is set when streams should end by themselves."""

    public: grpc.aio.Server
    internal: grpc.aio.Server
    public_port: int
    internal_port: int
    draining: asyncio.Event
    _health: list[HealthServicer] = field(default_factory=list)

    async def stop(self, grace_s: float) -> None:
        """Drain: running unary calls finish, streams end cleanly, then both listeners close."""
        self.draining.set()
        for servicer in self._health:
            await servicer.enter_graceful_shutdown()
        await asyncio.gather(self.public.stop(grace_s), self.internal.stop(grace_s))


def verifier(settings: ServiceSettings, clock: Clock) -> TokenVerifier:
    """The verifier of this installation's tokens; raises ValueError for bad keys."""
    try:
        ring = KeyRing.load(settings.keys_file)
        secret = read_secret(settings.service_secret_file)
    except (OSError, ValueError) as error:
        hint = "check ODDSOCKS_KEYS_FILE and ODDSOCKS_SERVICE_SECRET_FILE"
        raise ValueError(f"{error}; {hint}") from error
    return TokenVerifier(ring, secret, clock)


async def start(
    service: Service,
    settings: ServiceSettings,
    *,
    verifier: TokenVerifier,
    draining: asyncio.Event,
) -> RunningServer:
    """Start both listeners; raises `TakenError` when an address can't be had."""
    public = _listener(
        service.public,
        Guard(verifier, Policy(Kind.PLAYER, service.open_methods, service.gate)),
        settings,
        reflect=False,
    )
    internal = _listener(
        [*service.public, *service.internal],
        Guard(verifier, Policy(Kind.SERVICE, service.open_methods)),
        settings,
        reflect=True,
    )
    running = RunningServer(
        public.server,
        internal.server,
        _bind(public.server, settings.listen),
        _bind(internal.server, settings.internal_listen),
        draining,
        [public.health, internal.health],
    )
    await public.server.start()
    await internal.server.start()
    for listener in (public, internal):
        for name in ("", *listener.names):
            await listener.health.set(name, health_pb2.HealthCheckResponse.SERVING)
    return running


@dataclass(frozen=True, slots=True)
class _Listener:
    server: grpc.aio.Server
    health: HealthServicer
    names: tuple[str, ...]


def _listener(
    registers: Sequence[tuple[str, Register]],
    guard: Guard,
    settings: ServiceSettings,
    *,
    reflect: bool,
) -> _Listener:
    # A client that vanished without a word is found out: nothing else ends its streams for hours.
    silence_ms = int(settings.keepalive_seconds * 1_000)
    answer_ms = min(silence_ms, 10_000)
    keepalive = (
        ("grpc.keepalive_time_ms", silence_ms),
        ("grpc.keepalive_timeout_ms", answer_ms),
        # Without this one an answer is waited for a minute, whatever the one above says.
        ("grpc.http2.ping_timeout_ms", answer_ms),
    )
    server = grpc.aio.server(interceptors=(guard,), options=(*_OPTIONS, *keepalive))
    for _, register in registers:
        register(server)
    health = HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    names = tuple(name for name, _ in registers)
    if reflect:
        reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), server)
    return _Listener(server, health, names)


def _bind(server: grpc.aio.Server, address: str) -> int:
    try:
        _try(address)
        port = server.add_insecure_port(address)
    except (RuntimeError, OSError, ValueError) as error:
        raise TakenError(address) from error
    if port == 0:
        raise TakenError(address)
    return port


def _try(address: str) -> None:
    """Listen for a moment: gRPC would write log lines of its own about a taken address."""
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    with socket.create_server((host.strip("[]"), int(port)), family=family):
        pass


async def run_until_stopped(running: RunningServer, settings: ServiceSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    _log.info("serving", port=running.public_port, internal_port=running.internal_port)
    if settings.ready_file is not None:
        ports = {"listen": running.public_port, "internal_listen": running.internal_port}
        part = settings.ready_file.with_suffix(".part")
        part.write_text(json.dumps(ports))
        part.replace(settings.ready_file)
    await stop.wait()
    _log.info("draining")
    await running.stop(settings.drain_seconds)


class _Authorise(grpc.aio.UnaryUnaryClientInterceptor):
    """Adds this service's token, and a deadline to calls that have none."""

    def __init__(self, tokens: ServiceTokens, timeout_s: float) -> None:
        self._tokens, self._timeout_s = tokens, timeout_s

    async def intercept_unary_unary(
        self, continuation: Any, client_call_details: grpc.aio.ClientCallDetails, request: Any
    ) -> Any:
        metadata = grpc.aio.Metadata(*(client_call_details.metadata or ()))
        metadata.add("authorization", f"Bearer {self._tokens.current()}")
        details = grpc.aio.ClientCallDetails(
            client_call_details.method,
            self._timeout_s if client_call_details.timeout is None else client_call_details.timeout,
            metadata,
            client_call_details.credentials,
            client_call_details.wait_for_ready,
        )
        return await continuation(details, request)


# Every call between services may be repeated, and a neighbour that is being restarted is back in a
# moment: nobody has to hear of it. A call's deadline bounds all of its tries together.
_TRY_AGAIN: Final = {
    "name": [{}],
    "retryPolicy": {
        "maxAttempts": 5,
        "initialBackoff": "0.2s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"],
    },
}


def internal_channel(
    address: str, tokens: ServiceTokens, *, timeout_s: float = 5.0
) -> grpc.aio.Channel:
    """A channel to another service's internal listener. Open it in the process that uses it."""
    return grpc.aio.insecure_channel(
        address,
        options=(
            ("grpc.max_receive_message_length", 4 * 1024 * 1024),
            ("grpc.initial_reconnect_backoff_ms", 200),
            ("grpc.max_reconnect_backoff_ms", 2_000),
            ("grpc.service_config", json.dumps({"methodConfig": [_TRY_AGAIN]})),
        ),
        interceptors=(_Authorise(tokens, timeout_s),),
    )
