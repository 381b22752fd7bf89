"""Levels: their data, what forgetting does, and agents that never do what is not allowed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from services.engine.agents import (
    Budget,
    Level,
    UnknownAgent,
    agent,
    agents_for,
    level,
    levels_for,
    make_agent,
    monster,
    top_level,
)
from services.engine.agents.hide_and_seek_memory import fading as fading_faces
from services.engine.agents.levels import within
from services.engine.agents.memory import remembered, share_remembered
from services.engine.agents.sock_monsters_memory import fading as fading_tiles
from services.engine.core import CHANCE, UnknownGame
from services.engine.core.registry import game_names, ruleset
from tests.conformance.shelf import Variant, samples, variants
from tests.unit.engine.sock_monsters.table import position
from tests.unit.engine.socker.table import turn

GAMES = ("socker", "sock_monsters", "hide_and_seek")
LEVELS = [each for game in GAMES for each in levels_for(game)]
ENDS = [each for each in LEVELS if each.number == 1 or each == top_level(each.game)]
FADINGS = {"sock_monsters": fading_tiles, "hide_and_seek": fading_faces}


def go_on() -> bool:
    return False


def frozen() -> float:
    return 0.0


# --- the data -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_three_to_five_levels_each_thinking_no_less_than_the_one_below(
    game: str,
) -> None:
    levels = levels_for(game)
    assert 3 <= len(levels) <= 5
    assert [each.number for each in levels] == list(range(1, len(levels) + 1))
    assert {each.game for each in levels} == {game}
    for below, above in pairwise(levels):
        assert below.iterations <= above.iterations
        assert below.attention <= above.attention
        assert below.fade >= above.fade
        assert below != above


@pytest.mark.parametrize("each", LEVELS, ids=lambda each: f"{each.game}-{each.number}")
def test_parameters_are_in_range(each: Level) -> None:
    assert each.iterations >= 1
    assert 0 < each.seconds <= 2
    assert 0 <= each.attention <= 1
    assert 0 <= each.fade < 1
    assert level(each.game, each.agent) == each


@pytest.mark.parametrize("name", sorted({each.agent for each in LEVELS}))
def test_a_monster_has_a_name_and_a_character_in_each_language(name: str) -> None:
    who = monster(name)
    assert who is not None
    for words in (who.name, who.character):
        for language in fields(words):
            text = getattr(words, language.name)
            assert text == text.strip() != ""
            assert bool(re.search("[가-힣]", text)) == (language.name == "ko")
    assert len(who.name.en) <= 10 < len(who.character.en) <= 70


def test_no_two_monsters_are_called_alike() -> None:
    names = {each.agent for each in LEVELS}
    for language in ("en", "de", "ko"):
        shown = {getattr(monster(name).name, language) for name in names}  # type: ignore[union-attr]  # all are monsters
        assert len(shown) == len(names)


def test_who_is_offered() -> None:
    for game in game_names():
        found = agents_for(game)
        levels = levels_for(game)
        assert list(found.values()) == (list(range(len(levels) + 1)) if levels else [1])
    with pytest.raises(UnknownGame):
        levels_for("chess")
    with pytest.raises(UnknownAgent, match="unknown agent: 'nobody'"):
        level("socker", "nobody")


def test_an_agent_plays_only_games_in_which_it_has_a_level() -> None:
    rules = ruleset("socker")
    state = next(s for s in samples(Variant("socker", 2), 8) if rules.actor(s) != CHANCE)
    information = rules.information(state, rules.actor(state) or 0)
    with pytest.raises(UnknownAgent, match="hide_and_seek_search"):
        agent("hide_and_seek_search").choose(
            rules, information, Budget(None, 1), Random(1), go_on, frozen
        )


def test_the_tighter_budget_counts() -> None:
    mine = Level("socker", 1, "pip", 100, 1.5)
    assert within(Budget(0.4, None), mine) == Budget(0.4, 100)
    assert within(Budget(9.0, 7), mine) == Budget(1.5, 7)
    # A measured level has no clock.
    assert within(Budget(None, None), mine) == Budget(None, 100)


# --- always legal ---------------------------------------------------------------------------------


@pytest.mark.parametrize("each", ENDS, ids=lambda e: f"{e.game}-{e.number}")
def test_a_level_keeps_the_rules_with_every_option(each: Level) -> None:
    player = make_agent(each)
    for variant in variants(each.game):
        rules = variant.rules
        for state in samples(variant, 6):
            actor = rules.actor(state)
            if actor in (None, CHANCE):
                continue
            information = rules.information(state, actor)
            chosen = player.choose(rules, information, Budget(None, 5), Random(3), go_on, frozen)
            assert rules.is_legal(state, chosen)


# --- kind, not silly ------------------------------------------------------------------------------


def chosen(each: Level, state: Any, seed: int) -> str:
    rules = ruleset(each.game)
    seat = rules.actor(state)
    assert seat is not None
    action = make_agent(each).choose(
        rules, rules.information(state, seat), Budget(None, None), Random(seed), go_on, frozen
    )
    return rules.format_action(action)


@pytest.mark.parametrize("each", levels_for("socker")[:2], ids=lambda each: each.agent)
def test_the_kindest_score_no_own_goals(each: Level) -> None:
    state = turn("south", S="d3 f3 e3", N="d9", ball="e2")
    rules = ruleset("socker")
    own = {
        rules.format_action(action)
        for action in rules.legal_actions(state)
        if rules.outcome(rules.apply(state, action)) is not None
    }
    assert own
    done = {chosen(each, state, seed) for seed in range(40)}
    assert len(done) > 1
    assert not done & own


def test_the_kindest_player_of_socker_weighs_nothing() -> None:
    """One thing comes to mind, anything that makes sense as easily as a goal, or as stopping."""
    state = turn("south", "1/3", S="e9 a2", N="a5 i8", ball="e10")
    rules = ruleset("socker")
    legal = {rules.format_action(action) for action in rules.legal_actions(state)}
    assert {"e9*e10", "end"} < legal
    number, each = 600, levels_for("socker")[0]
    done = Counter(chosen(each, state, seed) for seed in range(number))
    expected = number / len(legal)
    spread = (expected * (1 - 1 / len(legal))) ** 0.5
    for action in legal:
        assert abs(done[action] - expected) < 5.5 * spread, action  # 1 in 10^7 by chance


def test_the_kindest_robs_nobody_of_itself() -> None:
    """Its monster is awake beside both pawns: a sock of its own is there to be taken, too."""
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns="c2 d4", socks="r g")
    rules = ruleset("sock_monsters")
    legal = {rules.format_action(action) for action in rules.legal_actions(state)}
    assert {"steal:0:red", "steal:1:green"} < legal
    done = {chosen(levels_for("sock_monsters")[0], state, seed) for seed in range(40)}
    assert len(done) > 1
    assert "steal:0:red" not in done


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fade", "a_turn", "chances"),
    [
        (0.25, 1, (0.75, 0.5625, 0.421875)),
        (0.5, 2, (0.5, 0.5, 0.25)),
    ],
)
def test_what_was_seen_fades_with_each_turn(
    fade: float, a_turn: int, chances: tuple[float, ...]
) -> None:
    """Each of three things is as likely to be the newest, so all have the mean of these chances."""
    rng, draws = Random(4), 20_000
    expected = sum(chances) / 3
    counts = [0, 0, 0]
    for _ in range(draws):
        for thing in remembered((0, 1, 2), fade, a_turn, rng):
            counts[thing] += 1
    assert share_remembered(3, fade, a_turn) == pytest.approx(expected)
    spread = (expected * (1 - expected) / draws) ** 0.5
    for count in counts:
        assert abs(count / draws - expected) < 5.5 * spread  # 1 in 10^7 by chance


def test_nothing_or_all_is_forgotten() -> None:
    assert remembered((4, 2, 9), 0.0, 2, Random(1)) == [4, 2, 9]
    assert remembered((4, 2, 9), 1.0, 2, Random(1)) == []
    assert remembered((), 0.5, 2, Random(1)) == []


def decided(game: str, memory_aid: bool = False) -> list[tuple[Any, Any]]:
    """Positions of one random game in which a seat acts, with what it knows."""
    variant = Variant(game, 2, (("memory_aid", True),) if memory_aid else ())
    rules = variant.rules
    acting = [s for s in samples(variant, 60) if rules.actor(s) not in (None, CHANCE)]
    return [(state, rules.information(state, rules.actor(state) or 0)) for state in acting]


@pytest.mark.parametrize("game", FADINGS)
def test_who_forgets_knows_less_and_may_do_the_same(game: str) -> None:
    rules, forgot = ruleset(game), 0
    for state, information in decided(game):
        reduced = FADINGS[game](information, 0.6, Random(5))  # type: ignore[operator]  # by its game
        sample = rules.determinize(reduced, Random(6))
        assert rules.legal_actions(sample) == rules.legal_actions(state)
        # Whatever it still knows is as it was: forgetting all gives the same from both.
        nothing = FADINGS[game](information, 1.0, Random(1))  # type: ignore[operator]  # by its game
        assert FADINGS[game](reduced, 1.0, Random(1)) == nothing  # type: ignore[operator]  # by its game
        forgot += reduced != information
    assert forgot >= 10


@pytest.mark.parametrize("game", FADINGS)
def test_nobody_forgets_what_the_table_shows(game: str) -> None:
    positions = decided(game, memory_aid=True)
    assert positions
    for _, information in positions:
        assert FADINGS[game](information, 1.0, Random(1)) == information  # type: ignore[operator]  # by its game


def test_the_same_generator_forgets_the_same() -> None:
    for _, information in decided("hide_and_seek"):
        first, second = (fading_faces(information, 0.5, Random(9)) for _ in range(2))
        assert first == second
