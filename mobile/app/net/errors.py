"""Everything grpclib can raise, turned into the three errors of the gateway, in one place."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from google.rpc.error_details_pb2 import ErrorInfo
from grpclib.const import Status
from grpclib.exceptions import GRPCError, ProtocolError, StreamTerminatedError

from app.model.gateway import GatewayError, Offline, Refused, Untrusted

DOMAIN = "oddsocks"

# A proxy answers UNKNOWN for bodies it did not get from the service; DEADLINE_EXCEEDED and
# CANCELLED say nothing about whether the call took effect. All are safe to repeat, because
# requests carry ids.
_TRY_AGAIN = {Status.UNAVAILABLE, Status.DEADLINE_EXCEEDED, Status.CANCELLED, Status.UNKNOWN}


@contextmanager
def translated() -> Iterator[None]:
    """Raise `Offline`, `Untrusted` or `Refused` for whatever grpclib raises inside."""
    try:
        yield
    except GRPCError as error:
        raise from_status(error) from error
    except ssl.SSLCertVerificationError as error:
        raise Untrusted(error.verify_message or str(error)) from error
    except (TimeoutError, StreamTerminatedError, ProtocolError, OSError) as error:
        raise Offline(str(error) or type(error).__name__) from error


def from_status(error: GRPCError) -> GatewayError:
    """What a status means to the app; `ErrorInfo` of our own domain names the reason."""
    for detail in error.details or ():
        if isinstance(detail, ErrorInfo) and detail.domain == DOMAIN:
            if detail.reason == "UNAVAILABLE":
                return Offline(error.message or "")
            return Refused(detail.reason, error.message or "", dict(detail.metadata))
    if error.status in _TRY_AGAIN:
        return Offline(error.message or error.status.name)
    return Refused("", error.message or error.status.name, {})
