"""What the public listener asks of every call before anything else: how often, how old the app.

The address of a caller is the edge's word where there is an edge (`ODDSOCKS_BEHIND_EDGE`), since
then no one else reaches the listener; else it is that of the connection.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import Principal
from services.common.clock import Clock
from services.common.errors import RateLimitedError, RefusedError, invalid_field
from services.common.limits import Limit, Limiter
from services.common.settings import ServiceSettings

ADDRESS_KEY: Final = "oddsocks-client-address"
"""Set by the edge, which overwrites whatever a client sent under this name."""
VERSION_KEY: Final = "oddsocks-client-version"
"""Set by the app: its version, like "1.2.3"."""

MOST_STREAMS: Final = 200
"""Streams that one account may have open in a process at once: a device has two or three, and
those that the network cut off are found out within a minute."""

_MINUTE_MS: Final = 60_000
_VERSION: Final = re.compile(r"(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?")
_address: ContextVar[str] = ContextVar("address", default="")

Version: TypeAlias = tuple[int, int, int]


def read_version(text: str) -> Version | None:
    """A version as numbers that compare; None for what is none."""
    found = _VERSION.fullmatch(text)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3] or 0))


def caller_address() -> str:
    """From where the call being served came: an IPv4 address or an IPv6 network of a household
    (/64); empty where that is not known.
    """
    return _address.get()


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets a call in or raises `RefusedError` RATE_LIMITED, CLIENT_TOO_OLD or INVALID_FIELD.

    `scarce` are methods (full names) that make or open accounts, with a limit of their own for
    each address. A limit that is None does not limit.
    """

    behind_edge: bool = False
    minimum: str = ""
    scarce: frozenset[str] = frozenset()
    by_account: Limiter | None = None
    by_address: Limiter | None = None
    by_address_scarce: Limiter | None = None
    most_streams: int | None = None
    _streams: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def of(
        settings: ServiceSettings,
        clock: Clock,
        scarce: frozenset[str] = frozenset(),
        scarce_limit: Limit | None = None,
    ) -> Gate:
        """The gate that the settings describe."""

        def limiter(calls: int) -> Limiter | None:
            return Limiter(Limit(calls, _MINUTE_MS), clock) if calls else None

        return Gate(
            settings.behind_edge,
            settings.minimum_client_version,
            scarce,
            limiter(settings.account_calls_per_minute),
            limiter(settings.address_calls_per_minute),
            None if scarce_limit is None else Limiter(scarce_limit, clock),
            MOST_STREAMS,
        )

    def enter(self, method: str, metadata: Any, peer: str) -> None:
        """Before it is known who calls; sets `caller_address` for the rest of this task."""
        told = {key: value for key, value in metadata or () if key in (ADDRESS_KEY, VERSION_KEY)}
        address = _household(str(told.get(ADDRESS_KEY, ""))) if self.behind_edge else _home(peer)
        _address.set(address)
        if self.by_address is not None:
            self.by_address.take(address, "calls from this address")
        if self.by_address_scarce is not None and method in self.scarce:
            self.by_address_scarce.take(address, "sign-ins from this address")
        if self.minimum:
            self._check_version(str(told.get(VERSION_KEY, "")))

    def admit(self, principal: Principal) -> None:
        """Once it is known who calls."""
        if self.by_account is not None:
            self.by_account.take(principal.id, "calls")

    @contextlib.contextmanager
    def streaming(self, principal: Principal | None) -> Iterator[None]:
        """One stream of a caller, for as long as the block lasts: it is no call that ends."""
        if principal is None or self.most_streams is None:
            yield
            return
        if self._streams[principal.id] >= self.most_streams:
            raise RateLimitedError("too many streams are open: close some", _MINUTE_MS)
        self._streams[principal.id] += 1
        try:
            yield
        finally:
            self._streams[principal.id] -= 1
            if not self._streams[principal.id]:
                del self._streams[principal.id]

    def _check_version(self, text: str) -> None:
        # The app has said its version from the start: who says none is older, or no app.
        version = read_version(text) if text else (0, 0, 0)
        if version is None:
            raise invalid_field(VERSION_KEY, "not a version like 1.2.3")
        least = read_version(self.minimum)
        if least is not None and version < least:
            raise RefusedError(
                ErrorReason.ERROR_REASON_CLIENT_TOO_OLD,
                f"this server needs version {self.minimum} of the app: update it",
                minimum=self.minimum,
            )


@lru_cache(maxsize=4_096)
def _home(peer: str) -> str:
    """The same for gRPC's name of the other side, e.g. `ipv4:192.0.2.7:40404`."""
    kind, _, rest = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    return _household(unquote(rest).rpartition(":")[0].strip("[]"))


@lru_cache(maxsize=4_096)
def _household(host: str) -> str:
    """One key for all addresses that one household has at will."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
