"""Exact play on the games' public face, with nothing clever in it: what the solvers are held to.

Every position is followed to its end by the rules as they are, caps included, so positions have to
be small. Worths are of the first seat, as its share of the win, 0 … 1.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations, product
from typing import Any

from services.engine.core import CHANCE, Action
from services.engine.core.registry import AnyRuleset
from services.engine.games.hide_and_seek import deals
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.values import Information, State


def share_of_first(rules: AnyRuleset, state: Any) -> float:
    """Of a finished match."""
    outcome = rules.outcome(state)
    assert outcome is not None
    winners = outcome.winners or tuple(range(rules.seats(state)))
    return (0 in winners) / len(winners)


class HideAndSeek:
    """Expectations over all worlds that agree with what both know."""

    def __init__(self, rules: AnyRuleset) -> None:
        self._rules = rules
        self._known: dict[Information, float] = {}

    def worths(self, information: Information) -> dict[Action, float]:
        """Of each action of the seat to act."""
        worlds = worlds_of(information)
        return {a: self._after(worlds, a) for a in self._rules.legal_actions(worlds[0])}

    def _after(self, worlds: list[State], action: Action) -> float:
        seen = defaultdict[Information, list[State]](list)
        for world in worlds:
            after = _without_turns(self._rules.apply(world, action))
            seen[self._rules.information(after, 0)].append(after)
        total = sum(len(group) * self.worth(known, group) for known, group in seen.items())
        return total / len(worlds)

    def worth(self, known: Information, worlds: list[State]) -> float:
        """Of what is known, with all worlds that agree with it."""
        if known not in self._known:
            actor = self._rules.actor(worlds[0])
            if actor is None:
                self._known[known] = share_of_first(self._rules, worlds[0])
            else:
                best = max if actor == 0 else min
                self._known[known] = best(
                    self._after(worlds, action) for action in self._rules.legal_actions(worlds[0])
                )
        return self._known[known]


def _without_turns(state: State) -> State:
    """Turns count only for their cap, which no match of three types can reach before the other."""
    words = [*state.buffer]
    words[at.TURNS] = 0
    return State(tuple(words))


def worlds_of(information: Information) -> list[State]:
    """One for each way in which the unseen cards, told apart, can lie, either side up."""
    words = information.buffer
    cells = [
        c for c in range(at.CELLS) if words[at.SHOWN + c] < at.CANDY and not words[at.KNOWN + c]
    ]
    unseen = [kind for kind, left in enumerate(deals.unseen_kinds(words)) for _ in range(left)]
    found = []
    for cards, sides in product(permutations(unseen), product((0, 1), repeat=len(cells))):
        world = [*words]
        for cell, kind, side in zip(cells, cards, sides, strict=True):
            faces = (at.LOW_OF[kind], at.HIGH_OF[kind])
            if faces[side] != words[at.SHOWN + cell]:
                break
            world[at.HIDDEN + cell] = faces[1 - side]
        else:
            found.append(State(tuple(world)))
    return found


class OpenGame:
    """Expectations in a game whose whole state is known to all."""

    def __init__(self, rules: AnyRuleset) -> None:
        self._rules = rules
        self._known: dict[Any, float] = {}

    def worths(self, state: Any) -> dict[Action, float]:
        """Of each action of the seat to act."""
        rules = self._rules
        return {a: self._worth(rules.apply(state, a)) for a in rules.legal_actions(state)}

    def _worth(self, state: Any) -> float:
        if state not in self._known:
            self._known[state] = self._found(state)
        return self._known[state]

    def _found(self, state: Any) -> float:
        rules = self._rules
        actor = rules.actor(state)
        if actor is None:
            return share_of_first(rules, state)
        if actor == CHANCE:
            outcomes = rules.chance_outcomes(state)
            worth = sum(o.weight * self._worth(rules.apply(state, o.action)) for o in outcomes)
            return worth / sum(outcome.weight for outcome in outcomes)
        return (max if actor == 0 else min)(self.worths(state).values())
