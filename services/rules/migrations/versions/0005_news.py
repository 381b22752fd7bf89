"""Find the seats given up in many matches without reading their histories."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rules_0005"
down_revision = "rules_0004"


def upgrade() -> None:
    """Make the index."""
    where = sa.text("kind IN ('resign', 'forfeit')")
    op.create_index(
        "events_given_up",
        "events",
        ["match_id", "actor"],
        sqlite_where=where,
        postgresql_where=where,
    )
