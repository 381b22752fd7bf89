"""Devices that want to be called, and the calls that wait for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0005"
down_revision = "matchmaking_0004"


def upgrade() -> None:
    """Make the tables."""
    key = sa.String(64)
    op.create_table(
        "push_devices",
        sa.Column("device_id", key, primary_key=True),
        sa.Column("player_id", key, sa.ForeignKey("players.player_id"), nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("time_zone", sa.Text, nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=False),
        sa.Column("quiet_until", sa.Integer, nullable=False),
        sa.Column("registered_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_push_devices_player_id", "push_devices", ["player_id"])
    op.create_table(
        "push_outbox",
        sa.Column("device_id", key, primary_key=True),
        sa.Column("subject_id", key, primary_key=True),
        sa.Column("player_id", key, sa.ForeignKey("players.player_id"), nullable=False),
        sa.Column("kind", sa.Integer, nullable=False),
        sa.Column("turn_revision", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
        sa.Column("done_at_ms", sa.BigInteger),
    )
    op.create_index("ix_push_outbox_player_id", "push_outbox", ["player_id"])
    waiting = sa.text("done_at_ms IS NULL")
    op.create_index(
        "push_outbox_due", "push_outbox", ["due_ms"], sqlite_where=waiting, postgresql_where=waiting
    )
