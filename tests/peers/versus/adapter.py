"""Our games as games of OpenSpiel: `load(game)`; its own tests and bots then play them.

Two seats, the game's default options. A state of OpenSpiel holds one of ours, with which the rules
answer everything; whatever was asked about it once is kept, and clones share it. To be imported
only where open-spiel is installed (`tools/setup.sh bench`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from random import Random
from typing import Any, ClassVar, Final

from services.engine.core import CHANCE, Action
from services.engine.core.registry import game_names, ruleset
from tests.peers.versus.knowledge import KEYS

pyspiel: Final[Any] = import_module("pyspiel")  # ships no types

SEATS: Final = 2
OPEN: Final = frozenset({"socker"})
"""Games in which everything lies open."""
_LONGEST: Final = 20_000  # more actions than any match can have


class Position:
    """A state of ours, never changed, and the answers about it. `words`: the game and the state."""

    def __init__(self, game: str, state: Any) -> None:
        self.game, self.state = game, state
        self.rules = ruleset(game)
        self._keys: dict[int, str] = {}
        self._known: dict[int, Any] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Callable[[str, Any], Position], tuple[str, Any]]:
        return Position, (self.game, self.state)

    @cached_property
    def player(self) -> int:
        """Who acts, in OpenSpiel's numbers."""
        actor = self.rules.actor(self.state)
        if actor is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor == CHANCE else actor

    @cached_property
    def legal(self) -> list[int]:
        """Ids of the actions the actor may take, or of chance's outcomes."""
        return [int(action) for action in self.rules.legal_actions(self.state)]

    @cached_property
    def chances(self) -> list[tuple[int, float]]:
        """Chance's outcomes with their probabilities."""
        outcomes = self.rules.chance_outcomes(self.state)
        total = sum(outcome.weight for outcome in outcomes)
        return [(int(outcome.action), outcome.weight / total) for outcome in outcomes]

    @cached_property
    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw, a shared win, or while the match goes on."""
        outcome = self.rules.outcome(self.state)
        if outcome is None or len(outcome.winners) != 1:
            return [0.0] * SEATS
        return [1.0 if seat in outcome.winners else -1.0 for seat in range(SEATS)]

    def after(self, action: int) -> Position:
        """The position after a legal action."""
        return Position(self.game, self.rules.apply(self.state, Action(action)))

    def key(self, seat: int) -> str:
        """What the seat knows, as a text: equal exactly if it knows the same."""
        if seat not in self._keys:
            self._keys[seat] = KEYS[self.game](self.state, seat)
        return self._keys[seat]

    def resampled(self, seat: int, rng: Random) -> Position:
        """A position that agrees with what the seat knows, by the game's own `determinize`."""
        if seat not in self._known:
            self._known[seat] = self.rules.information(self.state, seat)
        return Position(self.game, self.rules.determinize(self._known[seat], rng))


class Observer:
    """What OpenSpiel asks for the texts of states; of an observer of its own kind. No tensors."""

    def __init__(self) -> None:
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, seat: int) -> None:
        """There is no tensor to set."""

    def string_from(self, state: Any, seat: int) -> str:
        """What the seat knows; with perfect memory it sees no less."""
        return held(state).key(seat)


class State(pyspiel.State):  # type: ignore[misc]  # Any, as pyspiel ships no types
    """One of our states among OpenSpiel's."""

    def __init__(self, game: Any, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return self.position.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.position.chances

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return self.position.rules.format_action(Action(action))

    def returns(self) -> list[float]:
        return self.position.returns

    def __str__(self) -> str:
        return self.position.rules.format_state(self.position.state)


def held(state: Any) -> Position:
    """Our position in a state of OpenSpiel."""
    found = state.position
    assert isinstance(found, Position)
    return found


class Game(pyspiel.Game):  # type: ignore[misc]  # Any, as pyspiel ships no types
    """One of our games among OpenSpiel's. Subclasses give it its `name`."""

    name: ClassVar[str]

    def __init__(self, params: Any = None) -> None:
        super().__init__(_type(self.name), _info(self.name), params or {})
        self._first = Position(self.name, ruleset(self.name).initial({}, SEATS))

    def new_initial_state(self) -> State:
        return State(self, self._first)

    def state_of(self, position: Position) -> State:
        """A state that holds this position, without the way that led to it."""
        return State(self, position)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        del kind, params
        return Observer()


def _type(name: str) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"oddsocks_{name}",
        long_name=f"Oddsocks: {name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,  # Socker tosses who begins
        information=kinds.Information.PERFECT_INFORMATION
        if name in OPEN
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=SEATS,
        min_num_players=SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
    )


def _info(name: str) -> Any:
    count = ruleset(name).action_count
    return pyspiel.GameInfo(
        num_distinct_actions=count,
        max_chance_outcomes=count,
        num_players=SEATS,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=_LONGEST,
    )


# A class for each, as OpenSpiel's own games have: any other kind of function that is registered
# breaks Python at its end.
for _name in game_names():
    pyspiel.register_game(_type(_name), type(f"Game_{_name}", (Game,), {"name": _name}))


def load(name: str) -> Game:
    """One of our games by its name, as `pyspiel.load_game` finds it."""
    found = pyspiel.load_game(f"oddsocks_{name}")
    assert isinstance(found, Game)
    return found
