"""What every service's migrations/env.py does: run on the connection it is given."""

from __future__ import annotations

from alembic import context


def run() -> None:
    """Run the migrations within the transaction of `services.common.database.migrate`."""
    context.configure(connection=context.config.attributes["connection"])
    context.run_migrations()
