"""Transactions of what is not hot, and what callers hear while their database is away.

What a database says is not logged: drivers like to quote the values at fault, and a log line must
show no position, name or code. Kind and code say enough.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Final

import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError

_log = structlog.get_logger("store")

# Errors of the driver that say something about our statements, not about the database.
_OURS: Final = (IntegrityError, ProgrammingError, DataError)


@contextlib.asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """One transaction, kept unless the block raises.

    Raises `RefusedError` UNAVAILABLE when the database does not answer.
    """
    async with _answering(), engine.begin() as db:
        yield db


@contextlib.asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that only reads, and waits for no writer; raises like `writing`."""
    async with _answering(), engine.execution_options(read_only=True).connect() as db:
        yield db


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
async def _answering() -> AsyncIterator[None]:
    try:
        yield
    except _OURS:
        raise
    except (DBAPIError, PoolTimeoutError, OSError) as error:
        _log.error("the database does not answer", error=kind_of(error))
        raise RefusedError(
            ErrorReason.ERROR_REASON_UNAVAILABLE, "the database can't be reached now: try again"
        ) from error
