"""OpenSpiel's bots on our games, and a clock of processor time for them.

MCTS where everything lies open, IS-MCTS elsewhere; both as OpenSpiel has them in Python, since its
C++ bots ask a Python game for every single action of a rollout, and its C++ IS-MCTS can't sample
states of one. Their rollouts are random matches played in one go on our kernels, compiled where the
path says so. To be imported only where open-spiel is installed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Final

from services.engine.core import Action
from services.engine.core.generator import generator
from tests.peers.versus.adapter import OPEN, Position, held, load
from tests.peers.versus.pairings import Effort
from tools.playouts import PLAYERS

mcts: Final[Any] = import_module("open_spiel.python.algorithms.mcts")  # ships no types
ismcts: Final[Any] = import_module("open_spiel.python.algorithms.ismcts")
numpy: Final[Any] = import_module("numpy")

UCT_C: Final = 2.0
"""How curious they are, for returns from -1 to 1: what OpenSpiel's own example of MCTS has."""
_LEAST: Final = 2  # simulations without which their root has nothing to choose from
_ROOM: Final = 1_024  # ids
_MANY: Final = 10**9


class _TimeUp(Exception):
    """No further simulation."""


@dataclass
class _Meter:
    """Counts the simulations of a decision and ends it when its time is over."""

    effort: Effort
    end: float = 0.0
    simulations: int = 0

    def begin(self) -> None:
        self.simulations = 0
        self.end = time.thread_time() + (self.effort.seconds or 0.0)

    def next(self) -> None:
        """Count one more simulation, or raise `_TimeUp`."""
        timed = self.effort.seconds is not None
        if timed and self.simulations >= _LEAST and time.thread_time() >= self.end:
            raise _TimeUp
        self.simulations += 1


class Rollouts(mcts.RandomRolloutEvaluator):  # type: ignore[misc]  # Any, as above
    """What OpenSpiel's evaluator does, but for the speed: one random match to its end."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__()
        self._game, self._player = game, PLAYERS[game]
        self._rng = generator(seed)
        self._out = self._player.buffer([0] * _ROOM)

    def evaluate(self, state: Any) -> Any:
        """The returns of both seats."""
        buffer = self._player.buffer(self._player.words(held(state).state))
        self._player.play(buffer, self._rng, self._out, False)
        return numpy.array(Position(self._game, self._player.state(buffer)).returns)


class _Mcts(mcts.MCTSBot):  # type: ignore[misc]  # Any, as above
    """Theirs, which can be told to stop."""

    def __init__(self, game: Any, evaluator: Any, meter: _Meter, rng: Any) -> None:
        most = meter.effort.simulations or _MANY
        super().__init__(game, UCT_C, most, evaluator, random_state=rng)
        self._meter, self._root = meter, None

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self._root = root
        self._meter.next()
        return super()._apply_tree_policy(root, state)

    def decide(self, state: Any) -> int:
        try:
            root = self.mcts_search(state)
        except _TimeUp:
            root = self._root
        return int(root.best_child().action)


class _IsMcts(ismcts.ISMCTSBot):  # type: ignore[misc]  # Any, as above
    """Theirs, which can be told to stop, on worlds sampled by our own `determinize`."""

    def __init__(self, game: Any, evaluator: Any, meter: _Meter, rng: Any, worlds: Random) -> None:
        most = meter.effort.simulations or _MANY
        super().__init__(game, evaluator, UCT_C, most, random_state=rng)
        self._meter = meter
        self.set_resampler(lambda state, seat: game.state_of(held(state).resampled(seat, worlds)))

    def sample_root_state(self, state: Any) -> Any:
        self._meter.next()
        return super().sample_root_state(state)

    def decide(self, state: Any) -> int:
        try:
            policy = self.run_search(state)
        except _TimeUp:
            policy = self.get_final_policy(state, self._root_node)
        actions, chances = zip(*policy, strict=True)
        return int(self._random_state.choice(actions, p=chances))


class Peer:
    """OpenSpiel's bot for a game."""

    def __init__(self, game: str, effort: Effort, seed: int) -> None:
        self._game, self._meter = load(game), _Meter(effort)
        rng = numpy.random.RandomState(seed)
        evaluator = Rollouts(game, seed + 1)
        self._bot = (
            _Mcts(self._game, evaluator, self._meter, rng)
            if game in OPEN
            else _IsMcts(self._game, evaluator, self._meter, rng, Random(seed))
        )

    def choose(self, position: Position) -> tuple[Action, int]:
        """An action for a decision with a choice, and the simulations it took."""
        self._meter.begin()
        action = Action(self._bot.decide(self._game.state_of(position)))
        return action, self._meter.simulations
