"""The comparison with OpenSpiel's bots, but for what needs open-spiel: that `make arena-peers`
checks itself before it plays (`checks`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from services.engine.agents import Budget, Level, make_agent, top_level
from services.engine.core import CHANCE
from services.engine.core.registry import game_names, ruleset
from tests.peers import __main__ as command
from tests.peers.versus import pairings, results
from tests.peers.versus.knowledge import KEYS
from tests.peers.versus.ours import TopLevel
from tests.peers.versus.pairings import BLOCK, Block, Effort, Pairing, Thinking, Whereabouts
from tests.peers.versus.report import section
from tests.peers.versus.results import Record, append, key, load
from tests.peers.versus.whereabouts import part_of
from tools.reports import Report

LEVEL = Level("hide_and_seek", 2, "minna", 40, 1.0)
PAIRING = Pairing("hide_and_seek", LEVEL, Effort(simulations=50))
BLOCK_ZERO = Block(
    0,
    (1.0, 1.0, 0.5, 0.0),
    Thinking(20, 800, 0.4),
    Thinking(10, 500, 0.5),
    Whereabouts(1, 2, 1),
    44,
)


def states(game: str, seed: int, most: int = 90) -> Iterator[Any]:
    """Those of the beginning of a random match."""
    rules, rng = ruleset(game), Random(seed)
    state = rules.initial({}, 2)
    for _ in range(most):
        if rules.actor(state) is None:
            return
        yield state
        state = rules.apply(state, rng.choice(rules.legal_actions(state)))


# --- what a seat knows ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names())
def test_a_key_tells_exactly_what_the_information_does(game: str) -> None:
    rules = ruleset(game)
    pairs = {
        (seat, KEYS[game](state, seat), rules.information(state, seat))
        for state in states(game, 7)
        for seat in (0, 1)
    }
    assert len({(seat, text) for seat, text, _ in pairs}) == len(pairs)
    assert len({(seat, known) for seat, _, known in pairs}) == len(pairs)
    assert len(pairs) > 80


@pytest.mark.parametrize("game", ["sock_monsters", "hide_and_seek"])
def test_a_key_hides_what_the_seat_has_not_seen(game: str) -> None:
    rules, rng, other_worlds = ruleset(game), Random(2), 0
    for state in states(game, 8):
        actor = rules.actor(state)
        if actor is None or actor == CHANCE:
            continue
        world = rules.determinize(rules.information(state, actor), rng)
        other_worlds += world != state
        assert KEYS[game](world, actor) == KEYS[game](state, actor)
    assert other_worlds > 10


# --- our side -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_names())
def test_our_side_is_the_level_as_it_is(game: str) -> None:
    """The same action as its agent takes, and the iterations that it took, within the effort."""
    rules, level = ruleset(game), top_level(game)
    assert level is not None
    seen: list[int] = []
    for state in list(states(game, 3))[45:]:
        actor = rules.actor(state)
        if actor is None or actor == CHANCE or len(rules.legal_actions(state)) < 2:
            continue
        known = rules.information(state, actor)
        action, iterations = TopLevel(level, Effort(simulations=12)).choose(rules, known, Random(4))
        agent, budget = make_agent(level), Budget(None, 12)
        assert action == agent.choose(rules, known, budget, Random(4), lambda: False, lambda: 0.0)
        seen.append(iterations)
    assert max(seen[:20]) > 0
    # Socker looks at all that a line may go on with, three dozen actions, before it stops.
    assert max(seen) <= (12 if game != "socker" else 12 + 36)


# --- results --------------------------------------------------------------------------------------


@pytest.fixture
def one_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "pairings", lambda _games=(): [PAIRING])


@pytest.mark.usefixtures("one_pairing")
def test_it_goes_on_where_the_file_ends(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    (record,) = load(path=file)
    assert (record.results, record.next_block(set()), record.done) == ((), 0, False)
    append(record, BLOCK_ZERO, file)
    append(record, replace(BLOCK_ZERO, number=2), file)
    (again,) = load(path=file)
    assert again.blocks == record.blocks
    assert again.results == BLOCK_ZERO.results * 2
    assert (again.next_block(set()), again.next_block({1})) == (1, 3)
    assert again.theirs == Thinking(20, 1000, 1.0)
    for number in range(1, pairings.MATCHES // BLOCK):
        append(again, replace(BLOCK_ZERO, number=number), file)
    (done,) = load(path=file)
    assert (done.done, done.next_block(set())) == (True, None)


@pytest.mark.usefixtures("one_pairing")
def test_results_of_other_code_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    append(load(path=file)[0], BLOCK_ZERO, file)
    changed = replace(PAIRING, level=replace(LEVEL, fade=0.2))
    monkeypatch.setattr(results, "pairings", lambda _games=(): [changed])
    (stale,) = load(path=file)
    assert stale.results == ()
    assert "| not measured |" in section([stale])


@pytest.mark.usefixtures("one_pairing")
@pytest.mark.parametrize("line", ["{", "[]", '{"key": "x"}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"results\.jsonl:1: no block of results"):
        load(path=file)


def test_a_key_changes_with_what_the_level_uses_and_with_nothing_else() -> None:
    mine = key(PAIRING)
    assert key(replace(PAIRING, level=replace(LEVEL, iterations=30))) != mine
    assert key(replace(PAIRING, level=replace(LEVEL, fade=0.1))) != mine
    assert key(replace(PAIRING, effort=Effort(simulations=51))) != mine
    assert key(replace(PAIRING, effort=Effort(seconds=0.03))) != mine
    # A time that nobody reaches, the place in the ladder, and iterations beyond the effort.
    assert key(replace(PAIRING, level=replace(LEVEL, seconds=0.5, number=3))) == mine
    few = replace(PAIRING, effort=Effort(simulations=10))
    assert key(few) == key(replace(few, level=replace(LEVEL, iterations=30)))


def test_every_game_with_levels_meets_its_peer_at_both_efforts() -> None:
    found = pairings.pairings()
    assert {(each.game, each.level) for each in found} == {(g, top_level(g)) for g in game_names()}
    assert [each.effort.seconds is None for each in found] == [False, True] * len(game_names())


def test_the_page_says_what_was_found() -> None:
    text = section([Record(PAIRING, {0: BLOCK_ZERO})])
    assert (
        "| Monster Hide and Seek | Minna | IS-MCTS | 50 simulations | 2 | 1 | 1 | 62.5 % |" in text
    )
    assert "after 4 of 100 |" in text
    assert "| 20 | 40 | 20.0 | 10 | 50 | 50.0 |" in text
    assert "| 25 % | 50 % | 25 % | 4 |" in text


# --- the command ----------------------------------------------------------------------------------


def test_the_pairing_with_the_fewest_matches_is_next() -> None:
    first, second = Record(PAIRING, {0: BLOCK_ZERO}), Record(PAIRING)
    assert command.following([first, second], []) == (second, 0)
    assert command.following([first, second], [(second, 0), (second, 1)]) == (first, 1)
    whole = {n: replace(BLOCK_ZERO, number=n) for n in range(pairings.MATCHES // BLOCK)}
    assert command.following([Record(PAIRING, whole)], []) is None


def test_without_openspiel_nothing_counts_as_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reports: list[Report] = []

    def write(report: Report) -> int:
        reports.append(report)
        return 0 if report.holds else 1

    monkeypatch.setattr(Report, "write", write)
    monkeypatch.setattr(command, "find_spec", lambda _name: None)
    assert command.main(["socker", "--compiled"]) == 1
    assert [check.status for check in reports[0].checks] == ["skipped"]
    assert "tools/setup.sh bench" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"), [(["chess"], "no such game: chess"), (["--jobs", "0"], "--jobs")]
)
def test_bad_input_is_named(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert named in capsys.readouterr().err


# --- where their bot is ---------------------------------------------------------------------------


def frame_in(*files: str) -> FrameType:
    """The innermost frame of calls through these files."""
    functions: dict[str, Any] = {"last": sys._getframe}
    for file in reversed(files):
        exec(compile("def f(g): return lambda: g()", file, "exec"), functions)
        functions["last"] = functions["f"](functions["last"])
    found = functions["last"]()
    assert isinstance(found, FrameType)
    return found


@pytest.mark.parametrize(
    ("files", "part"),
    [
        (["/x/open_spiel/python/algorithms/mcts.py", "/lib/copy.py"], "openspiel"),
        (["/x/open_spiel/mcts.py", "/y/tests/peers/versus/adapter.py"], "adapter"),
        (["/y/tests/peers/versus/bots.py", "/y/tools/playouts.py"], "rules"),
        (
            ["/y/tests/peers/versus/adapter.py", "/b/services/engine/games/a.py", "/lib/random.py"],
            "rules",
        ),
    ],
)
def test_a_look_counts_for_the_innermost_part(files: list[str], part: str) -> None:
    assert part_of(frame_in(*files)) == part
