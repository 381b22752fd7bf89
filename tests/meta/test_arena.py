"""The arena: when it stops, what it keeps, and what a beginner does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.engine.agents import Level, levels_for
from services.engine.core import Action
from services.engine.core.registry import ruleset
from services.engine.games.hide_and_seek import layout as at
from tests.unit.engine.sock_monsters.table import position
from tests.unit.engine.socker.table import turn
from tools.arena import keys, ladder
from tools.arena.beginner import beginner
from tools.arena.matches import BLOCK, Block, Pairing, play_block
from tools.arena.page import page
from tools.arena.sequential import Verdict, share, verdict

KIND = Level("hide_and_seek", 1, "pip", 1, 1.0, fade=0.9)
KEEN = Level("hide_and_seek", 2, "minna", 4, 1.0)
SHORT = (("types", 3),)
PAIRING = Pairing("hide_and_seek", SHORT, KEEN, KIND)


# --- when it stops --------------------------------------------------------------------------------


def test_the_test_stops_as_soon_as_it_is_sure() -> None:
    """log(39) is crossed by 16 wins of log(70/55) each, or by 10 losses of log(45/30) each."""
    assert verdict([1.0] * 15) is Verdict.OPEN
    assert verdict([1.0] * 16) is Verdict.APART
    assert verdict([0.0] * 9) is Verdict.OPEN
    assert verdict([0.0] * 10) is Verdict.NOT_APART
    assert verdict([]) is Verdict.OPEN


def test_the_test_is_seldom_wrong() -> None:
    """At either hypothesis it errs in 2.5 % of runs at most."""
    rng = Random(5)

    def wrong(chance: float, verdict_wanted: Verdict) -> int:
        errors = 0
        for _ in range(300):
            results = [float(rng.random() < chance) for _ in range(1_000)]
            errors += verdict(results) is not verdict_wanted
        return errors

    # 7.5 expected of 300; 26 or more in 1 of 10^7 samples.
    assert wrong(0.70, Verdict.APART) < 26
    assert wrong(0.55, Verdict.NOT_APART) < 26


def test_the_interval_is_wilsons() -> None:
    found = share([1.0] * 8 + [0.0] * 2)
    assert (found.mean, found.matches) == (0.8, 10)
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert (share([]).low, share([]).high) == (0, 1)


# --- what it keeps --------------------------------------------------------------------------------


def test_a_block_is_always_the_same() -> None:
    first, second = play_block(PAIRING, 3), play_block(PAIRING, 3)
    assert first.results == second.results
    assert len(first.results) == BLOCK
    assert set(first.results) <= {0.0, 0.5, 1.0}
    assert play_block(PAIRING, 4).results != first.results


def test_each_seat_has_its_turn() -> None:
    """A level against itself wins what the other seat loses on the same deal, on average half."""
    twin = Pairing("hide_and_seek", SHORT, KIND, replace(KIND, number=2, monster="minna"))
    results = [r for number in range(4) for r in play_block(twin, number).results]
    assert 0 < sum(results) < len(results)


@pytest.fixture
def one_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "pairings", lambda _games=(): iter([PAIRING]))


@pytest.mark.usefixtures("one_pairing")
def test_it_goes_on_where_the_file_ends(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    (record,) = ladder.load(path=file)
    assert (record.results, record.next_block(set())) == ((), 0)
    ladder.append(record, Block(0, (1.0,) * BLOCK, 0.5, 300), file)
    ladder.append(record, Block(2, (1.0,) * BLOCK, 0.5, 300), file)
    (again,) = ladder.load(path=file)
    # What comes after a gap does not count yet: the test looks at results in order.
    assert again.results == (1.0,) * BLOCK
    assert (again.next_block(set()), again.next_block({1}), again.done) == (1, 3, False)
    ladder.append(again, Block(1, (1.0,) * BLOCK, 0.5, 300), file)
    (done,) = ladder.load(path=file)
    assert done.done
    assert ladder.holds(done)
    assert "| 2 | 1 | 20 | 100.0 % |" in page([done])


@pytest.mark.usefixtures("one_pairing")
def test_results_of_other_code_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    (record,) = ladder.load(path=file)
    ladder.append(record, Block(0, (1.0,) * BLOCK, 0.5, 300), file)
    changed = replace(PAIRING, lower=replace(KIND, fade=0.8))
    monkeypatch.setattr(ladder, "pairings", lambda _games=(): iter([changed]))
    (stale,) = ladder.load(path=file)
    assert stale.results == ()
    assert ladder.holds(stale) is None
    assert "not measured" in page([stale])


@pytest.mark.usefixtures("one_pairing")
@pytest.mark.parametrize("line", ["{", "[]", '{"key": "x"}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"results\.jsonl:1: no block of results"):
        ladder.load(path=file)


def test_a_key_changes_with_what_could_change_a_result() -> None:
    mine = keys.key(PAIRING)
    assert keys.key(replace(PAIRING, lower=replace(KIND, iterations=2))) != mine
    assert keys.key(replace(PAIRING, options=())) != mine
    assert keys.key(replace(PAIRING, lower=replace(KIND, seconds=0.3))) == mine


def test_comments_do_not_make_results_stale() -> None:
    one = '"""What."""\n\nX = (\n    "a",  # why\n)\n\n\ndef f():\n    """Doc."""\n    return 1\n'
    assert keys.essence(one) == keys.essence(one.replace("What", "Why").replace("Doc", "Not"))
    assert keys.essence(one) == keys.essence(one.replace("  # why", ""))
    assert keys.essence(one) != keys.essence(one.replace('"a"', '"b"'))
    assert keys.essence(one) != keys.essence(one.replace("return 1", "return 2"))
    assert keys.essence("if x:\n    y()\n    z()\n") != keys.essence("if x:\n    y()\nz()\n")


def test_every_level_meets_the_one_below() -> None:
    for game in ("socker", "sock_monsters", "hide_and_seek"):
        found = [p for p in ladder.pairings((game,)) if not p.options]
        assert [p.upper for p in found] == list(levels_for(game))
        assert [p.lower for p in found] == [None, *levels_for(game)[:-1]]


# --- a beginner -----------------------------------------------------------------------------------


def times(state: Any, game: str, wanted: set[str], before: list[Any] | None = None) -> float:
    """How often of 400 a beginner does one of these."""
    rules, rng = ruleset(game), Random(3)
    done = [beginner(rules, state, before or [], rng) for _ in range(400)]
    assert all(rules.is_legal(state, action) for action in done)
    return sum(rules.format_action(action) in wanted for action in done) / 400


# Half of the time on purpose, and by luck a little more: 5.5 standard deviations are 0.14.


def test_a_beginner_sees_half_of_the_goals() -> None:
    state = turn("south", S="e9 a2", N="a5", ball="e10")
    rules = ruleset("socker")
    goal = {
        rules.format_action(a)
        for a in rules.legal_actions(state)
        if rules.scores(rules.apply(state, a)) != rules.scores(state)
    }
    assert goal
    assert 0.36 < times(state, "socker", goal) < 0.72


def test_a_beginner_sees_half_of_the_pairs() -> None:
    state = position("act 0", pawns="b1 d4", socks="r g", lairs="ryg - - -")
    assert 0.36 < times(state, "sock_monsters", {"lair:red:red"}) < 0.85


def test_a_beginner_remembers_the_turn_before() -> None:
    """A card was flipped in the turn before and goes with the one just flipped."""
    rules = ruleset("hide_and_seek")
    found = 0
    for seed in range(40):
        state, rng = rules.initial({}, 2), Random(seed)
        before: list[Any] = []
        while len(before) < 4:
            if rules.actor(state) != -1:
                before.append(state)
            state = rules.apply(state, rng.choice(rules.legal_actions(state)))
        # Two flips by each seat so far, or fewer cards if one of them has found a pair.
        if rules.actor(state) is None or state.buffer[at.PHASE] != at.P_FIRST:
            continue
        turned = [c for c in range(at.CELLS) if state.buffer[at.KNOWN + c]]
        turned = [c for c in turned if state.buffer[at.SHOWN + c] < at.CANDY]
        for cell in [c for c in range(at.CELLS) if c not in turned]:
            if state.buffer[at.SHOWN + cell] >= at.CANDY:
                continue
            flipped = rules.apply(state, Action(at.A_FLIP + cell))
            match = [
                c for c in turned if state.buffer[at.HIDDEN + c] == flipped.buffer[at.SHOWN + cell]
            ]
            if len(match) == 1:
                wanted = {rules.format_action(Action(at.A_FLIP + match[0]))}
                assert 0.36 < times(flipped, "hide_and_seek", wanted, [*before, state]) < 0.70
                found += 1
                break
        if found == 3:
            return
    raise AssertionError("no such position")
