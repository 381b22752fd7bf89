"""What databases and their drivers raise when they are away, in trouble, or too slow.

What they say is not logged: drivers like to quote the values at fault, and a log line must show
no position. Kind and code say enough.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import asyncpg
import structlog
from sqlalchemy.exc import SQLAlchemyError

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


def kind_of(error: BaseException) -> str:
    """The kinds of an error and its causes, with the database's own code where there is one."""
    kinds = []
    seen: BaseException | None = error
    while seen is not None:
        code = getattr(seen, "sqlstate", None) or getattr(seen, "sqlite_errorname", None)
        kinds.append(f"{type(seen).__name__}({code})" if code else type(seen).__name__)
        seen = seen.__cause__
    return " < ".join(kinds)


@contextlib.asynccontextmanager
async def guarded() -> AsyncIterator[None]:
    """Turn whatever a database or its driver raises into UNAVAILABLE."""
    try:
        yield
    except FAILURES as error:
        _log.error("the database failed", error=kind_of(error))
        raise unavailable() from error
