"""Refusing a request: one exception, one table from reason to status, one way onto the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from oddsocks.play.v1.errors_pb2 import ErrorReason

DOMAIN: Final = "oddsocks"
_PREFIX: Final = "ERROR_REASON_"
_MAX_DETAIL: Final = 1_000  # metadata over 8 KiB makes clients drop the connection

STATUS: Final[Mapping[ErrorReason.ValueType, StatusCode]] = {
    ErrorReason.ERROR_REASON_INVALID_FIELD: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_INVALID_NOTATION: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_ILLEGAL_ACTION: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_INVALID_OPTION: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_REQUEST_ID_REUSED: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_INVALID_PAGE_TOKEN: StatusCode.INVALID_ARGUMENT,
    ErrorReason.ERROR_REASON_STALE_REVISION: StatusCode.ABORTED,
    ErrorReason.ERROR_REASON_NOT_YOUR_TURN: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_MATCH_FINISHED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_NOT_YOUR_SEAT: StatusCode.PERMISSION_DENIED,
    ErrorReason.ERROR_REASON_TOKEN_MISSING: StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_TOKEN_INVALID: StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_TOKEN_EXPIRED: StatusCode.UNAUTHENTICATED,
    ErrorReason.ERROR_REASON_MATCH_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_TABLE_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_GAME_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_AGENT_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_TABLE_FULL: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_TABLE_CLOSED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_MATCH_RUNNING: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_UNAVAILABLE: StatusCode.UNAVAILABLE,
    ErrorReason.ERROR_REASON_INTERNAL: StatusCode.INTERNAL,
    ErrorReason.ERROR_REASON_TOO_LARGE: StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_RATE_LIMITED: StatusCode.RESOURCE_EXHAUSTED,
    ErrorReason.ERROR_REASON_CLIENT_TOO_OLD: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_CODE_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_PLAYER_BLOCKED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_LIST_FULL: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_CANNOT_UNDO: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_ASK_PENDING: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_ASK_LAPSED: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_TABLE_FORBIDS: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_SITTER_PLAYS: StatusCode.FAILED_PRECONDITION,
    ErrorReason.ERROR_REASON_TICKET_NOT_FOUND: StatusCode.NOT_FOUND,
    ErrorReason.ERROR_REASON_JOB_NOT_FOUND: StatusCode.NOT_FOUND,
}
"""Every reason of the contract and its status; the contract's comments say the same."""


class RefusedError(Exception):
    """A request refused for a reason its caller is told.

    `message` is English for developers; `details` become the ErrorInfo's metadata. Neither may
    hold anything the asking seat may not know.
    """

    def __init__(self, reason: ErrorReason.ValueType, message: str, **details: str | int) -> None:
        super().__init__(message)
        self.reason, self.message = reason, message
        self.details = {name: str(value)[:_MAX_DETAIL] for name, value in details.items()}

    @property
    def status(self) -> StatusCode:
        """The gRPC status of the reason."""
        return STATUS[self.reason]


class RateLimitedError(RefusedError):
    """A call that came too soon; may be repeated after `wait_ms`."""

    def __init__(self, message: str, wait_ms: int) -> None:
        reason = ErrorReason.ERROR_REASON_RATE_LIMITED
        super().__init__(reason, message, retry_after_ms=wait_ms)
        self.wait_ms = wait_ms


def invalid_field(field: str, problem: str) -> RefusedError:
    """The refusal of a field that is missing, malformed or out of range."""
    return RefusedError(ErrorReason.ERROR_REASON_INVALID_FIELD, f"{field}: {problem}", field=field)


def request_id_reused(request_id: str) -> RefusedError:
    """The refusal of a request id under which something else was asked for before."""
    return RefusedError(
        ErrorReason.ERROR_REASON_REQUEST_ID_REUSED,
        "this request id was used for something else",
        request_id=request_id,
    )


def short_reason(reason: ErrorReason.ValueType) -> str:
    """The name that goes into ErrorInfo, e.g. `STALE_REVISION`."""
    return ErrorReason.Name(reason).removeprefix(_PREFIX)


async def abort(
    context: grpc.aio.ServicerContext[object, object], refused: RefusedError
) -> NoReturn:
    """End the call with the refusal's status, message and ErrorInfo, and RetryInfo where it has."""
    details: list[Message] = [
        ErrorInfo(reason=short_reason(refused.reason), domain=DOMAIN, metadata=refused.details)
    ]
    if isinstance(refused, RateLimitedError):
        delay = Duration()
        delay.FromMilliseconds(refused.wait_ms)
        details.append(RetryInfo(retry_delay=delay))
    message = refused.message[:_MAX_DETAIL]
    status = Status(code=refused.status.value[0], message=message, details=map(_packed, details))
    await context.abort(
        refused.status,
        message,
        trailing_metadata=(("grpc-status-details-bin", status.SerializeToString()),),
    )
    raise AssertionError("abort returned")


def _packed(detail: Message) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed


def error_info(error: grpc.RpcError) -> ErrorInfo | None:
    """The ErrorInfo a call ended with, or None where the other side sent none."""
    if not isinstance(error, grpc.aio.AioRpcError):
        return None
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info):
                    return info
    return None
