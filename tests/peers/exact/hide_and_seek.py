"""Monster Hide and Seek with three types, two seats and perfect memory, solved by `c/`.

What is solved, and how, is said in `c/hide_and_seek.c`. Layers of values lie in build/exact, in a
folder named after the source they came from, so that whatever is solved once stays solved.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from services.engine.core import Action
from services.engine.core.registry import ruleset
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.values import Information
from tools.reports import ROOT

OPTIONS: Final = {"types": 3}
COLUMNS: Final = (0, 1, 2)
"""Of the candy, from the nearer side: the grid is five wide, and a mirror changes nothing."""
CARDS: Final = (3, 5, 7, 9)
BUILD: Final = ROOT / "build" / "exact"

_SOURCES: Final = Path(__file__).parent / "c"
_GRID_COLUMNS, _GRID_ROWS = at.GRIDS[3]
_CELLS: Final = [r * at.COLUMNS + c for r in range(_GRID_ROWS) for c in range(_GRID_COLUMNS)]
_KINDS: Final = [at.KIND[at.TYPES_MOST * a + b] for a in range(3) for b in range(a, 3)]
_STEP: Final = 2  # stars: of two monsters, and of a candy
_CANDY: Final = 13


class NotSolved(Exception):
    """A question about a column, or a number of cards, that has not been solved."""


def source_hash() -> str:
    """Twelve hexadecimal digits of the program that solves."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.glob("hide_and_seek*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def folder() -> Path:
    """Where values of this source lie."""
    return BUILD / f"hide_and_seek-{source_hash()}"


def program() -> Path:
    """The compiled solver, made if need be. Raises CalledProcessError."""
    made = folder() / "solver"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        part = made.with_name(f"solver.{os.getpid()}.part")
        command = ["cc", "-std=c11", "-O3", str(_SOURCES / "hide_and_seek.c"), "-o", str(part)]
        if subprocess.run([*command, "-fopenmp"], capture_output=True, check=False).returncode:
            subprocess.run(command, check=True)  # a compiler without threads
        part.rename(made)
    return made


def solve(column: int, most: int = 9, values: Path | None = None) -> Iterator[dict[str, Any]]:
    """Solve all layers of up to `most` cards, or load those kept; each is told of once it is done:
    cards, candy, unknown (faces), states, values, sweeps, kept (from an earlier run).

    Each layer is written when it is done, to `values` or `folder()`: a run that is ended goes on
    there the next time.
    """
    command = [str(program()), "solve", str(column), str(values or folder()), str(most)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield json.loads(line)
        except GeneratorExit:
            process.terminate()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def start(column: int) -> dict[str, Any]:
    """What deals with the candy in a column are worth to the first seat, in -1 … 1: mean, variance,
    least, most, over labelled deals; positions: how many there are at the first turn.
    """
    command = [str(program()), "start", str(column), str(folder())]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def column_of(information: Information) -> int | None:
    """The column of the candy as `COLUMNS` counts them; None where it has been taken."""
    for cell in _CELLS:
        if information.buffer[at.SHOWN + cell] == at.CANDY:
            column = cell % at.COLUMNS
            return min(column, _GRID_COLUMNS - 1 - column)
    return None


def question(information: Information) -> str:
    """The position as the solver reads it. Caps play no part in it."""
    words = information.buffer
    flipped = words[at.FLIPPED]
    again = words[at.PHASE] in (at.P_AGAIN, at.P_PAIRED)
    stars = [_stars(words, seat) for seat in range(2)]
    lead = (stars[words[at.MOVER]] - stars[1 - words[at.MOVER]]) // _STEP
    gone = [sum(words[at.PILE + s * at.KINDS + kind] for s in range(2)) for kind in _KINDS]
    cells = [_code(words, cell) for cell in _CELLS]
    place = _CELLS.index(flipped) if flipped >= 0 else -1
    return " ".join(map(str, ["again" if again else "first", place, lead, *gone, *cells]))


def _stars(words: tuple[int, ...], seat: int) -> int:
    pile = words[at.PILE + seat * at.KINDS : at.PILE + (seat + 1) * at.KINDS]
    return sum(pile) + pile[at.CANDY_KIND]


def _code(words: tuple[int, ...], cell: int) -> int:
    shown = words[at.SHOWN + cell]
    if shown == at.CANDY:
        return _CANDY
    if shown == at.GAP:
        return 0
    return 4 + 3 * shown + words[at.HIDDEN + cell] if words[at.KNOWN + cell] else 1 + shown


class Oracle:
    """Knows the worth of every action with the candy in one column; use it in `with`.

    It needs all layers up to `most` cards to be solved, in `values` or `folder()`: else
    `NotSolved` comes with the first question.
    """

    def __init__(self, column: int, most: int = 9, values: Path | None = None) -> None:
        command = [str(program()), "ask", str(column), str(values or folder()), str(most)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def worths(self, information: Information) -> dict[Action, float]:
        """What each legal action is worth to the seat to act, as its share of the win, 0 … 1."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(question(information) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise NotSolved("solve first: python -m tests.peers.exact solve") from None
        numbers = self._process.stdout.readline().split()
        if len(numbers) != len(_CELLS) + 1:
            raise NotSolved("solve first: python -m tests.peers.exact solve")
        found = {
            Action(at.A_FLIP + cell): (1 + float(number)) / 2
            for cell, number in zip(_CELLS, numbers, strict=False)
            if number != "-"
        }
        if numbers[-1] != "-":
            candy = next(c for c in _CELLS if information.buffer[at.SHOWN + c] == at.CANDY)
            found[Action(at.A_CANDY + candy)] = (1 + float(numbers[-1])) / 2
        return found


RULES: Final = ruleset("hide_and_seek")
