"""Where everything lies in the flat state of Sock Monsters, and the ids of its actions.

A state is one buffer of `SIZE` integers. Cells are numbered row by row from a1 = 0 to f6 = 35, sets
of cells are bit masks over these numbers. Colours 0-3 are red, yellow, green and blue, for seats,
monsters, lairs and tiles alike. Slots that mean nothing in a phase hold their idle value (-1 or 0),
so that equal positions are equal buffers.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec

# Options of the match.
SEATS: Final = 0
GERMAN: Final = 1
EYE_OPEN: Final = 2  # open faces of the eye die
START: Final = 3  # chosen starting socks + 1; 0 = what the edition says
CAP: Final = 4
FOUR: Final = 5  # 1: monsters steal from four neighbours only
SELF: Final = 6
SILLY: Final = 7
TOKENS_USED: Final = 8  # 1: a sock from the bag only once all own tokens are turned
FROM_LAIR: Final = 9  # 1: German edition with stolen socks in the lairs
MEMORY: Final = 10

# Progress.
PHASE: Final = 11
WHO: Final = 12  # the seat that draws, places, pairs, takes its gift, or is thrown at
COLOUR: Final = 13  # the monster in its phase; the lair of a gift
COUNT: Final = 14  # moves of the monster in this phase; socks still to draw
THROWS: Final = 15  # boomerang throws left in this turn
THEN: Final = 16  # how it goes on after a gain
THEN_SEAT: Final = 17
ROUND: Final = 18
TURN: Final = 19
FIRST: Final = 20
SHOWN: Final = 21  # cell of the tile turned or peeked at last
SHOWN_TO: Final = 22  # the seat that peeked, or EVERYBODY

# The table.
OCCUPIED: Final = 23  # mask of cells with figures
FACE_UP: Final = 24  # mask of tiles
DEALT: Final = 25  # number of tiles on the board
BAG_TOTAL: Final = 26
MONSTER: Final = 27  # + colour: cell
PAWN: Final = 31  # + seat: cell
TOKENS: Final = 35  # + seat: mask of motifs whose token is up
PAIRED: Final = 39  # + seat: number of pairs
LOOSE: Final = 43  # + seat: number of unpaired socks
SEEN: Final = 47  # + seat, or + EVERYBODY: mask of tiles seen
SOCKS: Final = 52  # + 8 seat + sock: unpaired socks
PAIRS: Final = 84  # + 11 seat + pair
LAIR: Final = 128  # + 8 colour + sock
BAG: Final = 160  # + sock
TILE: Final = 168  # + cell: tile type, -1 where there is none
POOL: Final = 204  # + tile type: copies not yet dealt
SIZE: Final = 220

EVERYBODY: Final = 4

# Socks: 0-4 are the colours red, yellow, green, blue, violet.
COLOURS: Final = 5
RAINBOW: Final = 5
SMELLY: Final = 6
BOOMERANG: Final = 7
KINDS: Final = 8
COLOURED_SOCKS: Final = 8
SILLY_SOCKS: Final = 4
# Pairs: 0-4 of one colour, 5-9 a rainbow with a colour, 10 two rainbows.
PAIR_KINDS: Final = 11
PAIRS_TO_WIN: Final = 3
# Tiles: type = 4 colour + motif.
TILE_TYPES: Final = 16
COPIES: Final = 2
ROOMS: Final = 32
ALL_TOKENS: Final = 15
MOST_MOVES: Final = 100  # of one monster in one phase (RULINGS 1.13)

# Phases: 0-5 are chance's, 6-8 of the seat WHO, 9-14 of the seat TURN.
P_DEAL: Final = 0
P_FIRST: Final = 1
P_DRAW: Final = 2
P_ROLL: Final = 3
P_EYE: Final = 4
P_THROW: Final = 5
P_PLACE: Final = 6
P_GIFT: Final = 7
P_RAINBOW: Final = 8
P_PICK: Final = 9
P_MOVE: Final = 10
P_OPEN: Final = 11
P_PAWN: Final = 12
P_ACT: Final = 13
P_TAKE: Final = 14
P_THREE_PAIRS: Final = 15
P_ROUND_CAP: Final = 16

# How it goes on after a gain.
T_NONE: Final = -1
T_START: Final = 0
T_PAWN: Final = 1
T_END: Final = 2
T_GIFT: Final = 3
T_BOOMERANG: Final = 4
T_ACT: Final = 5

# Actions; those before A_PLACE are chance's.
A_DEAL: Final = 0
A_FIRST: Final = 16
A_DRAW: Final = 20
A_ROLL: Final = 28
A_ROLL_ANY: Final = 32
A_EYE_CLOSED: Final = 33
A_EYE_OPEN: Final = 34
A_PLACE: Final = 35
A_PICK: Final = 39
A_MOVE: Final = 43
A_PEEK: Final = 79
A_STEAL: Final = 115
A_GO: Final = 147
A_PAWN: Final = 148
A_THROW: Final = 184
A_TAKE: Final = 188
A_GIFT: Final = 196
A_LIFT: Final = 204
A_LAIR: Final = 205
A_BAG: Final = 237
A_PASS: Final = 238
A_PAIR: Final = 239
A_KEEP: Final = 245
ACTIONS: Final = 246

# Cells.
CELLS: Final = 36
ALL_CELLS: Final = (1 << 36) - 1
LAIR_CELLS: Final = 1 << 0 | 1 << 5 | 1 << 30 | 1 << 35
NOT_COLUMN_A: Final = 0b111110_111110_111110_111110_111110_111110
NOT_COLUMN_F: Final = 0b011111_011111_011111_011111_011111_011111
LAIR_CELL: Final = vec[i64]([0, 5, 35, 30])  # by colour: a1, f1, f6, a6
CENTRE_CELL: Final = vec[i64]([14, 15, 20, 21])  # c3, d3, c4, d4


def _rooms() -> vec[i64]:
    """The cells without the corners, in the order in which tiles are dealt."""
    return vec[i64]([cell for cell in range(CELLS) if cell not in (0, 5, 30, 35)])


def _bits() -> vec[i64]:
    """The mask of each single cell.

    A table, because mypyc 2.4.1 shifts a constant 1 as a 32-bit number.
    """
    return vec[i64]([2**cell for cell in range(CELLS)])


def _within(diagonal: bool) -> vec[i64]:
    """The mask of the neighbours of each cell, orthogonal ones only or diagonal ones, too."""
    masks = []
    for cell in range(CELLS):
        mask = 0
        for other in range(CELLS):
            columns, rows = abs(cell % 6 - other % 6), abs(cell // 6 - other // 6)
            if columns + rows == 1 or (diagonal and columns == 1 and rows == 1):
                mask |= 2**other
        masks.append(mask)
    return vec[i64](masks)


ROOM_CELL: Final = _rooms()
BIT: Final = _bits()
BESIDE: Final = _within(diagonal=False)
AROUND: Final = _within(diagonal=True)
