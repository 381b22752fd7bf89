"""Monster Hide and Seek again, from RULINGS 3 and docs/notation/hide_and_seek.md alone: plain, slow
and independent. Written without a look at the kernel.

Cells are written as in the notation; phases are lists of words, as the notation has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

GRIDS = {5: (7, 4), 4: (6, 3), 3: (5, 2)}
CANDIES = {5: 3, 4: 2, 3: 1}
CANDY = "*"


@dataclass
class Card:
    """A monster card on the board."""

    shown: str
    hidden: str
    known: bool = False

    def flip(self) -> None:
        self.shown, self.hidden, self.known = self.hidden, self.shown, True

    def kind(self) -> str:
        return "".join(sorted(self.shown + self.hidden))


@dataclass
class Candy:
    """A candy on the board."""


class NaiveHideAndSeek:
    """A game. `apply` changes it in place."""

    def __init__(self, options: Mapping[str, bool | int | str], seats: int) -> None:
        self.options, self.seats = options, seats
        self.types = int(options["types"])
        self.monsters = "ABCDE"[: self.types]
        columns, rows = GRIDS[self.types]
        self.columns, self.rows = "abcdefg"[:columns], range(1, rows + 1)
        self.cells = [f"{column}{row}" for row in self.rows for column in self.columns]
        self.deck = Counter({CANDY: CANDIES[self.types]})
        self.deck.update({monster * 2: 1 for monster in self.monsters})
        self.deck.update({a + b: 2 for a, b in combinations(self.monsters, 2)})
        self.board: dict[str, Card | Candy | None] = {}
        self.piles: list[list[str]] = [[] for _ in range(seats)]
        self.turns, self.idle = 0, 0
        self.mover = int(options["first_seat"])
        self.collected = False
        self.phase = ["deal"]

    # --- asked from outside -----------------------------------------------------------------

    def actor(self) -> int | None:
        if self.phase[0] == "over":
            return None
        return -1 if self.phase[0] == "deal" else self.mover

    def legal(self) -> list[str]:
        match self.phase:
            case ["deal"]:
                return self.deals()
            case ["first", _]:
                singles, pairs = self.flips()
                return singles + [f"candy:{cell}" for cell in self.candy_cells()] + pairs
            case ["again", _]:
                singles, pairs = self.flips()
                return singles + ["stop"] * bool(self.options["may_stop_after_match"]) + pairs
            case ["second" | "paired", _, flipped]:
                return [f"flip:{cell}" for cell in self.on_board() if cell != flipped]
        return []

    def weights(self) -> list[int]:
        """Of the cards not yet dealt, the sides that can come up so, in the order of `legal`."""
        if self.phase[0] != "deal":
            return []
        return [self.sides(text.removeprefix("deal:")) for text in self.deals()]

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        if self.phase[0] != "over":
            return None
        stars = [
            sum(int(self.options["candy_stars" if c == CANDY else "monster_stars"]) for c in pile)
            for pile in self.piles
        ]
        winners = tuple(seat for seat in range(self.seats) if stars[seat] == max(stars))
        return (self.phase[1], winners, tuple(stars))

    def apply(self, text: str) -> None:
        verb, _, word = text.partition(":")
        getattr(self, f"do_{verb}")(word)

    def matching(self) -> list[str]:
        """The flips with which a match can be made, seeing through the cards. Doubles are kept for
        the end where possible: they are what deadlocks are made of.
        """
        cards = self.on_board()
        if self.phase[0] in ("second", "paired"):
            wanted = cards.pop(self.phase[2]).shown
            tries = [[cell] for cell, card in cards.items() if card.hidden == wanted]
        else:
            tries = [
                [one, other]
                for one, other in combinations(cards, 2)
                if cards[one].hidden == cards[other].hidden
            ]
        mixed = [t for t in tries if all(cards[cell].shown != cards[cell].hidden for cell in t)]
        tries = mixed or tries
        if self.options["flip_together"]:
            return ["flip:" + "+".join(t) for t in tries]
        return [f"flip:{cell}" for t in tries for cell in t]

    # --- what is legal ----------------------------------------------------------------------

    def on_board(self) -> dict[str, Card]:
        """The monster cards in cell order."""
        found = ((cell, self.board.get(cell)) for cell in self.cells)
        return {cell: card for cell, card in found if isinstance(card, Card)}

    def candy_cells(self) -> list[str]:
        return [cell for cell in self.cells if isinstance(self.board[cell], Candy)]

    def left(self) -> Counter[str]:
        """The cards not yet dealt."""
        return self.deck - Counter(
            card.kind() if isinstance(card, Card) else CANDY for card in self.board.values()
        )

    def sides(self, faces: str) -> int:
        """Both sides of a double and of a candy look the same."""
        both = 2 if faces == CANDY or faces[0] == faces[1] else 1
        return both * self.left()["".join(sorted(faces))]

    def deals(self) -> list[str]:
        left = self.left()
        faces = [a + b for a in self.monsters for b in self.monsters]
        found = [f"deal:{ab}" for ab in faces if left["".join(sorted(ab))]]
        return found + ([f"deal:{CANDY}"] if left[CANDY] else [])

    def flips(self) -> tuple[list[str], list[str]]:
        """(flips of one card, flips of two), one of them empty."""
        cards = self.on_board()
        if self.options["flip_together"]:
            return [], [f"flip:{one}+{other}" for one, other in combinations(cards, 2)]
        return [f"flip:{cell}" for cell in cards], []

    # --- what is done -----------------------------------------------------------------------

    def do_deal(self, faces: str) -> None:
        cell = self.cells[len(self.board)]
        self.board[cell] = Candy() if faces == CANDY else Card(faces[0], faces[1])
        if len(self.board) == len(self.cells):
            self.begin_turn()

    def do_flip(self, word: str) -> None:
        for cell in word.split("+"):
            self.on_board()[cell].flip()
        if "+" in word:
            self.compare(*word.split("+"))
        elif self.phase[0] in ("second", "paired"):
            self.compare(self.phase[2], word)
        else:
            following = {"first": "second", "again": "paired"}[self.phase[0]]
            self.phase = [following, str(self.mover), word]

    def do_candy(self, cell: str) -> None:
        self.collect(cell, CANDY)
        for line in self.lines_from(cell):
            cards = [card for c in line if isinstance(card := self.board[c], Card)]
            if cards:
                cards[0].flip()
        self.end_turn()

    def do_stop(self, _: str) -> None:
        self.end_turn()

    def lines_from(self, cell: str) -> Iterator[list[str]]:
        """The cells in each of the four directions, the closest first."""
        row = [c for c in self.cells if c[1] == cell[1]]
        column = [c for c in self.cells if c[0] == cell[0]]
        for line in (row, column):
            place = line.index(cell)
            yield line[place + 1 :]
            yield line[:place][::-1]

    def compare(self, one: str, other: str) -> None:
        cards = self.on_board()
        if cards[one].shown != cards[other].shown:
            self.end_turn()
            return
        self.collect(one, cards[one].kind())
        self.collect(other, cards[other].kind())
        if len(self.on_board()) < 2:
            self.end_turn()
        elif self.deadlocked():
            self.phase = ["over", "deadlock"]
        else:
            self.phase = ["again", str(self.mover)]

    def collect(self, cell: str, kind: str) -> None:
        self.board[cell] = None
        self.piles[self.mover].append(kind)
        self.collected = True

    # --- turns and the end ------------------------------------------------------------------

    def begin_turn(self) -> None:
        self.collected = False
        self.phase = ["first", str(self.mover)]

    def end_turn(self) -> None:
        self.turns += 1
        self.idle = 0 if self.collected else self.idle + 1
        self.mover = (self.mover + 1) % self.seats
        idle_cap = int(self.options["idle_cap"]) or 8 * self.types
        if len(self.on_board()) <= 2:
            self.phase = ["over", "normal"]
        elif self.deadlocked():
            self.phase = ["over", "deadlock"]
        elif self.idle >= idle_cap or self.turns >= int(self.options["turn_cap"]):
            self.phase = ["over", "cap"]
        else:
            self.begin_turn()

    def deadlocked(self) -> bool:
        """Three or more monsters, no two with a type in common, where that ends the game."""
        kinds = [set(card.kind()) for card in self.on_board().values()]
        common = any(one & other for one, other in combinations(kinds, 2))
        return bool(self.options["end_on_deadlock"]) and len(kinds) >= 3 and not common

    # --- text -------------------------------------------------------------------------------

    def text(self) -> str:
        rows = [
            ",".join(self.cell_text(f"{column}{row}") for column in self.columns)
            for row in reversed(self.rows)
        ]
        # "*" comes before the letters in ASCII, but after them in a pile.
        piles = [
            ",".join(sorted(pile, key=lambda c: (c == CANDY, c))) or "-" for pile in self.piles
        ]
        return " | ".join(
            (
                "/".join(rows),
                " ".join(["piles", *piles]),
                f"turns {self.turns}",
                f"idle {self.idle}",
                " ".join(self.phase),
            )
        )

    def cell_text(self, cell: str) -> str:
        if cell not in self.board:
            return "__"
        card = self.board[cell]
        if card is None:
            return ".."
        if isinstance(card, Candy):
            return CANDY
        return card.shown + (card.hidden if card.known else card.hidden.lower())
