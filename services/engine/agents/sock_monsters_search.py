"""The agent `sock_monsters_search`: deals the tiles it has not seen, and searches."""

from __future__ import annotations

from random import Random
from typing import Any

from services.engine.agents import sock_monsters_lines
from services.engine.agents.information_set_search import Deals, InformationSetSearch
from services.engine.core import Ruleset
from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import TILE
from services.engine.games.sock_monsters.model import Information
from services.engine.games.sock_monsters.state import State


class SockMonstersSearch(InformationSetSearch):
    """Looks to the end of the next seat's turn."""

    name = "sock_monsters_search"
    lines = sock_monsters_lines
    horizon = 2

    def deals(
        self, ruleset: Ruleset[Any, Any, Any], information: Information, rng: Random
    ) -> Deals:
        """One sample of the ruleset's, its unknown tiles shuffled again for each deal."""
        sample: State = ruleset.determinize(information, rng)
        words = [*sample.data]
        unknown = [TILE + tile.cell for tile in information.tiles if tile.type is None]
        types = [words[slot] for slot in unknown]

        def deal() -> vec[i64]:
            rng.shuffle(types)
            for slot, type_ in zip(unknown, types, strict=True):
                words[slot] = type_
            return sock_monsters_lines.buffer([*words])

        return deal
