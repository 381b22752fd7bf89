"""Positions of Monster Hide and Seek that random play hardly ever comes to, and their names."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.crosscheck.naive_hide_and_seek import CANDY, Candy, Card, NaiveHideAndSeek

CASES = frozenset(
    (
        *("over normal", "over deadlock", "over cap", "shared win"),
        *("idle cap", "turn cap", "last two flipped after a match", "stop", "double flipped"),
        *(
            "candy without a monster on its lines",
            "candy flips past something",
        ),
    )
)
"""What `RareHideAndSeek.reach` can name."""


class RareHideAndSeek(NaiveHideAndSeek):
    """The naive game, begun from rare positions and watched for rare cases."""

    def begin_rare(self, rng: Random) -> None:
        """Put a position late in a game in place of the deal: few cards, caps at hand."""
        cards = rng.sample(sorted(self.deck.elements()), self.deck.total())
        monsters = [card for card in cards if card != CANDY]
        again = rng.random() < 0.4
        least = 2 if again else 3
        few = rng.choice([least, least + 1, least + 2, rng.randint(least, len(monsters) - 2)])
        left = self._choose(rng, monsters, few)
        candies = rng.randint(0, self.deck[CANDY])
        self.mover = rng.randrange(self.seats)
        self._lay(rng, left, candies)
        self._collect(rng, monsters, left, candies, again)
        idle_cap = int(self.options["idle_cap"]) or 8 * self.types
        turn_cap = int(self.options["turn_cap"])
        self.turns = rng.choice([turn_cap - 1, rng.randrange(turn_cap)])
        self.idle = min(rng.choice([0, idle_cap - 1, rng.randrange(idle_cap)]), self.turns)
        self.begin_turn()
        if again:
            self.collected, self.phase = True, ["again", str(self.mover)]
        if not self.options["flip_together"] and rng.random() < 0.3:
            self.do_flip(rng.choice(list(self.on_board())))

    def _choose(self, rng: Random, monsters: list[str], count: int) -> list[str]:
        """Monsters to stay on the board: often doubles beside a single match, but no deadlock."""
        by_doubles = sorted(monsters, key=lambda kind: kind[0] != kind[1])
        left = rng.choice([monsters, by_doubles])[:count]
        common = any(set(one) & set(other) for one, other in combinations(left, 2))
        if count >= 3 and not common and self.options["end_on_deadlock"]:
            matching = (kind for kind in monsters if set(kind) & set(left[0]))
            left[-1] = next(kind for kind in matching if kind not in left)
        return left

    def _lay(self, rng: Random, left: list[str], candies: int) -> None:
        """These monsters and candies on the board, at times off each other's lines; gaps else."""
        self.board = dict.fromkeys(self.cells)
        places = rng.sample(self.cells, len(self.cells))
        if candies and rng.random() < 0.3:
            seen = {cell for line in self.lines_from(places[0]) for cell in line}
            places.sort(key=lambda cell: cell in seen)
        places = places[: len(left) + candies]
        for kind, cell in zip(left, places[candies:], strict=True):
            one, other = rng.sample(kind, 2)
            self.board[cell] = Card(one, other, known=rng.random() < 0.5)
        for cell in places[:candies]:
            self.board[cell] = Candy()

    def _collect(
        self, rng: Random, monsters: list[str], left: list[str], candies: int, again: bool
    ) -> None:
        """What is not on the board lies in piles; of a match just made, in the mover's."""
        gone = list(monsters)
        for kind in left:
            gone.remove(kind)
        if again:
            self.piles[self.mover] += gone[:2]
            gone = gone[2:]
        for kind in gone + [CANDY] * (self.deck[CANDY] - candies):
            rng.choice(self.piles).append(kind)

    def reach(self, text: str, legal: list[str]) -> list[str]:
        """Carry out one of the legal actions; returns the names of the rare cases that it met."""
        assert text in legal
        found = ["stop"] if text == "stop" else []
        before = self.phase[0]
        verb, _, cell = text.partition(":")
        if verb == "candy":
            lines = [[self.board[c] for c in line] for line in self.lines_from(cell)]
            monsters = [[i for i, c in enumerate(line) if isinstance(c, Card)] for line in lines]
            found += [] if any(monsters) else ["candy without a monster on its lines"]
            found += ["candy flips past something"] if any(m and m[0] for m in monsters) else []
        cards = [self.on_board()[c] for c in cell.split("+")] if verb == "flip" else []
        found += ["double flipped"] if any(c.shown == c.hidden for c in cards) else []
        two_left = len(self.on_board()) == 2
        self.apply(text)
        if before in ("again", "paired") and two_left and verb == "flip":
            found.append("last two flipped after a match")
        return found + self._cases_of_end()

    def _cases_of_end(self) -> list[str]:
        end = self.outcome()
        if end is None:
            return []
        reason, winners, _ = end
        found = [f"over {reason}"]
        found += ["shared win"] if len(winners) > 1 else []
        if reason == "cap":
            at_turn_cap = self.turns >= int(self.options["turn_cap"])
            found.append("turn cap" if at_turn_cap else "idle cap")
        return found
