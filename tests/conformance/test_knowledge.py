"""What seats see and know: in every game, whether it has secrets or not.

Pairs of positions that differ only in what a seat can't know are made here: two samples that agree
with what it knows. Whatever the seat is shown has to be the same in both, letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from services.engine.core import CHANCE, SPECTATOR, Action, IllegalAction
from services.engine.core.registry import AnyRuleset
from tests.conformance.shelf import ALL, Variant, samples

every = pytest.mark.parametrize("variant", ALL, ids=str)


def shown(rules: AnyRuleset, state: Any, seat: int) -> dict[str, object]:
    """Everything about `state` that anybody at `seat` is ever told."""
    actor = rules.actor(state)
    texts: dict[str, object] = {
        "observation": rules.format_observation(rules.observe(state, seat)),
        "information": rules.format_information(rules.information(state, seat)),
        "drawing": rules.draw(rules.observe(state, seat)),
        "actor": actor,
        "outcome": rules.outcome(state),
        "scores": rules.scores(state),
        "seats": rules.seats(state),
        "options": dict(rules.options(state)),
    }
    if actor == seat:
        legal = rules.legal_actions(state)
        texts["legal"] = [rules.format_action(action) for action in legal]
        texts["own actions"] = [rules.visible_action(state, action, seat) for action in legal]
        with pytest.raises(IllegalAction) as caught:
            rules.check(state, Action(rules.action_count))
        texts["error"] = str(caught.value)
    return texts


def pairs(variant: Variant, count: int) -> Iterator[tuple[int, Any, Any]]:
    """(seat, state, state that looks the same from there)."""
    rules, rng = variant.rules, Random(f"pairs {variant}")
    for state in samples(variant, count, seed=3):
        for seat in range(variant.seats):
            yield seat, state, rules.determinize(rules.information(state, seat), rng)


@every
def test_what_a_seat_can_not_know_changes_nothing_it_is_shown(variant: Variant) -> None:
    rules = variant.rules
    for seat, state, other in pairs(variant, 24):
        assert shown(rules, state, seat) == shown(rules, other, seat)


@every
def test_determinizations_agree_with_what_is_known(variant: Variant) -> None:
    rules = variant.rules
    for seat, state, other in pairs(variant, 24):
        information = rules.information(state, seat)
        assert rules.information(other, seat) == information
        assert hash(rules.information(other, seat)) == hash(information)
        assert rules.parse_state(rules.format_state(other)) == other


@every
def test_actions_of_others_look_the_same_as_well(variant: Variant) -> None:
    """An action that is possible in both positions is told in the same words."""
    rules = variant.rules
    for seat, state, other in pairs(variant, 12):
        both = set(rules.legal_actions(state)) & set(rules.legal_actions(other))
        for action in both:
            told = [rules.visible_action(where, action, seat) for where in (state, other)]
            assert told[0] == told[1]


@every
def test_a_spectator_sees_no_more_than_any_seat_might(variant: Variant) -> None:
    rules = variant.rules
    for _, state, other in pairs(variant, 12):
        # What a spectator sees is public, so it is the same in all that a seat thinks possible.
        told = [rules.format_observation(rules.observe(s, SPECTATOR)) for s in (state, other)]
        assert told[0] == told[1]
        told = [rules.format_information(rules.information(s, SPECTATOR)) for s in (state, other)]
        assert told[0] == told[1]


@every
def test_what_may_be_undone_has_taught_nobody_anything(variant: Variant) -> None:
    """By an action that may be undone everybody learns what they could have worked out before: the
    same action leads to the same knowledge in all positions that looked the same to them.
    """
    rules, rng = variant.rules, Random(f"undo {variant}")
    viewers = (*range(variant.seats), SPECTATOR)
    for state in samples(variant, 12, seed=5):
        if rules.actor(state) in (CHANCE, None):
            continue
        quiet = [a for a in rules.legal_actions(state) if rules.may_undo(state, a)]
        for action in quiet:
            after = rules.apply(state, action)
            for viewer in viewers:
                before = rules.information(state, viewer)
                learnt = rules.information(after, viewer)
                for _ in range(4):
                    other = rules.determinize(before, rng)
                    if rules.is_legal(other, action):
                        told = rules.information(rules.apply(other, action), viewer)
                        assert told == learnt, rules.format_action(action)
