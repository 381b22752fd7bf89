"""What lies on the table in the naive Sock Monsters, and how it is written.

Written from section 1 of docs/rules/RULINGS.md and from docs/notation/sock_monsters.md alone, by an
author who has not read the kernel. Numbers such as 1.5 point into the rulings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

COLOURS = ("red", "yellow", "green", "blue")
PAIRABLE = (*COLOURS, "violet")
SILLY = ("rainbow", "smelly", "boomerang")
SOCKS = (*PAIRABLE, *SILLY)
LETTERS = dict(zip(SOCKS, "rygbvwso", strict=True))
PAIRS = ("rr", "yy", "gg", "bb", "vv", "rw", "yw", "gw", "bw", "vw", "ww")
MOTIFS = "cwdb"
KINDS = [colour[0] + motif for colour in COLOURS for motif in MOTIFS]

CELLS = [column + row for row in "123456" for column in "abcdef"]
LAIRS = {"red": "a1", "yellow": "f1", "green": "f6", "blue": "a6"}
ON_BOARD = frozenset(CELLS)
ROOMS = [cell for cell in CELLS if cell not in LAIRS.values()]
CENTRE = ["c3", "d3", "c4", "d4"]

STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
ALL_WAYS = [*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1)]
Ways: TypeAlias = list[tuple[int, int]]

NOBODY = -1
NO_COUNT = -1


def around(cell: str, ways: Ways) -> list[str]:
    """The cells of the board that one step in one of these ways leads to."""
    steps = [chr(ord(cell[0]) + right) + chr(ord(cell[1]) + up) for right, up in ways]
    return [step for step in steps if step in ON_BOARD]


def walk(start: str, ways: Ways, may_enter: Callable[[str], bool]) -> set[str]:
    """All cells that a path of 1 to 3 steps ends on, turning as it likes."""
    reached: set[str] = set()
    edge = {start}
    for _ in range(3):
        edge = {step for cell in edge for step in around(cell, ways) if may_enter(step)}
        reached |= edge
    return reached


def straight_walk(start: str, may_enter: Callable[[str], bool]) -> set[str]:
    """All cells that a path of 1 to 3 steps in one orthogonal line ends on."""
    reached: set[str] = set()
    for way in STRAIGHT:
        cell = start
        for _ in range(3):
            onward = [step for step in around(cell, [way]) if may_enter(step)]
            if not onward:
                break
            cell = onward[0]
            reached.add(cell)
    return reached


def letters(socks: Counter[str]) -> str:
    """Loose socks as the position has them: one letter a sock, in sock order."""
    return "".join(LETTERS[sock] * socks[sock] for sock in SOCKS) or "-"


def kinds(socks: Counter[str]) -> list[str]:
    """The kinds of sock that are there, in sock order."""
    return [sock for sock in SOCKS if socks[sock] > 0]


@dataclass
class Tile:
    """A room tile and who has seen it."""

    kind: str
    peekers: set[int] = field(default_factory=set)
    lifted: bool = False
    face_up: bool = False

    def text(self) -> str:
        """Its type and what is known of it."""
        if self.face_up:
            return self.kind + "+"
        if self.lifted:
            return self.kind + "*"
        return self.kind + "".join(str(seat) for seat in sorted(self.peekers))


@dataclass
class Player:
    """A seat's pawn, tokens that are still up, loose socks and pairs."""

    pawn: str = ""
    tokens: set[str] = field(default_factory=lambda: set(MOTIFS))
    socks: Counter[str] = field(default_factory=Counter)
    pairs: list[str] = field(default_factory=list)

    def pair_equal_colours(self) -> None:
        """Equal colours pair by themselves (1.10)."""
        for colour in PAIRABLE:
            while self.socks[colour] >= 2:
                self.socks[colour] -= 2
                self.pairs.append(LETTERS[colour] * 2)

    def rainbow_partners(self) -> list[str]:
        """What a rainbow of this player's may be paired with (1.16)."""
        if not self.socks["rainbow"]:
            return []
        coloured = [sock for sock in PAIRABLE if self.socks[sock]]
        return coloured + (["rainbow"] if self.socks["rainbow"] >= 2 else [])

    def pair_rainbow(self, partner: str) -> None:
        """Pair a rainbow with another loose sock (1.16)."""
        self.socks[partner] -= 1
        self.socks["rainbow"] -= 1
        self.pairs.append(LETTERS[partner] + "w")


@dataclass
class Phase:
    """What is awaited: the words of the position's last section.

    `count` is the socks to draw, the moves made or the throws left. `then` is how it goes on after
    the gain, itself some words of that kind, and at the end the reason. A phase that is without one
    of these leaves it at its default.
    """

    name: str
    colour: str = ""
    seat: int = NOBODY
    count: int = NO_COUNT
    then: Phase | None = None

    def text(self) -> str:
        """The words."""
        words = [self.name]
        words += [self.colour] if self.colour else []
        words += [str(self.seat)] if self.seat != NOBODY else []
        words += [str(self.count)] if self.count != NO_COUNT else []
        words += [self.then.text()] if self.then else []
        return " ".join(words)


class Table:
    """Everything that a position tells, and where figures can go and throw on it."""

    def __init__(self, seats: int, silly_socks: bool) -> None:
        self.seats = seats
        self.tiles: dict[str, Tile] = {}
        self.monsters = dict(LAIRS)
        self.players = [Player() for _ in range(seats)]
        self.lairs: dict[str, Counter[str]] = {colour: Counter() for colour in COLOURS}
        self.bag = Counter(dict.fromkeys(PAIRABLE, 8))
        if silly_socks:
            self.bag.update(dict.fromkeys(SILLY, 4))
        self.round = 0
        self.turn = NOBODY
        self.first = NOBODY
        self.shown = "-"
        self.phase = Phase("deal")

    def figures(self) -> set[str]:
        """The cells that a pawn or a monster stands on."""
        return {player.pawn for player in self.players} | set(self.monsters.values())

    def is_free(self, cell: str) -> bool:
        """Whether no figure stands on the cell."""
        return cell not in self.figures()

    def can_move(self, colour: str) -> bool:
        """Whether a monster has anywhere to go (1.12)."""
        return any(self.is_free(cell) for cell in around(self.monsters[colour], STRAIGHT))

    def monster_ends(self, colour: str, straight: bool) -> set[str]:
        """Where a monster may go (1.12), in the German edition `straight` (1.19)."""
        start = self.monsters[colour]
        if straight:
            return straight_walk(start, self.is_free)
        return walk(start, STRAIGHT, self.is_free)

    def is_enclosed(self, cell: str) -> bool:
        """Whether no step of a pawn leads on from there (1.6)."""
        return not any(step in ROOMS and self.is_free(step) for step in around(cell, ALL_WAYS))

    def pawn_ends(self, start: str) -> set[str]:
        """Where a pawn may go, its own cell included (1.5, 1.6)."""
        enclosed = self.is_enclosed(start)
        passed = walk(
            start, ALL_WAYS, lambda cell: cell in ROOMS and (enclosed or self.is_free(cell))
        )
        return {start} | {cell for cell in passed if self.is_free(cell)}

    def throw_targets(self) -> list[int]:
        """Whom the player whose turn it is may throw a boomerang at (1.18)."""
        here = self.players[self.turn].pawn
        return [
            seat
            for seat, player in enumerate(self.players)
            if seat != self.turn
            and player.socks.total()
            and (player.pawn[0] == here[0] or player.pawn[1] == here[1])
        ]

    def clockwise(self, seat: int) -> int:
        """The seat after this one."""
        return (seat + 1) % self.seats

    def text(self) -> str:
        """The body of the position, canonical."""
        players = self.players
        tokens = ["".join(m for m in MOTIFS if m in player.tokens) for player in players]
        pairs = [",".join(sorted(player.pairs, key=PAIRS.index)) for player in players]
        seats = ["-" if seat == NOBODY else str(seat) for seat in (self.turn, self.first)]
        sections = [
            ["tiles", *self._rows()],
            ["monsters", *(self.monsters[colour] for colour in COLOURS)],
            ["pawns", *_dashed(player.pawn for player in players)],
            ["tokens", *_dashed(tokens)],
            ["socks", *(letters(player.socks) for player in players)],
            ["pairs", *_dashed(pairs)],
            ["lairs", *(letters(self.lairs[colour]) for colour in COLOURS)],
            ["turn", str(self.round), *seats],
            ["shown", self.shown],
            ["phase", self.phase.text()],
        ]
        return " | ".join(" ".join(section) for section in sections)

    def _rows(self) -> list[str]:
        def square(cell: str) -> str:
            if cell in LAIRS.values():
                return "#"
            return self.tiles[cell].text() if cell in self.tiles else ".."

        return [",".join(square(column + row) for column in "abcdef") for row in "654321"]


def _dashed(words: Iterable[str]) -> list[str]:
    return [word or "-" for word in words]
