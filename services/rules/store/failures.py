"""What databases and their drivers raise when they are away, in trouble, or too slow.

What they say is not logged, see `services.common.transactions`.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import asyncpg
import structlog
from sqlalchemy.exc import SQLAlchemyError

from services.common.transactions import kind_of
from services.rules.store import unavailable

_log = structlog.get_logger("store")

FAILURES: Final = (
    SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was cut at the wrong moment
    OSError,
    TimeoutError,
)


@contextlib.asynccontextmanager
async def guarded() -> AsyncIterator[None]:
    """Turn whatever a database or its driver raises into UNAVAILABLE."""
    try:
        yield
    except FAILURES as error:
        _log.error("the database failed", error=kind_of(error))
        raise unavailable() from error
