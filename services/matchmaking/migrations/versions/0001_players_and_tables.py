"""Players and their tokens, tables and their seats, the feed of finished matches, leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0001"
down_revision = None

_ID = sa.String(64)


def upgrade() -> None:
    """Make all tables."""
    _accounts()
    _tables()
    _background()


def _accounts() -> None:
    op.create_table(
        "players",
        sa.Column("player_id", _ID, primary_key=True),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("sign_in_sha256", _ID, nullable=False, unique=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "token_families",
        sa.Column("family_id", _ID, primary_key=True),
        sa.Column("player_id", _ID, sa.ForeignKey("players.player_id"), nullable=False),
        sa.Column("revoked_at_ms", sa.BigInteger),
    )
    op.create_table(
        "refresh_tokens",
        sa.Column("token_sha256", _ID, primary_key=True),
        sa.Column(
            "family_id",
            _ID,
            sa.ForeignKey("token_families.family_id"),
            nullable=False,
            index=True,
        ),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False, index=True),
        sa.Column("used_at_ms", sa.BigInteger),
    )


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("table_id", _ID, primary_key=True),
        sa.Column("host_id", _ID, sa.ForeignKey("players.player_id"), nullable=False, index=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("pace", _ID, nullable=False),
        sa.Column("status", _ID, nullable=False, index=True),
        sa.Column("code", _ID, unique=True),
        sa.Column("match_id", _ID, unique=True),
        sa.Column("rematch_of", _ID),
        sa.Column("opened_at_ms", sa.BigInteger, nullable=False),
        sa.Column("tried_at_ms", sa.BigInteger, nullable=False),
    )
    not_closed = sa.text("status != 'closed'")
    op.create_index(
        "tables_rematch_of",
        "tables",
        ["rematch_of"],
        unique=True,
        sqlite_where=not_closed,
        postgresql_where=not_closed,
    )
    op.create_table(
        "table_seats",
        sa.Column("table_id", _ID, sa.ForeignKey("tables.table_id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", _ID, index=True),
        sa.Column("agent", sa.Text),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
    )
    op.create_table(
        "requests",
        sa.Column("player_id", _ID, sa.ForeignKey("players.player_id"), primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("payload_sha256", _ID, nullable=False),
        sa.Column("table_id", _ID, sa.ForeignKey("tables.table_id"), nullable=False),
    )


def _background() -> None:
    op.create_table(
        "finished_matches",
        sa.Column("match_id", _ID, primary_key=True),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("finished_at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "feed_cursors",
        sa.Column("feed", _ID, primary_key=True),
        sa.Column("cursor", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", _ID, primary_key=True),
        sa.Column("holder", _ID, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
