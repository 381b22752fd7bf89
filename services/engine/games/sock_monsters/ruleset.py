"""Sock Monsters as a `Ruleset`: the thin door to the kernel."""

from __future__ import annotations

from random import Random

from services.engine.core import (
    CHANCE,
    Action,
    InvalidNotation,
    InvalidOption,
    Options,
    Outcome,
    Ruleset,
    Seat,
    WeightedAction,
)
from services.engine.core.notation import Frame, read_frame, write_frame
from services.engine.games.sock_monsters import actions, checks, drawing, kernel, legality, views
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.model import Information, Observation
from services.engine.games.sock_monsters.state import (
    OPTION_SPECS,
    State,
    check_options,
    initial,
    options_of,
)
from services.engine.games.sock_monsters.writer import (
    write_information,
    write_observation,
    write_state,
)


class SockMonsters(Ruleset[State, Observation, Information]):
    """RULINGS 1, both editions."""

    game = "sock_monsters"
    version = 1
    min_seats = 2
    max_seats = 4
    option_specs = OPTION_SPECS
    action_count = k.ACTIONS

    def initial(self, options: Options, seats: int) -> State:
        if not self.min_seats <= seats <= self.max_seats:
            raise InvalidOption("Sock Monsters is for 2 to 4", name="seats", value=str(seats))
        return initial(options, seats)

    def options(self, state: State) -> Options:
        return options_of(state.data)

    def seats(self, state: State) -> int:
        return state.data[k.SEATS]

    def actor(self, state: State) -> Seat | None:
        seat = kernel.actor(kernel.buffer(list(state.data)))
        return None if seat == kernel.OVER else seat

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        out = kernel.buffer([0] * k.ACTIONS)
        count = legality.legal(kernel.buffer(list(state.data)), out)
        return tuple(Action(number) for number in list(out)[:count])

    def is_legal(self, state: State, action: Action) -> bool:
        known = 0 <= action < k.ACTIONS
        return known and legality.is_legal(kernel.buffer(list(state.data)), action)

    def chance_outcomes(self, state: State) -> tuple[WeightedAction, ...]:
        if self.actor(state) != CHANCE:
            return ()
        s = kernel.buffer(list(state.data))
        return tuple(
            WeightedAction(action, legality.weight(s, action))
            for action in self.legal_actions(state)
        )

    def apply(self, state: State, action: Action) -> State:
        s = kernel.buffer(list(state.data))
        kernel.apply(s, action)
        return State(tuple(s))

    def outcome(self, state: State) -> Outcome | None:
        data = state.data
        if data[k.PHASE] < k.P_THREE_PAIRS:
            return None
        scores = self.scores(state)
        if data[k.PHASE] == k.P_THREE_PAIRS:
            winners = tuple(seat for seat, pairs in enumerate(scores) if pairs >= k.PAIRS_TO_WIN)
            return Outcome("three_pairs", winners, scores)
        # RULINGS 1.11: most pairs, then most single socks, else shared.
        ranks = [(scores[seat], data[k.LOOSE + seat]) for seat in range(data[k.SEATS])]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        return Outcome("round_cap", winners, scores)

    def may_undo(self, state: State, action: Action) -> bool:
        """Unless a tile was turned by it, or would come into view once more (RULINGS 1.14).

        Tiles are all that is hidden and not chance's; each action of a seat that turns none ends
        the view of the one turned before.
        """
        return state.data[k.SHOWN] < 0 and self.apply(state, action).data[k.SHOWN] < 0

    def scores(self, state: State) -> tuple[int, ...]:
        """Pairs."""
        return state.data[k.PAIRED : k.PAIRED + state.data[k.SEATS]]

    def observe(self, state: State, seat: Seat) -> Observation:
        return views.observe(state, seat)

    def information(self, state: State, seat: Seat) -> Information:
        return views.information(state, seat)

    def determinize(self, information: Information, rng: Random) -> State:
        return views.determinize(information, rng)

    def visible_action(self, state: State, action: Action, seat: Seat) -> str:
        """All but the deal happens before everybody's eyes: a peek names its cell only."""
        del seat
        return "?" if state.data[k.PHASE] == k.P_DEAL else self.format_action(action)

    def format_state(self, state: State) -> str:
        return self._frame(write_state(state), state.data[k.SEATS], options_of(state.data))

    def parse_state(self, text: str) -> State:
        return checks.read_state(self._read_frame(text), text)

    def format_action(self, action: Action) -> str:
        return actions.format_action(action)

    def parse_action(self, text: str) -> Action:
        return actions.parse_action(text)

    def format_observation(self, observation: Observation) -> str:
        table = observation.table
        return self._frame(write_observation(observation), table.seats, dict(table.options))

    def parse_observation(self, text: str) -> Observation:
        return checks.read_observation(self._read_frame(text), text)

    def format_information(self, information: Information) -> str:
        table = information.table
        return self._frame(write_information(information), table.seats, dict(table.options))

    def parse_information(self, text: str) -> Information:
        return checks.read_information(self._read_frame(text), text)

    def draw(self, observation: Observation) -> str:
        return drawing.draw(observation)

    def _frame(self, body: str, seats: int, options: Options) -> str:
        return write_frame(self, seats, dict(options), body)

    def _read_frame(self, text: str) -> Frame:
        frame = read_frame(self, text)
        try:
            check_options(frame.options)
        except InvalidOption as error:
            part = f"{error.name}={error.value}"
            raise InvalidNotation(error.problem, part=part, text=text) from error
        return frame
