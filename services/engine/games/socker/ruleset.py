"""Socker as a `Ruleset`: the thin door to the kernel."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Final

from services.engine.core import (
    Action,
    InvalidNotation,
    InvalidOption,
    Options,
    OptionSpec,
    Outcome,
    Ruleset,
    Seat,
    WeightedAction,
)
from services.engine.core.notation import Frame, read_frame, write_frame
from services.engine.core.options import resolve
from services.engine.games.socker import actions, drawing, kernel, kernel_edge, notation, view
from services.engine.games.socker.layout import (
    ACTION_COUNT,
    ACTOR,
    GOALS,
    NO_LIMIT,
    OVER,
    PHASE,
    TOSS,
    TOSSES,
)
from services.engine.games.socker.state import State, freeze, initial, thaw, thaw_for_questions
from services.engine.games.socker.view import Information, Observation, Settings

_SPECS: Final = (
    OptionSpec("goals_to_win", 1, "goals that win the match", 1, 9),
    OptionSpec(
        "turn_limit",
        0,
        "turns each after which most goals win, instead of goals to win; 0: no limit",
        0,
        500,
    ),
    OptionSpec("turn_cap", 200, "turns each after which the match is decided in any case", 1, 500),
    OptionSpec("sudden_cap", 100, "turns each after which sudden death is a draw", 1, 500),
    OptionSpec(
        "recentre_into_goal",
        False,
        "whether a ball kicked out of bounds may be re-centred into a goal row",
    ),
    OptionSpec(
        "repetition_ignores_mover",
        False,
        "whether a position counts as repeated when the other player is to move",
    ),
)


class Socker(Ruleset[State, Observation, Information]):
    """RULINGS 2: South is seat 0 and scores in row 11, North is seat 1 and scores in row 1."""

    game = "socker"
    version = 1
    min_seats = 2
    max_seats = 2
    option_specs = _SPECS
    action_count = ACTION_COUNT

    def initial(self, options: Options, seats: int) -> State:
        if seats != 2:
            raise InvalidOption("Socker is for 2 seats", name="seats", value=str(seats))
        chosen = resolve(_SPECS, options)
        _check_turns(chosen)
        return initial(chosen)

    def options(self, state: State) -> Options:
        return view.settings_of(state.words).options()

    def seats(self, state: State) -> int:
        del state
        return 2

    def actor(self, state: State) -> Seat | None:
        return None if state.words[PHASE] == OVER else state.words[ACTOR]

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        out = kernel.buffer([0] * 128, 0)
        count = kernel.legal(thaw_for_questions(state), out)
        return tuple(Action(number) for number in sorted(list(out)[:count]))

    def is_legal(self, state: State, action: Action) -> bool:
        return 0 <= action < ACTION_COUNT and kernel.is_legal(thaw_for_questions(state), action)

    def chance_outcomes(self, state: State) -> tuple[WeightedAction, ...]:
        if state.words[PHASE] != TOSS:
            return ()
        return tuple(WeightedAction(Action(TOSSES + seat), 1) for seat in (0, 1))

    def apply(self, state: State, action: Action) -> State:
        buffer = thaw(state)
        kernel.apply(buffer, action)
        return freeze(buffer, state)

    def outcome(self, state: State) -> Outcome | None:
        return view.observe(state).outcome if state.words[PHASE] == OVER else None

    def may_undo(self, state: State, action: Action) -> bool:
        """Always: nothing is hidden."""
        del state, action
        return True

    def scores(self, state: State) -> tuple[int, ...]:
        return state.words[GOALS : GOALS + 2]

    def observe(self, state: State, seat: Seat) -> Observation:
        del seat
        return view.observe(state)

    def information(self, state: State, seat: Seat) -> Information:
        del seat
        return view.inform(state)

    def determinize(self, information: Information, rng: Random) -> State:
        del rng
        return view.rebuild(information)

    def format_state(self, state: State) -> str:
        return self.format_information(view.inform(state))

    def parse_state(self, text: str) -> State:
        return view.rebuild(self.parse_information(text))

    def format_action(self, action: Action) -> str:
        return actions.write_action(action)

    def parse_action(self, text: str) -> Action:
        return actions.read_action(text)

    def format_observation(self, observation: Observation) -> str:
        body = notation.write_observation(observation)
        return _header(self, observation.settings) + body

    def parse_observation(self, text: str) -> Observation:
        return self.parse_information(text).observation

    def format_information(self, information: Information) -> str:
        body = notation.write_information(information)
        return _header(self, information.observation.settings) + body

    def parse_information(self, text: str) -> Information:
        frame = read_frame(self, text)
        settings = _settings(frame, text)
        return _with_limit(notation.read_body(frame.body, settings, text=text), text)

    def draw(self, observation: Observation) -> str:
        return drawing.draw(observation)


@lru_cache(maxsize=256)
def _header(game: Socker, settings: Settings) -> str:
    """What stands before the body of each notation of a match."""
    return write_frame(game, 2, settings.options(), "")


def _check_turns(options: Options) -> None:
    """RULINGS 2.10."""
    if int(options["turn_limit"]) > int(options["turn_cap"]):
        raise InvalidOption(
            f"may not exceed turn_cap, which is {options['turn_cap']}",
            name="turn_limit",
            value=str(options["turn_limit"]),
        )


def _settings(frame: Frame, text: str) -> Settings:
    try:
        _check_turns(frame.options)
    except InvalidOption as error:
        part = f"turn_limit={frame.options['turn_limit']}"
        raise InvalidNotation(error.problem, part=part, text=text) from error
    o = frame.options
    return Settings(
        goals_to_win=int(o["goals_to_win"]),
        turn_limit=int(o["turn_limit"]),
        turn_cap=int(o["turn_cap"]),
        sudden_cap=int(o["sudden_cap"]),
        recentre_into_goal=bool(o["recentre_into_goal"]),
        repetition_ignores_mover=bool(o["repetition_ignores_mover"]),
    )


def _with_limit(information: Information, text: str) -> Information:
    """With the edge limit of the turn worked out or checked (RULINGS 2.6)."""
    seen = information.observation
    if seen.stage not in ("turn", "pick"):
        return information
    buffer = thaw_for_questions(view.rebuild(information))
    if seen.used > 0:
        if not kernel_edge.can_end(buffer):
            raise InvalidNotation(
                "this turn can't be brought to an end within its edge limit",
                part=text.partition("|")[2].strip(),
                text=text,
            )
        return information
    limit = kernel_edge.limit_of_turn(buffer)
    correct = None if limit == NO_LIMIT else int(limit)
    if seen.edge_limit not in (0, correct):
        shown = "none" if correct is None else correct
        raise InvalidNotation(
            f"the edge limit of this turn is {shown}",
            part=f"edge={'none' if seen.edge_limit is None else seen.edge_limit}",
            text=text,
        )
    return replace(information, observation=replace(seen, edge_limit=correct))
