"""The last turns of Sock Monsters to the end, exactly: a kernel, compiled as the game's own are.

For positions in which every seat knows every tile, so that nothing is hidden but what chance will
do. All rules count, the hundred moves of a monster (RULINGS 1.13) included. International edition,
two seats, no silly socks; each turn before the last one multiplies the work by some thousands.

The turns are followed action by action, but for two places. A monster that stays awake is not
followed along its hundred moves: what it can be worth on each cell is carried back from the last
move to the first. And in the very last turn nothing counts but what is gained, wherever.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.kernel import CHANCE, actor, apply
from services.engine.games.sock_monsters.layout import (
    A_GO,
    A_LAIR,
    A_LIFT,
    A_MOVE,
    A_PAWN,
    A_PICK,
    A_STEAL,
    ACTIONS,
    BESIDE,
    BIT,
    CAP,
    CELLS,
    COLOUR,
    COLOURS,
    COUNT,
    EYE_OPEN,
    FACE_UP,
    FIRST,
    KINDS,
    LAIR,
    LAIR_CELL,
    LOOSE,
    MONSTER,
    MOST_MOVES,
    OCCUPIED,
    P_EYE,
    P_MOVE,
    P_OPEN,
    P_PAWN,
    P_PICK,
    P_ROLL,
    P_THREE_PAIRS,
    PAIRED,
    PAIRS_TO_WIN,
    PHASE,
    ROUND,
    SEATS,
    TILE,
    TOKENS,
    TURN,
)
from services.engine.games.sock_monsters.legality import legal, weight
from services.engine.games.sock_monsters.reach import can_move, monster_targets, pawn_targets

_NONE = -1.0


def buffer(words: list[int]) -> vec[i64]:
    """A buffer of this module's kind."""
    return vec[i64](words)


def _copy(s: vec[i64]) -> vec[i64]:
    return s[:]


def _for_turn(s: vec[i64], worth: float) -> float:
    """From the first seat's share to that of the seat whose turn it is, and back."""
    return worth if s[TURN] == 0 else 1.0 - worth


def _result(s: vec[i64]) -> float:
    """The first seat's share of the win if the game ends as things lie (RULINGS 1.10, 1.11)."""
    mine = s[PAIRED]
    theirs = s[PAIRED + 1]
    if s[PHASE] == P_THREE_PAIRS:
        if mine >= PAIRS_TO_WIN and theirs >= PAIRS_TO_WIN:
            return 0.5
    elif mine == theirs:
        mine = s[LOOSE]
        theirs = s[LOOSE + 1]
    if mine == theirs:
        return 0.5
    return 1.0 if mine > theirs else 0.0


def worth(s: vec[i64]) -> float:
    """The first seat's share of the win when both play their best from here on."""
    phase = s[PHASE]
    if phase >= P_THREE_PAIRS:
        return _result(s)
    if phase == P_ROLL:
        return _roll(s)
    if phase in (P_MOVE, P_EYE, P_OPEN):
        return _Awake(s, s[COLOUR]).now(s)
    if phase == P_PAWN and _is_last(s):
        return _last_steps(s)
    out = vec[i64]([0] * ACTIONS)
    number = legal(s, out)
    i: i64
    if actor(s) == CHANCE:
        total: i64 = 0
        found = 0.0
        for i in range(number):
            share = weight(s, out[i])
            after = _copy(s)
            apply(after, out[i])
            total += share
            found += float(share) * worth(after)
        return found / float(total)
    best = _NONE
    mine = actor(s) == 0
    for i in range(number):
        after = _copy(s)
        apply(after, out[i])
        it = worth(after)
        if best == _NONE or (it > best if mine else it < best):
            best = it
    return best


def worths(s: vec[i64], actions: list[int]) -> list[float]:
    """The first seat's share of the win after each of these legal actions of the seat to act."""
    found: list[float] = []
    phase = s[PHASE]
    if phase in (P_MOVE, P_OPEN):
        awake = _Awake(s, s[COLOUR])
        awake.carry_back(s[COUNT] + 1)
        for action in actions:
            if A_MOVE <= action < A_MOVE + CELLS:
                found.append(_for_turn(s, awake.moved[action - A_MOVE]))
            elif action == A_GO:
                found.append(_for_turn(s, awake.best_move(s[MONSTER + s[COLOUR]])))
            elif action < A_STEAL:  # a peek, and nothing to see
                found.append(_for_turn(s, awake.asleep[s[MONSTER + s[COLOUR]]]))
            else:
                found.append(_after(s, action))
        return found
    for action in actions:
        if phase == P_PICK and A_PICK <= action < A_MOVE:
            found.append(_for_turn(s, _move_of(s, action - A_PICK)))
        else:
            found.append(_after(s, action))
    return found


def _after(s: vec[i64], action: i64) -> float:
    after = _copy(s)
    apply(after, action)
    return worth(after)


def _is_last(s: vec[i64]) -> bool:
    """Whether the turn that runs is the last one under the cap."""
    return s[ROUND] >= s[CAP] and (s[TURN] + 1) % s[SEATS] == s[FIRST]


def _last_steps(s: vec[i64]) -> float:
    """The pawn's part of the last turn: all that counts is what it can get."""
    turn = s[TURN]
    best = _for_turn(s, _result(s))  # what staying and passing comes to
    targets = pawn_targets(s, turn)
    lift: i64 = -1
    seen: i64 = 0
    cell: i64
    colour: i64
    sock: i64
    for cell in range(CELLS):
        if targets & BIT[cell] == 0:
            continue
        tile = s[TILE + cell]
        if tile // 4 == turn and s[FACE_UP] & BIT[cell] == 0 and s[TOKENS + turn] & BIT[tile % 4]:
            lift = cell
        for colour in range(4):
            if BESIDE[LAIR_CELL[colour]] & BIT[cell] == 0:
                continue
            for sock in range(COLOURS):
                if s[LAIR + KINDS * colour + sock] and seen & BIT[sock] == 0:
                    seen |= BIT[sock]
                    it = _for_turn(s, _step(s, cell, A_LAIR + KINDS * colour + sock))
                    if it > best:
                        best = it
    if lift >= 0:
        it = _for_turn(s, _step(s, lift, A_LIFT))
        if it > best:
            best = it
    return _for_turn(s, best)


def _step(s: vec[i64], cell: i64, action: i64) -> float:
    after = _copy(s)
    apply(after, A_PAWN + cell)
    apply(after, action)
    return worth(after)


def _asleep(s: vec[i64]) -> vec[i64]:
    """The position with the monster's part of the turn over."""
    after = _copy(s)
    after[COLOUR] = -1
    after[COUNT] = 0
    after[PHASE] = P_PAWN
    return after


def _roll(s: vec[i64]) -> float:
    """RULINGS 1.1 and 1.12: four colours, and two faces that let the player pick."""
    still = _NONE
    best = _NONE
    total = 0.0
    colour: i64
    for colour in range(4):
        if can_move(s, colour):
            it = _move_of(s, colour)
            if it > best:
                best = it
        else:
            if still == _NONE:
                still = _for_turn(s, worth(_asleep(s)))
            it = still
        total += it
    if best == _NONE:
        best = still
    return _for_turn(s, (total + 2.0 * best) / 6.0)


def _move_of(s: vec[i64], colour: i64) -> float:
    """What the first move of this monster is worth to the seat whose turn it is."""
    awake = _Awake(s, colour)
    awake.carry_back(1)
    return awake.best_move(s[MONSTER + colour])


class _Awake:
    """What a monster's part of the turn is worth, by the cell it stands on, to the seat in turn.

    `asleep`: once it is over; `stop`: of the best peek or theft there, -1 if there is none;
    `moved`: just moved there, before the eye is rolled, with as many moves made as `carry_back`
    was told.
    """

    def __init__(self, s: vec[i64], colour: i64) -> None:
        self.asleep: list[float] = [_NONE] * CELLS
        self.stop: list[float] = [_NONE] * CELLS
        self.moved: list[float] = [_NONE] * CELLS
        self.targets: vec[i64] = vec[i64]([0] * CELLS)
        self.open = float(s[EYE_OPEN]) / 6.0
        self.cells: vec[i64] = vec[i64]([0] * CELLS)
        self.number: i64 = 1
        self.cells[0] = s[MONSTER + colour]
        met = BIT[self.cells[0]]
        i: i64 = 0
        cell: i64
        while i < self.number:
            here = self.cells[i]
            self._look(s, colour, here)
            for cell in range(CELLS):
                if self.targets[here] & ~met & BIT[cell]:
                    met |= BIT[cell]
                    self.cells[self.number] = cell
                    self.number += 1
            i += 1

    def _look(self, s: vec[i64], colour: i64, cell: i64) -> None:
        there = _copy(s)
        if s[MONSTER + colour] != cell:
            there[OCCUPIED] ^= BIT[s[MONSTER + colour]] | BIT[cell]
            there[MONSTER + colour] = cell
        self.targets[cell] = monster_targets(there, colour)
        self.asleep[cell] = _for_turn(s, worth(_asleep(there)))
        there[PHASE] = P_OPEN
        there[COLOUR] = colour
        there[COUNT] = 1
        out = vec[i64]([0] * ACTIONS)
        number = legal(there, out)
        i: i64
        for i in range(number):
            action = out[i]
            it = _NONE
            if action < A_STEAL:
                it = self.asleep[cell]
            elif action < A_GO:
                it = _for_turn(s, _after(there, action))
            if it > self.stop[cell]:
                self.stop[cell] = it

    def best_move(self, cell: i64) -> float:
        """Of the cells that a move from this one leads to; -1 if there are none."""
        best = _NONE
        to: i64
        for to in range(CELLS):
            if self.targets[cell] & BIT[to] and self.moved[to] > best:
                best = self.moved[to]
        return best

    def awake(self, cell: i64, may_go: bool) -> float:
        """With the eye open there, if going on leads to `moved`."""
        best = self.stop[cell]
        if may_go:
            on = self.best_move(cell)
            if on > best:
                best = on
        return self.asleep[cell] if best == _NONE else best

    def carry_back(self, moves: i64) -> None:
        """Fill `moved` for a monster that has made so many moves."""
        made: i64 = MOST_MOVES
        i: i64
        changed = True
        first = True
        while made >= moves and changed:
            # All of them from what they were with one move more, then all at once.
            found: list[float] = []
            for i in range(self.number):
                cell = self.cells[i]
                found.append(
                    self.open * self.awake(cell, not first) + (1.0 - self.open) * self.asleep[cell]
                )
            changed = first
            for i in range(self.number):
                cell = self.cells[i]
                if self.moved[cell] != found[i]:
                    self.moved[cell] = found[i]
                    changed = True
            first = False
            made -= 1

    def now(self, s: vec[i64]) -> float:
        """The first seat's share of the win in a position of this monster's part of the turn."""
        here = s[MONSTER + s[COLOUR]]
        if s[PHASE] == P_EYE:
            self.carry_back(s[COUNT])
            return _for_turn(s, self.moved[here])
        self.carry_back(s[COUNT] + 1)
        if s[PHASE] == P_MOVE:
            return _for_turn(s, self.best_move(here))
        return _for_turn(s, self.awake(here, s[COUNT] < MOST_MOVES))
