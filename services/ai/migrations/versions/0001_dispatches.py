"""Leases and dispatches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "ai_0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "dispatches",
        sa.Column("match_id", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("revision", sa.BigInteger, primary_key=True),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("first_try_ms", sa.BigInteger, nullable=False),
        sa.Column("next_try_ms", sa.BigInteger, nullable=False),
    )
