"""Seeds promised to tables, and what seats add to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0004"
down_revision = "matchmaking_0003"


def upgrade() -> None:
    """Add the columns; tables from before promised nothing."""
    op.add_column("tables", sa.Column("seed_sha256", sa.LargeBinary))
    op.add_column("table_seats", sa.Column("nonce", sa.LargeBinary))
