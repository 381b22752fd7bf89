"""Observations on the wire: they come back, say what the notation says, and not a bit more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from oddsocks.play.v1 import play_pb2
from services.engine.core import SPECTATOR, InvalidNotation
from services.engine.core.registry import ruleset
from services.wire.codecs import CODECS
from services.wire.observations import observation_from_message, observation_to_message
from tests.conformance.shelf import ALL, Variant, samples
from tests.fixtures.peek import Peek
from tests.unit.wire import told

every = pytest.mark.parametrize("variant", ALL, ids=str)


def of(game: str) -> pytest.MarkDecorator:
    """All variants of one game."""
    variants = [variant for variant in ALL if variant.game == game]
    return pytest.mark.parametrize("variant", variants, ids=str)


def views(variant: Variant) -> Iterator[tuple[Any, int]]:
    """Positions of a random match, from every seat and from outside."""
    for state in samples(variant, 12, seed=5):
        for seat in (*range(variant.seats), SPECTATOR):
            yield state, seat


def message_of(variant: Variant, state: Any, seat: int) -> play_pb2.Observation:
    """What a seat is sent."""
    rules = variant.rules
    message = observation_to_message(rules, rules.observe(state, seat))
    assert message.WhichOneof("observation") == (variant.game if variant.game in CODECS else "text")
    return play_pb2.Observation.FromString(message.SerializeToString())


def sections(text: str) -> list[str]:
    """What stands behind a notation's header."""
    return [section.strip() for section in text.split("|")[1:]]


@every
def test_what_a_seat_sees_comes_back_typed_and_as_text(variant: Variant) -> None:
    rules = variant.rules
    for state, seat in views(variant):
        seen = rules.observe(state, seat)
        assert observation_from_message(rules, message_of(variant, state, seat)) == seen
        text = play_pb2.Observation(text=rules.format_observation(seen))
        assert observation_from_message(rules, text) == seen


@every
def test_a_typed_observation_holds_nothing_that_its_text_does_not(variant: Variant) -> None:
    rules = variant.rules
    for state, seat in views(variant):
        text = rules.format_observation(rules.observe(state, seat))
        again = observation_to_message(rules, rules.parse_observation(text))
        assert message_of(variant, state, seat) == again


@every
def test_what_a_seat_can_not_know_does_not_change_its_message(variant: Variant) -> None:
    rules, rng = variant.rules, Random(2)
    for state, seat in views(variant):
        other = rules.determinize(rules.information(state, seat), rng)
        messages = [message_of(variant, each, seat) for each in (state, other)]
        assert messages[0].SerializeToString() == messages[1].SerializeToString()


@of("sock_monsters")
def test_the_fields_of_sock_monsters_say_what_the_notation_says(variant: Variant) -> None:
    silly = 4 if dict(variant.options).get("silly_socks") else 0
    for state, seat in views(variant):
        seen = message_of(variant, state, seat).sock_monsters
        text = variant.rules.format_observation(variant.rules.observe(state, seat))
        assert seen.position == text
        assert told.sock_monsters(seen) == sections(text)
        assert {one.sock: one.count for one in seen.bag} == told.bag(seen, silly=silly)


@of("hide_and_seek")
def test_the_fields_of_hide_and_seek_say_what_the_notation_says(variant: Variant) -> None:
    for state, seat in views(variant):
        seen = message_of(variant, state, seat).hide_and_seek
        text = variant.rules.format_observation(variant.rules.observe(state, seat))
        assert seen.position == text
        *rest, phase = sections(text)
        over = phase.startswith("over")
        assert told.hide_and_seek(seen) == [*rest, "over" if over else phase]


@of("socker")
def test_the_fields_of_socker_say_what_the_notation_says(variant: Variant) -> None:
    for state, seat in views(variant):
        seen = message_of(variant, state, seat).socker
        text = variant.rules.format_observation(variant.rules.observe(state, seat))
        assert seen.position == text
        board, stage, *parts = text.split("|")[1].split()
        assert told.socker_board(seen) == board
        mover, _, count = stage.partition(":")
        if count[:1].isdigit():
            used, allowed = map(int, count.split("/"))
            assert (("", "south", "north")[seen.turn], seen.actions_left) == (mover, allowed - used)
        goals = f"goals={seen.south_goals}-{seen.north_goals}"
        assert goals in parts or goals == "goals=0-0"
        assert seen.sudden_death == ("sudden" in parts)


@pytest.mark.parametrize(("game", "other"), list(permutations(CODECS, 2)))
def test_another_games_arm_is_refused(game: str, other: str) -> None:
    foreign = ruleset(other)
    seen = foreign.observe(foreign.initial({}, 2), 0)
    message = observation_to_message(foreign, seen)
    with pytest.raises(InvalidNotation, match=f"not an observation of {game}") as caught:
        observation_from_message(ruleset(game), message)
    assert caught.value.part == other
    with pytest.raises(InvalidNotation):
        observation_from_message(ruleset(game), play_pb2.Observation())


@pytest.mark.parametrize("game", CODECS)
def test_a_position_that_nobody_can_read_is_refused(game: str) -> None:
    body: Any = {game: {"position": f"{game}/1 9 | nothing"}}
    with pytest.raises(InvalidNotation) as caught:
        observation_from_message(ruleset(game), play_pb2.Observation(**body))
    assert caught.value.part == "9"


def test_a_game_without_a_contract_travels_as_its_notation() -> None:
    peek = Peek()
    seen = peek.observe(peek.initial({}, 2), 0)
    message = observation_to_message(peek, seen)
    assert message == play_pb2.Observation(text=peek.format_observation(seen))
    assert observation_from_message(peek, message) == seen
