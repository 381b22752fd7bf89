"""Socker positions that random play from the toss hardly ever comes to, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from tests.crosscheck.naive_socker import NO_END, NaiveSocker, Point, Turn
from tests.crosscheck.naive_socker_pitch import (
    BOARD,
    EDGE,
    INNER,
    MIDDLE_COLUMN,
    MOST_ON_EDGE,
    NEIGHBOURS,
    ON_BOARD,
    Cell,
    Pitch,
    distance,
)

CASES = frozenset(
    (
        *("goal", "own goal", "goal by a pick", "setup after a goal"),
        *("ball re-centred", "pick by the mover", "pick by the opponent", "pick from afar"),
        "act held back by the edge limit",
        *("edge limit 4", "edge limit 5", "no edge limit", "pass", "fourth action"),
        *("sudden death begins", "one side took twice the turns"),
        *("over goals", "over turn_limit", "over turn_cap", "over sudden_death", "over draw"),
    )
)
"""What `RareSocker.reach` can name."""

_EDGE, _INNER = sorted(EDGE), sorted(INNER)


@dataclass
class _Sketch:
    """A pitch at the start of the mover's turn, being filled; each seat has up to `each`."""

    rng: Random
    each: int
    mover: int
    ball: Cell
    sockers: tuple[set[Cell], set[Cell]] = field(default_factory=lambda: (set(), set()))

    def put(self, seat: int, cell: Cell) -> bool:
        """Place a socker if the cell is free and the seat has one left."""
        taken = cell == self.ball or cell in self.sockers[0] | self.sockers[1]
        if taken or cell not in ON_BOARD or len(self.sockers[seat]) == self.each:
            return False
        self.sockers[seat].add(cell)
        return True

    def put_some(self, seat: int, most: int, cells: list[Cell]) -> None:
        """Place up to `most` on some of these cells."""
        for cell in self.rng.sample(cells, len(cells)):
            if most == 0:
                return
            most -= self.put(seat, cell)

    def pitch(self, share_lying: float, up: frozenset[Cell] = frozenset()) -> Pitch:
        """The mover's sockers lie by chance, but for those that are to stay `up`."""
        own = sorted(self.sockers[self.mover] - up)
        lying = frozenset(cell for cell in own if self.rng.random() < share_lying)
        south, north = self.sockers
        return Pitch((frozenset(south), frozenset(north)), lying, self.ball)


def _anywhere(rng: Random, each: int, mover: int) -> Pitch:
    sketch = _Sketch(rng, each, mover, rng.choice(_INNER))
    sketch.put_some(mover, 1, list(NEIGHBOURS[sketch.ball]))
    for seat in (mover, 1 - mover):
        sketch.put_some(seat, rng.randint(0, 3), _EDGE)
        sketch.put_some(seat, rng.randint(0, 3), list(BOARD))
    return sketch.pitch(rng.choice([0.0, 0.3, 0.7, 1.0]))


def _before_a_goal(rng: Random, each: int, mover: int) -> Pitch:
    """The ball a kick or two from either goal row, the mover behind it."""
    row = rng.choice([2, 3, 9, 10])
    sketch = _Sketch(rng, each, mover, (row, rng.randint(2, 8)))
    behind = row + (1 if row < MIDDLE_COLUMN else -1)
    sketch.put(mover, (behind, sketch.ball[1] + rng.choice([-1, 0, 0, 1])))
    for seat in (mover, 1 - mover):
        sketch.put_some(seat, rng.randint(0, each), rng.choice([_EDGE, list(BOARD)]))
    return sketch.pitch(rng.choice([0.0, 0.5]))


def _before_a_pick(rng: Random, each: int, mover: int) -> Pitch:
    """The ball beside a side column, the mover behind it, a crowd about column e of the row."""
    row = rng.choice([2, 2, 3, 5, 6, 9, 10, 10])
    inwards = rng.choice([1, -1])
    sketch = _Sketch(rng, each, mover, (row, 2 if inwards == 1 else 8))
    start = (row + rng.choice([-1, 0, 0, 1]), sketch.ball[1] + inwards)
    sketch.put(mover, start)
    middle = (row, MIDDLE_COLUMN)
    sketch.put(rng.randrange(2), middle)
    crowd = rng.sample(NEIGHBOURS[middle], len(NEIGHBOURS[middle]))
    for cell in crowd[rng.choice([0, 0, 1, 2, 8]) :]:
        seat = rng.randrange(2)
        if not sketch.put(seat, cell):
            sketch.put(1 - seat, cell)
    sketch.put_some(mover, rng.randint(0, each), _EDGE)
    return sketch.pitch(rng.choice([0.0, 0.7]), frozenset([start]))


def _over_the_edge_limit(rng: Random, each: int, mover: int) -> Pitch:
    """The mover on the edge with all but one down, hemmed in, the ball at hand."""
    start = rng.choice(_EDGE if rng.random() < 0.7 else list(BOARD))
    near = list(NEIGHBOURS[start])
    balls = [cell for cell in near if cell in INNER]
    sketch = _Sketch(rng, each, mover, rng.choice(balls or _INNER))
    sketch.put(mover, start)
    sketch.put_some(mover, rng.randint(0, 3), near)
    sketch.put_some(mover, each, _EDGE)
    sketch.put_some(1 - mover, rng.randint(0, 4), near)
    sketch.put_some(1 - mover, rng.randint(0, 2), list(BOARD))
    return sketch.pitch(rng.choice([0.9, 1.0]), frozenset([start]))


def _kick_into_a_goal_alone(rng: Random, each: int, mover: int) -> Pitch:
    """2.6: "if every line ends in a goal": the one who stands is hemmed in but for that kick."""
    column, inwards = rng.choice([(1, 1), (9, -1)])
    row, back = rng.choice([(3, 1), (9, -1)])
    start: Cell = (row, column)
    sketch = _Sketch(rng, each, mover, (row - back, column + inwards))
    sketch.put(mover, start)
    for cell in NEIGHBOURS[start]:
        sketch.put(mover, cell)
    sketch.put_some(1 - mover, rng.randint(0, 5), list(BOARD))
    return sketch.pitch(1.0, frozenset([start]))


def _stuck_in_a_corner(rng: Random, each: int, mover: int) -> Pitch:
    """All of the mover's on the edge, the one in the corner hemmed in but for socks along it."""
    corner = rng.choice([(1, 1), (1, 9), (11, 1), (11, 9)])
    across = rng.random() < 0.5

    def cell(along: int, inwards: int) -> Cell:
        rows, columns = (along, inwards) if across else (inwards, along)
        return abs(corner[0] - 1 - rows) + 1, abs(corner[1] - 1 - columns) + 1

    behind = cell(2, 2)
    ball = behind if rng.random() < 0.5 else rng.choice(_INNER)
    sketch = _Sketch(rng, each, mover, ball)
    sketch.put(mover, corner)
    sketch.put(mover, cell(0, 1))
    for along, inwards in ((1, 0), (1, 1), (2, 1), (2, 2)):
        sketch.put(1 - mover, cell(along, inwards))
    sketch.put_some(mover, each, _EDGE)
    return sketch.pitch(1.0, frozenset([corner]))


_SCENES = (_anywhere, _before_a_goal, _before_a_pick, _before_a_pick)
_SCENES_ON_EDGE = (_over_the_edge_limit, _kick_into_a_goal_alone, _stuck_in_a_corner)


class RareSocker(NaiveSocker):
    """The naive game, begun from rare positions and watched for rare cases."""

    def begin_rare(self, rng: Random) -> None:
        """Put the start of some turn, or of one that began with a kick, in place of the toss."""
        self._sudden = rng.random() < 0.15
        self._goals, self._turns = self._draw_goals(rng), self._draw_turns(rng)
        mover, each = rng.randrange(2), 2 if self._sudden else 5
        scene = rng.choice(_SCENES if rng.random() < 0.7 else _SCENES_ON_EDGE)
        self._first = rng.randrange(2)
        self._point = Point(scene(rng, each, mover))
        self._turn.mover = mover
        if rng.random() < 0.3:
            self._seen.add(self._repetition_key())
        self._start_turn(mover)
        kicks = [text for text in self.legal() if "*" in text]
        if kicks and rng.random() < 0.5:
            self.apply(rng.choice(kicks))

    def _draw_goals(self, rng: Random) -> list[int]:
        most = 3 if self._turn_limit else self._goals_to_win - 1
        south = rng.randint(0, most)
        return [south, south if self._sudden else rng.randint(0, most)]

    def _draw_turns(self, rng: Random) -> list[int]:
        """Often the last ones before a limit."""
        if self._sudden:
            last = self._sudden_cap - 1
            return [rng.choice([last, rng.randint(0, last)]) for _ in range(2)]
        last = (self._turn_limit or self._turn_cap) - 1
        turns = [rng.choice([last, rng.randint(0, last)]), rng.choice([last, 2 * last + 1])]
        return rng.sample(turns, 2)

    def towards_the_ball(self) -> list[str]:
        """Kicks and picks, else moves nearer to the ball: goals need many of them in a row."""
        if self._stage != "turn":
            return []
        ball, acts = self._point.pitch.ball, self._turn.acts(self._point)
        if ball is None:
            return [act.text() for act in acts]
        kicks = [act.text() for act in acts if act.sign == "*"]
        nearer = [
            act.text()
            for act in acts
            if act.sign == "-" and act.start
            if distance(act.target, ball) < distance(act.start, ball)
        ]
        return kicks or nearer

    def reach(self, text: str, legal: list[str]) -> list[str]:
        """Carry out one of the legal actions; returns the names of the rare cases that it met."""
        turn, point, goals = self._turn, self._point, list(self._goals)
        in_turn, turns = self._stage == "turn", list(self._turns)
        self.apply(text)
        if not in_turn:
            return []
        found = [*self._cases_of_turn(turn, point, text, legal)]
        if self._goals != goals:
            scorer = 0 if self._goals[0] > goals[0] else 1
            found.append("goal")
            found += ["own goal"] if scorer != turn.mover else []
            found += ["goal by a pick"] if text.startswith("=") else []
            found += ["setup after a goal"] if self._stage == "setup" else []
        if self._stage in ("toss", "over"):
            found.append(f"over {self._reason}" if self._reason else "sudden death begins")
            most = self._turn_limit or self._turn_cap
            if self._reason not in ("goals", "sudden_death", "draw"):
                turns[turn.mover] += 1
                found += ["one side took twice the turns"] if min(turns) < most else []
        return found

    def _cases_of_turn(
        self, turn: Turn, point: Point, text: str, legal: list[str]
    ) -> Iterator[str]:
        acts = turn.acts(point)
        allowed = len(legal) - ("end" in legal) - ("pass" in legal)
        if text == "pass":
            yield "pass"
        if point.pick is not None:
            by_mover = turn.chooser(point) == turn.mover
            yield "pick by the mover" if by_mover else "pick by the opponent"
            if all(distance(act.target, point.pick) > 1 for act in acts):
                yield "pick from afar"
            return
        if allowed < len(acts):
            yield "act held back by the edge limit"
        if point.used == 0 and turn.limit != MOST_ON_EDGE:
            yield "no edge limit" if turn.limit == NO_END else f"edge limit {turn.limit}"
        if point.used == 3 and text != "end":
            yield "fourth action"
        kicks = [act for act in acts if act.text() == text and act.sign == "*"]
        balls = [(kick.target, turn.after(point, kick).pitch.ball) for kick in kicks]
        if any(after and distance(before, after) > 1 for before, after in balls):
            yield "ball re-centred"
