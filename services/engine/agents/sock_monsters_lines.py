"""Lines of play of Sock Monsters for a search, on the kernel's buffer.

What a seat would like to do depends on tiles only where that seat has seen them.
"""

from __future__ import annotations

from typing import Final

from services.engine.agents.sock_monsters_tastes import (
    liked,
    loot_cells,
    useful_tiles,
    worth,
)
from services.engine.agents.tree import Lines
from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.kernel import actor as seat_to_act
from services.engine.games.sock_monsters.kernel import apply
from services.engine.games.sock_monsters.layout import (
    A_KEEP,
    A_LIFT,
    A_MOVE,
    A_PAIR,
    A_PAWN,
    A_PEEK,
    A_STEAL,
    ACTIONS,
    ALL_CELLS,
    BIT,
    CELLS,
    COLOUR,
    FACE_UP,
    FIRST,
    LAIR_CELLS,
    LOOSE,
    MONSTER,
    OCCUPIED,
    P_MOVE,
    P_PAWN,
    P_PICK,
    P_PLACE,
    P_TAKE,
    P_THREE_PAIRS,
    P_THROW,
    PAIRED,
    PAIRS_TO_WIN,
    PAWN,
    PHASE,
    ROUND,
    SEATS,
    SEEN,
    SILLY,
    TILE,
    TURN,
)
from services.engine.games.sock_monsters.legality import can_pair, legal, may_pair
from services.engine.games.sock_monsters.playouts import drawn
from services.engine.games.sock_monsters.reach import (
    around,
    monster_targets,
    pawn_targets,
    sides,
)

MOST: Final = 1000
_TILE_KEYS: Final = 32


def buffer(words: list[int]) -> vec[i64]:
    """A buffer of this module's kind."""
    return vec[i64](words)


def room() -> i64:
    """How many words `out` needs: the actions, and a score for each."""
    return 2 * ACTIONS


def actor(s: vec[i64]) -> i64:
    """The seat to act; -1 for chance, -3 when the game is over."""
    return seat_to_act(s)


def turn(s: vec[i64]) -> i64:
    """The number of the turn; 0 before the first one."""
    if s[TURN] < 0:
        return 0
    return 1 + s[ROUND] * s[SEATS] + (s[TURN] - s[FIRST] + s[SEATS]) % s[SEATS]


def chance(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """Draw an outcome by its weight."""
    return drawn(s, rng, out)


def take(s: vec[i64], action: i64, observer: i64) -> i64:
    """Carry out an action; returns it together with the tile that `observer` sees by it."""
    seen = action * _TILE_KEYS
    if action == A_LIFT:
        seen += 1 + s[TILE + s[PAWN + s[TURN]]]
    elif A_PEEK <= action < A_STEAL and s[TURN] == observer:
        seen += 1 + s[TILE + action - A_PEEK]
    apply(s, action)
    return seen


def dealt(words: list[int], unknown: vec[i64], rng: vec[i64]) -> vec[i64]:
    """A copy of a position with the tiles in the words `unknown` shuffled."""
    s = buffer(words)
    i: i64
    for i in range(len(unknown) - 1, 0, -1):
        other = unknown[draw(rng, i + 1)]
        tile = s[unknown[i]]
        s[unknown[i]] = s[other]
        s[other] = tile
    return s


# --- what is worth a try ----------------------------------------------------------------------


def candidates(s: vec[i64], out: vec[i64]) -> i64:
    """Write the actions worth a try into `out`, the most promising first; return their number.

    Cells are chosen by what they are good for, a few of each use; all else is tried.
    """
    phase = s[PHASE]
    n: i64 = 0
    if phase == P_PAWN:
        n = _list_pawn(s, out)
    elif phase == P_MOVE:
        n = _list_monster(s, out)
    else:
        return _list_sorted(s, out)
    if s[SILLY] and can_pair(s, s[TURN]):
        sock: i64
        for sock in range(A_KEEP - A_PAIR):
            if may_pair(s, s[TURN], sock):
                out[n] = A_PAIR + sock
                n += 1
    return n


def _list_pawn(s: vec[i64], out: vec[i64]) -> i64:
    """Cells for the pawn: with a sock that pairs, a useful tile, any sock, an unknown tile."""
    seat = s[TURN]
    targets = pawn_targets(s, seat)
    n = _some(targets & loot_cells(s, seat, True), A_PAWN, 3, s, out, 0)
    n = _some(targets & useful_tiles(s, seat), A_PAWN, 5, s, out, n)
    n = _some(targets & loot_cells(s, seat, False), A_PAWN, 4, s, out, n)
    n = _some(targets & ~s[SEEN + seat] & ~LAIR_CELLS, A_PAWN, 5, s, out, n)
    return n if n > 2 else _some(targets, A_PAWN, CELLS, s, out, n)


def _list_monster(s: vec[i64], out: vec[i64]) -> i64:
    """Cells for the monster: near somebody with single socks, beside an unknown tile, others."""
    targets = monster_targets(s, s[COLOUR])
    n = _some(targets & _near_victims(s), A_MOVE, 5, s, out, 0)
    n = _some(targets & _near_unknown(s), A_MOVE, 3, s, out, n)
    return _some(targets, A_MOVE, 2, s, out, n)


def _near_victims(s: vec[i64]) -> i64:
    """The cells around the pawns of others that have single socks."""
    cells: i64 = 0
    seat: i64
    for seat in range(s[SEATS]):
        if seat != s[TURN] and s[LOOSE + seat] and s[PAWN + seat] >= 0:
            cells |= around(BIT[s[PAWN + seat]])
    return cells


def _near_unknown(s: vec[i64]) -> i64:
    """The cells beside a tile that the seat in turn could peek at and has not seen."""
    unknown = ALL_CELLS & ~(s[SEEN + s[TURN]] | s[OCCUPIED] | s[FACE_UP] | LAIR_CELLS)
    return sides(unknown)


def _some(cells: i64, base: i64, most: i64, s: vec[i64], out: vec[i64], n: i64) -> i64:
    """Append at most `most` of these cells that are not listed yet, those far from monsters first.

    For a monster the order means nothing.
    """
    listed: i64 = 0
    i: i64
    for i in range(n):
        listed |= BIT[out[i] - base]
    cells &= ~listed
    near: i64 = 0
    for i in range(4):
        near |= BIT[s[MONSTER + i]]
    near = around(near)
    end = n + most
    cell: i64
    for cell in range(CELLS):
        if n < end and (cells & ~near) >> cell & 1:
            out[n] = base + cell
            n += 1
    for cell in range(CELLS):
        if n < end and (cells & near) >> cell & 1:
            out[n] = base + cell
            n += 1
    return n


def _list_sorted(s: vec[i64], out: vec[i64]) -> i64:
    """All legal actions that anybody could like, the best liked first."""
    number = legal(s, out)
    seat = actor(s)
    kept: i64 = 0
    i: i64
    for i in range(number):
        action = out[i]
        score = liked(s, seat, action)
        if score < 0 and (kept > 0 or i + 1 < number):
            continue
        at = kept
        while at > 0 and out[ACTIONS + at - 1] < score:
            out[at] = out[at - 1]
            out[ACTIONS + at] = out[ACTIONS + at - 1]
            at -= 1
        out[at] = action
        out[ACTIONS + at] = score
        kept += 1
    return kept


# --- playing on -------------------------------------------------------------------------------


def play_out(s: vec[i64], rng: vec[i64], out: vec[i64], until: i64) -> None:
    """Play on by simple habits until turn `until` begins or the game ends."""
    while s[PHASE] <= P_TAKE and turn(s) < until:
        apply(s, habit(s, rng, out))


def habit(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """An outcome of chance by its weight, or what looks best at first sight, with some noise."""
    phase = s[PHASE]
    if phase <= P_THROW or phase in (P_PICK, P_PLACE):
        return drawn(s, rng, out)
    if phase == P_PAWN:
        return A_PAWN + _cell_for_pawn(s, rng)
    if phase == P_MOVE:
        targets = monster_targets(s, s[COLOUR])
        near = targets & _near_victims(s)
        return A_MOVE + _one_of(near if near else targets, rng)
    number = legal(s, out)
    seat = actor(s)
    best = out[0]
    best_score: i64 = -1000
    i: i64
    for i in range(number):
        score = liked(s, seat, out[i]) + draw(rng, 8)
        if score > best_score:
            best = out[i]
            best_score = score
    return best


def _cell_for_pawn(s: vec[i64], rng: vec[i64]) -> i64:
    seat = s[TURN]
    targets = pawn_targets(s, seat)
    cells = targets & loot_cells(s, seat, True)
    if cells == 0:
        cells = targets & useful_tiles(s, seat)
    if cells == 0:
        cells = targets & loot_cells(s, seat, False)
    if cells == 0:
        cells = targets & ~s[SEEN + seat]
    return _one_of(cells if cells else targets, rng)


def _one_of(cells: i64, rng: vec[i64]) -> i64:
    """One of these cells; the first one from a cell drawn at random."""
    cell = draw(rng, CELLS)
    while cells >> cell & 1 == 0:
        cell += 1
        if cell == CELLS:
            cell = 0
    return cell


# --- what it is worth -------------------------------------------------------------------------


def judge(s: vec[i64], values: vec[i64]) -> None:
    """What the position is worth to each seat, from 0 to 1000.

    Over: its share of the win. Else by what it has ahead of the best other seat (see `worth`).
    """
    seat: i64
    seats = s[SEATS]
    over = s[PHASE] > P_TAKE
    points = buffer([0, 0, 0, 0])
    for seat in range(seats):
        points[seat] = _final(s, seat) if over else worth(s, seat)
    for seat in range(seats):
        best: i64 = -1
        level: i64 = 1
        other: i64
        for other in range(seats):
            if other != seat:
                if points[other] > best:
                    best = points[other]
                if points[other] == points[seat]:
                    level += 1
        ahead = points[seat] - best
        if over:
            values[seat] = 0 if ahead < 0 else MOST // level
        else:
            size = ahead if ahead >= 0 else -ahead
            values[seat] = MOST // 2 + 480 * ahead // (size + 120)


def _final(s: vec[i64], seat: i64) -> i64:
    """By which the end is decided (RULINGS 1.10, 1.11)."""
    if s[PHASE] == P_THREE_PAIRS:
        return 1 if s[PAIRED + seat] >= PAIRS_TO_WIN else 0
    return 100 * s[PAIRED + seat] + s[LOOSE + seat]


class SockMonstersLines(Lines):
    """The functions above, for the tree."""

    def buffer(self, words: list[int]) -> vec[i64]:
        return buffer(words)

    def room(self) -> i64:
        return room()

    def actor(self, s: vec[i64]) -> i64:
        return actor(s)

    def turn(self, s: vec[i64]) -> i64:
        return turn(s)

    def candidates(self, s: vec[i64], out: vec[i64]) -> i64:
        return candidates(s, out)

    def chance(self, s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
        return chance(s, rng, out)

    def take(self, s: vec[i64], action: i64, observer: i64) -> i64:
        return take(s, action, observer)

    def play_out(self, s: vec[i64], rng: vec[i64], out: vec[i64], until: i64) -> None:
        play_out(s, rng, out, until)

    def judge(self, s: vec[i64], values: vec[i64]) -> None:
        judge(s, values)
