"""One folder a game. `core.registry` names them; each folder's `RULESET` is its game."""
