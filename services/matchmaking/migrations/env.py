"""Alembic's entry point."""

from services.common.migrations_env import run

run()
