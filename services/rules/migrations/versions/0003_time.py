"""What tables agreed, clocks and deadlines, the time that was lost, and what agents knew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0003"
down_revision = "rules_0002"


def upgrade() -> None:
    """Add columns and tables. Matches from before agreed on nothing and have no clock."""
    op.add_column("matches", sa.Column("rules", sa.Text, nullable=False, server_default="{}"))
    op.add_column("matches", sa.Column("clock", sa.Text))
    op.add_column("matches", sa.Column("deadline_ms", sa.BigInteger))
    op.add_column("matches", sa.Column("short_ms", sa.BigInteger))
    for name in ("deadline", "short"):
        op.create_index(
            f"matches_{name}",
            "matches",
            [f"{name}_ms"],
            sqlite_where=sa.text(f"{name}_ms IS NOT NULL"),
            postgresql_where=sa.text(f"{name}_ms IS NOT NULL"),
        )
    op.add_column("events", sa.Column("information_sha256", sa.Text))
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    uptime = op.create_table(
        "uptime",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
        sa.Column("lost_ms", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(uptime, [{"id": 1, "beat_ms": 0, "lost_ms": 0}])
