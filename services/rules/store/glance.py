"""Where a match stands, read on SQLite without waiting, and so without another thread.

Every look at a match asks for this, however quick the rest is. It is one row by its key, of a match
whose other rows have just been read or written, so it comes out of memory in a few microseconds; a
thread to read it in costs ten times as much to wake and to wait for (docs/adr/0081).
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Final

from services.rules.store import Head
from services.rules.store.rows import HEAD, load_head

_QUERY: Final = f"SELECT {', '.join(HEAD)} FROM matches WHERE match_id = ?"


class Glance:
    """Looks at a SQLite file that other connections and processes write to.

    For the thread that first calls it only. Each look sees whatever was committed before it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def __call__(self, match_id: str) -> Head | None:
        """Where a match stands; None where that can't be said at once, or there is no such match.

        Never waits for a lock: in WAL mode writers hold up no readers, and whatever else may do so
        (a process that recovers the file) is left to those who can wait.
        """
        try:
            if self._connection is None:
                self._connection = _connect(self._path)
            # To the end of the result: a query left open would go on seeing what was true when it
            # began, and so would the next.
            rows = self._connection.execute(_QUERY, (match_id,)).fetchall()
        except sqlite3.Error:
            self.close()
            return None
        return load_head(rows[0]) if rows else None

    def close(self) -> None:
        """Let go of the file; the next look opens it again."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    connection.execute("PRAGMA query_only=ON")
    return connection
