"""Sock Monsters and Monster Hide and Seek against the naive implementations as models: any legal
actions in any order, and at any moment also writing, reading, replaying, and what seats know.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.engine.core import CHANCE, SPECTATOR
from services.engine.core.notation import write_frame
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from tests.crosscheck.variants import VARIANTS, Variant

PICK = st.integers(0, 10_000)
SECRET = [variant for variant in VARIANTS if variant.game != "socker"]


class SecretGameMachine(RuleBasedStateMachine):
    """One variant; `variant` is set by the test."""

    variant: Variant

    @initialize(seed=PICK)
    def open(self, seed: int) -> None:
        rng = Random(seed)
        self.game = ruleset(self.variant.game)
        self.seats = rng.choice(self.variant.seats)
        chosen = self.variant.draw_options(rng, self.seats)
        self.options = resolve(self.game.option_specs, chosen)
        self.state: Any = self.game.initial(self.options, self.seats)
        self.model = self.variant.naive(self.options, self.seats)
        self.start, self.history = self.state, list[str]()
        while self.game.actor(self.state) == CHANCE and "deal" in self.legal()[0]:
            self.act(rng.choice(self.legal()))

    def legal(self) -> list[str]:
        return [self.game.format_action(a) for a in self.game.legal_actions(self.state)]

    def act(self, text: str) -> None:
        action = self.game.check(self.state, self.game.parse_action(text))
        self.state = self.game.apply(self.state, action)
        self.model.apply(text)
        self.history.append(text)

    def going_on(self) -> bool:
        return self.game.actor(self.state) is not None

    @precondition(lambda self: self.going_on())
    @rule(pick=PICK)
    def anything(self, pick: int) -> None:
        legal = self.legal()
        self.act(legal[pick % len(legal)])

    @precondition(lambda self: self.going_on())
    @rule(seed=PICK, count=st.integers(1, 60))
    def play_for_a_while(self, seed: int, count: int) -> None:
        rng = Random(seed)
        for _ in range(count):
            legal = self.legal()
            if not legal:
                return
            rare = self.variant.rare(self.model, legal)
            self.act(rng.choice(rare if rng.random() < 0.5 else legal))

    @rule()
    def write_and_read(self) -> None:
        assert self.game.parse_state(self.game.format_state(self.state)) == self.state

    @rule()
    def replay(self) -> None:
        state = self.start
        for text in self.history:
            state = self.game.apply(state, self.game.check(state, self.game.parse_action(text)))
        assert state == self.state

    @rule(seed=PICK)
    def imagine(self, seed: int) -> None:
        """What a seat imagines is what it knows, and is a position like any other."""
        seat = Random(seed).choice([*range(self.seats), SPECTATOR])
        known = self.game.information(self.state, seat)
        imagined = self.game.determinize(known, Random(seed))
        assert self.game.information(imagined, seat) == known
        assert self.game.observe(imagined, seat) == self.game.observe(self.state, seat)
        assert self.game.actor(imagined) == self.game.actor(self.state)
        assert self.game.parse_state(self.game.format_state(imagined)) == imagined

    @invariant()
    def the_tables_agree(self) -> None:
        body = write_frame(self.game, self.seats, self.options, self.model.text())
        assert self.game.format_state(self.state) == body
        assert self.game.actor(self.state) == self.model.actor()
        assert self.legal() == self.model.legal()

    @invariant()
    def the_end_is_the_end(self) -> None:
        end = self.game.outcome(self.state)
        assert (end and (end.reason, end.winners, end.scores)) == self.model.outcome()
        assert (end is None) == self.going_on() == bool(self.legal())


@pytest.mark.parametrize("variant", SECRET, ids=lambda variant: variant.name)
def test_a_table_and_its_model_agree(variant: Variant) -> None:
    machine = type("Machine", (SecretGameMachine,), {"variant": variant})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
        ),
    )
