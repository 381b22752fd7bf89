"""Socker: two players, a ball, five sockers each (RULINGS 2)."""

from typing import Final

from services.engine.games.socker.ruleset import Socker

RULESET: Final = Socker()
