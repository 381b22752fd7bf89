"""Fixtures for the common floor: both databases."""

from tests.fixtures.local import fresh_postgres_url
from tests.fixtures.sql import database_url

__all__ = ["database_url", "fresh_postgres_url"]
