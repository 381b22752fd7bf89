"""Which players' sessions ended, and a way from a player to their seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0004"
down_revision = "rules_0003"


def upgrade() -> None:
    """Add the table and the index."""
    op.create_table(
        "ended_sessions",
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False, index=True),
    )
    op.create_index("seats_player_id", "seats", ["player_id"])
