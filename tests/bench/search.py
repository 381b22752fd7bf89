"""Tree search: simulations a second of ours beside OpenSpiel's in C++, on Breakthrough 8x8.

Both search the first position with the same number of simulations, random playouts and UCT. That
both play the same game is checked first, move by move. Seconds are of processor time, of one core.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from services.engine.core.vec import i64, vec
from tests.bench.breakthrough import kernel
from tools.compile import ENGINE, ROOT, compile_kernels, compiled_environment
from tools.reports import Report

ROUNDS: Final = 5
SIMULATIONS: Final = 1_000
OUR_SEARCHES, THEIR_SEARCHES = 60, 10
OF_OPENSPIEL: Final = 2.0
COMPARED: Final = 100
BREAKTHROUGH: Final = Path("tests/bench/breakthrough")


def measure(report: Report) -> None:
    """Add the comparison of the rules, both rates and their ratio (bounded) to `report`."""
    try:
        pyspiel: Any = import_module("pyspiel")  # ships no types
    except ImportError:
        report.skipped("search.openspiel", "not installed: tools/setup.sh bench")
        return
    game = pyspiel.load_game("breakthrough(rows=8,columns=8)")
    different = sum(not _same_game(game, Random(seed)) for seed in range(COMPARED))
    report.equals("search.different_matches", different, 0)
    ours, theirs = [], []
    folder = compile_kernels(ROOT / "build" / "bench" / "compiled", (ENGINE, BREAKTHROUGH))
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.bench.searcher"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=compiled_environment(folder),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for seed in range(1, ROUNDS + 1):
            process.stdin.write(json.dumps([SIMULATIONS, OUR_SEARCHES, seed]) + "\n")
            process.stdin.flush()
            ours.append(SIMULATIONS * OUR_SEARCHES / json.loads(process.stdout.readline()))
            theirs.append(_openspiel(pyspiel, game, seed))
        process.stdin.close()
    report.measured("search.ours", round(median(ours)), "simulations/s")
    report.measured("search.openspiel", round(median(theirs)), "simulations/s")
    ratio = median(mine / other for mine, other in zip(ours, theirs, strict=True))
    report.at_least("search.ours / openspiel", round(ratio, 2), OF_OPENSPIEL)


def _openspiel(pyspiel: Any, game: Any, seed: int) -> float:
    """Simulations a second of its search in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1_000, False, seed, False)
    state = game.new_initial_state()
    begin = time.process_time()
    for _ in range(THEIR_SEARCHES):
        bot.step(state)
    return SIMULATIONS * THEIR_SEARCHES / (time.process_time() - begin)


# --- the same rules -------------------------------------------------------------------------------


def _same_game(game: Any, rng: Random) -> bool:
    """Play a random match on both: whether all lists of moves and the ends are the same."""
    theirs, ours, out = game.new_initial_state(), kernel.start(), kernel.room(kernel.MOST_ACTIONS)
    while not theirs.is_terminal():
        moves = {_text(ours, out[at]): out[at] for at in range(kernel.legal(ours, out))}
        others = {theirs.action_to_string(move): move for move in theirs.legal_actions()}
        if sorted(moves) != sorted(others):
            return False
        move = rng.choice(sorted(moves))
        kernel.apply(ours, moves[move])
        theirs.apply_action(others[move])
    return bool(theirs.returns()[ours[kernel.WINNER]] == 1)


def _text(s: vec[i64], action: i64) -> str:
    """A move as OpenSpiel writes it; its first player starts at the top."""
    cell = action // 3
    to = kernel.target_of(cell, action % 3, s[kernel.MOVER])
    taken = "*" if s[kernel.BOARD + to] != kernel.EMPTY else ""
    return _cell(cell) + _cell(to) + taken


def _cell(cell: i64) -> str:
    return f"{'abcdefgh'[cell % 10 - 1]}{8 - cell // 10}"
