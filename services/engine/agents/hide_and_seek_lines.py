"""Lines of play of Monster Hide and Seek for a search, on the kernel's buffer.

Nothing here looks at the face down of a card that was not seen from both sides, but `take`.
"""

from __future__ import annotations

from typing import Final

from services.engine.agents.tree import Lines
from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from services.engine.games.hide_and_seek.kernel import apply
from services.engine.games.hide_and_seek.layout import (
    A_BOTH,
    A_CANDY,
    A_FLIP,
    A_STOP,
    CANDY,
    CANDY_KIND,
    CANDY_STARS,
    CELLS,
    FIRST_OF,
    FLIPPED,
    HIDDEN,
    KINDS,
    KNOWN,
    MAY_STOP,
    MONSTER_STARS,
    MONSTERS,
    MOVER,
    P_AGAIN,
    P_DEAL,
    P_FIRST,
    P_OVER,
    PAIR_INDEX,
    PHASE,
    PILE,
    SEATS,
    SECOND_OF,
    SHOWN,
    TOGETHER,
    TURNS,
    TYPES_MOST,
)
from services.engine.games.hide_and_seek.playouts import listed

MOST: Final = 1000
_CHANCE: Final = -1
_OVER: Final = -3
_NONE: Final = -1
_SORTS: Final = 36  # of cards as they are known: 6 * face up + face down, 5 for an unknown one

_PAIR_INDEX = vec[i64](PAIR_INDEX)
_FIRST_OF = vec[i64](FIRST_OF)
_SECOND_OF = vec[i64](SECOND_OF)


def buffer(words: list[int]) -> vec[i64]:
    """A buffer of this module's kind."""
    return vec[i64](words)


def dealt(
    words: list[int], cells: list[int], faces: list[int], ends: list[int], rng: vec[i64]
) -> vec[i64]:
    """A copy of a position with faces put down on cells: those up to each of the `ends` shuffled
    among themselves.
    """
    s = buffer(words)
    down = buffer(faces)
    start: i64 = 0
    for end in ends:
        i: i64
        for i in range(end - 1, start, -1):
            other = start + draw(rng, i - start + 1)
            face = down[i]
            down[i] = down[other]
            down[other] = face
        start = end
    at: i64
    for at in range(len(cells)):
        s[HIDDEN + cells[at]] = down[at]
    return s


def room() -> i64:
    """How many words `out` needs: 461 actions and two cells for each sort of card."""
    return _OUT


_REPS: Final = 461
_OUT: Final = _REPS + 2 * _SORTS


def actor(s: vec[i64]) -> i64:
    """The seat to act; -1 for chance, -3 when the game is over."""
    phase = s[PHASE]
    if phase == P_OVER:
        return _OVER
    return _CHANCE if phase == P_DEAL else s[MOVER]


def turn(s: vec[i64]) -> i64:
    """The number of the turn."""
    return s[TURNS]


def chance(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """Draw the next card by its weight; the deal is over before anybody decides."""
    return listed(s, rng, out)


def candidates(s: vec[i64], out: vec[i64]) -> i64:
    """Write the actions worth a try into `out`, the most promising first; return their number.

    A match that is certain is the only one, unless candies are worth more. Else one for each sort
    of card as it is known, unknown ones first: cards that look alike are alike, but for the lines
    on which a candy turns them.
    """
    certain = certain_match(s)
    phase = s[PHASE]
    n: i64 = 0
    if certain != _NONE:
        out[0] = certain
        n = 1
        if phase != P_FIRST or 2 * s[MONSTER_STARS] >= s[CANDY_STARS]:
            return 1
    cell: i64
    if phase == P_FIRST:
        for cell in range(CELLS):
            if s[SHOWN + cell] == CANDY:
                out[n] = A_CANDY + cell
                n += 1
    if certain == _NONE:
        n = _list_pairs(s, out, n) if s[TOGETHER] else _list_flips(s, out, n)
    if phase == P_AGAIN and s[MAY_STOP]:
        out[n] = A_STOP
        n += 1
    return n


def certain_match(s: vec[i64]) -> i64:
    """The action of a match that is certain by what is known, or -1."""
    flipped = s[FLIPPED]
    cell: i64
    if flipped >= 0:
        wanted = s[SHOWN + flipped]
        for cell in range(CELLS):
            if s[KNOWN + cell] and s[HIDDEN + cell] == wanted and cell != flipped:
                return A_FLIP + cell
        return _NONE
    # The cell on which each face is known to lie face down, + 1, in 5 bits for each face.
    cells: i64 = 0
    for cell in range(CELLS):
        if s[KNOWN + cell] and s[HIDDEN + cell] < CANDY:
            place = 5 * s[HIDDEN + cell]
            other = (cells >> place & 31) - 1
            if other >= 0:
                if s[TOGETHER]:
                    return A_BOTH + _PAIR_INDEX[other * CELLS + cell]
                return A_FLIP + other
            cells |= (cell + 1) << place
    return _NONE


def _sort(s: vec[i64], cell: i64) -> i64:
    return 6 * s[SHOWN + cell] + (s[HIDDEN + cell] if s[KNOWN + cell] else CANDY)


def _list_flips(s: vec[i64], out: vec[i64], n: i64) -> i64:
    """Append one flip of each sort, unknown cards first."""
    flipped = s[FLIPPED]
    cell: i64
    known: i64
    for known in range(2):
        seen: i64 = 0
        for cell in range(CELLS):
            if s[SHOWN + cell] >= CANDY or s[KNOWN + cell] != known or cell == flipped:
                continue
            sort = _sort(s, cell)
            if seen >> sort & 1 == 0:
                seen |= _bit(sort)
                out[n] = A_FLIP + cell
                n += 1
    return n


def _bit(place: i64) -> i64:
    one: i64 = 1  # a constant would be shifted as a 32-bit number
    return one << place


def _list_pairs(s: vec[i64], out: vec[i64], n: i64) -> i64:
    """Append one pair for any two sorts, and for two cards of one sort."""
    sort: i64
    other: i64
    cell: i64
    for sort in range(2 * _SORTS):
        out[_REPS + sort] = _NONE
    for cell in range(CELLS):
        if s[SHOWN + cell] < CANDY:
            at = _REPS + 2 * _sort(s, cell)
            if out[at] == _NONE:
                out[at] = cell
            elif out[at + 1] == _NONE:
                out[at + 1] = cell
    for sort in range(_SORTS):
        first = out[_REPS + 2 * sort]
        if first == _NONE:
            continue
        for other in range(sort, _SORTS):
            second = out[_REPS + 2 * other + (1 if other == sort else 0)]
            if second != _NONE:
                out[n] = A_BOTH + _PAIR_INDEX[first * CELLS + second]
                n += 1
    return n


def take(s: vec[i64], action: i64, observer: i64) -> i64:  # noqa: ARG001  # all see the same
    """Carry out an action; returns it together with the faces that everybody sees come up."""
    seen = action * 64
    cell: i64
    if action >= A_BOTH:
        pair = action - A_BOTH
        seen += 8 * s[HIDDEN + _FIRST_OF[pair]] + s[HIDDEN + _SECOND_OF[pair]]
    elif A_FLIP <= action < A_CANDY:
        seen += s[HIDDEN + action - A_FLIP]
    apply(s, action)
    if A_CANDY <= action < A_STOP:
        # At most four cards turn; any other two boards with one key would be a rare loss of
        # sharpness, never a wrong one.
        for cell in range(CELLS):
            seen = (seen * 9 + s[SHOWN + cell]) & 0x3FFFFFFFFFFFF
    return seen


def play_out(s: vec[i64], rng: vec[i64], out: vec[i64], until: i64) -> None:
    """Play on by simple habits until turn `until` begins or the game ends."""
    while s[PHASE] != P_OVER and s[TURNS] < until:
        apply(s, habit(s, rng, out))


def habit(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """A certain match, else a candy, else a card not known yet, else any."""
    if s[PHASE] == P_DEAL:
        return chance(s, rng, out)
    action = certain_match(s)
    if action != _NONE:
        return action
    phase = s[PHASE]
    cell: i64
    if phase == P_FIRST:
        for cell in range(CELLS):
            if s[SHOWN + cell] == CANDY:
                return A_CANDY + cell
    if phase == P_AGAIN and s[MAY_STOP] and draw(rng, 2) == 0:
        return A_STOP
    first = _some_card(s, rng, s[FLIPPED])
    if s[TOGETHER] == 0:
        return A_FLIP + first
    return A_BOTH + _PAIR_INDEX[first * CELLS + _some_card(s, rng, first)]


def _some_card(s: vec[i64], rng: vec[i64], other_than: i64) -> i64:
    """A card drawn from those not known, or if there is none, from all."""
    start = draw(rng, CELLS)
    fallback: i64 = _NONE
    step: i64
    for step in range(CELLS):
        cell = start + step
        if cell >= CELLS:
            cell -= CELLS
        if s[SHOWN + cell] < CANDY and cell != other_than:
            if s[KNOWN + cell] == 0:
                return cell
            fallback = cell
    return fallback


def judge(s: vec[i64], values: vec[i64]) -> None:
    """What the position is worth to each seat, from 0 to 1000.

    Over: its share of the win. Else by its lead in stars against those left on the table, with
    what the seat to act is certain to take.
    """
    seat: i64
    seats = s[SEATS]
    for seat in range(seats):
        values[seat] = stars(s, seat)
    if s[PHASE] == P_OVER:
        _share(values, seats)
        return
    candies = _candies(s)
    left = s[MONSTERS] * s[MONSTER_STARS] + candies * s[CANDY_STARS]
    if s[PHASE] == P_FIRST:
        values[s[MOVER]] += expected(s, candies)
    lead_of = buffer([0, 0, 0, 0])
    for seat in range(seats):
        lead_of[seat] = values[seat] - _best_other(values, seats, seat)
    for seat in range(seats):
        lead = lead_of[seat]
        size = lead if lead >= 0 else -lead
        values[seat] = MOST // 2 + 480 * lead // (size + 2 + left // 4)


def stars(s: vec[i64], seat: i64) -> i64:
    """The stars that a seat has collected (RULINGS 3.2)."""
    pile = PILE + seat * KINDS
    cards: i64 = 0
    kind: i64
    for kind in range(CANDY_KIND):
        cards += s[pile + kind]
    return cards * s[MONSTER_STARS] + s[pile + CANDY_KIND] * s[CANDY_STARS]


def expected(s: vec[i64], candies: i64) -> i64:
    """The stars that the seat to act is certain of at the beginning of its turn."""
    faces: i64 = 0  # known ones face down, counted in 5 bits for each type
    cell: i64
    face: i64
    pairs: i64 = 0
    for cell in range(CELLS):
        if s[KNOWN + cell] and s[HIDDEN + cell] < CANDY:
            faces += _bit(5 * s[HIDDEN + cell])
    for face in range(TYPES_MOST):
        pairs += (faces >> (5 * face) & 31) // 2
    certain = 2 * pairs * s[MONSTER_STARS]
    candy = s[CANDY_STARS] if candies > 0 else 0
    return certain if certain > candy else candy


def _candies(s: vec[i64]) -> i64:
    number: i64 = 0
    cell: i64
    for cell in range(CELLS):
        if s[SHOWN + cell] == CANDY:
            number += 1
    return number


def _best_other(values: vec[i64], seats: i64, seat: i64) -> i64:
    best: i64 = _NONE
    other: i64
    for other in range(seats):
        if other != seat and values[other] > best:
            best = values[other]
    return best


def _share(values: vec[i64], seats: i64) -> None:
    """Replace scores by shares of the win."""
    best: i64 = _NONE
    winners: i64 = 0
    seat: i64
    for seat in range(seats):
        if values[seat] > best:
            best = values[seat]
            winners = 0
        if values[seat] == best:
            winners += 1
    for seat in range(seats):
        values[seat] = MOST // winners if values[seat] == best else 0


class HideAndSeekLines(Lines):
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
