"""The engine's core: options, the frame of notation, errors, chance."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from services.engine.core import (
    CHANCE,
    IllegalAction,
    InvalidNotation,
    InvalidOption,
    OptionSpec,
    OptionValue,
)
from services.engine.core.chance import draw, settle
from services.engine.core.errors import clip
from services.engine.core.notation import (
    MAX_LENGTH,
    cell_name,
    check_length,
    game_of,
    read_cell,
    read_frame,
    read_int,
    write_frame,
)
from services.engine.core.options import format_value, resolve
from services.engine.games.socker import RULESET

FLAG = OptionSpec("flag", False, "a flag")
NUMBER = OptionSpec("number", 3, "a number", 1, 5)
CHOICE = OptionSpec("choice", "red", "a choice", choices=("red", "blue"))
SPECS = (FLAG, NUMBER, CHOICE)


@pytest.mark.parametrize(
    ("spec", "value", "text"),
    [
        (FLAG, True, "true"),
        (FLAG, False, "false"),
        (NUMBER, 1, "1"),
        (NUMBER, 5, "5"),
        (CHOICE, "blue", "blue"),
    ],
)
def test_values_come_back(spec: OptionSpec, value: OptionValue, text: str) -> None:
    assert format_value(value) == text
    assert spec.parse(text) == value
    assert type(spec.parse(text)) is type(value)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (FLAG, "True"),
        (FLAG, "1"),
        (FLAG, ""),
        (NUMBER, "0"),
        (NUMBER, "6"),
        (NUMBER, "-1"),
        (NUMBER, "1.0"),
        (NUMBER, "٣"),
        (NUMBER, "9" * 5000),
        (CHOICE, "green"),
        (CHOICE, "Red"),
    ],
)
def test_texts_out_of_range_are_refused(spec: OptionSpec, text: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        spec.parse(text)
    assert caught.value.name == spec.name
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("spec", "value"), [(FLAG, 1), (FLAG, "true"), (NUMBER, True), (NUMBER, "3"), (CHOICE, 1)]
)
def test_values_of_another_type_are_refused(spec: OptionSpec, value: OptionValue) -> None:
    with pytest.raises(InvalidOption):
        spec.check(value)


def test_resolving_fills_in_defaults_in_order() -> None:
    assert list(resolve(SPECS, {"choice": "blue"}).items()) == [
        ("flag", False),
        ("number", 3),
        ("choice", "blue"),
    ]
    with pytest.raises(InvalidOption, match="unknown option: 'colour'"):
        resolve(SPECS, {"colour": 1})


def test_the_header_names_what_differs_from_the_defaults() -> None:
    options = resolve(RULESET.option_specs, {"sudden_cap": 7, "goals_to_win": 2})
    text = write_frame(RULESET, 2, options, "the body")
    assert text == "socker/1 2 goals_to_win=2 sudden_cap=7 | the body"
    frame = read_frame(RULESET, text)
    assert (frame.seats, frame.options, frame.body) == (2, options, "the body")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("socker/1 2 the body", "socker/1 2 the body"),
        ("socker/1 | the body", "socker/1 | the body"),
        ("socker/2 2 | the body", "socker/2"),
        ("Socker/1 2 | the body", "Socker/1"),
        ("socker/1 3 | the body", "3"),
        ("socker/1 two | the body", "two"),
        ("socker/1 ٢ | the body", "٢"),
        ("socker/1 2 goals_to_win=0 | the body", "goals_to_win=0"),
        ("socker/1 2 goals_to_win | the body", "goals_to_win"),
        ("socker/1 2 colour=red | the body", "colour=red"),
        ("socker/1 2 turn_cap=9 turn_cap=9 | the body", "turn_cap=9"),
    ],
)
def test_faulty_headers_are_refused_by_part(text: str, part: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        read_frame(RULESET, text)
    assert (caught.value.part, caught.value.text) == (part, text)
    assert f"'{part}'" in str(caught.value)


def test_cells() -> None:
    names = [cell_name(column, row) for column in range(9) for row in range(11)]
    assert names[0] == "a1"
    assert names[-1] == "i11"
    assert len(set(names)) == 99
    for name in names:
        assert cell_name(*read_cell(name, 9, 11, text=name)) == name
    for wrong in ("", "a", "1", "a0", "a01", "a12", "j1", "A1", "aa1", "a1 ", "é1", "a١"):
        with pytest.raises(InvalidNotation):
            read_cell(wrong, 9, 11, text=wrong)


def test_numbers() -> None:
    assert read_int("17", 0, 20, what="turns", text="x") == 17
    for wrong in ("", "-1", "+1", "21", "1e1", "١", "1" * 10_000):
        with pytest.raises(InvalidNotation, match="turns must be"):
            read_int(wrong, 0, 20, what="turns", text="x")


def test_messages_stay_short_whatever_they_quote() -> None:
    text = "x" * 1_000_000
    assert len(clip(text)) < 120
    assert len(str(InvalidNotation("wrong", part=text, text=text))) < 200
    assert len(str(IllegalAction("wrong", action=text, position=text))) < 700
    with pytest.raises(InvalidNotation):
        check_length("x" * (MAX_LENGTH + 1))
    assert check_length("x" * MAX_LENGTH)


def test_the_game_of_a_text() -> None:
    assert game_of("socker/1 2 | x") == "socker"
    with pytest.raises(InvalidNotation):
        game_of("socker")


def test_chance_is_drawn_by_weight_and_settled() -> None:
    state = RULESET.initial({}, 2)
    rng = Random(4)
    drawn = Counter(RULESET.format_action(draw(RULESET, state, rng)) for _ in range(2000))
    # Even chances: 1000 each, and six standard deviations are 134.
    assert set(drawn) == {"toss:south", "toss:north"}
    assert abs(drawn["toss:south"] - 1000) < 134
    settled = settle(RULESET, state, rng)
    assert RULESET.actor(settled) != CHANCE
    assert settle(RULESET, settled, rng) is settled
