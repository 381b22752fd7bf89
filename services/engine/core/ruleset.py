"""What a game is to everybody else: immutable, versioned data and pure functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar, Generic, TypeVar

from services.engine.core.errors import IllegalAction
from services.engine.core.options import Options, OptionSpec
from services.engine.core.types import CHANCE, SPECTATOR, Action, Outcome, Seat, WeightedAction

State = TypeVar("State")
"""The whole truth at one point. Immutable, hashable, equal by value."""

Observation = TypeVar("Observation")
"""A frozen dataclass with what one seat sees now."""

Information = TypeVar("Information")
"""A frozen dataclass with what one seat knows with perfect memory."""


class Ruleset(ABC, Generic[State, Observation, Information]):
    """One game. Instances hold no state; `version` rises whenever a stored history of the
    version before could replay differently.

    Exactly one seat, or chance, acts in each state until the game is over. All functions are
    pure, and only `parse_*`, `initial` and `check` raise errors about their input: the others
    trust their caller.
    """

    game: ClassVar[str]
    version: ClassVar[int]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    option_specs: ClassVar[tuple[OptionSpec, ...]]
    action_count: ClassVar[int]
    """Action ids are 0 to action_count - 1, those of chance included."""

    @abstractmethod
    def initial(self, options: Options, seats: int) -> State:
        """The state before anything has happened. Raises `InvalidOption`."""

    @abstractmethod
    def options(self, state: State) -> Options:
        """The complete options the game is played with."""

    @abstractmethod
    def seats(self, state: State) -> int:
        """The number of seats."""

    @abstractmethod
    def actor(self, state: State) -> Seat | None:
        """The seat to act, `CHANCE`, or None when the game is over."""

    @abstractmethod
    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """What the actor may do, sorted by id; empty when the game is over.

        For chance: all outcomes with a weight above 0.
        """

    @abstractmethod
    def is_legal(self, state: State, action: Action) -> bool:
        """Whether `action` is in `legal_actions(state)`; any int may be asked."""

    @abstractmethod
    def chance_outcomes(self, state: State) -> tuple[WeightedAction, ...]:
        """The outcomes with their weights, sorted by id; empty when chance does not act."""

    @abstractmethod
    def apply(self, state: State, action: Action) -> State:
        """The state after a legal action; `state` stays as it was. Not checked: see `check`."""

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def observe(self, state: State, seat: Seat) -> Observation:
        """What `seat` (or `SPECTATOR`) sees now, built field by field."""

    @abstractmethod
    def information(self, state: State, seat: Seat) -> Information:
        """What `seat` knows with perfect memory: all that is public, too, such as who is to act."""

    @abstractmethod
    def determinize(self, information: Information, rng: Random) -> State:
        """A full state that agrees with `information`, sampled from its true distribution."""

    @abstractmethod
    def format_state(self, state: State) -> str:
        """The notation of a position, frame included."""

    @abstractmethod
    def parse_state(self, text: str) -> State:
        """The opposite of `format_state`; raises `InvalidNotation`."""

    @abstractmethod
    def format_action(self, action: Action) -> str:
        """The notation of an action; depends on nothing but the id."""

    @abstractmethod
    def parse_action(self, text: str) -> Action:
        """The opposite of `format_action`; raises `InvalidNotation`."""

    @abstractmethod
    def format_observation(self, observation: Observation) -> str:
        """The notation of an observation, frame included."""

    @abstractmethod
    def parse_observation(self, text: str) -> Observation:
        """The opposite of `format_observation`; raises `InvalidNotation`."""

    @abstractmethod
    def format_information(self, information: Information) -> str:
        """The notation of an information state, frame included."""

    @abstractmethod
    def parse_information(self, text: str) -> Information:
        """The opposite of `format_information`; raises `InvalidNotation`."""

    @abstractmethod
    def draw(self, observation: Observation) -> str:
        """A drawing of the board in lines of text, for terminals."""

    def visible_action(self, state: State, action: Action, seat: Seat) -> str:
        """How `seat` sees `action` happen in `state`: its notation, or `?` where it is hidden.

        Games with hidden chance (a shuffle) override this.
        """
        del state, seat
        return self.format_action(action)

    def may_undo(self, state: State, action: Action) -> bool:
        """Whether the seat that took `action` in `state` may take it back without asking anybody.

        Only where nobody, itself included, has learnt anything by it that was hidden, and going
        back shows nobody anything again that was shown for a moment. Who is to act next, and
        whether chance was, is the caller's to look at. A game has to say so itself.
        """
        del state, action
        return False

    def resigned(self, state: State, seat: Seat) -> Outcome:
        """The end when `seat` gives up: everybody else wins; scores as they stand."""
        others = tuple(s for s in range(self.seats(state)) if s != seat)
        return Outcome("resigned", others, self.scores(state))

    @abstractmethod
    def scores(self, state: State) -> tuple[int, ...]:
        """The score of each seat as it stands, in the game's own unit."""

    def check(self, state: State, action: Action) -> Action:
        """Return `action` if it is legal in `state`, else raise `IllegalAction`.

        The error shows the position as the actor sees it (a spectator, if chance acts or nobody),
        so that it can be shown to whoever tried.
        """
        if not self.is_legal(state, action):
            known = 0 <= action < self.action_count
            actor = self.actor(state)
            viewer = SPECTATOR if actor is None or actor == CHANCE else actor
            raise IllegalAction(
                "not legal here" if actor is not None else "the game is over",
                action=self.format_action(action) if known else str(action),
                position=self.format_observation(self.observe(state, viewer)),
            )
        return action
