"""The kernels as machine code: the same rules, the same numbers, and really compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.engine.core.registry import game_names
from tools.compile import ROOT, compile_kernels, compiled_environment, kernel_sources

SUITES = ("tests/conformance", "tests/perft", "tests/playthroughs")
PLACES = """
import importlib, json
names = {names!r}
print(json.dumps([importlib.import_module(name).__file__ for name in names]))
"""
SAME_SUITES = """
import importlib, sys
import pytest
status = pytest.main({arguments!r})
for name in {kernels!r}:
    place = importlib.import_module(name).__file__
    assert place.startswith({target!r}) and place.endswith(".so"), place
sys.exit(status)
"""
PLAYOUTS = """
import json
from services.engine.core.registry import ruleset
from tools.playouts import PLAYERS, Match, Playouts
found = {}
for game in PLAYERS:
    rules = ruleset(game)
    for seats in range(rules.min_seats, rules.max_seats + 1):
        for by_list in (False, True):
            matches = Playouts(Match(game, seats), 2026 + seats, by_list=by_list)
            found[f"{game} {seats} {by_list}"] = [matches.next().checksum for _ in range(3)]
print(json.dumps(found))
"""
CHOICES = """
import json
from random import Random
from services.engine.agents import Budget, levels_for, make_agent
from services.engine.core.chance import settle
from services.engine.core.registry import game_names, ruleset
found = {}
for game in game_names():
    rules, player = ruleset(game), make_agent(levels_for(game)[-1])
    for seats in {rules.min_seats, rules.max_seats}:
        rng, chosen = Random(seats), []
        state = settle(rules, rules.initial({}, seats), rng)
        for _ in range(24):
            seat = rules.actor(state)
            if seat is None:
                break
            action = player.choose(
                rules, rules.information(state, seat), Budget(None, 60), rng,
                lambda: False, lambda: 0.0,
            )
            chosen.append(action)
            state = settle(rules, rules.apply(state, action), rng)
        found[f"{game} {seats}"] = chosen
print(json.dumps(found))
"""
MEMORY = """
import gc, json, tracemalloc
from random import Random
from services.engine.agents import Budget
from services.engine.agents.searches import search
from services.engine.core.registry import ruleset
from tools.playouts import PLAYERS, Match, Playouts
def once(game):
    rules = ruleset(game)
    state = rules.initial({}, 2)
    for _ in range(40):
        legal = rules.legal_actions(state)
        assert all(rules.is_legal(state, action) for action in legal)
        state = rules.apply(state, legal[0])
    information, now = rules.information(state, rules.actor(state)), lambda: 0.0
    search(game).choose(rules, information, Budget(None, 30), Random(1), lambda: False, now)
    Playouts(Match(game, 2), 1).next()
kept = {}
tracemalloc.start()
for game in PLAYERS:
    sizes = []
    for rounds in (5, 40):  # the first ones fill caches
        for _ in range(rounds):
            once(game)
        gc.collect()  # also what Python keeps for its next tuples
        sizes.append(tracemalloc.get_traced_memory()[0])
    kept[game] = (sizes[1] - sizes[0]) / 40
print(json.dumps(kept))
"""
SMALL = 100
"""Bytes; the smallest state of a game has over a thousand."""


@pytest.fixture(scope="module")
def compiled() -> Path:
    return compile_kernels()


def names(paths: list[Path]) -> list[str]:
    return [".".join(path.with_suffix("").parts) for path in paths]


def python(code: str, environment: dict[str, str]) -> str:
    """What `code` prints."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def source_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.mark.timeout(600)  # compiles
def test_kernels_are_machine_code_and_all_else_is_source(compiled: Path) -> None:
    kernels = names(kernel_sources())
    facades = ["services.engine.core.vec", "services.engine.games.socker.state"]
    elsewhere = ["services.ai.settings", "tools.compile"]
    code = PLACES.format(names=[*kernels, *facades, *elsewhere])
    places = [Path(place) for place in json.loads(python(code, compiled_environment()))]
    machine_code, sources = places[: len(kernels)], places[len(kernels) :]
    assert {place.suffix for place in machine_code} == {".so"}
    assert {place.suffix for place in sources} == {".py"}
    assert all(compiled in place.parents for place in (*machine_code, *sources[:2]))
    assert not any(compiled in place.parents for place in sources[2:])


def test_without_being_asked_for_nothing_compiled_runs() -> None:
    code = PLACES.format(names=names(kernel_sources()))
    assert {Path(place).suffix for place in json.loads(python(code, source_environment()))} == {
        ".py"
    }


@pytest.mark.timeout(600)  # may wait for the compiler
def test_playouts_are_the_same_compiled_and_uncompiled(compiled: Path) -> None:
    machine_code = json.loads(python(PLAYOUTS, compiled_environment()))
    assert machine_code == json.loads(python(PLAYOUTS, source_environment()))
    checksums = [tuple(found) for found in machine_code.values()]
    assert len(set(checksums)) > len(checksums) // 2  # Hide and Seek knows lists only


@pytest.mark.timeout(600)  # may wait for the compiler
def test_searches_choose_the_same_compiled_and_uncompiled(compiled: Path) -> None:
    machine_code = json.loads(python(CHOICES, compiled_environment()))
    assert machine_code == json.loads(python(CHOICES, source_environment()))
    assert all(len(chosen) > 5 for chosen in machine_code.values())


@pytest.mark.timeout(600)  # may wait for the compiler
def test_compiled_kernels_keep_nothing_that_they_are_given(compiled: Path) -> None:
    """A worker asks them millions of times: one buffer kept each time would fill its memory."""
    kept = json.loads(python(MEMORY, compiled_environment()))
    assert len(kept) == len(game_names())
    assert {game: size for game, size in kept.items() if size > SMALL} == {}


@pytest.mark.timeout(600)  # a minute of tests of their own
def test_the_engines_suites_hold_for_the_compiled_kernels(compiled: Path) -> None:
    suites = [*SUITES, *sorted(str(path) for path in Path("tests/unit").glob("engine*"))]
    code = SAME_SUITES.format(
        arguments=["-q", "-x", "-n0", "-p", "no:cacheprovider", "-m", "not long", *suites],
        kernels=names(kernel_sources()),
        target=str(compiled),
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=ROOT,
        env=compiled_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout


# --- which modules are kernels ------------------------------------------------------------------


def module(folder: Path, name: str, *imports: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text("".join(f"from {line}\n" for line in imports))


def test_kernels_are_what_builds_on_flat_buffers_and_nothing_else(tmp_path: Path) -> None:
    vec, here = "services.engine.core.vec import vec", "services.engine.games.x"
    game = tmp_path / "services" / "engine" / "games" / "x"
    module(game, "layout", "typing import Final")
    module(game, "moves", "__future__ import annotations", vec, f"{here}.layout import SIZE")
    module(game, "playouts", vec, f"{here}.moves import apply")
    module(game, "state", "dataclasses import dataclass", vec, f"{here}.moves import apply")
    module(game, "search", vec, f"{here}.state import thaw")
    module(game, "words", "typing import Final")
    found = [path.stem for path in kernel_sources(tmp_path)]
    assert found == ["layout", "moves", "playouts"]
