"""Monster Hide and Seek for 2 to 4 players; its rules are section 3 of docs/rules/RULINGS.md."""

from services.engine.games.hide_and_seek.ruleset import RULESET, HideAndSeek

__all__ = ["RULESET", "HideAndSeek"]
