"""Tickets, open list, invitations, ratings, inboxes and phrases."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0003"
down_revision = "matchmaking_0002"

_ID = sa.String(64)


def upgrade() -> None:
    """Add to tables and finished matches, and make the tables around them."""
    _tables()
    _finished_matches()
    _tickets()
    _invitations()
    _ratings()
    _inboxes()


def _player(name: str = "player_id", **how: Any) -> sa.Column[str]:
    return sa.Column(name, _ID, sa.ForeignKey("players.player_id"), nullable=False, **how)


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)


def _tables() -> None:
    for column in (
        sa.Column("rules", sa.Text, nullable=False, server_default="{}"),
        sa.Column("edition", sa.Text, nullable=False, server_default=""),
        sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sa.Column("watchable", sa.Boolean, nullable=False, server_default=sa.text("false")),
    ):
        op.add_column("tables", column)
    _partial_index("tables_listed", "tables", ["opened_at_ms", "table_id"], "listed")


def _finished_matches() -> None:
    for column in (
        sa.Column("fair", sa.Boolean, nullable=False, server_default=sa.text("true")),
        sa.Column("settled", sa.Boolean, nullable=False, server_default=sa.text("false")),
    ):
        op.add_column("finished_matches", column)
    unsettled = "finished_matches_unsettled"
    _partial_index(unsettled, "finished_matches", ["finished_at_ms"], "NOT settled")
    # Played before there were ratings, and perhaps in another spirit.
    op.execute("UPDATE finished_matches SET settled = true")


def _tickets() -> None:
    op.create_table(
        "tickets",
        _player(primary_key=True),
        sa.Column("game", _ID, primary_key=True),
        sa.Column("ticket_id", _ID, nullable=False, unique=True),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("payload_sha256", _ID, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("pace", _ID, nullable=False),
        sa.Column("fill_agent", sa.Text),
        sa.Column("fill_after_ms", sa.BigInteger),
        sa.Column("skill", sa.Integer, nullable=False),
        sa.Column("opened_at_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_at_ms", sa.BigInteger, nullable=False),
        sa.Column("status", _ID, nullable=False),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.table_id")),
    )
    _partial_index("tickets_waiting", "tickets", ["opened_at_ms"], "status = 'waiting'")


def _invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("table_id", _ID, sa.ForeignKey("tables.table_id"), primary_key=True),
        _player(primary_key=True, index=True),
        _player("inviter_id", index=True),
        sa.Column("invited_at_ms", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
    )


def _ratings() -> None:
    op.create_table(
        "ratings",
        _player(primary_key=True),
        sa.Column("game", _ID, primary_key=True),
        sa.Column("edition", _ID, primary_key=True),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
    op.create_index("ratings_best", "ratings", ["game", "edition", "points", "player_id"])


def _inboxes() -> None:
    op.create_table(
        "inboxes",
        _player(primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "phrases",
        _player(primary_key=True),
        sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match_id", _ID, nullable=False),
        _player("speaker_id", index=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("said_at_ms", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "sayings",
        _player(primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("payload_sha256", _ID, nullable=False),
        sa.Column("said_at_ms", sa.BigInteger, nullable=False, index=True),
    )
