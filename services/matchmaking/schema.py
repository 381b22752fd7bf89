"""The tables matchmaking owns; migrations/ makes them.

Every column that holds a player's id says what the deletion of that account does with its rows:
`FORGET` deletes them, `KEEP` leaves them, since the player has no name any more (deletion.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

from services.common.lease import lease_table
from services.common.sessions import ended_sessions_table

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_ID: Final = String(64)
ON_DELETION: Final = "on_deletion"
FORGET: Final = {ON_DELETION: "forget"}
KEEP: Final = {ON_DELETION: "keep"}

metadata = MetaData()
leases = lease_table(metadata)
ended_sessions = ended_sessions_table(metadata)

players = Table(
    "players",
    metadata,
    Column("player_id", _ID, primary_key=True),
    Column("display_name", Text, nullable=False),
    # The request id of a sign-in gives back the account, so it is kept like a password.
    Column("sign_in_sha256", _ID, nullable=False, unique=True),
    Column("created_at_ms", BigInteger, nullable=False),
    Column("picture", Text, nullable=False, server_default=""),  # one of pictures.json, or none
    Column("language", _ID, nullable=False, server_default=""),  # en, de or ko; empty: not said
    # Raised by signing out everywhere; access tokens of an earlier one are no longer good.
    Column("generation", Integer, nullable=False, server_default="0"),
    Column("recovery_sha256", _ID),
    Column("friend_code", _ID),
    # The row of a deleted account stays, nameless, because tables and matches point to it.
    Column("deleted_at_ms", BigInteger),
    Index("players_recovery_sha256", "recovery_sha256", unique=True),
    Index("players_friend_code", "friend_code", unique=True),
)


def _player(name: str = "player_id", **how: Any) -> Column[str]:
    return Column(name, _ID, ForeignKey("players.player_id"), nullable=False, **how)


# All refresh tokens that descend from one sign-in.
token_families = Table(
    "token_families",
    metadata,
    Column("family_id", _ID, primary_key=True),
    _player(info=FORGET),
    Column("revoked_at_ms", BigInteger),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("token_sha256", _ID, primary_key=True),
    Column("family_id", _ID, ForeignKey("token_families.family_id"), nullable=False, index=True),
    Column("expires_at_ms", BigInteger, nullable=False, index=True),
    Column("used_at_ms", BigInteger),
)

# Short codes by which another device of a player signs in, once: used by one request, whose
# repeats get the same account.
link_codes = Table(
    "link_codes",
    metadata,
    Column("code_sha256", _ID, primary_key=True),
    _player(info=FORGET, index=True),
    Column("expires_at_ms", BigInteger, nullable=False, index=True),
    Column("used_by_sha256", _ID),
)

# Both directions are rows.
friends = Table(
    "friends",
    metadata,
    _player(primary_key=True, info=FORGET),
    _player("friend_id", primary_key=True, info=FORGET, index=True),
    Column("since_ms", BigInteger, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    _player(primary_key=True, info=FORGET),
    _player("blocked_id", primary_key=True, info=FORGET, index=True),
    Column("since_ms", BigInteger, nullable=False),
)

# What rules has yet to be told of a player: that sessions ended, or that the account is gone.
news_for_rules = Table(
    "news_for_rules",
    metadata,
    _player(primary_key=True, info=KEEP),
    Column("generation", Integer, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("tried_at_ms", BigInteger, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("table_id", _ID, primary_key=True),
    _player("host_id", info=KEEP, index=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON object, defaults included
    Column("pace", _ID, nullable=False),
    Column("status", _ID, nullable=False, index=True),
    Column("code", _ID, unique=True),
    Column("match_id", _ID, unique=True),
    Column("rematch_of", _ID),
    Column("opened_at_ms", BigInteger, nullable=False),
    # When rules was last asked for the match, so that one bad table can't hold up the others.
    Column("tried_at_ms", BigInteger, nullable=False),
    Column("rules", Text, nullable=False, server_default="{}"),  # JSON of the TableRules asked for
    Column("edition", Text, nullable=False, server_default=""),  # the option of that name, if any
    Column("listed", Boolean, nullable=False, server_default=text("false")),
    Column("watchable", Boolean, nullable=False, server_default=text("false")),
    Column("seed_sha256", LargeBinary),  # null: rules has promised no seed
    Index(
        "tables_listed",
        "opened_at_ms",
        "table_id",
        sqlite_where=text("listed"),
        postgresql_where=text("listed"),
    ),
    # One rematch of a match at a time; a closed one makes room for another.
    Index(
        "tables_rematch_of",
        "rematch_of",
        unique=True,
        sqlite_where=text("status != 'closed'"),
        postgresql_where=text("status != 'closed'"),
    ),
)

# A seat has an agent, or a player, or a player it is kept for, or nothing: then it is free.
table_seats = Table(
    "table_seats",
    metadata,
    Column("table_id", _ID, ForeignKey("tables.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", _ID, index=True, info=KEEP),
    Column("agent", Text),
    Column("display_name", Text, nullable=False),
    Column("kept", Boolean, nullable=False),
    Column("nonce", LargeBinary),  # null: nothing added to the seed
)

# Request ids and what they did, as long as the table lives.
requests = Table(
    "requests",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("request_id", Text, primary_key=True),
    Column("payload_sha256", _ID, nullable=False),
    Column("table_id", _ID, ForeignKey("tables.table_id"), nullable=False),
)

# What the feed of rules told. Not a column of `tables`: a match may end before its table has
# learned that it started.
finished_matches = Table(
    "finished_matches",
    metadata,
    Column("match_id", _ID, primary_key=True),
    Column("outcome", Text, nullable=False),  # JSON: reason, winners, scores
    Column("finished_at_ms", BigInteger, nullable=False),
    # Whether people played it themselves, without an agent at any seat at any time.
    Column("fair", Boolean, nullable=False, server_default=text("true")),
    # Whether ratings are done with it.
    Column("settled", Boolean, nullable=False, server_default=text("false")),
    Index(
        "finished_matches_unsettled",
        "finished_at_ms",
        sqlite_where=text("NOT settled"),
        postgresql_where=text("NOT settled"),
    ),
)

feed_cursors = Table(
    "feed_cursors",
    metadata,
    Column("feed", _ID, primary_key=True),
    Column("cursor", BigInteger, nullable=False),
)

# The latest ticket of a player for a game: one row, whatever devices ask.
tickets = Table(
    "tickets",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("game", _ID, primary_key=True),
    Column("ticket_id", _ID, nullable=False, unique=True),
    Column("request_id", Text, nullable=False),  # what opened it or changed it last
    Column("options", Text, nullable=False),  # JSON object, defaults included
    Column("rules", Text, nullable=False),  # JSON of the TableRules asked for
    Column("seats", Integer, nullable=False),
    Column("pace", _ID, nullable=False),
    Column("fill_agent", Text),  # null: no agents
    Column("fill_after_ms", BigInteger),
    Column("skill", Integer, nullable=False),
    Column("opened_at_ms", BigInteger, nullable=False),
    Column("seen_at_ms", BigInteger, nullable=False),
    Column("status", _ID, nullable=False),
    Column("table_id", _ID, ForeignKey("tables.table_id")),
    Index(
        "tickets_waiting",
        "opened_at_ms",
        sqlite_where=text("status = 'waiting'"),
        postgresql_where=text("status = 'waiting'"),
    ),
)

# What was answered to each request for a ticket, so that a repeat changes nothing, however late.
ticket_requests = Table(
    "ticket_requests",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("request_id", Text, primary_key=True),
    Column("payload_sha256", _ID, nullable=False),
    Column("ticket_id", _ID, nullable=False),
    Column("answer", LargeBinary, nullable=False),  # the first one, an OpenTicketResponse
    Column("asked_at_ms", BigInteger, nullable=False, index=True),
)

invitations = Table(
    "invitations",
    metadata,
    Column("table_id", _ID, ForeignKey("tables.table_id"), primary_key=True),
    _player(primary_key=True, info=FORGET, index=True),
    _player("inviter_id", info=FORGET, index=True),
    Column("invited_at_ms", BigInteger, nullable=False),
    Column("seen", Boolean, nullable=False),
    Column("declined", Boolean, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("game", _ID, primary_key=True),
    Column("edition", _ID, primary_key=True),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("points", Integer, nullable=False),  # what the leaderboard is sorted by
    Column("matches", Integer, nullable=False),
    Index("ratings_best", "game", "edition", "points", "player_id"),
)

# How many things have come in for a player. It rises in the transaction of each, so that whoever
# has read up to a version has missed nothing.
inboxes = Table(
    "inboxes",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("version", BigInteger, nullable=False),
)

# What was said to a player; `sequence` is the inbox's version.
phrases = Table(
    "phrases",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("match_id", _ID, nullable=False),
    _player("speaker_id", info=FORGET, index=True),
    Column("seat", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("said_at_ms", BigInteger, nullable=False, index=True),
)

# What a player said lately, so that a repeat says nothing again.
sayings = Table(
    "sayings",
    metadata,
    _player(primary_key=True, info=FORGET),
    Column("request_id", Text, primary_key=True),
    Column("payload_sha256", _ID, nullable=False),
    Column("said_at_ms", BigInteger, nullable=False, index=True),
)

# Devices that want to be called while the app is closed; the id is the token's SHA-256.
push_devices = Table(
    "push_devices",
    metadata,
    Column("device_id", _ID, primary_key=True),
    _player(info=FORGET, index=True),
    Column("token", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("quiet_from", Integer, nullable=False),  # minutes of the day there
    Column("quiet_until", Integer, nullable=False),
    Column("registered_at_ms", BigInteger, nullable=False),
)

# The latest call to each device because of a match or a table: it waits, or was done. Without a
# foreign key: a device that vanishes at that moment is no reason for an invitation to fail.
push_outbox = Table(
    "push_outbox",
    metadata,
    Column("device_id", _ID, primary_key=True),
    Column("subject_id", _ID, primary_key=True),
    _player(info=FORGET, index=True),
    Column("kind", Integer, nullable=False),
    Column("turn_revision", BigInteger, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("seen", Boolean, nullable=False),  # the player was looking when it was due
    Column("done_at_ms", BigInteger),  # null: it waits
    Index(
        "push_outbox_due",
        "due_ms",
        sqlite_where=text("done_at_ms IS NULL"),
        postgresql_where=text("done_at_ms IS NULL"),
    ),
)
