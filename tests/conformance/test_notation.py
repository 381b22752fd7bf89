"""Text in and out, in every game: it round-trips, and broken text is refused by name."""

from __future__ import annotations

from random import Random

import pytest

from services.engine.core import SPECTATOR, Action, EngineError, InvalidNotation, UnknownGame
from services.engine.core.notation import MAX_LENGTH, game_of
from services.engine.core.registry import game_names, ruleset
from tests.conformance.shelf import ALL, PLAIN, Variant, samples

every = pytest.mark.parametrize("variant", ALL, ids=str)
plain = pytest.mark.parametrize("variant", PLAIN, ids=str)


@every
def test_states_come_back(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 40):
        text = rules.format_state(state)
        assert len(text) <= MAX_LENGTH
        assert text.isprintable()
        assert game_of(text) == rules.game
        read = rules.parse_state(text)
        assert read == state
        assert hash(read) == hash(state)
        assert rules.format_state(read) == text


@every
def test_observations_and_information_come_back(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 20):
        for seat in (*range(variant.seats), SPECTATOR):
            observation = rules.observe(state, seat)
            text = rules.format_observation(observation)
            assert rules.parse_observation(text) == observation
            assert game_of(text) == rules.game
            information = rules.information(state, seat)
            text = rules.format_information(information)
            assert rules.parse_information(text) == information
            assert game_of(text) == rules.game


@pytest.mark.parametrize("game", game_names())
def test_actions_come_back(game: str) -> None:
    rules = ruleset(game)
    texts = [rules.format_action(Action(number)) for number in range(rules.action_count)]
    assert [rules.parse_action(text) for text in texts] == list(range(rules.action_count))
    assert not any(" " in text or not text.isprintable() for text in texts)


def prefixes(text: str, rng: Random) -> list[str]:
    """All short ones, and some of the many that end in a long list."""
    ends = {*range(min(len(text), 200)), *(rng.randrange(len(text)) for _ in range(100))}
    return [text[:end] for end in sorted(ends)]


@plain
def test_truncated_text_is_refused_or_means_something(variant: Variant) -> None:
    """No prefix of a position crashes a reader, and what is read is a real position."""
    rules, rng = variant.rules, Random(f"truncated {variant}")
    for state in samples(variant, 4):
        for text in prefixes(rules.format_state(state), rng):
            try:
                read = rules.parse_state(text)
            except InvalidNotation:
                continue
            assert rules.parse_state(rules.format_state(read)) == read


@plain
def test_garbled_text_is_refused_or_means_something(variant: Variant) -> None:
    rules, rng = variant.rules, Random(f"garbled {variant}")
    for state in samples(variant, 5):
        text = rules.format_state(state)
        alphabet = [*sorted(set(text)), "é", "٣", "\0", "-", "9", " "]
        for _ in range(120):
            at = rng.randrange(len(text))
            garbled = text[:at] + rng.choice(alphabet) + text[at + rng.randint(0, 2) :]
            try:
                read = rules.parse_state(garbled)
            except InvalidNotation:
                continue
            assert rules.parse_state(rules.format_state(read)) == read
            # It can be played on: nothing that reads is a dead end.
            assert rules.legal_actions(read) or rules.outcome(read) is not None


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("size", [MAX_LENGTH + 1, 1_000_000])
def test_a_megabyte_is_refused_in_few_words(game: str, size: int) -> None:
    rules = ruleset(game)
    state = rules.format_state(rules.initial({}, rules.min_seats))
    for read in (
        rules.parse_state,
        rules.parse_observation,
        rules.parse_information,
        rules.parse_action,
    ):
        for text in ("x" * size, state + " " * size, state + "x" * size):
            with pytest.raises(InvalidNotation) as caught:
                read(text)
            assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("game", game_names())
def test_texts_of_other_games_are_refused(game: str) -> None:
    rules = ruleset(game)
    own = rules.format_state(rules.initial({}, rules.min_seats))
    head = f"{game}/{rules.version}"
    for text, part in (
        (own.replace(head, f"{game}/{rules.version + 1}"), f"{game}/{rules.version + 1}"),
        (own.replace(head, "chess/1"), "chess/1"),
    ):
        with pytest.raises(InvalidNotation) as caught:
            rules.parse_state(text)
        assert caught.value.part == part
    with pytest.raises(InvalidNotation) as caught:
        rules.parse_action("Nf3+")
    assert caught.value.part in caught.value.text == "Nf3+"


def test_an_action_of_another_game_is_refused() -> None:
    for game in game_names():
        rules = ruleset(game)
        own = {rules.format_action(Action(n)) for n in range(rules.action_count)}
        for other in game_names():
            foreign = ruleset(other)
            for number in range(0, foreign.action_count, 7):
                text = foreign.format_action(Action(number))
                if text in own:
                    continue
                with pytest.raises(InvalidNotation) as caught:
                    rules.parse_action(text)
                assert caught.value.text == text


def test_unknown_games() -> None:
    with pytest.raises(UnknownGame, match="unknown game: 'chess'"):
        ruleset("chess")
    with pytest.raises(InvalidNotation):
        game_of("no game at all")
    assert issubclass(UnknownGame, EngineError)
