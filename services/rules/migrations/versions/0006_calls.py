"""Whom to call: turns that began, time that is short, and who is looking at their match anyway."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0006"
down_revision = "rules_0005"


def upgrade() -> None:
    """Add columns and a table. Nobody is called for turns from before."""
    op.add_column("matches", sa.Column("turn_revision", sa.BigInteger))
    op.add_column(
        "matches", sa.Column("turn_told", sa.BigInteger, nullable=False, server_default="-1")
    )
    op.add_column(
        "matches", sa.Column("short_told_ms", sa.BigInteger, nullable=False, server_default="0")
    )
    untold = sa.text("turn_told < turn_revision")
    op.create_index(
        "matches_untold",
        "matches",
        ["acting_since_ms", "match_id"],
        sqlite_where=untold,
        postgresql_where=untold,
    )
    op.create_table(
        "present",
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("process", sa.Text, primary_key=True),
        sa.Column("seen_at_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("present_process", "present", ["process"])
