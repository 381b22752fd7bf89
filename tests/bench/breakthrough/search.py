"""A plain tree search (UCT) with random playouts, on a tree that is made once.

Nodes are five words: visits, wins of the seat that led here, the action, the first child and the
number of children. As in OpenSpiel's search a node gets its children when it is visited again, in
random order, and the most visited child of the root is chosen.
"""

from __future__ import annotations

import math
from typing import Final

from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from tests.bench.breakthrough.kernel import (
    MOST_ACTIONS,
    MOVER,
    NOBODY,
    WINNER,
    apply,
    copy,
    legal,
    playout,
)

VISITS: Final = 0
WINS: Final = 1
ACTION: Final = 2
CHILD: Final = 3
CHILDREN: Final = 4
NODE: Final = 5

EXPLORATION: Final = 2.0  # for results from -1 to 1
DEEPEST: Final = 256  # a match is shorter: every step brings a piece forward


def new_tree(simulations: int) -> vec[i64]:
    """Room for all nodes of a search."""
    return vec[i64]([0] * (NODE * (1 + simulations * MOST_ACTIONS)))


def search(
    root: vec[i64],
    tree: vec[i64],
    work: vec[i64],
    path: vec[i64],
    out: vec[i64],
    rng: vec[i64],
    simulations: i64,
) -> i64:
    """The action to take at `root` after so many simulations.

    `work` has room for a position, `path` for DEEPEST nodes, `out` for MOST_ACTIONS.
    """
    free: i64 = NODE
    i: i64
    for i in range(NODE):
        tree[i] = 0
    _simulation: i64
    for _simulation in range(simulations):
        copy(root, work)
        node: i64 = 0
        depth: i64 = 0
        path[0] = 0
        while work[WINNER] == NOBODY and tree[node + VISITS] > 0:
            if tree[node + CHILDREN] == 0:
                free = _expand(tree, node, free, work, out, rng)
            node = _best(tree, node)
            apply(work, tree[node + ACTION])
            depth += 1
            path[depth] = node
        leader = 1 - work[MOVER]  # whoever led to the node at the end of the path
        winner = playout(work, rng)
        while depth >= 0:
            node = path[depth]
            tree[node + VISITS] += 1
            if winner == leader:
                tree[node + WINS] += 1
            leader = 1 - leader
            depth -= 1
    return tree[_most_visited(tree) + ACTION]


def _expand(tree: vec[i64], node: i64, free: i64, s: vec[i64], out: vec[i64], rng: vec[i64]) -> i64:
    """Give a node its children, in random order; return where the next node goes."""
    count = legal(s, out)
    tree[node + CHILD] = free
    tree[node + CHILDREN] = count
    while count > 0:
        chosen = draw(rng, count)
        count -= 1
        tree[free + VISITS] = 0
        tree[free + WINS] = 0
        tree[free + ACTION] = out[chosen]
        tree[free + CHILDREN] = 0
        out[chosen] = out[count]
        free += NODE
    return free


def _best(tree: vec[i64], node: i64) -> i64:
    """The first child without a visit, else the one with the highest upper bound (UCT)."""
    log_visits = math.log(float(tree[node + VISITS]))
    first = tree[node + CHILD]
    best = first
    most = -1000.0
    child: i64
    for child in range(first, first + tree[node + CHILDREN] * NODE, NODE):
        visits = tree[child + VISITS]
        if visits == 0:
            return child
        tries = float(visits)
        value = 2.0 * float(tree[child + WINS]) / tries - 1.0
        value += EXPLORATION * math.sqrt(log_visits / tries)
        if value > most:
            most = value
            best = child
    return best


def _most_visited(tree: vec[i64]) -> i64:
    best = tree[CHILD]
    child: i64
    for child in range(best, best + tree[CHILDREN] * NODE, NODE):
        if tree[child + VISITS] > tree[best + VISITS]:
            best = child
    return best
