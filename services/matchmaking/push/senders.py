"""How devices are reached. Whatever a sender is, a call says ids and a kind, and no names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol, TypeAlias

import structlog

_log = structlog.get_logger("push")

TTL_S: Final = 24 * 3_600
"""How long a call waits for a device that is off."""


class Kind(IntEnum):
    """Why somebody is called. Of one turn, the higher replaces the lower."""

    TURN = 1
    SHORT = 2
    INVITED = 3


@dataclass(frozen=True, slots=True)
class Message:
    """A call to a device. `subject_id` is the match, or for INVITED the table; the device shows
    only the latest call of each.
    """

    device_id: str
    token: str
    kind: Kind
    subject_id: str


@dataclass(frozen=True, slots=True)
class Sent:
    """It is on its way."""


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such device any more."""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now; not before `after_s` seconds, if somebody said so."""

    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Refused:
    """Never, whatever is tried again."""


Result: TypeAlias = Sent | Gone | Later | Refused


class Sender(Protocol):
    """Reaches devices."""

    async def send(self, message: Message) -> Result:
        """Send one call, once. Does not raise: what can't be sent is `Later` or `Refused`."""

    async def close(self) -> None:
        """Let go of connections."""


class LogSender:
    """Writes a line instead, where no other sender is set up."""

    async def send(self, message: Message) -> Result:
        """See `Sender`."""
        _log.info(
            "would call",
            kind=message.kind.name,
            subject=message.subject_id,
            device=message.device_id[:12],
        )
        return Sent()

    async def close(self) -> None:
        """See `Sender`."""
