"""The body of Socker's positions, read and written as docs/notation/socker.md says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from services.engine.core import InvalidNotation
from services.engine.core.notation import cell_name, read_cell, read_int
from services.engine.games.socker.actions import SEATS, Cell, to_cell, to_number
from services.engine.games.socker.board import (
    Start,
    check_ball,
    read_board,
    read_start,
    start_of,
    write_board,
    write_start,
)
from services.engine.games.socker.layout import (
    CENTRE,
    CENTRE_COLUMN,
    COLUMNS,
    EDGE_LIMIT,
    IS_EDGE,
    REASONS,
    ROWS,
)
from services.engine.games.socker.view import Information, Observation, Settings, Socker

_MOST: Final = 999_999_999


# --- writing ----------------------------------------------------------------------------------


def write_observation(seen: Observation) -> str:
    """The body without `seen=`."""
    words = [write_board(seen.sockers, seen.ball), _write_stage(seen)]
    if seen.goals != (0, 0):
        words.append(f"goals={seen.goals[0]}-{seen.goals[1]}")
    if seen.turns != (0, 0):
        words.append(f"turns={seen.turns[0]}-{seen.turns[1]}")
    if seen.sudden:
        words.append("sudden")
    if seen.edge_limit != EDGE_LIMIT:
        words.append(f"edge={'none' if seen.edge_limit is None else seen.edge_limit}")
    if seen.pick is not None:
        words.append(f"pick={cell_name(*seen.pick)}")
    return " ".join(words)


def write_information(information: Information) -> str:
    """The whole body."""
    seen = information.observation
    body = write_observation(seen)
    with_mover = not seen.settings.repetition_ignores_mover
    own = _own_start(seen)
    starts = sorted(write_start(start, with_mover) for start in information.seen if start != own)
    return f"{body} seen={','.join(starts)}" if starts else body


def _write_stage(seen: Observation) -> str:
    if seen.mover is None:
        return "toss" if seen.reason is None else f"over:{seen.reason}"
    name = SEATS[seen.mover]
    return f"setup:{name}" if seen.stage == "setup" else f"{name}:{seen.used}/{seen.allowed}"


def _own_start(seen: Observation) -> Start | None:
    """The start of this turn, where the position is one."""
    if seen.stage != "turn" or seen.used > 0 or seen.ball is None:
        return None
    counts = not seen.settings.repetition_ignores_mover
    return start_of(seen.sockers, seen.ball, seen.mover if counts else None)


# --- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Reader:
    """The words of one body, read against the rules."""

    text: str
    board: str
    stage: str
    parts: dict[str, str]
    settings: Settings

    def fail(self, problem: str, part: str) -> InvalidNotation:
        return InvalidNotation(problem, part=part, text=self.text)

    def part(self, name: str) -> str:
        """How the part stands in the text."""
        return f"{name}={self.parts[name]}" if name in self.parts else self.stage

    def pair(self, name: str) -> tuple[int, int]:
        if name not in self.parts:
            return 0, 0
        south, dash, north = self.parts[name].partition("-")
        if not dash:
            raise self.fail("expected South's number, '-' and North's", self.part(name))
        return self._number(south, name), self._number(north, name)

    def _number(self, word: str, name: str) -> int:
        number = read_int(word, 0, _MOST, what=name, text=self.text)
        if word != str(number):
            raise self.fail("leading zeros", self.part(name))
        return number


_PARTS: Final = ("goals", "turns", "sudden", "edge", "pick", "seen")


def read_body(body: str, settings: Settings, *, text: str) -> Information:
    """What a body says, in the form and by the rules; raises `InvalidNotation`.

    One thing is left to `ruleset`, which has the kernel: whether the edge limit is right.
    An `edge_limit` of 0 says that it has to be worked out.
    """
    words = body.split()
    if len(words) < 2:
        raise InvalidNotation("expected a board and a stage", part=body, text=text)
    parts: dict[str, str] = {}
    left = list(_PARTS)
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if name not in left or (name == "sudden") == bool(equals):
            raise InvalidNotation("unknown, repeated or misplaced part", part=word, text=text)
        if equals and not value:
            raise InvalidNotation("nothing after '='", part=word, text=text)
        parts[name] = value
        left = left[left.index(name) + 1 :]
    reader = _Reader(text, words[0], words[1], parts, settings)
    sudden = "sudden" in parts
    sockers, ball = read_board(words[0], 2 if sudden else 5, text=text)
    blank = Observation(
        settings=settings,
        stage="toss",
        sockers=sockers,
        ball=ball,
        mover=None,
        used=0,
        allowed=0,
        edge_limit=EDGE_LIMIT,
        pick=None,
        goals=reader.pair("goals"),
        turns=reader.pair("turns"),
        sudden=sudden,
        reason=None,
    )
    return _read_stage(reader, blank)


def _read_stage(reader: _Reader, blank: Observation) -> Information:
    kind, colon, rest = reader.stage.partition(":")
    if kind in SEATS and colon:
        seen = _read_turn(reader, blank, SEATS.index(kind), rest)
        _check_going_on(reader, seen)
        return Information(seen, _read_seen(reader, seen))
    for name in ("edge", "pick", "seen"):
        if name in reader.parts:
            raise reader.fail(f"{name} belongs to a turn", reader.part(name))
    if reader.stage == "toss":
        seen = blank
        if blank.sockers or blank.ball != to_cell(CENTRE):
            raise reader.fail("before the toss there is only the ball on e6", reader.board)
        if blank.turns != (0, 0):
            raise reader.fail("turns count from the toss", reader.part("turns"))
    elif kind == "setup" and rest in SEATS:
        seen = _read_setup(reader, blank, SEATS.index(rest))
    elif kind == "over" and rest in REASONS:
        seen = replace(blank, stage="over", reason=rest)
        _check_over(reader, seen)
        return Information(seen, ())
    else:
        raise reader.fail("no such stage", reader.stage)
    _check_going_on(reader, seen)
    return Information(seen, ())


def _read_setup(reader: _Reader, blank: Observation, first: int) -> Observation:
    """RULINGS 2.2."""
    if blank.ball != to_cell(CENTRE):
        raise reader.fail("in a setup the ball is on e6", reader.board)
    counts = [0, 0]
    on_edge = [0, 0]
    for socker in blank.sockers:
        column, row = socker.cell
        name = cell_name(column, row)
        depth = row if socker.seat == 0 else ROWS - 1 - row
        if socker.lying:
            raise reader.fail(f"nobody lies in a setup, but {name} does", reader.board)
        if depth > 4 or (depth == 4 and abs(column - CENTRE_COLUMN) <= 1):
            raise reader.fail(f"{name} is no cell for this seat's setup", reader.board)
        counts[socker.seat] += 1
        on_edge[socker.seat] += IS_EDGE[to_number(socker.cell)]
    if max(on_edge) > EDGE_LIMIT:
        raise reader.fail(f"more than {EDGE_LIMIT} of a seat on the edge", reader.board)
    each = blank.sockers_each
    if counts[1 - first] > 0 and counts[first] < each:
        raise reader.fail(f"{SEATS[first]} places all its sockers first", reader.board)
    if counts[1 - first] == each:
        raise reader.fail("the setup is complete", reader.stage)
    return replace(blank, stage="setup", mover=first)


_PROGRESS: Final = re.compile(r"([0-4])/([34])")


def _read_turn(reader: _Reader, blank: Observation, mover: int, progress: str) -> Observation:
    found = _PROGRESS.fullmatch(progress)
    if found is None:
        raise reader.fail("expected actions used '/' 3 or 4", reader.stage)
    used, allowed = int(found[1]), int(found[2])
    picking = "pick" in reader.parts
    if not (1 <= used <= allowed if picking else used < allowed):
        raise reader.fail("this turn can't stand at these actions", reader.stage)
    if used == 0 and any(socker.lying and socker.seat != mover for socker in blank.sockers):
        raise reader.fail(
            f"at the start of a turn the sockers of {SEATS[1 - mover]} stand", reader.board
        )
    if not picking:
        check_ball(blank.ball, board=reader.board, text=reader.text)
    return replace(
        blank,
        stage="pick" if picking else "turn",
        mover=mover,
        used=used,
        allowed=allowed,
        edge_limit=_read_edge(reader, used),
        pick=_read_pick(reader, blank.sockers, blank.ball) if picking else None,
    )


def _read_edge(reader: _Reader, used: int) -> int | None:
    edge = reader.parts.get("edge")
    if edge is None:
        return EDGE_LIMIT if used > 0 else 0
    if edge == "none":
        return None
    if edge not in ("3", "4", "5"):
        raise reader.fail("the edge limit is 3, 4, 5 or none", reader.part("edge"))
    return int(edge)


def _read_pick(reader: _Reader, sockers: tuple[Socker, ...], ball: Cell | None) -> Cell:
    """RULINGS 2.8."""
    pick = read_cell(reader.parts["pick"], COLUMNS, ROWS, text=reader.text)
    if pick[0] != CENTRE_COLUMN or not 0 < pick[1] < ROWS - 1:
        raise reader.fail("the ball is re-centred on e2 to e10", reader.part("pick"))
    if all(socker.cell != pick for socker in sockers):
        raise reader.fail("nobody stands there to pick", reader.part("pick"))
    if ball is not None:
        raise reader.fail("the ball is in hand while a pick is pending", reader.board)
    return pick


def _read_seen(reader: _Reader, seen: Observation) -> tuple[Start, ...]:
    own = _own_start(seen)
    starts = set() if own is None else {own}
    words = reader.parts["seen"].split(",") if "seen" in reader.parts else []
    if len(set(words)) < len(words):
        raise reader.fail("a start is named twice", reader.part("seen"))
    with_mover, each = not seen.settings.repetition_ignores_mover, seen.sockers_each
    for word in words:
        starts.add(read_start(word, with_mover, each, text=reader.text))
    return tuple(sorted(starts))


# --- the match (RULINGS 2.10) -----------------------------------------------------------------


def _over_by_turns(seen: Observation) -> bool:
    """Whether both have taken all their turns, or one of them twice as many."""
    if seen.sudden:
        return min(seen.turns) >= seen.settings.sudden_cap
    bound = seen.settings.turn_limit or seen.settings.turn_cap
    return min(seen.turns) >= bound or max(seen.turns) >= 2 * bound


def _check_going_on(reader: _Reader, seen: Observation) -> None:
    settings = seen.settings
    if seen.sudden and seen.goals[0] != seen.goals[1]:
        raise reader.fail("in sudden death the goals are level", reader.part("goals"))
    if not seen.sudden and not settings.turn_limit and max(seen.goals) >= settings.goals_to_win:
        raise reader.fail("the match is decided by goals", reader.part("goals"))
    if _over_by_turns(seen):
        raise reader.fail("the match is over by turns", reader.part("turns"))


def _check_over(reader: _Reader, seen: Observation) -> None:
    settings, reason = seen.settings, seen.reason
    leader, other = max(seen.goals), min(seen.goals)
    by_turns = _over_by_turns(seen)
    fits = {
        "goals": not settings.turn_limit and leader == settings.goals_to_win,
        "turn_limit": settings.turn_limit > 0 and by_turns,
        "turn_cap": not settings.turn_limit and by_turns and leader < settings.goals_to_win,
        "sudden_death": leader == other + 1,
        "draw": by_turns,
    }
    if seen.sudden != (reason in ("sudden_death", "draw")):
        raise reader.fail("this reason and sudden death contradict each other", reader.stage)
    if (leader == other) != (reason == "draw") or not fits[str(reason)]:
        raise reader.fail("the goals and turns do not give this reason", reader.stage)
    if seen.ball is None:
        raise reader.fail("no ball on the board", reader.board)
    column, row = seen.ball
    if column in (0, COLUMNS - 1) and 0 < row < ROWS - 1:
        raise reader.fail(f"the ball can't rest on {cell_name(column, row)}", reader.board)
