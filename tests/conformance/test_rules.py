"""What holds for the actions of every game."""

from __future__ import annotations

from random import Random

import pytest

from services.engine.core import CHANCE, SPECTATOR, Action, IllegalAction, InvalidOption
from services.engine.core.options import resolve
from services.engine.core.registry import game_names, ruleset
from tests.conformance.shelf import ALL, PLAIN, Variant, history, samples, variants

every = pytest.mark.parametrize("variant", ALL, ids=str)
plain = pytest.mark.parametrize("variant", PLAIN, ids=str)


@pytest.mark.parametrize("game", game_names())
def test_a_game_describes_itself(game: str) -> None:
    rules = ruleset(game)
    assert rules.game == game
    assert rules.version >= 1
    assert 1 <= rules.min_seats <= rules.max_seats
    names = [spec.name for spec in rules.option_specs]
    assert len(set(names)) == len(names)
    for spec in rules.option_specs:
        assert spec.check(spec.default) == spec.default
        assert spec.summary
    assert len(variants(game)) > rules.max_seats - rules.min_seats


@every
def test_legal_actions_are_sorted_and_unique_and_end_with_the_game(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 60):
        legal = rules.legal_actions(state)
        assert list(legal) == sorted(set(legal))
        assert all(0 <= action < rules.action_count for action in legal)
        over = rules.actor(state) is None
        assert (not legal) == over
        assert (rules.outcome(state) is not None) == over


@every
def test_is_legal_agrees_with_the_list_on_all_ids(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 10):
        legal = set(rules.legal_actions(state))
        for number in (*range(-2, rules.action_count + 2), 10**6, 2**70):
            assert rules.is_legal(state, Action(number)) == (number in legal), number


@every
def test_every_legal_action_can_be_taken_and_changes_no_state(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 12):
        before = rules.format_state(state), hash(state)
        for action in rules.legal_actions(state):
            rules.check(state, action)
            after = rules.apply(state, action)
            assert after == rules.apply(state, action)
            assert hash(after) == hash(rules.apply(state, action))
        assert (rules.format_state(state), hash(state)) == before


@every
def test_actors_and_chance(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 60):
        actor = rules.actor(state)
        assert actor is None or actor == CHANCE or 0 <= actor < variant.seats
        outcomes = rules.chance_outcomes(state)
        if actor == CHANCE:
            assert tuple(outcome.action for outcome in outcomes) == rules.legal_actions(state)
            assert all(outcome.weight >= 1 for outcome in outcomes)
        else:
            assert outcomes == ()


@every
def test_options_and_seats_are_kept(variant: Variant) -> None:
    rules = variant.rules
    expected = resolve(rules.option_specs, dict(variant.options))
    for state in samples(variant, 4):
        assert dict(rules.options(state)) == expected
        assert rules.seats(state) == variant.seats
        assert len(rules.scores(state)) == variant.seats


@every
def test_every_game_ends_with_an_outcome(variant: Variant) -> None:
    states, _ = history(variant, 1)
    outcome = variant.rules.outcome(states[-1])
    assert outcome is not None
    assert list(outcome.winners) == sorted(set(outcome.winners))
    assert set(outcome.winners) <= set(range(variant.seats))
    assert len(outcome.scores) == variant.seats
    assert outcome.reason.isidentifier()


@plain
def test_nothing_is_legal_when_the_game_is_over(variant: Variant) -> None:
    states, actions = history(variant, 1)
    with pytest.raises(IllegalAction, match="the game is over"):
        variant.rules.check(states[-1], actions[-1])


@plain
def test_an_illegal_action_is_named_and_nothing_happens(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 8):
        legal = set(rules.legal_actions(state))
        wrong = next(n for n in range(rules.action_count) if n not in legal)
        for number in (Action(wrong), Action(-1), Action(rules.action_count)):
            with pytest.raises(IllegalAction) as caught:
                rules.check(state, number)
            known = 0 <= number < rules.action_count
            assert caught.value.action == (rules.format_action(number) if known else str(number))
            assert caught.value.position.startswith(f"{rules.game}/{rules.version} ")


@plain
def test_resigning_hands_the_game_to_the_others(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 4):
        for seat in range(variant.seats):
            outcome = rules.resigned(state, seat)
            assert outcome.reason == "resigned"
            assert outcome.winners == tuple(s for s in range(variant.seats) if s != seat)
            assert outcome.scores == rules.scores(state)


@every
def test_histories_replay_from_their_texts_without_a_seed(variant: Variant) -> None:
    rules = variant.rules
    states, actions = history(variant, 2)
    state = rules.parse_state(rules.format_state(states[0]))
    for action in actions:
        read = rules.parse_action(rules.format_action(action))
        assert read == action
        state = rules.apply(state, rules.check(state, read))
    assert state == states[-1]
    assert rules.format_state(state) == rules.format_state(states[-1])


@every
def test_drawings_show_something_to_everybody(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 6):
        for seat in (*range(variant.seats), SPECTATOR):
            drawing = rules.draw(rules.observe(state, seat))
            assert drawing.strip()
            assert max(len(line) for line in drawing.splitlines()) <= 160


@pytest.mark.parametrize("game", game_names())
def test_options_that_do_not_exist_are_refused(game: str) -> None:
    rules = ruleset(game)
    with pytest.raises(InvalidOption) as caught:
        rules.initial({"no_such_option": 1}, rules.min_seats)
    assert caught.value.name == "no_such_option"
    for seats in (rules.min_seats - 1, rules.max_seats + 1):
        with pytest.raises(InvalidOption) as caught:
            rules.initial({}, seats)
        assert caught.value.name == "seats"


@plain
def test_random_choices_are_the_callers(variant: Variant) -> None:
    """The same seed gives the same determinization: no generator hides anywhere."""
    rules = variant.rules
    for state in samples(variant, 6):
        if rules.actor(state) is None:
            continue
        information = rules.information(state, 0)
        drawn = [rules.determinize(information, Random(7)) for _ in range(2)]
        assert drawn[0] == drawn[1]
