"""What databases and their drivers raise when they are away, in trouble, or too slow."""

from __future__ import annotations

from typing import Final

import asyncpg
from sqlalchemy.exc import SQLAlchemyError

FAILURES: Final = (
    SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was cut at the wrong moment
    OSError,
    TimeoutError,
)
