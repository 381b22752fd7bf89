"""Events beside the game, what a match is beside its game, nonces, promised seeds, watchers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0002"
down_revision = "rules_0001"


def upgrade() -> None:
    """Add columns with what they are in matches from before, and make the new tables."""
    op.add_column("events", sa.Column("kind", sa.Text, nullable=False, server_default="action"))
    op.add_column("events", sa.Column("control", sa.Text))
    op.add_column("snapshots", sa.Column("life", sa.Text, nullable=False, server_default="{}"))
    op.add_column("seats", sa.Column("nonce", sa.LargeBinary))
    op.create_table(
        "seeds",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("promised_at_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "watchers",
        sa.Column("match_id", sa.Text, sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("process", sa.Text, primary_key=True),
        sa.Column("seen_at_ms", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("watchers_process", "watchers", ["process"])
