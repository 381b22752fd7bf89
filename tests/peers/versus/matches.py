"""One match between our top level and OpenSpiel's bot, and a block of them.

Time is processor time of the thread that thinks: with others on the same machine, time on the wall
would say how busy they are. To be imported only where open-spiel is installed.
"""

from __future__ import annotations

import time
from random import Random

from services.engine.core import CHANCE
from services.engine.core.chance import draw
from services.engine.core.registry import ruleset
from tests.peers.versus.adapter import SEATS, Position
from tests.peers.versus.bots import Peer
from tests.peers.versus.ours import TopLevel
from tests.peers.versus.pairings import BLOCK, Block, Pairing, Thinking
from tests.peers.versus.whereabouts import Looker


def play_block(pairing: Pairing, number: int) -> Block:
    """Always the same deals for the same pairing and number."""
    ours, theirs, looker = _Spent(), _Spent(), Looker()
    results: list[float] = []
    actions = 0
    for deal in range(number * BLOCK // 2, (number + 1) * BLOCK // 2):
        for seat in (0, 1):
            result, taken = _play(pairing, deal, seat, ours, theirs, looker)
            results.append(result)
            actions += taken
    return Block(number, tuple(results), ours.total(), theirs.total(), looker.found(), actions)


class _Spent:
    """Adds up what a side spends."""

    def __init__(self) -> None:
        self._decisions, self._simulations, self._seconds = 0, 0, 0.0

    def add(self, simulations: int, seconds: float) -> None:
        self._decisions += 1
        self._simulations += simulations
        self._seconds += seconds

    def total(self) -> Thinking:
        return Thinking(self._decisions, self._simulations, round(self._seconds, 4))


def _play(
    pairing: Pairing, deal: int, seat: int, ours: _Spent, theirs: _Spent, looker: Looker
) -> tuple[float, int]:
    """Our result from this seat, and the actions of both."""
    rules = ruleset(pairing.game)
    state = rules.initial({}, SEATS)
    chance = Random(f"{pairing.game} {deal}")
    rng = Random(f"{pairing.name} {deal} {seat}")
    level = TopLevel(pairing.level, pairing.effort)
    peer = Peer(pairing.game, pairing.effort, rng.getrandbits(31))
    actions = 0
    while (actor := rules.actor(state)) is not None:
        if actor == CHANCE:
            state = rules.apply(state, draw(rules, state, chance))
            continue
        legal = rules.legal_actions(state)
        action = legal[0]
        if len(legal) > 1:
            known, position = rules.information(state, actor), Position(pairing.game, state)
            begin = time.thread_time()
            if actor == seat:
                action, simulations = level.choose(rules, known, rng)
            else:
                with looker.looking():
                    action, simulations = peer.choose(position)
            (ours if actor == seat else theirs).add(simulations, time.thread_time() - begin)
        state = rules.apply(state, rules.check(state, action))
        actions += 1
    outcome = rules.outcome(state)
    assert outcome is not None
    winners = outcome.winners or (0, 1)
    return (1 / len(winners) if seat in winners else 0.0), actions
