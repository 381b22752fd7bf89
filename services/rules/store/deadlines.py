"""Which matches are past their deadline. Served milliseconds, see `turn_clock`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from sqlalchemy import ColumnElement, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES

Rules: TypeAlias = tuple[str, int]
"""A game and a version of its rules."""


async def passed(
    engine: AsyncEngine,
    rules: Collection[Rules],
    served_ms: int,
    limit: int,
    after: tuple[int, str] | None = None,
) -> list[tuple[int, str]]:
    """At most `limit` deadlines that have passed and their matches, ascending; those after one.

    Of matches by one of `rules` only. Raises `RefusedError` UNAVAILABLE.
    """
    place = MATCHES.c.deadline_ms, MATCHES.c.match_id
    late = MATCHES.c.deadline_ms <= served_ms
    query = select(*place).where(late, _by(rules)).order_by(*place).limit(limit)
    if after is not None:
        query = query.where(tuple_(*place) > tuple_(*after))
    async with guarded(), engine.connect() as connection:
        await connection.execution_options(read_only=True)
        return [(row.deadline_ms, row.match_id) for row in await connection.execute(query)]


async def by_other_rules(engine: AsyncEngine, rules: Collection[Rules]) -> Mapping[Rules, int]:
    """How many matches go on against a clock by rules that are none of `rules`, by their rules.

    Raises `RefusedError` UNAVAILABLE.
    """
    own = MATCHES.c.game, MATCHES.c.ruleset_version
    query = (
        select(*own, func.count())
        .where(MATCHES.c.deadline_ms.is_not(None), ~_by(rules))
        .group_by(*own)
    )
    async with guarded(), engine.connect() as connection:
        await connection.execution_options(read_only=True)
        found = await connection.execute(query)
        return {(game, version): matches for game, version, matches in found}


def _by(rules: Collection[Rules]) -> ColumnElement[bool]:
    return tuple_(MATCHES.c.game, MATCHES.c.ruleset_version).in_(rules)
