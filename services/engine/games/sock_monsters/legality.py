"""What is legal in Sock Monsters: the list of actions, the test of one, the weights of chance.

Part of the kernel: plain functions over the flat state of layout.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import (
    A_BAG,
    A_DEAL,
    A_DRAW,
    A_EYE_CLOSED,
    A_EYE_OPEN,
    A_FIRST,
    A_GIFT,
    A_GO,
    A_KEEP,
    A_LAIR,
    A_LIFT,
    A_MOVE,
    A_PAIR,
    A_PASS,
    A_PAWN,
    A_PEEK,
    A_PICK,
    A_PLACE,
    A_ROLL,
    A_ROLL_ANY,
    A_STEAL,
    A_TAKE,
    A_THROW,
    AROUND,
    BAG,
    BAG_TOTAL,
    BESIDE,
    BOOMERANG,
    CELLS,
    CENTRE_CELL,
    COLOUR,
    COUNT,
    EYE_OPEN,
    FOUR,
    FROM_LAIR,
    GERMAN,
    KINDS,
    LAIR,
    LAIR_CELL,
    LAIR_CELLS,
    LOOSE,
    MONSTER,
    MOST_MOVES,
    OCCUPIED,
    P_ACT,
    P_DEAL,
    P_DRAW,
    P_EYE,
    P_FIRST,
    P_GIFT,
    P_MOVE,
    P_OPEN,
    P_PAWN,
    P_PICK,
    P_PLACE,
    P_RAINBOW,
    P_ROLL,
    P_TAKE,
    P_THROW,
    PAWN,
    PHASE,
    POOL,
    RAINBOW,
    SEATS,
    SELF,
    SILLY,
    SMELLY,
    SOCKS,
    THROWS,
    TILE_TYPES,
    TOKENS,
    TOKENS_USED,
    TURN,
    WHO,
)
from services.engine.games.sock_monsters.reach import (
    can_move,
    monster_targets,
    pawn_targets,
    peek_targets,
)

NOBODY: Final = -1


def may_rob(s: vec[i64], victim: i64) -> bool:
    """Whether the awake monster may steal from a seat (RULINGS 1.15, 1.20)."""
    if s[LOOSE + victim] == 0:
        return False
    if victim == s[TURN] and (s[SELF] == 0 or s[GERMAN] != 0):
        return False
    monster = s[MONSTER + s[COLOUR]]
    reach = BESIDE[monster] if s[FOUR] else AROUND[monster]
    return reach >> s[PAWN + victim] & 1 != 0


def may_steal(s: vec[i64], victim: i64, sock: i64) -> bool:
    """Whether it may be this sock: a smelly one comes before all others (RULINGS 1.17)."""
    own = SOCKS + KINDS * victim
    if s[own + sock] == 0 or (sock != SMELLY and s[own + SMELLY] > 0):
        return False
    return may_rob(s, victim)


def may_go_on(s: vec[i64]) -> bool:
    """Whether the awake monster may move again (RULINGS 1.13)."""
    return s[COUNT] < MOST_MOVES and can_move(s, s[COLOUR])


def awake_can_act(s: vec[i64]) -> bool:
    """Whether peeking, stealing or going on is possible; declining alone is no action."""
    if may_go_on(s) or peek_targets(s) != 0:
        return True
    return any(may_rob(s, victim) for victim in range(s[SEATS]))


def may_throw(s: vec[i64], target: i64) -> bool:
    """Whether the seat in turn may throw a boomerang at `target` (RULINGS 1.18)."""
    return s[THROWS] > 0 and in_range(s, target)


def in_range(s: vec[i64], target: i64) -> bool:
    """Whether `target` is another seat in the row or column of the pawn in turn, with a sock."""
    if target == s[TURN] or s[LOOSE + target] == 0:
        return False
    mine = s[PAWN + s[TURN]]
    theirs = s[PAWN + target]
    return mine // 6 == theirs // 6 or mine % 6 == theirs % 6


def beside_lair(s: vec[i64], colour: i64) -> bool:
    """Whether the pawn in turn stands orthogonally next to a lair (RULINGS 1.7)."""
    return BESIDE[LAIR_CELL[colour]] >> s[PAWN + s[TURN]] & 1 != 0


def may_take_from_lair(s: vec[i64], colour: i64, sock: i64) -> bool:
    """RULINGS 1.7; in the German edition only with `lair_source=lair` (1.22)."""
    if s[GERMAN] and s[FROM_LAIR] == 0:
        return False
    return s[LAIR + KINDS * colour + sock] > 0 and beside_lair(s, colour)


def may_take_from_bag(s: vec[i64]) -> bool:
    """RULINGS 1.22."""
    if s[GERMAN] == 0 or s[FROM_LAIR] or s[BAG_TOTAL] == 0:
        return False
    if s[TOKENS_USED] and s[TOKENS + s[TURN]]:
        return False
    return BESIDE[s[PAWN + s[TURN]]] & LAIR_CELLS != 0


def may_give(s: vec[i64], sock: i64) -> bool:
    """Whether the victim may take this sock; not the smelly just delivered (RULINGS 1.17)."""
    there = s[LAIR + KINDS * s[COLOUR] + sock]
    return there > 1 if sock == SMELLY else there > 0


def may_pair(s: vec[i64], seat: i64, sock: i64) -> bool:
    """Whether a seat can pair a rainbow with this kind of sock (RULINGS 1.16)."""
    own = SOCKS + KINDS * seat
    return s[own + RAINBOW] > (1 if sock == RAINBOW else 0) and s[own + sock] > 0


def can_pair(s: vec[i64], seat: i64) -> bool:
    """Whether a seat can pair a rainbow with anything."""
    own = SOCKS + KINDS * seat
    rainbows = s[own + RAINBOW]
    if rainbows == 0:
        return False
    return rainbows > 1 or s[LOOSE + seat] > 1 + s[own + SMELLY] + s[own + BOOMERANG]


def pairing_seat(s: vec[i64]) -> i64:
    """The seat that may pair rainbows now, or NOBODY: after its gains, and in its own turn."""
    phase = s[PHASE]
    if s[SILLY] == 0 or phase < P_GIFT or phase > P_TAKE:
        return NOBODY
    if phase >= P_PICK:
        return s[TURN]
    if phase == P_RAINBOW or s[WHO] == s[TURN]:
        return s[WHO]
    return NOBODY


def weight(s: vec[i64], action: i64) -> i64:
    """The weight of an outcome of chance, 0 if it can't happen; any action may be asked."""
    phase = s[PHASE]
    if phase == P_DEAL:
        return s[POOL + action - A_DEAL] if A_DEAL <= action < A_FIRST else 0
    if phase == P_FIRST:
        return 1 if A_FIRST <= action < A_FIRST + s[SEATS] else 0
    if phase == P_DRAW:
        return s[BAG + action - A_DRAW] if A_DRAW <= action < A_ROLL else 0
    if phase in (P_ROLL, P_THROW):
        if action == A_ROLL_ANY:
            return 2
        return 1 if A_ROLL <= action < A_ROLL_ANY else 0
    if phase == P_EYE:
        if action == A_EYE_OPEN:
            return s[EYE_OPEN]
        return 6 - s[EYE_OPEN] if action == A_EYE_CLOSED else 0
    return 0


def is_legal(s: vec[i64], action: i64) -> bool:
    """Whether `action` is legal; any number may be asked."""
    phase = s[PHASE]
    if action < A_PLACE:
        return weight(s, action) > 0
    if A_PAIR <= action < A_KEEP:
        seat = pairing_seat(s)
        return seat != NOBODY and may_pair(s, seat, action - A_PAIR)
    if phase == P_MOVE:
        return (
            A_MOVE <= action < A_PEEK
            and monster_targets(s, s[COLOUR]) >> (action - A_MOVE) & 1 != 0
        )
    if phase == P_PAWN:
        return A_PAWN <= action < A_THROW and pawn_targets(s, s[TURN]) >> (action - A_PAWN) & 1 != 0
    if phase == P_ACT:
        return _is_legal_act(s, action)
    if phase == P_OPEN:
        return _is_legal_open(s, action)
    if phase == P_RAINBOW:
        return action == A_KEEP
    if phase == P_PICK:
        return A_PICK <= action < A_MOVE and can_move(s, action - A_PICK)
    if phase == P_PLACE:
        return A_PLACE <= action < A_PICK and s[OCCUPIED] >> CENTRE_CELL[action - A_PLACE] & 1 == 0
    if phase == P_TAKE:
        return A_TAKE <= action < A_GIFT and s[SOCKS + KINDS * s[WHO] + action - A_TAKE] > 0
    if phase == P_GIFT:
        return A_GIFT <= action < A_LIFT and may_give(s, action - A_GIFT)
    return False


def _is_legal_act(s: vec[i64], action: i64) -> bool:
    if action == A_LIFT:
        return True
    if action == A_PASS:
        return s[GERMAN] == 0
    if action == A_BAG:
        return may_take_from_bag(s)
    if A_LAIR <= action < A_BAG:
        return may_take_from_lair(s, (action - A_LAIR) // KINDS, (action - A_LAIR) % KINDS)
    return A_THROW <= action < A_THROW + s[SEATS] and may_throw(s, action - A_THROW)


def _is_legal_open(s: vec[i64], action: i64) -> bool:
    if A_PEEK <= action < A_STEAL:
        return peek_targets(s) >> (action - A_PEEK) & 1 != 0
    if A_STEAL <= action < A_STEAL + KINDS * s[SEATS]:
        return may_steal(s, (action - A_STEAL) // KINDS, (action - A_STEAL) % KINDS)
    if action == A_GO:
        return may_go_on(s)
    return action == A_PASS and s[GERMAN] != 0


def legal(s: vec[i64], out: vec[i64]) -> i64:
    """Write the legal actions into `out` (ACTIONS long), sorted; returns how many there are."""
    phase = s[PHASE]
    if phase <= P_THROW:
        return _list_chance(s, phase, out)
    n: i64 = 0
    if phase == P_MOVE:
        n = _list_cells(monster_targets(s, s[COLOUR]), A_MOVE, out)
    elif phase == P_PAWN:
        n = _list_cells(pawn_targets(s, s[TURN]), A_PAWN, out)
    elif phase == P_ACT:
        n = _list_act(s, out)
    elif phase == P_OPEN:
        n = _list_open(s, out)
    elif phase == P_PICK:
        n = _list_tested(s, A_PICK, A_MOVE, n, out)
    elif phase == P_PLACE:
        n = _list_tested(s, A_PLACE, A_PICK, n, out)
    elif phase == P_TAKE:
        n = _list_tested(s, A_TAKE, A_GIFT, n, out)
    elif phase == P_GIFT:
        n = _list_tested(s, A_GIFT, A_LIFT, n, out)
    if s[SILLY]:
        n = _list_tested(s, A_PAIR, A_KEEP, n, out)
        if phase == P_RAINBOW:
            out[n] = A_KEEP
            n += 1
    return n


def _list_tested(s: vec[i64], begin: i64, end: i64, n: i64, out: vec[i64]) -> i64:
    """Append those actions from `begin` up to `end` that are legal."""
    action: i64
    for action in range(begin, end):
        if is_legal(s, action):
            out[n] = action
            n += 1
    return n


def _list_chance(s: vec[i64], phase: i64, out: vec[i64]) -> i64:
    if phase == P_DEAL:
        return _list_tested(s, A_DEAL, A_DEAL + TILE_TYPES, 0, out)
    if phase == P_FIRST:
        return _list_tested(s, A_FIRST, A_DRAW, 0, out)
    if phase == P_DRAW:
        return _list_tested(s, A_DRAW, A_ROLL, 0, out)
    if phase == P_EYE:
        return _list_tested(s, A_EYE_CLOSED, A_PLACE, 0, out)
    return _list_tested(s, A_ROLL, A_EYE_CLOSED, 0, out)


def _list_cells(cells: i64, base: i64, out: vec[i64]) -> i64:
    n: i64 = 0
    cell: i64
    for cell in range(CELLS):
        if cells >> cell & 1:
            out[n] = base + cell
            n += 1
    return n


def _list_open(s: vec[i64], out: vec[i64]) -> i64:
    n = _list_cells(peek_targets(s), A_PEEK, out)
    for victim in range(s[SEATS]):
        if may_rob(s, victim):
            first = A_STEAL + KINDS * victim
            n = _list_tested(s, first, first + KINDS, n, out)
    if may_go_on(s):
        out[n] = A_GO
        n += 1
    if s[GERMAN]:
        out[n] = A_PASS
        n += 1
    return n


def _list_act(s: vec[i64], out: vec[i64]) -> i64:
    n: i64 = 0
    if s[THROWS]:
        n = _list_tested(s, A_THROW, A_THROW + s[SEATS], n, out)
    out[n] = A_LIFT
    n += 1
    colour: i64
    if BESIDE[s[PAWN + s[TURN]]] & LAIR_CELLS:
        for colour in range(4):
            if beside_lair(s, colour):
                first = A_LAIR + KINDS * colour
                n = _list_tested(s, first, first + KINDS, n, out)
    if may_take_from_bag(s):
        out[n] = A_BAG
        n += 1
    if s[GERMAN] == 0:
        out[n] = A_PASS
        n += 1
    return n
