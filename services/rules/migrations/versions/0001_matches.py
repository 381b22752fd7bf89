"""Matches, their seats and events, answered requests, and the feed of finished matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "matches",
        sa.Column("match_id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("ruleset_version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("pace", sa.Integer, nullable=False),
        sa.Column("host_player_id", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("draws", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Integer),
        sa.Column("acting_since_ms", sa.BigInteger, nullable=False),
        sa.Column("waiting_agent", sa.Text),
        sa.Column("outcome", sa.Text),
    )
    op.create_index(
        "matches_waiting",
        "matches",
        ["acting_since_ms", "match_id"],
        sqlite_where=sa.text("waiting_agent IS NOT NULL"),
        postgresql_where=sa.text("waiting_agent IS NOT NULL"),
    )
    op.create_table(
        "seats",
        _match_id(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player_id", sa.Text),
        sa.Column("agent", sa.Text),
        sa.Column("display_name", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        _match_id(),
        sa.Column("revision", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("actor", sa.Integer, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("committed_at_ms", sa.BigInteger, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("draw", sa.BigInteger),
        sa.Column("seen", sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "requests",
        _match_id(),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("reply", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        _match_id(),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("draws", sa.BigInteger, nullable=False),
        sa.Column("acting_since_ms", sa.BigInteger, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
    )
    op.create_table(
        "creations",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "finished",
        sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), nullable=False),
        sa.UniqueConstraint("match_id", name="finished_match_id_key"),
    )
    feed = op.create_table(
        "feed",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(feed, [{"id": 1, "sequence": 0}])


def _match_id() -> sa.Column[str]:
    return sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), primary_key=True)
