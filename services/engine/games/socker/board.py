"""The text of Socker's board, and the starts of turns that are remembered for repetition.

A start of a turn is two numbers, as the kernel writes them: a seat's sockers sorted, each
cell * 2 + lying in 8 bits, absent ones as cell 99; South's number also holds the ball and the
seat to move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from services.engine.core import InvalidNotation, Seat
from services.engine.core.notation import cell_name
from services.engine.games.socker.actions import Cell, to_cell, to_number
from services.engine.games.socker.layout import COLUMNS, IS_EDGE, OFF, ROWS
from services.engine.games.socker.view import Socker

Start: TypeAlias = tuple[int, int]
"""A start of a turn as two numbers."""

_SIGNS: Final = {
    "S": (0, False),
    "s": (0, True),
    "N": (1, False),
    "n": (1, True),
}


def sign_of(socker: Socker) -> str:
    """`S`, `N` standing, `s`, `n` lying."""
    sign = "SN"[socker.seat]
    return sign.lower() if socker.lying else sign


def write_board(sockers: tuple[Socker, ...], ball: Cell | None) -> str:
    """Eleven ranks from row 11 down."""
    cells = [" "] * (COLUMNS * ROWS)
    for socker in sockers:
        cells[to_number(socker.cell)] = sign_of(socker)
    if ball is not None:
        cells[to_number(ball)] = "o"
    rows = ["".join(cells[row : row + COLUMNS]) for row in range(0, COLUMNS * ROWS, COLUMNS)]
    board = "/".join(reversed(rows))
    for length in range(COLUMNS, 0, -1):  # the longest first, or a run would be counted in parts
        board = board.replace(" " * length, str(length))
    return board


def read_board(board: str, each: int, *, text: str) -> tuple[tuple[Socker, ...], Cell | None]:
    """The sockers, sorted, and the ball; at most `each` sockers a seat and one ball.

    Raises `InvalidNotation` naming the rank or the board.
    """
    ranks = board.split("/")
    if len(ranks) != ROWS:
        raise InvalidNotation(f"a board has {ROWS} ranks, not {len(ranks)}", part=board, text=text)
    sockers: list[Socker] = []
    balls: list[Cell] = []
    for row, rank in enumerate(reversed(ranks)):
        column = 0
        digit_before = False
        for sign in rank:
            digit = sign in "123456789"
            if digit and not digit_before:
                column += int(sign) - 1
            elif sign == "o":
                balls.append((column, row))
            elif sign in _SIGNS:
                seat, lying = _SIGNS[sign]
                sockers.append(Socker(seat, (column, row), lying))
            else:
                raise InvalidNotation(f"unexpected '{sign}' in a rank", part=rank, text=text)
            digit_before = digit
            column += 1
        if column != COLUMNS:
            raise InvalidNotation(f"a rank has {COLUMNS} cells", part=rank, text=text)
    if len(balls) > 1:
        raise InvalidNotation("more than one ball", part=board, text=text)
    for seat, name in enumerate(("South", "North")):
        count = sum(socker.seat == seat for socker in sockers)
        if count > each:
            raise InvalidNotation(
                f"{name} has {count} sockers, at most {each} are in play", part=board, text=text
            )
    sockers.sort(key=lambda socker: (socker.seat, to_number(socker.cell)))
    return tuple(sockers), balls[0] if balls else None


def check_ball(ball: Cell | None, *, board: str, text: str) -> Cell:
    """The ball where it may rest, b-h x 2-10 (RULINGS 2.1)."""
    if ball is None:
        raise InvalidNotation("no ball on the board", part=board, text=text)
    if IS_EDGE[to_number(ball)] == 1:
        raise InvalidNotation(f"the ball can't rest on {cell_name(*ball)}", part=board, text=text)
    return ball


def start_of(sockers: tuple[Socker, ...], ball: Cell, mover: Seat | None) -> Start:
    """The numbers of a start; `mover` is None where the seat to move does not count."""
    numbers = []
    for seat in (0, 1):
        own = [to_number(s.cell) * 2 + s.lying for s in sockers if s.seat == seat]
        own = sorted(own + [OFF * 2] * (5 - len(own)))
        numbers.append(sum(code << 8 * place for place, code in enumerate(own)))
    return numbers[0] + (to_number(ball) << 40) + ((mover or 0) << 48), numbers[1]


@lru_cache(maxsize=4096)
def write_start(start: Start, with_mover: bool) -> str:
    """The text of a start, as in `seen=`."""
    sockers = []
    for seat, number in enumerate(start):
        for place in range(5):
            cell, lying = divmod(number >> 8 * place & 255, 2)
            if cell != OFF:
                sockers.append(Socker(seat, to_cell(cell), lying == 1))
    board = write_board(tuple(sockers), to_cell(start[0] >> 40 & 127))
    return f"{'SN'[start[0] >> 48]}:{board}" if with_mover else board


def read_start(word: str, with_mover: bool, each: int, *, text: str) -> Start:
    """The opposite of `write_start`; raises `InvalidNotation`."""
    try:
        return _read_start(word, with_mover, each)
    except InvalidNotation as error:
        raise InvalidNotation(error.problem, part=error.part, text=text) from error


@lru_cache(maxsize=4096)
def _read_start(word: str, with_mover: bool, each: int) -> Start:
    board, mover = word, None
    if with_mover:
        if word[:2] not in ("S:", "N:"):
            raise InvalidNotation("a start begins with 'S:' or 'N:'", part=word, text=word)
        board, mover = word[2:], "SN".index(word[0])
    sockers, ball = read_board(board, each, text=word)
    lying = {socker.seat for socker in sockers if socker.lying}
    if len(lying) > 1 or (mover is not None and lying - {mover}):
        raise InvalidNotation(
            "at the start of a turn only the sockers of the seat to move lie", part=word, text=word
        )
    return start_of(sockers, check_ball(ball, board=board, text=word), mover)
