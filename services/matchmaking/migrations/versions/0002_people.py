"""Profiles, recovery and link codes, ended sessions, friends and blocks, deleted accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "matchmaking_0002"
down_revision = "matchmaking_0001"

_ID = sa.String(64)


def upgrade() -> None:
    """Add to the players, and make the tables of what is between them."""
    _players()
    _codes()
    _between_players()
    _news()


def _players() -> None:
    for column in (
        sa.Column("picture", sa.Text, nullable=False, server_default=""),
        sa.Column("language", _ID, nullable=False, server_default=""),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.Column("recovery_sha256", _ID),
        sa.Column("friend_code", _ID),
        sa.Column("deleted_at_ms", sa.BigInteger),
    ):
        op.add_column("players", column)
    for name in ("recovery_sha256", "friend_code"):
        op.create_index(f"players_{name}", "players", [name], unique=True)


def _player(name: str = "player_id") -> sa.Column[str]:
    return sa.Column(name, _ID, sa.ForeignKey("players.player_id"), nullable=False)


def _codes() -> None:
    op.create_table(
        "link_codes",
        sa.Column("code_sha256", _ID, primary_key=True),
        _player(),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False, index=True),
        sa.Column("used_by_sha256", _ID),
    )
    op.create_index("ix_link_codes_player_id", "link_codes", ["player_id"])


def _between_players() -> None:
    for table, other in (("friends", "friend_id"), ("blocks", "blocked_id")):
        op.create_table(
            table,
            _player(),
            _player(other),
            sa.Column("since_ms", sa.BigInteger, nullable=False),
            sa.PrimaryKeyConstraint("player_id", other),
        )
        op.create_index(f"ix_{table}_{other}", table, [other])


def _news() -> None:
    op.create_table(
        "ended_sessions",
        sa.Column("player_id", _ID, primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "news_for_rules",
        _player(),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("tried_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id"),
    )
