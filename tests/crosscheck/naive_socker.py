"""A second, naive Socker, for the cross-check.

Written from section 2 of docs/rules/RULINGS.md and from docs/notation/socker.md alone, by an author
who has not read the kernel: where the two disagree, one of them has misread the rulings. Numbers
such as 2.6 are rulings. It is meant to be read beside them: plain sets of cells, every rule asked
anew whenever it matters, and real searching where a ruling says "reachable".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from services.engine.core import OptionValue
from tests.crosscheck.naive_socker_pitch import (
    BOARD,
    CENTRE,
    EDGE,
    INNER,
    MIDDLE_COLUMN,
    MOST_ON_EDGE,
    NEIGHBOURS,
    Cell,
    Pitch,
    cell_name,
    distance,
    in_goal_row,
    in_side_column,
    straight_on,
)

SEATS = ("south", "north")

NO_END = 99
"""Stands for the edge count of an end that cannot be reached; no limit of a turn is as high."""


@dataclass(frozen=True, slots=True)
class Act:
    """A move, kick or sock, or the pick of a cell (which has no `start`)."""

    sign: str
    start: Cell | None
    target: Cell

    def text(self) -> str:
        return f"{cell_name(self.start) if self.start else ''}{self.sign}{cell_name(self.target)}"


@dataclass(frozen=True, slots=True)
class Point:
    """A point within a turn: what is on the pitch, the actions used, the column-e cell of a pick.

    With a goal on the pitch the turn is over.
    """

    pitch: Pitch
    used: int = 0
    pick: Cell | None = None


@dataclass(slots=True)
class Turn:
    """One turn of a seat: everything about it that does not change, and what is asked at a point.

    `limit` is its edge limit (2.6), NO_END when there is none.
    """

    mover: int
    allowed: int
    into_goal: bool
    limit: int = MOST_ON_EDGE
    _smallest: dict[Point, int] = field(default_factory=dict)
    _allowed_points: dict[Point, bool] = field(default_factory=dict)

    def chooser(self, point: Point) -> int:
        """Who decides at this point: the mover, or the owner of the socker on column e (2.8)."""
        if point.pick is None:
            return self.mover
        owner = point.pitch.owner(point.pick)
        assert owner is not None
        return owner

    def acts(self, point: Point) -> list[Act]:
        """All that 2.4 and 2.8 let the chooser do here, before 2.6 is asked; not yet in order."""
        if point.pick is not None:
            return [Act("=", None, cell) for cell in self._cells_to_pick(point.pitch, point.pick)]
        if point.used == self.allowed:
            return []
        pitch, found = point.pitch, []
        for start in pitch.sockers[self.mover] - pitch.lying:
            for target in NEIGHBOURS[start]:
                behind = straight_on(start, target)
                if pitch.is_free(target):
                    found.append(Act("-", start, target))
                elif target == pitch.ball and pitch.is_free(behind):
                    found.append(Act("*", start, target))
                elif target in pitch.sockers[1 - self.mover] and pitch.is_free(behind):
                    found.append(Act("x", start, target))
        return found

    def _cells_to_pick(self, pitch: Pitch, middle: Cell) -> list[Cell]:
        """2.8: empty neighbours of the column-e cell, else the nearest free cells of the field."""
        near = [
            cell
            for cell in NEIGHBOURS[middle]
            if pitch.is_free(cell)
            and not in_side_column(cell)
            and (self.into_goal or not in_goal_row(cell))
        ]
        if near:
            return near
        free = [cell for cell in INNER if pitch.is_free(cell)]
        smallest = min(distance(cell, middle) for cell in free)
        return [cell for cell in free if distance(cell, middle) == smallest]

    def after(self, point: Point, act: Act) -> Point:
        """The point that an act leads to."""
        pitch, used = point.pitch, point.used + 1
        if act.start is None:
            return Point(replace(pitch, ball=act.target), point.used)
        if act.sign == "-":
            return Point(pitch.with_moved(self.mover, act.start, act.target), used)
        behind = straight_on(act.start, act.target)
        if act.sign == "x":
            pushed = pitch.with_moved(1 - self.mover, act.target, behind)
            return Point(replace(pushed, lying=pushed.lying | {behind}), used)
        if in_goal_row(behind) or not in_side_column(behind):
            return Point(replace(pitch, ball=behind), used)
        middle = (behind[0], MIDDLE_COLUMN)
        if pitch.owner(middle) is None:
            return Point(replace(pitch, ball=middle), used)
        return Point(replace(pitch, ball=None), used, pick=middle)

    def find_limit(self, start: Point) -> None:
        """2.6, "computed at the start of the turn with all its actions"."""
        self.limit = self._smallest_count(start) if self.acts(start) else MOST_ON_EDGE

    def _smallest_count(self, point: Point) -> int:
        """The smallest edge count the mover can be sure of at an end without a goal.

        Counts below three are as good as three, so that the search may stop there.
        """
        if point not in self._smallest:
            self._smallest[point] = self._search_smallest_count(point)
        return self._smallest[point]

    def _search_smallest_count(self, point: Point) -> int:
        if point.pitch.is_goal():
            return NO_END
        if self.chooser(point) != self.mover:
            return max(self._smallest_count(self.after(point, act)) for act in self.acts(point))
        smallest = NO_END
        if self._may_end(point, limit=NO_END):
            smallest = max(MOST_ON_EDGE, point.pitch.edge_count(self.mover))
        for act in self.acts(point):
            if smallest == MOST_ON_EDGE:
                break
            smallest = min(smallest, self._smallest_count(self.after(point, act)))
        return smallest

    def _may_end(self, point: Point, limit: int) -> bool:
        """2.3: after at least one action; with a pick open the action is not finished."""
        finished = point.used > 0 and point.pick is None
        return finished and point.pitch.edge_count(self.mover) <= limit

    def _is_allowed(self, point: Point) -> bool:
        """2.6: whether an act may lead here: some continuation gets to an end or to a goal."""
        if point not in self._allowed_points:
            self._allowed_points[point] = self._search_continuation(point)
        return self._allowed_points[point]

    def _search_continuation(self, point: Point) -> bool:
        if self.limit == NO_END or point.pitch.is_goal() or self._may_end(point, self.limit):
            return True
        onward = (self._is_allowed(self.after(point, act)) for act in self.acts(point))
        return any(onward) if self.chooser(point) == self.mover else all(onward)

    def legal(self, point: Point) -> list[str]:
        """In the order of the notation."""
        acts = self.acts(point)
        acts.sort(key=lambda act: ("-*x=".index(act.sign), act.start or CENTRE, act.target))
        if self.chooser(point) != self.mover:
            return [act.text() for act in acts]  # 2.6: the kick had to be legal with any of them
        legal = [act.text() for act in acts if self._is_allowed(self.after(point, act))]
        if self._may_end(point, self.limit):
            legal.append("end")
        if point.used == 0 and not acts:
            legal.append("pass")
        return legal


class NaiveSocker:
    """A match, changed in place.

    `stage` is `toss`, `setup`, `turn` or `over`; `first` places first and moves first.
    """

    def __init__(self, options: Mapping[str, OptionValue], seats: int) -> None:
        assert seats == len(SEATS)
        self._goals_to_win = int(options["goals_to_win"])
        self._turn_limit = int(options["turn_limit"])
        self._turn_cap = int(options["turn_cap"])
        self._sudden_cap = int(options["sudden_cap"])
        self._into_goal = bool(options["recentre_into_goal"])
        self._ignores_mover = bool(options["repetition_ignores_mover"])
        self._goals = [0, 0]
        self._turns = [0, 0]
        self._sudden = False
        self._stage = "toss"
        self._reason = ""
        self._first = 0
        self._seen: set[str] = set()
        self._point = Point(Pitch())
        self._turn = Turn(0, 0, self._into_goal)

    def actor(self) -> int | None:
        """The seat to act, -1 for chance, None at the end."""
        if self._stage == "toss":
            return -1
        if self._stage == "setup":
            return 1 - self._first if self._has_placed_all(self._first) else self._first
        if self._stage == "turn":
            return self._turn.chooser(self._point)
        return None

    def legal(self) -> list[str]:
        """Notation of all legal actions, in the order of the notation's table."""
        if self._stage == "toss":
            return ["toss:south", "toss:north"]
        if self._stage == "setup":
            return [f"@{cell_name(cell)}" for cell in self._cells_to_place()]
        return self._turn.legal(self._point) if self._stage == "turn" else []

    def weights(self) -> list[int]:
        """While chance acts, how often each of the legal outcomes comes up, in their order."""
        return [1, 1] if self._stage == "toss" else []

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        """(reason, winners, scores) at the end."""
        if self._stage != "over":
            return None
        winners = tuple(seat for seat in (0, 1) if self._goals[seat] > self._goals[1 - seat])
        return self._reason, winners, tuple(self._goals)

    def text(self) -> str:
        """The body of the position, canonical."""
        words = [self._point.pitch.text(), self._stage_text()]
        if self._goals != [0, 0]:
            words.append(f"goals={self._goals[0]}-{self._goals[1]}")
        if self._turns != [0, 0]:
            words.append(f"turns={self._turns[0]}-{self._turns[1]}")
        if self._sudden:
            words.append("sudden")
        if self._stage == "turn":
            words += self._turn_words()
        return " ".join(words)

    def _stage_text(self) -> str:
        if self._stage == "setup":
            return f"setup:{SEATS[self._first]}"
        if self._stage == "turn":
            return f"{SEATS[self._turn.mover]}:{self._point.used}/{self._turn.allowed}"
        return f"over:{self._reason}" if self._stage == "over" else self._stage

    def _turn_words(self) -> list[str]:
        words = []
        if self._turn.limit != MOST_ON_EDGE:
            words.append(f"edge={'none' if self._turn.limit == NO_END else self._turn.limit}")
        if self._point.pick is not None:
            words.append(f"pick={cell_name(self._point.pick)}")
        seen = set(self._seen)
        if self._point.used == 0:
            seen.remove(self._repetition_key())
        if seen:
            words.append(f"seen={','.join(sorted(seen))}")
        return words

    def apply(self, text: str) -> None:
        """Carry out a legal action."""
        if self._stage == "toss":
            self._start_setup(SEATS.index(text.removeprefix("toss:")))
        elif self._stage == "setup":
            self._place(next(cell for cell in BOARD if text == f"@{cell_name(cell)}"))
        elif text in ("end", "pass"):
            self._end_turn()
        else:
            acts = self._turn.acts(self._point)
            act = next(act for act in acts if act.text() == text)
            self._point = self._turn.after(self._point, act)
            if self._point.pitch.is_goal():
                self._score()
            elif self._point.pick is None and self._point.used == self._turn.allowed:
                self._end_turn()

    def _start_setup(self, first: int) -> None:
        self._stage, self._first = "setup", first
        self._point = Point(Pitch())
        self._seen.clear()

    def _has_placed_all(self, seat: int) -> bool:
        """2.2: five sockers each; 2.10: two in sudden death."""
        return len(self._point.pitch.sockers[seat]) == (2 if self._sudden else 5)

    def _cells_to_place(self) -> list[Cell]:
        """2.2."""
        seat, pitch = self.actor(), self._point.pitch
        assert seat is not None
        half = range(1, 6) if seat == 0 else range(7, 12)
        return [
            cell
            for cell in BOARD
            if cell[0] in half
            and pitch.is_free(cell)
            and distance(cell, CENTRE) > 1
            and not (cell in EDGE and pitch.edge_count(seat) == MOST_ON_EDGE)
        ]

    def _place(self, cell: Cell) -> None:
        seat = self.actor()
        assert seat is not None
        self._point = Point(self._point.pitch.with_moved(seat, None, cell))
        if self._has_placed_all(0) and self._has_placed_all(1):
            self._start_turn(self._first)

    def _start_turn(self, mover: int) -> None:
        self._stage = "turn"
        self._turn = Turn(mover, 3, self._into_goal)
        key = self._repetition_key()
        if key in self._seen:
            self._turn.allowed = 4  # 2.9
        self._seen.add(key)
        self._turn.find_limit(self._point)

    def _repetition_key(self) -> str:
        """2.9: what has to be the same at two starts of turns."""
        mover = "" if self._ignores_mover else f"{'SN'[self._turn.mover]}:"
        return mover + self._point.pitch.text()

    def _end_turn(self) -> None:
        mover = self._turn.mover
        self._point = Point(self._point.pitch.stood_up(mover))
        self._turns[mover] += 1
        if not self._is_stopped_by_turns():
            self._start_turn(1 - mover)

    def _score(self) -> None:
        """2.7: the point goes to whose far row it is; the turn counts, 2.10."""
        ball = self._point.pitch.ball
        assert ball is not None
        scorer = 0 if ball[0] == 11 else 1
        self._goals[scorer] += 1
        self._turns[self._turn.mover] += 1
        if self._sudden:
            self._finish("sudden_death")
        elif not self._turn_limit and self._goals[scorer] == self._goals_to_win:
            self._finish("goals")
        elif not self._is_stopped_by_turns():
            self._start_setup(1 - scorer)

    def _is_stopped_by_turns(self) -> bool:
        """2.10: end the match or go over to sudden death, if the turns taken are so many."""
        fewer, more = sorted(self._turns)
        if self._sudden:
            if fewer >= self._sudden_cap:
                self._finish("draw")
            return fewer >= self._sudden_cap
        most = self._turn_limit or self._turn_cap
        if fewer < most and more < 2 * most:
            return False
        if self._goals[0] != self._goals[1]:
            self._finish("turn_limit" if self._turn_limit else "turn_cap")
        else:
            self._sudden, self._turns, self._stage = True, [0, 0], "toss"
            self._point = Point(Pitch())
        return True

    def _finish(self, reason: str) -> None:
        self._stage, self._reason = "over", reason
