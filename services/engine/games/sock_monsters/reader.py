"""Text to Sock Monsters: the opposite of `writer`, with an error that quotes what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NoReturn

from services.engine.core import SPECTATOR, InvalidNotation, Seat
from services.engine.core.notation import Frame, read_cell, read_int
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.actions import TILE_TYPES, tile_name, word
from services.engine.games.sock_monsters.model import (
    Cell,
    Colour,
    KnownTile,
    Motif,
    Phase,
    PhaseKind,
    Shown,
    Sock,
    Table,
    Then,
    TileType,
)
from services.engine.games.sock_monsters.state import PAIR_TYPES
from services.engine.games.sock_monsters.writer import (
    CORNER,
    MOTIF_LETTERS,
    NONE,
    NOT_DEALT,
    PHASES,
    SOCK_LETTERS,
    THENS,
    UNKNOWN,
)

_TILES: Final = {tile_name(tile): tile for tile in TILE_TYPES}
_PAIRS: Final = {"".join(SOCK_LETTERS[sock] for sock in pair): pair for pair in PAIR_TYPES}
_COLOURS: Final = {word(colour): colour for colour in Colour}
_LONGEST_TURN: Final = 999
_SECTIONS: Final = (
    "tiles",
    "monsters",
    "pawns",
    "tokens",
    "socks",
    "pairs",
    "lairs",
    "turn",
    "shown",
    "phase",
)


def _patterns() -> Iterator[tuple[PhaseKind, Then | None, list[str]]]:
    """The words of every phase with every way to go on."""
    for kind, pattern in PHASES.items():
        words = pattern.split()
        if words[-1] != "THEN":
            yield kind, None, words
            continue
        for then, more in THENS.items():
            yield kind, then, [*words[:-1], *more.split()]


_PATTERNS: Final = tuple(_patterns())


class Reader:
    """One text being read: its sections by name, and what is said about its parts."""

    def __init__(self, frame: Frame, text: str, *, viewed: str | None = None) -> None:
        """Split the body; `viewed` is `sees` or `knows` when it begins with a viewer."""
        self.frame, self.text = frame, text
        self.seats = frame.seats
        names = _SECTIONS if viewed is None else (viewed, *_SECTIONS)
        found = [section.strip() for section in frame.body.split("|")]
        if len(found) > len(names):
            self.fail("nothing may follow the phase", found[len(names)])
        self.sections: dict[str, str] = {}
        for name, section in zip(names, found, strict=False):
            if section.split()[:1] != [name]:
                self.fail(f"section '{name}' expected", section or frame.body)
            self.sections[name] = section
        if len(found) < len(names):
            self.fail(f"section '{names[len(found)]}' missing after", found[-1])

    def fail(self, problem: str, part: str) -> NoReturn:
        """Raise `InvalidNotation`."""
        raise InvalidNotation(problem, part=part, text=self.text)

    def words(self, section: str, count: int) -> list[str]:
        """The words of a section behind its name."""
        words = self.sections[section].split()[1:]
        if len(words) != count:
            self.fail(f"'{section}' takes {count} words", self.sections[section])
        return words

    def cell(self, text: str) -> Cell:
        """A cell's number."""
        column, row = read_cell(text, 6, 6, text=self.text)
        return column + 6 * row

    def seat(self, text: str) -> Seat:
        """A seat in play."""
        return read_int(text, 0, self.seats - 1, what="a seat", text=self.text)

    def viewer(self, section: str) -> Seat:
        """The seat or the spectator whose view this is."""
        (name,) = self.words(section, 1)
        return SPECTATOR if name == "spectator" else self.seat(name)

    # Tiles

    def rooms(self) -> list[tuple[Cell, str]]:
        """Cells with a tile and how it is written, in dealing order."""
        texts: dict[Cell, str] = {}
        for index, row in enumerate(self.words("tiles", 6)):
            rooms = row.split(",")
            if len(rooms) != 6:
                self.fail("a row of tiles takes 6 cells", row)
            for column, room in enumerate(rooms):
                cell = (5 - index) * 6 + column
                if (room == CORNER) != bool(k.LAIR_CELLS >> cell & 1):
                    self.fail(f"'{CORNER}' belongs on the corners, and only there", row)
                texts[cell] = room
        dealt = []
        gap = False
        for cell in k.ROOM_CELL:
            if texts[cell] == NOT_DEALT:
                gap = True
                continue
            if gap:
                self.fail(f"a tile is dealt behind a cell that is '{NOT_DEALT}'", texts[cell])
            dealt.append((cell, texts[cell]))
        return dealt

    def tile(self, room: str) -> tuple[TileType | None, str]:
        """Type (None: unknown) and marks of a room."""
        name, mark = room[:2], room[2:]
        if name != UNKNOWN and name not in _TILES:
            self.fail("no such tile", room)
        if mark in ("+", "*") or self._are_seats(mark):
            return _TILES.get(name), mark
        return self.fail("no such mark on a tile", room)

    def _are_seats(self, digits: str) -> bool:
        known = {str(seat) for seat in range(self.seats)}
        return set(digits) <= known and list(digits) == sorted(set(digits))

    def known_tile(self, cell: Cell, room: str) -> KnownTile:
        """A tile with marks of who has seen it."""
        tile, mark = self.tile(room)
        everybody = mark in ("+", "*")
        peekers = () if everybody else tuple(int(digit) for digit in mark)
        return KnownTile(cell, mark == "+", everybody, peekers, tile)

    def check_copies(self, tiles: Sequence[KnownTile]) -> None:
        """No tile type three times."""
        count = dict.fromkeys(TILE_TYPES, 0)
        for tile in tiles:
            if tile.type is not None:
                count[tile.type] += 1
                if count[tile.type] > k.COPIES:
                    self.fail(
                        f"a tile for the third time on cell {tile.cell}", tile_name(tile.type)
                    )

    # The table

    def table(self) -> Table:
        """All that lies open."""
        seats = self.seats
        monsters = tuple(self.cell(text) for text in self.words("monsters", 4))
        pawns = tuple(
            None if text == NONE else self.cell(text) for text in self.words("pawns", seats)
        )
        self._check_figures(monsters, pawns)
        socks = tuple(self._socks(text) for text in self.words("socks", seats))
        pairs = tuple(self._pairs(text) for text in self.words("pairs", seats))
        lairs = tuple(self._socks(text) for text in self.words("lairs", 4))
        turn_words = self.words("turn", 3)
        round_number = read_int(turn_words[0], 0, _LONGEST_TURN, what="a round", text=self.text)
        turn, first = (None if text == NONE else self.seat(text) for text in turn_words[1:])
        return Table(
            seats=seats,
            options=tuple(self.frame.options.items()),
            monsters=monsters,
            pawns=pawns,
            tokens=tuple(self._tokens(text) for text in self.words("tokens", seats)),
            socks=socks,
            pairs=pairs,
            lairs=lairs,
            bag=self._bag(socks, pairs, lairs),
            round=round_number,
            turn=turn,
            first=first,
            shown=self._shown(),
            phase=self._phase(),
        )

    def _check_figures(self, monsters: Sequence[Cell], pawns: Sequence[Cell | None]) -> None:
        taken: set[Cell] = set()
        texts = [*self.words("monsters", 4), *self.words("pawns", self.seats)]
        for text, cell in zip(texts, [*monsters, *pawns], strict=True):
            if cell in taken:
                self.fail("two figures on one cell", text)
            if cell is not None:
                taken.add(cell)
        for pawn, text in zip(pawns, texts[4:], strict=True):
            if pawn is not None and k.LAIR_CELLS >> pawn & 1:
                self.fail("a pawn on a lair", text)

    def _letters(self, text: str, letters: str, what: str) -> tuple[int, ...]:
        if text == NONE:
            return ()
        found = tuple(letters.find(letter) for letter in text)
        if -1 in found:
            self.fail(f"no such {what}", text)
        if list(found) != sorted(found):
            self.fail(f"{what}s are written in the order '{letters}'", text)
        return found

    def _socks(self, text: str) -> tuple[Sock, ...]:
        return tuple(Sock(index) for index in self._letters(text, SOCK_LETTERS, "sock"))

    def _tokens(self, text: str) -> tuple[Motif, ...]:
        found = self._letters(text, MOTIF_LETTERS, "token")
        if len(set(found)) < len(found):
            self.fail("a token twice", text)
        return tuple(Motif(index) for index in found)

    def _pairs(self, text: str) -> tuple[tuple[Sock, Sock], ...]:
        if text == NONE:
            return ()
        names = text.split(",")
        for name in names:
            if name not in _PAIRS:
                self.fail("no such pair", name)
        found = tuple(_PAIRS[name] for name in names)
        if list(found) != sorted(found, key=PAIR_TYPES.index):
            self.fail(f"pairs are written in the order '{','.join(_PAIRS)}'", text)
        return found

    def _bag(
        self,
        socks: Sequence[Sequence[Sock]],
        pairs: Sequence[Sequence[tuple[Sock, Sock]]],
        lairs: Sequence[Sequence[Sock]],
    ) -> tuple[int, ...]:
        """What is left of each kind; the word that takes one too many is the part at fault."""
        silly = k.SILLY_SOCKS if self.frame.options["silly_socks"] else 0
        total = [k.COLOURED_SOCKS] * k.COLOURS + [silly] * (k.KINDS - k.COLOURS)
        bag = list(total)
        groups = [*socks, *(tuple(chain.from_iterable(of_seat)) for of_seat in pairs), *lairs]
        texts = chain(*(self.sections[name].split()[1:] for name in ("socks", "pairs", "lairs")))
        for group, text in zip(groups, texts, strict=True):
            for sock in group:
                bag[sock] -= 1
                if bag[sock] < 0:
                    self.fail(f"there are only {total[sock]} {word(sock)} socks", text)
        return tuple(bag)

    def _shown(self) -> Shown | None:
        words = self.sections["shown"].split()[1:]
        if words == [NONE]:
            return None
        if len(words) not in (1, 2):
            self.fail("'shown' takes a cell, and the seat that peeked", self.sections["shown"])
        return Shown(self.cell(words[0]), self.seat(words[1]) if words[1:] else None)

    def _phase(self) -> Phase:
        words = self.sections["phase"].split()[1:]
        for kind, then, pattern in _PATTERNS:
            if len(pattern) == len(words) and all(
                name.isupper() or name == found for name, found in zip(pattern, words, strict=True)
            ):
                return self._fill_phase(kind, then, dict(zip(pattern, words, strict=True)))
        return self.fail("no such phase", self.sections["phase"])

    def _fill_phase(self, kind: PhaseKind, then: Then | None, found: dict[str, str]) -> Phase:
        monster = found.get("MONSTER")
        if monster is not None and monster not in _COLOURS:
            self.fail("no such monster", monster)
        return Phase(
            kind=kind,
            seat=self.seat(found["SEAT"]) if "SEAT" in found else None,
            monster=None if monster is None else _COLOURS[monster],
            count=self._number(found.get("COUNT", "0"), k.MOST_MOVES),
            throws=self._number(found.get("THROWS", "0"), k.SILLY_SOCKS),
            then=then,
            then_seat=self.seat(found["THEN_SEAT"]) if "THEN_SEAT" in found else None,
        )

    def _number(self, text: str, most: int) -> int:
        return read_int(text, 0, most, what="a number in the phase", text=self.text)
