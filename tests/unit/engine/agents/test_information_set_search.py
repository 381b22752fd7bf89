"""The agents that search over what they can't see: blind, in time, legal, better than random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from services.engine.agents import Budget, agent, hide_and_seek_lines, sock_monsters_lines
from services.engine.agents.hide_and_seek_search import deduced
from services.engine.agents.tree import Lines
from services.engine.core import CHANCE, Action
from services.engine.core.chance import draw
from services.engine.core.generator import generator
from services.engine.core.registry import AnyRuleset, ruleset
from services.engine.games.hide_and_seek import RULESET as HIDE_AND_SEEK
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.sock_monsters import RULESET as SOCK_MONSTERS
from tests.conformance.shelf import PLAIN, Variant, samples, variants
from tests.unit.engine.sock_monsters.table import position

GAMES = {
    "sock_monsters": ("sock_monsters_search", sock_monsters_lines.SockMonstersLines()),
    "hide_and_seek": ("hide_and_seek_search", hide_and_seek_lines.HideAndSeekLines()),
}
VARIANTS = [variant for game in GAMES for variant in variants(game)]
TABLES = [variant for variant in PLAIN if variant.game in GAMES]


def go_on() -> bool:
    return False


def frozen() -> float:
    return 0.0


def known(rules: AnyRuleset, state: Any) -> Any:
    """What the seat to act knows."""
    seat = rules.actor(state)
    assert seat is not None
    return rules.information(state, seat)


def choose(game: str, state: Any, iterations: int, seed: int = 1) -> Action:
    """The agent's action for the seat to act, checked."""
    rules = ruleset(game)
    information = known(rules, state)
    player = agent(GAMES[game][0])
    budget = Budget(None, iterations)
    action = player.choose(rules, information, budget, Random(seed), go_on, frozen)
    return rules.check(state, action)


def decisions(variant: Variant, number: int, seed: int = 1) -> Iterator[Any]:
    """States of random games in which a seat acts."""
    for state in samples(variant, number, seed):
        if variant.rules.actor(state) not in (None, CHANCE):
            yield state


# --- legal, always ----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_its_actions_are_legal_with_every_option(variant: Variant) -> None:
    for state in decisions(variant, 16, seed=3):
        choose(variant.game, state, 6)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_it_tries_and_how_it_plays_on_is_legal(variant: Variant) -> None:
    lines: Lines = GAMES[variant.game][1]
    rules = variant.rules
    out, rng = lines.buffer([0] * lines.room()), generator(7)
    for state in decisions(variant, 40, seed=4):
        words = list(state.buffer if variant.game == "hide_and_seek" else state.data)
        tried = [int(out[i]) for i in range(lines.candidates(lines.buffer(words), out))]
        assert tried
        assert len(set(tried)) == len(tried)
        assert set(tried) <= set(rules.legal_actions(state))
        assert rules.is_legal(state, Action(int(habit(variant.game, words))))
        played = lines.buffer(words)
        lines.play_out(played, rng, out, lines.turn(played) + 2)
        values = lines.buffer([0] * 4)
        lines.judge(played, values)
        assert all(0 <= values[seat] <= 1000 for seat in range(variant.seats))


def habit(game: str, words: list[int]) -> int:
    """How a playout goes on from here."""
    lines = hide_and_seek_lines if game == "hide_and_seek" else sock_monsters_lines
    out = lines.buffer([0] * lines.room())
    return int(lines.habit(lines.buffer(words), generator(9), out))


# --- blind ------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", TABLES, ids=str)
def test_what_nobody_can_see_changes_nothing(variant: Variant) -> None:
    """Of two positions that are the same to the seat to act: its choice, the actions it tries and
    the habits of its playouts are equal.
    """
    lines: Lines = GAMES[variant.game][1]
    rules = variant.rules
    out = lines.buffer([0] * lines.room())
    differing = 0
    # Early ones: in the long run perfect memory leaves nothing to hide in Hide and Seek.
    states = [state for seed in (5, 6) for state in islice(decisions(variant, 160, seed), 20)]
    for state in states:
        other = rules.determinize(known(rules, state), Random(11))
        differing += other != state
        assert choose(variant.game, state, 12) == choose(variant.game, other, 12)
        seen = []
        for each in (state, other):
            words = list(each.buffer if variant.game == "hide_and_seek" else each.data)
            number = lines.candidates(lines.buffer(words), out)
            seen.append(([int(out[i]) for i in range(number)], habit(variant.game, words)))
        assert seen[0] == seen[1]
    assert differing >= 10


# --- in time ----------------------------------------------------------------------------------


def early(game: str) -> Any:
    """A position with many actions worth a try."""
    return next(decisions(Variant(game, 2), 400))


@pytest.mark.parametrize("game", GAMES)
def test_it_asks_every_eight_iterations_whether_to_stop(game: str) -> None:
    rules, state = ruleset(game), early(game)
    asked = count(1)
    action = agent(GAMES[game][0]).choose(
        rules,
        known(rules, state),
        Budget(None, None),
        Random(1),
        lambda: next(asked) == 3,
        frozen,
    )
    assert rules.is_legal(state, action)
    assert next(asked) == 4
    assert action == choose(game, state, 24)


@pytest.mark.parametrize("game", GAMES)
def test_it_answers_when_its_seconds_are_over(game: str) -> None:
    rules, state = ruleset(game), early(game)
    clock = count()
    action = agent(GAMES[game][0]).choose(
        rules,
        known(rules, state),
        Budget(2.5, None),
        Random(1),
        go_on,
        lambda: float(next(clock)),
    )
    assert rules.is_legal(state, action)
    assert next(clock) == 4  # looked at 0 s, 1 s, 2 s and 3 s


# --- what it has to see -----------------------------------------------------------------------


def test_it_takes_every_match_that_it_knows() -> None:
    taken = 0
    for seed in range(6):
        for state in decisions(Variant("hide_and_seek", 2), 60, seed):
            buffer = state.buffer
            down = [
                buffer[at.HIDDEN + cell]
                for cell in range(at.CELLS)
                if buffer[at.KNOWN + cell] and buffer[at.SHOWN + cell] < at.CANDY
            ]
            if len(set(down)) == len(down) or buffer[at.FLIPPED] >= 0:
                continue
            seat = HIDE_AND_SEEK.actor(state)
            assert seat is not None
            before = HIDE_AND_SEEK.scores(state)[seat]
            for _ in range(2):
                state = HIDE_AND_SEEK.apply(state, choose("hide_and_seek", state, 8))
            assert HIDE_AND_SEEK.scores(state)[seat] == before + 2
            taken += 1
    assert taken > 30


def test_it_matches_the_card_just_flipped() -> None:
    taken = 0
    for seed in range(8):
        for state in decisions(Variant("hide_and_seek", 2), 80, seed):
            buffer = state.buffer
            first = buffer[at.FLIPPED]
            if first < 0 or not any(
                buffer[at.KNOWN + cell] and buffer[at.HIDDEN + cell] == buffer[at.SHOWN + first]
                for cell in range(at.CELLS)
                if cell != first
            ):
                continue
            seat = HIDE_AND_SEEK.actor(state)
            assert seat is not None
            after = HIDE_AND_SEEK.apply(state, choose("hide_and_seek", state, 8))
            assert HIDE_AND_SEEK.scores(after)[seat] == HIDE_AND_SEEK.scores(state)[seat] + 2
            taken += 1
    assert taken > 30


def test_what_it_deduces_is_true() -> None:
    found = 0
    for types in (3, 4, 5):
        variant = Variant("hide_and_seek", 2, (("types", types),))
        for seed in range(3):
            for state in decisions(variant, 60, seed):
                before = HIDE_AND_SEEK.information(state, 0).buffer
                after = deduced(before)
                for cell in range(at.CELLS):
                    if after[at.KNOWN + cell] != before[at.KNOWN + cell]:
                        assert after[at.HIDDEN + cell] == state.buffer[at.HIDDEN + cell]
                        found += 1
    assert found > 100


@pytest.mark.parametrize("seed", range(3))
def test_it_takes_the_sock_that_wins(seed: int) -> None:
    state = position("act 0", pawns="b1 d4", socks="r g", pairs="yy,bb -", lairs="ryg - - -")
    assert SOCK_MONSTERS.format_action(choose("sock_monsters", state, 60, seed)) == "lair:red:red"


@pytest.mark.parametrize("seed", range(3))
def test_it_goes_to_the_tile_that_it_knows(seed: int) -> None:
    state = position("pawn", pawns="c3 d4", tiles={"c1": "rc0", "e5": "gw0"})
    state = SOCK_MONSTERS.apply(state, choose("sock_monsters", state, 400, seed))
    assert SOCK_MONSTERS.format_action(choose("sock_monsters", state, 60, seed)) == "lift"
    assert SOCK_MONSTERS.information(state, 0).table.pawns[0] == 2


# --- against random ---------------------------------------------------------------------------


def share_of_wins(variant: Variant, matches: int, iterations: int) -> float:
    """Of matches against agents that play at random, in each seat in turn; a shared win counts in
    part.
    """
    rules, other = variant.rules, agent("random")
    share = 0.0
    for seed in range(matches):
        rng, state, seat = Random(seed), variant.initial(), seed % variant.seats
        while (actor := rules.actor(state)) is not None:
            if actor == CHANCE:
                action = draw(rules, state, rng)
            elif actor == seat:
                action = choose(variant.game, state, iterations, rng.getrandbits(32))
            else:
                information = rules.information(state, actor)
                action = other.choose(rules, information, Budget(), rng, go_on, frozen)
            state = rules.apply(state, action)
        outcome = rules.outcome(state)
        assert outcome is not None
        if seat in outcome.winners:
            share += 1 / len(outcome.winners)
    return share / matches


# Measured over 200 matches with 60 iterations: 0.985 and 1.0 (docs/adr/0006). The bounds below are
# lower, so that they hold when a habit changes, and far above what luck would do.


@pytest.mark.parametrize("game", GAMES)
def test_it_beats_random(game: str) -> None:
    assert share_of_wins(Variant(game, 2), 8, 16) >= 0.85


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_it_beats_two_or_three_at_random(game: str, seats: int) -> None:
    # An agent no better than the others would win 6 of 8 in 1 of 50 samples of three seats.
    assert share_of_wins(Variant(game, seats), 8, 12) >= 0.75


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", GAMES)
def test_it_wins_90_of_100_against_random(game: str) -> None:
    assert share_of_wins(Variant(game, 2), 200, 60) >= 0.9
