"""What happens around every call: who calls, how long it may take, how it may fail."""

from __future__ import annotations

import asyncio
import time
import traceback
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import grpc
import structlog
from google.protobuf.message import DecodeError
from prometheus_client import Counter, Histogram

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import Kind, Principal, TokenVerifier, acting_as
from services.common.errors import RefusedError, abort, invalid_field, short_reason

_log = structlog.get_logger("calls")
_calls = Counter("oddsocks_calls_total", "Calls by method and result", ["method", "result"])
_seconds = Histogram("oddsocks_call_seconds", "Duration of unary calls", ["method"])

DEFAULT_DEADLINE_S: Final = 15.0
"""For unary calls whose client names none."""

MAX_REQUEST_BYTES: Final = 256 * 1024
"""Longest request that is read. gRPC itself cuts off only far above, without giving a reason."""

_OPEN_SERVICES: Final = ("grpc.health.v1.Health", "grpc.reflection.")

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may call on a listener.

    `kind` is who may come in at all; methods in `open_methods` (full names, `/package.Service/Rpc`)
    need no token.
    """

    kind: Kind
    open_methods: frozenset[str] = frozenset()


class Guard(grpc.aio.ServerInterceptor):
    """Authenticates, sets the caller, applies a default deadline, turns exceptions into statuses,
    counts and logs. Nothing an exception says reaches the client unless it is a `RefusedError`.
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
                principal = self._authenticate(method, metadata)
                _check_read(request)
                async with asyncio.timeout(limit):
                    if principal is None:
                        answer = await inner(request, context)
                    else:
                        with acting_as(principal):
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
                principal = self._authenticate(method, metadata)
                _check_read(request)
                if principal is None:
                    async for item in inner(request, context):
                        yield item
                else:
                    with acting_as(principal):
                        async for item in inner(request, context):
                            yield item
            except Exception as error:
                await _fail(method, context, error)
            _calls.labels(method, "OK").inc()

        return call


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


def _check_read(request: Any) -> None:
    if isinstance(request, RefusedError):
        raise request


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
    _log.info("call refused", method=method, reason=short_reason(error.reason))
    await abort(context, error)
