"""The search of Sock Monsters: deals the tiles that were not seen, and weighs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from services.engine.agents.information_set_search import Deals, InformationSetSearch
from services.engine.agents.sock_monsters_lines import SockMonstersLines, buffer, dealt
from services.engine.agents.sock_monsters_memory import fading
from services.engine.agents.sock_monsters_tastes import liked
from services.engine.core import Action, Ruleset
from services.engine.core.generator import generator
from services.engine.games.sock_monsters.layout import TILE
from services.engine.games.sock_monsters.model import Information
from services.engine.games.sock_monsters.state import State


class SockMonstersSearch(InformationSetSearch):
    """Looks to the end of the next seat's turn."""

    lines = SockMonstersLines()
    horizon = 2

    def sensible(self, sample: State, legal: Sequence[Action]) -> Sequence[Action]:
        """Nobody robs themselves, or peeks again at a tile they know."""
        s = buffer([*sample.data])
        seat = self.lines.actor(s)
        return [action for action in legal if liked(s, seat, int(action)) >= 0] or legal

    def recall(self, information: Information, fade: float, rng: Random) -> Information:
        """See `sock_monsters_memory.fading`."""
        return fading(information, fade, rng)

    def deals(
        self, ruleset: Ruleset[Any, Any, Any], information: Information, rng: Random
    ) -> Deals:
        """One sample of the ruleset's, its unknown tiles shuffled again for each deal."""
        sample: State = ruleset.determinize(information, rng)
        words = [*sample.data]
        slots = [TILE + tile.cell for tile in information.tiles if tile.type is None]
        unknown, shuffling = buffer(slots), generator(rng.getrandbits(32))
        return lambda: dealt(words, unknown, shuffling)
