"""From information to action, whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random
from typing import Any

import psutil
import pytest
import pytest_asyncio

from services.ai.fallback import MOST_WAITING, Children
from services.ai.plan import Mode
from services.ai.think import Answer, Question, think, think_or_play_on
from services.engine.agents import Agent, agent_names
from services.engine.core import Action
from services.engine.core.registry import game_names, ruleset


def question(game: str, plies: int, agent: str = "random", seed: int = 1) -> Question:
    """What the seat to act knows after some plies of random play."""
    rules, rng = ruleset(game), Random(seed)
    state = rules.initial({}, rules.min_seats)
    while plies > 0 or rules.actor(state) == -1:
        after = rules.apply(state, rng.choice(rules.legal_actions(state)))
        if rules.actor(after) is None:  # a short game: its last choice
            break
        state, plies = after, plies - 1
    seat = rules.actor(state)
    assert seat is not None
    return Question(game, agent, rules.format_information(rules.information(state, seat)), True)


def assert_legal(asked: Question, answer: Answer) -> None:
    rules = ruleset(asked.game)
    state = rules.determinize(rules.parse_information(asked.information), Random(2))
    assert rules.is_legal(state, rules.parse_action(answer.action))


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("game", "agent"), [(g, a) for g in game_names() for a in agent_names(g)])
def test_every_agent_answers_in_every_mode(game: str, agent: str, mode: Mode) -> None:
    for plies in (0, 5, 14):
        asked = question(game, plies, agent)
        answer = think(asked, mode)
        assert_legal(asked, answer)
        assert answer.origin == (agent if mode is Mode.AGENT else mode.value)


@pytest.mark.parametrize("mode", list(Mode))
def test_play_goes_on_without_the_agent(mode: Mode) -> None:
    asked = question("socker", 12, agent="retired-long-ago")
    answer = think_or_play_on(asked, mode)
    assert_legal(asked, answer)
    assert answer.origin == "legal"


class Cheat:
    """An agent that would like to do what the rules do not allow."""

    name = "cheat"

    def choose(self, *_: Any, **__: Any) -> Action:
        return ruleset("socker").parse_action("toss:south")


class Broken:
    """An agent with a fault, which says what is hidden."""

    name = "broken"

    def choose(self, _rules: Any, information: Any, *_: Any, **__: Any) -> Action:
        raise RuntimeError(f"hidden: {information}")


@pytest.mark.parametrize("agent", [Cheat(), Broken()])
def test_an_agent_at_fault_costs_nobody_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], agent: Agent
) -> None:
    monkeypatch.setattr("services.ai.think.agent", lambda _: agent)
    asked = question("socker", 12, agent=agent.name)
    answer = think_or_play_on(asked, Mode.AGENT)
    assert_legal(asked, answer)
    assert answer.origin == "legal"
    assert "hidden" not in "".join(capsys.readouterr())


@pytest_asyncio.fixture
async def children() -> AsyncIterator[Children]:
    children = Children(1, limit_s=60)  # a busy machine takes its time to start one
    yield children
    await children.close()


async def test_one_child_process_answers_one_question_after_another(children: Children) -> None:
    before = len(psutil.Process().children())
    for plies in (3, 12):
        asked = question("socker", plies, agent="socker_search")
        answer = await children.answer(asked)
        assert answer is not None
        assert_legal(asked, answer)
        assert answer.origin == "quick"
    assert len(psutil.Process().children()) == before + 1


async def test_a_child_falls_back_to_a_legal_action(children: Children) -> None:
    asked = question("socker", 12, agent="retired-long-ago")
    answer = await children.answer(asked)
    assert answer is not None
    assert_legal(asked, answer)
    assert answer.origin == "legal"


async def test_a_question_nobody_can_read_gets_no_answer(children: Children) -> None:
    unreadable = Question("socker", "random", "socker/1 2 | nonsense", True)
    assert await children.answer(unreadable) is None
    asked = question("socker", 12, agent="socker_search")
    answer = await children.answer(asked)
    assert answer is not None
    assert answer.origin == "quick"  # the child did not mind


async def test_with_too_many_waiting_any_legal_action_will_do(children: Children) -> None:
    asked = question("socker", 12, agent="socker_search")
    answers = await asyncio.gather(*(children.answer(asked) for _ in range(MOST_WAITING + 5)))
    origins = [answer.origin for answer in answers if answer is not None]
    assert origins.count("quick") == MOST_WAITING + 1  # one had a child at once
    assert origins.count("legal") == 4


async def test_no_child_is_left_behind(children: Children) -> None:
    before = {process.pid for process in psutil.Process().children()}
    asked = question("socker", 12, agent="socker_search")
    thinking = asyncio.create_task(children.answer(asked))
    while len(psutil.Process().children()) == len(before):  # noqa: ASYNC110 (nothing tells)
        await asyncio.sleep(0.01)
    thinking.cancel()
    with suppress(asyncio.CancelledError):
        await thinking
    await children.answer(asked)
    await children.close()
    assert {process.pid for process in psutil.Process().children()} <= before
