"""The tree of a search over information states, on one flat buffer that is made once.

Compiled together with the games' lines of play, so that a whole iteration runs in machine code;
uncompiled the same source runs on lists. Nodes are what one seat knows at one point of the lines
looked at, arms the actions tried there, links lead on by what that seat saw.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Final

from services.engine.core.vec import i64, vec

CHANCE: Final = -1
OVER: Final = -3
MOST: Final = 1000
"""The value of a won game; a shared one is worth that share of it, a lost one 0."""

_CURIOSITY: Final = 0.45  # weight of what was tried little, for values from 0 to 1
_UNTRIED: Final = 1.0e9

# Where what stands. Sizes bound what a search can remember; beyond them it plays on by habit.
ACTIONS: Final = 2400  # more than any game has
_NODES: Final = 0
_ARMS: Final = 1
_LINKS: Final = 2
_SLOT: Final = 16  # + action: the arm of the node looked at last, for a while
_NODE: Final = 16 + ACTIONS  # + 2 node: first arm, first link
NODES_MOST: Final = 20_000
_ARM: Final = _NODE + 2 * 20_000  # + 10 arm: as below
ARMS_MOST: Final = 60_000
_LINK: Final = _ARM + 10 * 60_000  # + 3 link: what was seen, node, next link
LINKS_MOST: Final = 20_000
SIZE: Final = _LINK + 3 * 20_000

# Of an arm.
_NEXT: Final = 0
_OF: Final = 1
_ACTION: Final = 2
_AVAILABLE: Final = 3
_VISITS: Final = 4
_TOTAL: Final = 5  # for the seat that acts
_SUMS: Final = 6  # + seat
_ARM_WORDS: Final = 10

_NONE: Final = -1


class Lines:
    """The lines of play of one game, on its kernel's buffers; each game overrides every method.

    A class and no protocol, so that compiled code calls the methods directly.

    What `candidates` lists, and what seats do in `play_out`, depends on nothing that the seat to
    act can't know there: lines in which somebody knows a secret would promise too much.
    """

    def buffer(self, words: list[int]) -> vec[i64]:
        """A buffer of the kernel's kind."""
        raise NotImplementedError

    def room(self) -> i64:
        """How many words `out` needs."""
        raise NotImplementedError

    def actor(self, s: vec[i64]) -> i64:
        """The seat to act, CHANCE or OVER."""
        raise NotImplementedError

    def turn(self, s: vec[i64]) -> i64:
        """The number of the turn: rises by 1 with each turn of whatever seat."""
        raise NotImplementedError

    def candidates(self, s: vec[i64], out: vec[i64]) -> i64:
        """Write the actions worth a try into `out`, the most promising first; their number > 0."""
        raise NotImplementedError

    def chance(self, s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
        """Draw an outcome by its weight."""
        raise NotImplementedError

    def take(self, s: vec[i64], action: i64, observer: i64) -> i64:
        """Carry out an action; returns it together with what `observer` sees, as one number."""
        raise NotImplementedError

    def play_out(self, s: vec[i64], rng: vec[i64], out: vec[i64], until: i64) -> None:
        """Play on by simple habits to the beginning of turn `until`, or to the end."""
        raise NotImplementedError

    def judge(self, s: vec[i64], values: vec[i64]) -> None:
        """Write into `values` what the position is worth to each seat, from 0 to `MOST`."""
        raise NotImplementedError


def new_tree() -> vec[i64]:
    """Room for a tree; `plant` begins one in it."""
    return vec[i64]([0] * SIZE)


def plant(t: vec[i64]) -> None:
    """Begin a tree: a root without arms."""
    t[_NODES] = 0
    t[_ARMS] = 0
    t[_LINKS] = 0
    _new_node(t)


def _new_node(t: vec[i64]) -> i64:
    node = t[_NODES]
    if node >= NODES_MOST:
        return _NONE
    t[_NODES] = node + 1
    t[_NODE + 2 * node] = _NONE
    t[_NODE + 2 * node + 1] = _NONE
    return node


def _new_arm(t: vec[i64], node: i64, action: i64) -> i64:
    arm = t[_ARMS]
    if arm >= ARMS_MOST:
        return _NONE
    t[_ARMS] = arm + 1
    at = _ARM + _ARM_WORDS * arm
    word: i64
    for word in range(_AVAILABLE, _ARM_WORDS):
        t[at + word] = 0
    t[at + _NEXT] = t[_NODE + 2 * node]
    t[at + _OF] = node
    t[at + _ACTION] = action
    t[_NODE + 2 * node] = arm
    return arm


def _follow(t: vec[i64], node: i64, seen: i64) -> i64:
    """The node after this sight, made if need be; -1 if there is no room for it."""
    link = t[_NODE + 2 * node + 1]
    while link != _NONE:
        at = _LINK + 3 * link
        if t[at] == seen:
            return t[at + 1]
        link = t[at + 2]
    link = t[_LINKS]
    if link >= LINKS_MOST:
        return _NONE
    after = _new_node(t)
    if after == _NONE:
        return _NONE
    t[_LINKS] = link + 1
    at = _LINK + 3 * link
    t[at] = seen
    t[at + 1] = after
    t[at + 2] = t[_NODE + 2 * node + 1]
    t[_NODE + 2 * node + 1] = link
    return after


def _select(t: vec[i64], node: i64, out: vec[i64], number: i64) -> i64:
    """The arm of the first action not tried yet, else the best by the rule UCB1, with how often an
    action was available in place of how often the node was reached; -1 if there is no room.
    """
    arm = t[_NODE + 2 * node]
    while arm != _NONE:
        at = _ARM + _ARM_WORDS * arm
        t[_SLOT + t[at + _ACTION]] = arm
        arm = t[at + _NEXT]
    best: i64 = _NONE
    best_score = -1.0
    i: i64
    for i in range(number):
        action = out[i]
        arm = t[_SLOT + action]
        at = _ARM + _ARM_WORDS * arm
        # What stands there may be left over from another node.
        if arm >= t[_ARMS] or t[at + _OF] != node or t[at + _ACTION] != action:
            arm = _new_arm(t, node, action)
            if arm == _NONE:
                continue
            at = _ARM + _ARM_WORDS * arm
        t[at + _AVAILABLE] += 1
        visits = t[at + _VISITS]
        score = _UNTRIED
        if visits > 0:
            tried = float(visits)
            spread = sqrt(log(float(t[at + _AVAILABLE])) / tried)
            score = float(t[at + _TOTAL]) / (MOST * tried) + _CURIOSITY * spread
        if score > best_score:
            best = arm
            best_score = score
    return best


def iterate(
    lines: Lines,
    t: vec[i64],
    s: vec[i64],
    root: vec[i64],
    rng: vec[i64],
    out: vec[i64],
    values: vec[i64],
    observer: i64,
    until: i64,
) -> None:
    """Walk `s` down the tree to an action never taken, play on from there to turn `until`, learn.

    `root`: the actions to try at the root. `values` has room for what each of four seats gets and,
    after it, for the seats and arms of a line of play; it is over when that is full.
    """
    node: i64 = 0
    depth: i64 = 0
    room: i64 = (len(values) - 4) // 2
    tried: i64 = 1
    while tried > 0 and depth < room:
        actor = lines.actor(s)
        if actor == OVER or lines.turn(s) >= until:
            break
        if actor == CHANCE:
            action = lines.chance(s, rng, out)
        else:
            if depth == 0:
                arm = _select(t, node, root, len(root))
            else:
                arm = _select(t, node, out, lines.candidates(s, out))
            if arm == _NONE:
                break
            at = _ARM + _ARM_WORDS * arm
            action = t[at + _ACTION]
            tried = t[at + _VISITS]
            values[4 + 2 * depth] = actor
            values[5 + 2 * depth] = at
            depth += 1
        seen = lines.take(s, action, observer)
        if tried > 0:
            node = _follow(t, node, seen)
            if node == _NONE:
                break
    lines.play_out(s, rng, out, until)
    lines.judge(s, values)
    i: i64
    seat: i64
    for i in range(depth):
        at = values[5 + 2 * i]
        t[at + _VISITS] += 1
        t[at + _TOTAL] += values[values[4 + 2 * i]]
    if depth > 0:
        at = values[5]
        for seat in range(4):
            t[at + _SUMS + seat] += values[seat]


def of_root(t: vec[i64], action: i64, out: vec[i64]) -> i64:
    """How often an action was taken at the root; the sums of each seat's values go to `out`."""
    arm = t[_NODE]
    seat: i64
    while arm != _NONE:
        at = _ARM + _ARM_WORDS * arm
        if t[at + _ACTION] == action:
            for seat in range(4):
                out[seat] = t[at + _SUMS + seat]
            return t[at + _VISITS]
        arm = t[at + _NEXT]
    return 0
