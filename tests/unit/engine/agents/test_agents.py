"""Computer opponents of every game: always legal, always in time, nothing but the information."""

from __future__ import annotations

from random import Random

import pytest

from services.engine.agents import Budget, UnknownAgent, agent, agent_names
from services.engine.core import CHANCE, UnknownGame
from services.engine.core.registry import game_names
from tests.conformance.shelf import Variant, samples

PLAYERS = [(game, name) for game in game_names() for name in agent_names(game)]


def frozen() -> float:
    """A clock that stands still: only iterations bound the agent."""
    return 0.0


def go_on() -> bool:
    return False


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_agents_choose_legal_actions(game: str, name: str) -> None:
    variant = Variant(game, 2)
    rules = variant.rules
    for state in samples(variant, 30):
        actor = rules.actor(state)
        if actor is None or actor == CHANCE:
            continue
        information = rules.information(state, actor)
        action = agent(name).choose(rules, information, Budget(None, 200), Random(1), go_on, frozen)
        assert rules.is_legal(state, action)


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_the_same_seed_and_iterations_give_the_same_action(game: str, name: str) -> None:
    variant = Variant(game, 2)
    rules = variant.rules
    for state in samples(variant, 8):
        actor = rules.actor(state)
        if actor is None or actor == CHANCE:
            continue
        information = rules.information(state, actor)
        chosen = {
            agent(name).choose(rules, information, Budget(None, 100), Random(5), go_on, frozen)
            for _ in range(2)
        }
        assert len(chosen) == 1


@pytest.mark.parametrize(("game", "name"), PLAYERS)
@pytest.mark.parametrize("hurry", ["stop", "clock", "iterations"])
def test_agents_answer_when_there_is_no_time(game: str, name: str, hurry: str) -> None:
    variant = Variant(game, 2)
    rules = variant.rules
    ticks = iter(range(10**9))
    budget = Budget(None, 1) if hurry == "iterations" else Budget(0.001, None)
    for state in samples(variant, 12):
        actor = rules.actor(state)
        if actor is None or actor == CHANCE:
            continue
        action = agent(name).choose(
            rules,
            rules.information(state, actor),
            budget,
            Random(1),
            (lambda: True) if hurry == "stop" else go_on,
            (lambda: float(next(ticks))) if hurry == "clock" else frozen,
        )
        assert rules.is_legal(state, action)


def test_names() -> None:
    for game in game_names():
        names = agent_names(game)
        assert names[0] == "random"
        assert [agent(name).name for name in names] == list(names)
    with pytest.raises(UnknownGame):
        agent_names("chess")
    with pytest.raises(UnknownAgent, match="unknown agent: 'deep_sock'"):
        agent("deep_sock")
