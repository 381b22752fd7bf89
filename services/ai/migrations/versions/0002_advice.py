"""Hints that were given, and reviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "ai_0002"
down_revision = "ai_0001"


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "hints",
        sa.Column("match_id", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("revision", sa.BigInteger, primary_key=True),
        sa.Column("hint", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.String(64), primary_key=True),
        sa.Column("match_id", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_try_ms", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.Boolean, nullable=False),
        sa.Column("found", sa.LargeBinary, nullable=False),
        sa.Column("strayed", sa.JSON, nullable=False),
        sa.Column("quiet", sa.Integer, nullable=False),
        sa.UniqueConstraint("match_id", "seat", name="one_review_a_seat"),
    )
    op.create_index("unfinished_reviews", "reviews", ["finished", "next_try_ms"])
