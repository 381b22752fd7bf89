"""The tables. migrations/ makes them; a test holds the two together.

Notations and JSON are text; times are milliseconds since 1970 UTC; flags of the match as a whole
(whose turn, how it ended) stand in `matches`, so that one row's update decides everything.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from services.common.lease import lease_table
from services.common.sessions import ended_sessions_table

METADATA: Final = MetaData()


def _match_id() -> Column[str]:
    return Column("match_id", Text, ForeignKey("matches.match_id"), primary_key=True)


MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("match_id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("ruleset_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("pace", Integer, nullable=False),
    Column("host_player_id", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("created_at_ms", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("draws", BigInteger, nullable=False),
    Column("actor", Integer),  # null: over
    Column("acting_since_ms", BigInteger, nullable=False),
    Column("waiting_agent", Text),  # the agent to act; null: a person, or over
    Column("outcome", Text),  # JSON; null: goes on
    Column("rules", Text, nullable=False, server_default="{}"),  # JSON: what the table agreed
    Column("clock", Text),  # JSON; null: in matches from before there were clocks
    Column("deadline_ms", BigInteger),  # served, see turn_clock; null: none
    Column("short_ms", BigInteger),  # served: when time is short; null: never
    # With which revision a person's turn began who should hear of it; null: nobody's.
    Column("turn_revision", BigInteger),
    # What matchmaking has been told of. Neither ever goes back.
    Column("turn_told", BigInteger, nullable=False, server_default="-1"),
    Column("short_told_ms", BigInteger, nullable=False, server_default="0"),
)
for _name in ("deadline", "short"):
    _column = MATCHES.c[f"{_name}_ms"]
    Index(
        f"matches_{_name}",
        _column,
        sqlite_where=_column.is_not(None),
        postgresql_where=_column.is_not(None),
    )
_untold = MATCHES.c.turn_told < MATCHES.c.turn_revision
Index(
    "matches_untold",
    MATCHES.c.acting_since_ms,
    MATCHES.c.match_id,
    sqlite_where=_untold,
    postgresql_where=_untold,
)
Index(
    "matches_waiting",
    MATCHES.c.acting_since_ms,
    MATCHES.c.match_id,
    sqlite_where=MATCHES.c.waiting_agent.is_not(None),
    postgresql_where=MATCHES.c.waiting_agent.is_not(None),
)

SEATS: Final = Table(
    "seats",
    METADATA,
    _match_id(),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Text),
    Column("agent", Text),
    Column("display_name", Text, nullable=False),
    Column("nonce", LargeBinary),  # null: none given
    Index("seats_player_id", "player_id"),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    _match_id(),
    Column("revision", BigInteger, primary_key=True, autoincrement=False),
    Column("actor", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("committed_at_ms", BigInteger, nullable=False),
    Column("origin", Text, nullable=False),
    Column("draw", BigInteger),  # null: no chance
    Column("seen", Text),  # JSON: seat to its view; null: all see the action
    Column("kind", Text, nullable=False, server_default="action"),
    Column("control", Text),  # JSON: what an event beside the game says; null: nothing more
    Column("information_sha256", Text),  # what an agent knew that acted; null: no agent's
    sqlite_with_rowid=False,
)

_given_up = EVENTS.c.kind.in_(("resign", "forfeit"))
Index(
    "events_given_up",
    EVENTS.c.match_id,
    EVENTS.c.actor,
    sqlite_where=_given_up,
    postgresql_where=_given_up,
)

REQUESTS: Final = Table(
    "requests",
    METADATA,
    _match_id(),
    Column("account", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("payload", LargeBinary, nullable=False),
    Column("reply", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    _match_id(),
    Column("revision", BigInteger, nullable=False),
    Column("draws", BigInteger, nullable=False),
    Column("acting_since_ms", BigInteger, nullable=False),
    Column("position", Text, nullable=False),
    Column("life", Text, nullable=False, server_default="{}"),  # JSON: what is beside the game
)

CREATIONS: Final = Table(
    "creations",
    METADATA,
    Column("account", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("payload", LargeBinary, nullable=False),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    sqlite_with_rowid=False,
)

FINISHED: Final = Table(
    "finished",
    METADATA,
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("match_id", Text, ForeignKey("matches.match_id"), nullable=False),
    UniqueConstraint("match_id", name="finished_match_id_key"),
)

# The last number given out in `finished`. Updating its one row makes the matches that end queue
# up, so that numbers become visible in their order and a reader's cursor skips none.
FEED: Final = Table(
    "feed",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, nullable=False),
)

# Seeds promised by their hashes before the nonces are known, by the request that will use them.
SEEDS: Final = Table(
    "seeds",
    METADATA,
    Column("account", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    Column("promised_at_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)


def _streams(name: str) -> Table:
    return Table(
        name,
        METADATA,
        _match_id(),
        Column("player_id", Text, primary_key=True),
        Column("process", Text, primary_key=True),
        Column("seen_at_ms", BigInteger, nullable=False),
        Index(f"{name}_process", "process"),
        sqlite_with_rowid=False,
    )


# Who watches without a seat, and who looks at a match they play, through which process. A process
# says now and then that they are still there; rows that nobody speaks for lapse.
WATCHERS: Final = _streams("watchers")
PRESENT: Final = _streams("present")

LEASES: Final = lease_table(METADATA)
ENDED_SESSIONS: Final = ended_sessions_table(METADATA)

# One row: the last sign of life of any process, and the time lost so far in which none was there.
UPTIME: Final = Table(
    "uptime",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("beat_ms", BigInteger, nullable=False),
    Column("lost_ms", BigInteger, nullable=False),
)
