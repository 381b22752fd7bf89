"""Socker again, from RULINGS 2 and docs/notation/socker.md alone: plain, slow and independent.

Written before its author had read the kernel's rules, but knowing the facade's actions and views
and the random playouts. The end by own goals (2.10) was added to both by one hand.
Cells are (column, row) from 0; sides are 0 (South) and 1 (North).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Cell = tuple[int, int]
SEATS = ("south", "north")
CENTRE: Cell = (4, 5)
INFINITE = 99


@dataclass
class Socker:
    """A socker on the field."""

    side: int
    lying: bool = False


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] <= 8 and 0 <= cell[1] <= 10


def is_goal(cell: Cell) -> bool:
    return cell[1] in (0, 10)


def is_side(cell: Cell) -> bool:
    return cell[0] in (0, 8) and not is_goal(cell)


def neighbours(cell: Cell) -> list[Cell]:
    return [
        (cell[0] + dx, cell[1] + dy)
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if (dx, dy) != (0, 0) and on_board((cell[0] + dx, cell[1] + dy))
    ]


def beyond(start: Cell, middle: Cell) -> Cell:
    return (2 * middle[0] - start[0], 2 * middle[1] - start[1])


def name(cell: Cell) -> str:
    return "abcdefghi"[cell[0]] + str(cell[1] + 1)


def cell_named(text: str) -> Cell:
    return ("abcdefghi".index(text[0]), int(text[1:]) - 1)


def by_place(cell: Cell) -> tuple[int, int]:
    return (cell[1], cell[0])


@dataclass
class NaiveSocker:
    """A match. `apply` changes it in place."""

    options: Mapping[str, bool | int | str]
    seats: int = 2
    stage: str = "toss"
    board: dict[Cell, Socker] = field(default_factory=dict)
    ball: Cell | None = CENTRE
    side: int = 0  # whose turn; in a setup who places and moves first
    used: int = 0
    allowed: int = 3
    limit: int | None = 3
    pick: Cell | None = None
    goals: list[int] = field(default_factory=lambda: [0, 0])
    turns: list[int] = field(default_factory=lambda: [0, 0])
    sudden: bool = False
    seen: set[str] = field(default_factory=set)
    reason: str = ""

    # --- asked from outside -----------------------------------------------------------------

    def actor(self) -> int | None:
        if self.stage == "over":
            return None
        if self.stage == "toss":
            return -1
        if self.stage == "setup":
            return self.side if self.count(self.side) < self.team() else 1 - self.side
        return self.board[self.pick].side if self.pick is not None else self.side

    def legal(self) -> list[str]:
        match self.stage:
            case "over":
                return []
            case "toss":
                return ["toss:south", "toss:north"]
            case "setup":
                return [f"@{name(cell)}" for cell in self.places()]
        if self.pick is not None:
            return [
                f"={name(cell)}"
                for cell in self.picks()
                if self.actor() != self.side or self.after(f"={name(cell)}").can_end_well()
            ]
        every = self.possible()
        if not every:
            return ["pass"] if self.used == 0 else ["end"]
        found = [text for text in every if self.after(text).can_end_well()]
        if self.used > 0 and self.within(self.limit):
            found.append("end")
        return found

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        if self.stage != "over":
            return None
        south, north = self.goals
        winners: tuple[int, ...] = () if south == north else ((0,) if south > north else (1,))
        return (self.reason, winners, (south, north))

    def text(self) -> str:
        words = [self.board_text()]
        match self.stage:
            case "toss":
                words.append("toss")
            case "setup":
                words.append(f"setup:{SEATS[self.side]}")
            case "turn":
                words.append(f"{SEATS[self.side]}:{self.used}/{self.allowed}")
            case "over":
                words.append(f"over:{self.reason}")
        if self.goals != [0, 0]:
            words.append(f"goals={self.goals[0]}-{self.goals[1]}")
        if self.turns != [0, 0]:
            words.append(f"turns={self.turns[0]}-{self.turns[1]}")
        if self.sudden:
            words.append("sudden")
        if self.stage == "turn":
            if self.limit != 3:
                words.append(f"edge={'none' if self.limit is None else self.limit}")
            if self.pick is not None:
                words.append(f"pick={name(self.pick)}")
            seen = self.seen - {self.start_text()} if self.used == 0 else self.seen
            if seen:
                words.append("seen=" + ",".join(sorted(seen)))
        return " ".join(words)

    def apply(self, text: str) -> None:
        match self.stage:
            case "toss":
                self.begin_setup(SEATS.index(text.removeprefix("toss:")))
            case "setup":
                side = self.actor()
                assert side is not None
                self.board[cell_named(text[1:])] = Socker(side)
                if self.count(0) == self.count(1) == self.team():
                    self.begin_turn(self.side)
            case "turn":
                self.act(text)

    # --- setup ------------------------------------------------------------------------------

    def team(self) -> int:
        return 2 if self.sudden else 5

    def count(self, side: int) -> int:
        return sum(socker.side == side for socker in self.board.values())

    def on_edge(self, side: int) -> int:
        return sum(
            socker.side == side and (is_goal(cell) or is_side(cell))
            for cell, socker in self.board.items()
        )

    def begin_setup(self, first: int) -> None:
        self.stage, self.side = "setup", first
        self.board, self.ball, self.pick = {}, CENTRE, None
        self.seen = set()

    def places(self) -> list[Cell]:
        side = self.actor()
        assert side is not None
        half = range(5) if side == 0 else range(6, 11)
        return [
            (column, row)
            for row in half
            for column in range(9)
            if (column, row) not in self.board
            and (column, row) not in neighbours(CENTRE)
            and not ((is_goal((column, row)) or is_side((column, row))) and self.on_edge(side) >= 3)
        ]

    # --- turns ------------------------------------------------------------------------------

    def begin_turn(self, side: int) -> None:
        self.stage, self.side, self.used, self.pick = "turn", side, 0, None
        start = self.start_text()
        self.allowed = 4 if start in self.seen else 3
        self.seen.add(start)
        self.limit = self.turn_limit()

    def start_text(self) -> str:
        if self.options["repetition_ignores_mover"]:
            return self.board_text()
        return f"{'SN'[self.side]}:{self.board_text()}"

    def possible(self) -> list[str]:
        """All moves, kicks and socks, whatever the edge limit says."""
        if self.used >= self.allowed:
            return []
        moves, kicks, socks = [], [], []
        for cell in sorted(self.board, key=by_place):
            socker = self.board[cell]
            if socker.side != self.side or socker.lying:
                continue
            for other in sorted(neighbours(cell), key=by_place):
                target = beyond(cell, other)
                free = on_board(target) and target not in self.board and target != self.ball
                if other == self.ball:
                    if free:
                        kicks.append(f"{name(cell)}*{name(other)}")
                elif other not in self.board:
                    moves.append(f"{name(cell)}-{name(other)}")
                elif self.board[other].side != self.side and free:
                    socks.append(f"{name(cell)}x{name(other)}")
        return moves + kicks + socks

    def after(self, text: str) -> NaiveSocker:
        other = copy.copy(self)
        other.board = {cell: copy.copy(socker) for cell, socker in self.board.items()}
        other.step(text)
        return other

    def step(self, text: str) -> None:
        """Do it to the board; no turn ends and nothing is scored here."""
        if text.startswith("="):
            self.ball, self.pick = cell_named(text[1:]), None
            return
        self.used += 1
        sign = next(sign for sign in "-*x" if sign in text)
        first, second = (cell_named(part) for part in text.split(sign))
        match sign:
            case "-":
                self.board[second] = self.board.pop(first)
            case "x":
                pushed = self.board.pop(second)
                pushed.lying = True
                self.board[beyond(first, second)] = pushed
            case "*":
                self.ball = beyond(first, second)
                if is_side(self.ball):
                    centre = (4, self.ball[1])
                    self.ball, self.pick = (
                        (None, centre) if centre in self.board else (centre, None)
                    )

    def act(self, text: str) -> None:
        if text not in ("end", "pass"):
            self.step(text)
            if self.ball is not None and is_goal(self.ball):
                self.score(0 if self.ball[1] == 10 else 1)
                return
            if self.pick is not None or self.used < self.allowed:
                return
        for socker in self.board.values():
            if socker.side == self.side:
                socker.lying = False
        self.turns[self.side] += 1
        if not self.finished_by_turns():
            self.begin_turn(1 - self.side)

    def picks(self) -> Iterator[Cell]:
        assert self.pick is not None
        rest = [(column, row) for row in range(1, 10) for column in range(1, 8)]
        free = [cell for cell in rest if cell not in self.board]
        near = [cell for cell in free if cell in neighbours(self.pick)]
        if self.options["recentre_into_goal"]:
            near += [
                cell for cell in neighbours(self.pick) if is_goal(cell) and cell not in self.board
            ]
        if not near:

            def distance(cell: Cell) -> int:
                assert self.pick is not None
                return max(abs(cell[0] - self.pick[0]), abs(cell[1] - self.pick[1]))

            closest = min(map(distance, free))
            near = [cell for cell in free if distance(cell) == closest]
        return iter(sorted(near, key=by_place))

    # --- the edge limit (2.6) ---------------------------------------------------------------

    def within(self, limit: int | None) -> bool:
        return limit is None or self.on_edge(self.side) <= limit

    def can_end_well(self) -> bool:
        """Whether the side in turn can still bring this turn to a legal end."""
        if self.ball is not None and is_goal(self.ball):
            return True
        if self.pick is not None:
            mine = self.board[self.pick].side == self.side
            ways = (self.after(f"={name(cell)}").can_end_well() for cell in self.picks())
            return any(ways) if mine else all(ways)
        if self.within(self.limit):
            return True
        return any(self.after(text).can_end_well() for text in self.possible())

    def turn_limit(self) -> int | None:
        if not self.possible():
            return 3
        best = INFINITE
        for text in self.possible():
            best = min(best, self.after(text).best_end())
            if best <= 3:
                return 3
        return None if best == INFINITE else best

    def best_end(self) -> int:
        """The smallest count of own sockers on the edge that the side in turn can make sure of."""
        if self.ball is not None and is_goal(self.ball):
            return INFINITE
        if self.pick is not None:
            mine = self.board[self.pick].side == self.side
            counts = [self.after(f"={name(cell)}").best_end() for cell in self.picks()]
            return min(counts) if mine else max(counts)
        best = self.on_edge(self.side)
        if best > 3:
            for text in self.possible():
                best = min(best, self.after(text).best_end())
                if best <= 3:
                    break
        return best

    # --- goals and ends ---------------------------------------------------------------------

    def score(self, scorer: int) -> None:
        self.goals[scorer] += 1
        self.turns[self.side] += 1
        if self.sudden:
            self.finish("sudden_death")
        elif not self.options["turn_limit"] and self.goals[scorer] >= int(
            self.options["goals_to_win"]
        ):
            self.finish("goals")
        elif not self.finished_by_turns():
            self.begin_setup(1 - scorer)

    def finished_by_turns(self) -> bool:
        """End the match, or begin sudden death, when both have taken all their turns."""
        if self.sudden:
            last, reason = self.options["sudden_cap"], "draw"
        elif self.options["turn_limit"]:
            last, reason = self.options["turn_limit"], "turn_limit"
        else:
            last, reason = self.options["turn_cap"], "turn_cap"
        alone = not self.sudden and max(self.turns) >= 2 * int(last)
        if min(self.turns) < int(last) and not alone:
            return False
        if self.sudden or self.goals[0] != self.goals[1]:
            self.finish(reason)
        else:
            self.stage, self.sudden, self.turns = "toss", True, [0, 0]
            self.board, self.ball, self.pick, self.seen = {}, CENTRE, None, set()
        return True

    def finish(self, reason: str) -> None:
        self.stage, self.reason, self.pick = "over", reason, None

    # --- text -------------------------------------------------------------------------------

    def board_text(self) -> str:
        ranks = []
        for row in range(10, -1, -1):
            rank, empty = "", 0
            for column in range(9):
                sign = self.sign((column, row))
                if sign:
                    rank += (str(empty) if empty else "") + sign
                    empty = 0
                else:
                    empty += 1
            ranks.append(rank + (str(empty) if empty else ""))
        return "/".join(ranks)

    def sign(self, cell: Cell) -> str:
        if cell == self.ball:
            return "o"
        socker = self.board.get(cell)
        if socker is None:
            return ""
        return "sn"[socker.side] if socker.lying else "SN"[socker.side]
