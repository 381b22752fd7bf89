"""What each request for a ticket was answered, also once another has changed the ticket."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0006"
down_revision = "matchmaking_0005"


def upgrade() -> None:
    """Make the table. Requests from before it are not in there: whoever repeats one wishes anew."""
    key = sa.String(64)
    op.create_table(
        "ticket_requests",
        sa.Column("player_id", key, sa.ForeignKey("players.player_id"), primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("payload_sha256", key, nullable=False),
        sa.Column("ticket_id", key, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_ticket_requests_asked_at_ms", "ticket_requests", ["asked_at_ms"])
    op.drop_column("tickets", "payload_sha256")
