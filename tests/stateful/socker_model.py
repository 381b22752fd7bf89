"""A match of Socker as a table of pieces: a plain second telling of what actions do.

It is told which actions happen and says how the table looks then; which actions are legal is not
its business.
"""

from __future__ import annotations

from dataclasses import dataclass, field

COLUMNS = "abcdefghi"
SEATS = ("south", "north")

Start = tuple[str, tuple[tuple[str, str], ...]]


def split(cell: str) -> tuple[int, int]:
    return COLUMNS.index(cell[0]), int(cell[1:])


def beyond(first: str, second: str) -> str:
    """The cell that lies directly behind `second`, seen from `first`."""
    (x1, y1), (x2, y2) = split(first), split(second)
    return f"{COLUMNS[2 * x2 - x1]}{2 * y2 - y1}"


def in_goal_row(cell: str) -> bool:
    return cell[1:] in ("1", "11")


def on_edge(cell: str) -> bool:
    return in_goal_row(cell) or cell[0] in "ai"


@dataclass
class Table:
    """What lies where, and whose turn it is. `signs` are those of the notation."""

    goals_to_win: int
    turn_cap: int
    sudden_cap: int
    signs: dict[str, str] = field(default_factory=lambda: {"e6": "o"})
    stage: str = "toss"
    seat: str = ""
    used: int = 0
    allowed: int = 0
    pick: str = ""
    goals: dict[str, int] = field(default_factory=lambda: {"south": 0, "north": 0})
    turns: dict[str, int] = field(default_factory=lambda: {"south": 0, "north": 0})
    sudden: bool = False
    seen: set[Start] = field(default_factory=set)

    def act(self, text: str) -> None:
        """Let an action happen."""
        if text.startswith("toss:"):
            self.lay_out(text[5:])
        elif text.startswith("@"):
            self.place(text[1:])
        elif text == "pass" or text == "end":
            self.end_turn()
        elif text.startswith("="):
            self.stage, self.pick = "turn", ""
            self.ball_to(text[1:])
            self.maybe_end()
        else:
            self.used += 1
            sign = next(sign for sign in "-*x" if sign in text)
            first, second = text.split(sign)
            if sign == "-":
                self.signs[second] = self.signs.pop(first)
            elif sign == "x":
                self.signs[beyond(first, second)] = self.signs.pop(second).lower()
            else:
                del self.signs[second]
                self.kicked(beyond(first, second))
            self.maybe_end()

    def lay_out(self, first: str) -> None:
        self.signs, self.stage, self.seat, self.seen = {"e6": "o"}, "setup", first, set()
        self.used = self.allowed = 0

    def count(self, seat: str) -> int:
        return sum(sign.upper() == seat[0].upper() for sign in self.signs.values())

    def place(self, cell: str) -> None:
        each = 2 if self.sudden else 5
        other = SEATS[1 - SEATS.index(self.seat)]
        placing = self.seat if self.count(self.seat) < each else other
        self.signs[cell] = placing[0].upper()
        if self.count("south") == self.count("north") == each:
            self.start_turn(self.seat)

    def kicked(self, cell: str) -> None:
        if cell[0] in "ai" and not in_goal_row(cell):
            middle = f"e{cell[1:]}"
            if middle in self.signs:
                self.stage, self.pick = "pick", middle
                return
            cell = middle
        self.ball_to(cell)

    def ball_to(self, cell: str) -> None:
        self.signs[cell] = "o"
        if not in_goal_row(cell):
            return
        scorer = "south" if cell.endswith("11") else "north"
        self.goals[scorer] += 1
        self.turns[self.seat] += 1
        if self.sudden:
            self.stage = "over:sudden_death"
        elif self.goals[scorer] == self.goals_to_win:
            self.stage = "over:goals"
        elif not self.cap_reached():
            self.lay_out(SEATS[1 - SEATS.index(scorer)])

    def maybe_end(self) -> None:
        if self.stage == "turn" and self.used == self.allowed:
            self.end_turn()

    def end_turn(self) -> None:
        own = self.seat[0]
        for cell, sign in self.signs.items():
            if sign == own:
                self.signs[cell] = sign.upper()
        self.turns[self.seat] += 1
        if not self.cap_reached():
            self.start_turn(SEATS[1 - SEATS.index(self.seat)])

    def cap_reached(self) -> bool:
        cap = self.sudden_cap if self.sudden else self.turn_cap
        if min(self.turns.values()) < cap:
            return False
        if self.sudden:
            self.stage = "over:draw"
        elif self.goals["south"] != self.goals["north"]:
            self.stage = "over:turn_cap"
        else:
            self.lay_out("")
            self.stage, self.sudden = "toss", True
            self.turns = {"south": 0, "north": 0}
        return True

    def start_turn(self, seat: str) -> None:
        self.stage, self.seat, self.used = "turn", seat, 0
        start = (seat, tuple(sorted(self.signs.items())))
        self.allowed = 4 if start in self.seen else 3
        self.seen.add(start)

    def body(self) -> str:
        """The position as notation has it, without the edge limit and the starts seen."""
        ranks = []
        for row in range(11, 0, -1):
            rank = "".join(self.signs.get(f"{column}{row}", " ") for column in COLUMNS)
            for length in range(9, 0, -1):
                rank = rank.replace(" " * length, str(length))
            ranks.append(rank)
        stage = self.stage
        if stage == "setup":
            stage = f"setup:{self.seat}"
        elif stage in ("turn", "pick"):
            stage = f"{self.seat}:{self.used}/{self.allowed}"
        words = ["/".join(ranks), stage]
        for name, value in (("goals", self.goals), ("turns", self.turns)):
            if any(value.values()):
                words.append(f"{name}={value['south']}-{value['north']}")
        words += ["sudden"] * self.sudden + [f"pick={self.pick}"] * bool(self.pick)
        return " ".join(words)
