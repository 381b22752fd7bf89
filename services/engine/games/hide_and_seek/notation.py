"""The body of a position of Monster Hide and Seek, as docs/notation/hide_and_seek.md has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from services.engine.core import InvalidNotation, Options
from services.engine.core.notation import cell_name, read_cell, read_int
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek import options as table

LETTERS: Final = "ABCDE"
_PHASES: Final = ("deal", "first", "second", "again", "paired")
_REASONS: Final = ("normal", "deadlock", "cap")
_UNKNOWN: Final = -1


def name_of(cell: int) -> str:
    """`a1` to `g4` of a cell number."""
    return cell_name(cell % at.COLUMNS, cell // at.COLUMNS)


def format_body(buffer: Sequence[int]) -> str:
    """The five sections; hidden faces of -1 are written `?`."""
    columns, rows = at.GRIDS[buffer[at.TYPES]]
    board = "/".join(
        ",".join(_format_cell(buffer, row * at.COLUMNS + column) for column in range(columns))
        for row in reversed(range(rows))
    )
    piles = " ".join(_format_pile(buffer, seat) for seat in range(buffer[at.SEATS]))
    return (
        f"{board} | piles {piles} | turns {buffer[at.TURNS]} | idle {buffer[at.IDLE]}"
        f" | {_format_phase(buffer)}"
    )


def _format_cell(buffer: Sequence[int], cell: int) -> str:
    shown, hidden = buffer[at.SHOWN + cell], buffer[at.HIDDEN + cell]
    if shown == at.CANDY:
        return "*"
    if shown == at.GAP:
        return ".."
    if shown == at.UNDEALT:
        return "__"
    if hidden == _UNKNOWN:
        return f"{LETTERS[shown]}?"
    letter = LETTERS[hidden]
    return LETTERS[shown] + (letter if buffer[at.KNOWN + cell] else letter.lower())


def _format_pile(buffer: Sequence[int], seat: int) -> str:
    cards: list[str] = []
    for kind in range(at.CANDY_KIND):
        card = LETTERS[at.LOW_OF[kind]] + LETTERS[at.HIGH_OF[kind]]
        cards += [card] * buffer[at.PILE + seat * at.KINDS + kind]
    cards += ["*"] * buffer[at.PILE + seat * at.KINDS + at.CANDY_KIND]
    return ",".join(cards) or "-"


def _format_phase(buffer: Sequence[int]) -> str:
    phase = buffer[at.PHASE]
    if phase == at.P_OVER:
        return f"over {_REASONS[buffer[at.REASON]]}"
    if phase == at.P_DEAL:
        return "deal"
    words = [_PHASES[phase], str(buffer[at.MOVER])]
    if buffer[at.FLIPPED] >= 0:
        words.append(name_of(buffer[at.FLIPPED]))
    return " ".join(words)


def empty(options: Options, seats: int) -> list[int]:
    """The buffer before the deal; raises `InvalidOption`."""
    buffer = [0] * at.SIZE
    table.write(buffer, options, seats)
    columns, rows = at.GRIDS[buffer[at.TYPES]]
    for cell in range(at.CELLS):
        inside = cell % at.COLUMNS < columns and cell // at.COLUMNS < rows
        face = at.UNDEALT if inside else at.OUTSIDE
        buffer[at.SHOWN + cell] = buffer[at.HIDDEN + cell] = face
    buffer[at.FLIPPED] = _UNKNOWN
    buffer[at.MOVER] = buffer[at.FIRST_SEAT]
    return buffer


def read_body(body: str, buffer: list[int], *, text: str, secrets: bool) -> None:
    """Read the five sections into a buffer made by `empty`; raises `InvalidNotation`.

    With `secrets` (a position) hidden faces that nobody has seen are given in lower case; without
    (a view) they are `?`.
    """
    sections = [section.split() for section in body.split("|")]
    if len(sections) != 5:
        raise InvalidNotation(
            "expected 5 sections: board, piles, turns, idle and phase", part=body, text=text
        )
    board, piles, turns, idle, phase = sections
    _read_board(board, buffer, text=text, secrets=secrets)
    _read_piles(piles, buffer, text=text)
    buffer[at.TURNS] = _read_count(turns, "turns", text=text)
    buffer[at.IDLE] = _read_count(idle, "idle", text=text)
    _read_phase(phase, buffer, text=text)


def _read_board(words: list[str], buffer: list[int], *, text: str, secrets: bool) -> None:
    columns, rows = at.GRIDS[buffer[at.TYPES]]
    lines = "".join(words).split("/")
    if len(lines) != rows:
        raise InvalidNotation(f"the board needs {rows} rows", part=" ".join(words), text=text)
    for row, line in zip(reversed(range(rows)), lines, strict=True):
        cells = line.split(",")
        if len(cells) != columns:
            raise InvalidNotation(f"row {row + 1} needs {columns} cells", part=line, text=text)
        for column, word in enumerate(cells):
            _read_cell(word, row * at.COLUMNS + column, buffer, text=text, secrets=secrets)


def _read_cell(word: str, cell: int, buffer: list[int], *, text: str, secrets: bool) -> None:
    plain = {"*": at.CANDY, "..": at.GAP, "__": at.UNDEALT}.get(word)
    if plain is not None:
        buffer[at.SHOWN + cell] = buffer[at.HIDDEN + cell] = plain
        buffer[at.KNOWN + cell] = int(plain != at.UNDEALT)
        buffer[at.DEALT] += int(plain != at.UNDEALT)
        return
    letters = LETTERS[: buffer[at.TYPES]]
    hidden = word[1:]
    unseen = hidden in letters.lower() if secrets else hidden == "?"
    if len(word) != 2 or word[0] not in letters or not (unseen or hidden in letters):
        raise InvalidNotation(f"no card for {name_of(cell)}", part=word, text=text)
    buffer[at.SHOWN + cell] = LETTERS.index(word[0])
    buffer[at.HIDDEN + cell] = _UNKNOWN if hidden == "?" else LETTERS.index(hidden.upper())
    buffer[at.KNOWN + cell] = int(not unseen)
    buffer[at.MONSTERS] += 1
    buffer[at.DEALT] += 1


def _read_piles(words: list[str], buffer: list[int], *, text: str) -> None:
    seats = buffer[at.SEATS]
    if words[:1] != ["piles"] or len(words) != seats + 1:
        raise InvalidNotation(
            f"expected 'piles' and {seats} piles", part=" ".join(words), text=text
        )
    letters = LETTERS[: buffer[at.TYPES]]
    for seat, word in enumerate(words[1:]):
        for card in word.split(",") if word != "-" else ():
            kind = at.CANDY_KIND
            if card != "*":
                if len(card) != 2 or card[0] not in letters or card[1] not in letters:
                    raise InvalidNotation("no card", part=card, text=text)
                low, high = sorted(LETTERS.index(letter) for letter in card)
                kind = at.KIND[low * at.TYPES_MOST + high]
            buffer[at.PILE + seat * at.KINDS + kind] += 1


def _read_count(words: list[str], name: str, *, text: str) -> int:
    if len(words) != 2 or words[0] != name:
        raise InvalidNotation(f"expected '{name} N'", part=" ".join(words), text=text)
    return read_int(words[1], 0, 999, what=name, text=text)


def _read_phase(words: list[str], buffer: list[int], *, text: str) -> None:
    whole = " ".join(words)
    match words:
        case ["deal"]:
            buffer[at.PHASE] = at.P_DEAL
        case ["over", reason] if reason in _REASONS:
            buffer[at.PHASE] = at.P_OVER
            buffer[at.REASON] = _REASONS.index(reason)
        case ["first" | "again" as name, seat]:
            _read_mover(name, seat, buffer, text=text)
        case ["second" | "paired" as name, seat, cell]:
            if buffer[at.TOGETHER]:
                raise InvalidNotation("no such phase with flip_together", part=whole, text=text)
            _read_mover(name, seat, buffer, text=text)
            column, row = read_cell(cell, at.COLUMNS, at.ROWS, text=text)
            buffer[at.FLIPPED] = row * at.COLUMNS + column
        case _:
            raise InvalidNotation("no such phase", part=whole, text=text)


def _read_mover(name: str, seat: str, buffer: list[int], *, text: str) -> None:
    buffer[at.PHASE] = _PHASES.index(name)
    buffer[at.MOVER] = read_int(seat, 0, buffer[at.SEATS] - 1, what="seat", text=text)
