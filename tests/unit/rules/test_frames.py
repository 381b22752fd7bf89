"""What is made once and copied says what making it anew would say, and belongs to nobody."""

from __future__ import annotations

import random

import pytest

from oddsocks.play.v1 import play_pb2
from services.engine.core.options import resolve
from services.engine.core.registry import AnyRuleset, game_names, ruleset
from services.rules import convert, frames
from services.rules.match import MatchInfo, Move, Occupant, begin, play
from services.rules.turn_clock import Time
from services.wire.actions import action_to_message
from services.wire.observations import observation_to_message
from services.wire.options import options_to_message

PLIES = 120


def match_of(rules: AnyRuleset, name: str = "Anna") -> MatchInfo:
    options = resolve(rules.option_specs, {})
    seats = (Occupant(name, player_id="anna"),) * rules.min_seats
    return MatchInfo("0" * 32, rules, options, seats, 1, "", b"seed")


@pytest.mark.parametrize("game", game_names())
def test_views_are_those_made_anew(game: str) -> None:
    rules, rng = ruleset(game), random.Random(7)
    info = match_of(rules)
    position = begin(info, info.draws, 0).after
    for _ in range(PLIES):
        if position.actor is None:
            break
        actions = rules.legal_actions(position.state)
        message = convert.match_to_message(info, position, range(rules.min_seats), Time(0, 0), 0)
        for view in message.views:
            seen = rules.observe(position.state, view.seat)
            assert view.observation == observation_to_message(rules, seen)
            mine = actions if view.seat == position.actor else ()
            assert list(view.legal_actions) == [action_to_message(rules, one) for one in mine]
        assert message.options == options_to_message(dict(info.options))
        move = Move(position.actor, position.revision, rng.choice(actions))
        position = play(info, position, move, info.draws, 0).after


def test_what_a_caller_does_to_a_message_nobody_else_sees() -> None:
    info = match_of(ruleset("socker"))
    position = begin(info, info.draws, 0).after

    def message() -> play_pb2.Match:
        return convert.match_to_message(info, position, (0, 1), Time(0, 0), 0)

    before, spoilt = message().SerializeToString(deterministic=True), message()
    spoilt.seats[0].display_name = "Ben"
    spoilt.fairness.seed = b"secret"
    for view in spoilt.views:
        del view.legal_actions[:]
        for piece in view.observation.socker.pieces:
            piece.lying = True
    assert message().SerializeToString(deterministic=True) == before


def test_another_name_is_another_frame() -> None:
    """An info that was read anew, since a player has another name now."""
    names = [
        frames.of_match(match_of(ruleset("socker"), name)).seats[0].display_name
        for name in ("Anna", "Wolf")
    ]
    assert names == ["Anna", "Wolf"]


def test_the_seed_is_told_after_the_end_only() -> None:
    rules, rng = ruleset("socker"), random.Random(3)
    info = match_of(rules)
    position = begin(info, info.draws, 0).after
    while position.actor is not None:
        message = convert.match_to_message(info, position, (0,), Time(0, 0), 0)
        assert message.fairness.seed == b""
        move = Move(
            position.actor, position.revision, rng.choice(rules.legal_actions(position.state))
        )
        position = play(info, position, move, info.draws, 0).after
    assert convert.match_to_message(info, position, (0,), Time(0, 0), 0).fairness.seed == b"seed"
    assert frames.of_match(info).fairness.seed == b""
