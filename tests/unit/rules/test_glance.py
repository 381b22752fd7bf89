"""A look at a head is never old, never waits, and leaves nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.database import connect, migrate
from services.rules.service import MIGRATIONS
from services.rules.store.glance import Glance

_INSERT = (
    "INSERT INTO matches (match_id, game, ruleset_version, options, pace, host_player_id, seed,"
    " created_at_ms, revision, draws, acting_since_ms) VALUES ('m', 'g', 1, '{}', 1, '', '', 0, ?,"
    " 0, 0)"
)
_MOVE = "UPDATE matches SET revision = ?"


@pytest.fixture
async def file(tmp_path: Path) -> str:
    """A database with no match in it."""
    path = f"{tmp_path}/rules.db"
    engine = connect(f"sqlite:///{path}")
    await migrate(engine, MIGRATIONS)
    await engine.dispose()
    return path


@pytest.fixture
def writer(file: str) -> Iterator[sqlite3.Connection]:
    """Whoever else has the file open."""
    connection = sqlite3.connect(file, isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def glance(file: str) -> Iterator[Glance]:
    glance = Glance(file)
    yield glance
    glance.close()


def revision(glance: Glance) -> int | None:
    head = glance("m")
    return None if head is None else head.revision


def test_each_look_sees_what_others_have_committed(
    glance: Glance, writer: sqlite3.Connection
) -> None:
    assert revision(glance) is None, "no such match"
    writer.execute(_INSERT, (1,))
    for number in range(2, 20):
        assert revision(glance) == number - 1
        writer.execute("BEGIN IMMEDIATE")
        writer.execute(_MOVE, (number,))
        assert revision(glance) == number - 1, "not committed yet, and nobody waits for it"
        writer.execute("COMMIT")
    assert revision(glance) == 19


def test_nothing_is_held_between_looks(glance: Glance, writer: sqlite3.Connection) -> None:
    """An open look would keep the log from being emptied, and grow it without end."""
    writer.execute(_INSERT, (1,))
    assert revision(glance) == 1
    busy, _, left = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, left) == (0, 0)


def test_it_leaves_to_others_what_it_would_have_to_wait_for(
    file: str, glance: Glance, writer: sqlite3.Connection
) -> None:
    writer.execute(_INSERT, (1,))
    writer.close()
    owner = sqlite3.connect(file, isolation_level=None)
    owner.execute("PRAGMA locking_mode=EXCLUSIVE")
    owner.execute(_MOVE, (2,))
    assert revision(glance) is None
    owner.close()
    assert revision(glance) == 2, "well again"


def test_a_file_that_is_none_is_no_fault_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, but long enough to be looked at" * 100)
    for name in ("text", "no/such/folder"):
        glance = Glance(f"{tmp_path}/{name}")
        assert glance("m") is None
        glance.close()
