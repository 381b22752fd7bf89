"""What happens around every call: who calls, how long it may take, how it may fail."""

from __future__ import annotations

import asyncio
import time
import traceback
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import grpc
import structlog
from google.protobuf.message import DecodeError
from prometheus_client import Counter, Gauge, Histogram

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import Kind, Principal, TokenVerifier, act_as
from services.common.errors import (
    RateLimitedError,
    RefusedError,
    abort,
    invalid_field,
    short_reason,
)
from services.common.gate import Gate

_log = structlog.get_logger("calls")
_calls = Counter("oddsocks_calls_total", "Calls by method and result", ["method", "result"])
_streams = Gauge("oddsocks_streams", "Streams open now", ["method"])
_seconds = Histogram("oddsocks_call_seconds", "Duration of unary calls", ["method"])

DEFAULT_DEADLINE_S: Final = 15.0
"""For unary calls whose client names none."""

MAX_REQUEST_BYTES: Final = 256 * 1024
"""Longest request that is read. gRPC itself cuts off only far above, without giving a reason."""

_IDS: Final = ("match_id", "request_id")
_LONGEST_ID: Final = 100

_OPEN_SERVICES: Final = ("grpc.health.v1.Health", "grpc.reflection.")

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may call on a listener.

    `kind` is who may come in at all; methods in `open_methods` (full names, `/package.Service/Rpc`)
    need no token; `gate` says how often, and with which app.
    """

    kind: Kind
    open_methods: frozenset[str] = frozenset()
    gate: Gate = field(default_factory=Gate)


class Guard(grpc.aio.ServerInterceptor):
    """Limits, authenticates, sets the caller, applies a default deadline, turns exceptions into
    statuses, counts and logs. Nothing an exception says reaches the client unless it is a
    `RefusedError`.
    """

    def __init__(self, verifier: TokenVerifier, policy: Policy) -> None:
        self._verifier, self._policy = verifier, policy

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Wrap the handler of one call."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or method.lstrip("/").startswith(_OPEN_SERVICES):
            return handler
        metadata = handler_call_details.invocation_metadata
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._unary(method, handler.unary_unary, metadata),
                _reader(handler.request_deserializer),
                handler.response_serializer,
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, handler.unary_stream, metadata),
                _reader(handler.request_deserializer),
                handler.response_serializer,
            )
        return handler

    def _enter(
        self, method: str, metadata: Any, context: Context, request: Any
    ) -> Principal | None:
        """Let a call in, or raise `RefusedError`; returns the caller, None for an open method.

        gRPC serves each call in a task of its own, so who calls and from where is set for good: a
        stream that is dropped is closed elsewhere, where nothing could be set back.
        """
        gate = self._policy.gate
        gate.enter(method, metadata, context.peer())
        principal = self._authenticate(method, metadata)
        if principal is not None:
            gate.admit(principal)
            act_as(principal)
        if isinstance(request, RefusedError):  # could not be read
            raise request
        if principal is not None:  # the request id of signing in is a secret
            _note_ids(request)
        return principal

    def _authenticate(self, method: str, metadata: Any) -> Principal | None:
        if method in self._policy.open_methods:
            return None
        for key, value in metadata or ():
            if key == "authorization" and isinstance(value, str):
                principal = self._verifier.verify(value.removeprefix("Bearer "))
                if principal.kind is self._policy.kind:
                    return principal
                raise RefusedError(
                    ErrorReason.ERROR_REASON_TOKEN_INVALID, "the token is not valid here"
                )
        raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_MISSING, "sign in first")

    def _unary(self, method: str, inner: Any, metadata: Any) -> Any:
        async def call(request: Any, context: Context) -> Any:
            started = time.perf_counter()
            remaining = context.time_remaining()
            limit = DEFAULT_DEADLINE_S if remaining is None else remaining
            try:
                self._enter(method, metadata, context, request)
                async with asyncio.timeout(limit):
                    answer = await inner(request, context)
            except Exception as error:
                await _fail(method, context, error)
            _calls.labels(method, "OK").inc()
            _seconds.labels(method).observe(time.perf_counter() - started)
            return answer

        return call

    def _stream(self, method: str, inner: Any, metadata: Any) -> Any:
        async def call(request: Any, context: Context) -> AsyncIterator[Any]:
            try:
                principal = self._enter(method, metadata, context, request)
                gate = self._policy.gate
                with gate.streaming(principal), _streams.labels(method).track_inprogress():
                    async with aclosing(inner(request, context)) as items:
                        async for item in items:
                            if principal is not None:  # signed out while the stream was open?
                                self._verifier.check_not_ended(principal)
                            yield item
            except Exception as error:
                await _fail(method, context, error)
            _calls.labels(method, "OK").inc()

        return call


def _note_ids(request: Any) -> None:
    """Let all log lines of the call say which match and request they are about."""
    found = {name: getattr(request, name, "") for name in _IDS}
    ids = {name: text[:_LONGEST_ID] for name, text in found.items() if text}
    if ids:
        structlog.contextvars.bind_contextvars(**ids)


def _reader(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    """A deserializer whose failures are values: what it raised, gRPC would tell the client."""

    def read(data: bytes) -> Any:
        if len(data) > MAX_REQUEST_BYTES:
            return RefusedError(
                ErrorReason.ERROR_REASON_TOO_LARGE,
                f"the request has {len(data)} bytes, more than {MAX_REQUEST_BYTES}",
            )
        try:
            return data if deserialize is None else deserialize(data)
        except DecodeError:
            return invalid_field("request", "not a message of this method")

    return read


async def _fail(method: str, context: Context, error: Exception) -> None:
    """Answer a failed call. Aborts by the servicer itself pass through."""
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if isinstance(error, TimeoutError):
        _calls.labels(method, "DEADLINE_EXCEEDED").inc()
        await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "took too long")
    if not isinstance(error, RefusedError):
        error_id = uuid.uuid4().hex
        # Where, but not what it says: that may be what a seat may not know, and logs are read.
        frames = traceback.extract_tb(error.__traceback__)
        trace = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        kind = type(error).__name__
        _log.error("call failed", method=method, error_id=error_id, error=kind, trace=trace)
        error = RefusedError(
            ErrorReason.ERROR_REASON_INTERNAL,
            f"a fault of ours, noted as {error_id}",
            error_id=error_id,
        )
    _calls.labels(method, short_reason(error.reason)).inc()
    if not isinstance(error, RateLimitedError):  # a flood of calls must not become one of lines
        _log.info("call refused", method=method, reason=short_reason(error.reason))
    await abort(context, error)
