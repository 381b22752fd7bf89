"""Solve and measure: `python -m tests.peers.exact [solve|compare|regret|report] [--help]`.

solve    all layers of Monster Hide and Seek with three types, kept in build/exact
compare  the solvers with naive ones, on random positions small enough
regret   what each level gives away per decision, on compiled kernels
report   print the section made of the committed results

Without a word: solve, compare, regret. Every step goes on where it was left. --check runs nothing:
it says whether the committed results can be read, and are of the solver as it is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

from tests.peers.exact import comparing, hide_and_seek, page, results
from tests.peers.exact.regret import PARTS, Part, Regrets, measure
from tools.compile import ENGINE, ROOT, compile_kernels, compiled_environment

STEPS: Final = ("solve", "compare", "regret")
KERNELS: Final = Path("tests/peers/exact/kernels")
_COMPILED: Final = hide_and_seek.BUILD / "compiled"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if all that was asked for is done."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.peers.exact",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", nargs="?", choices=(*STEPS, "report"), help="all by default")
    parser.add_argument("--cards", type=int, default=9, choices=hide_and_seek.CARDS, help="solve")
    parser.add_argument("--columns", type=int, nargs="+", default=hide_and_seek.COLUMNS)
    parser.add_argument("--matches", type=int, default=60, help="of each part of regret")
    parser.add_argument("--positions", type=int, default=20, help="of each kind to compare")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=120.0, help="begin no match after these")
    parser.add_argument("--check", action="store_true", help="only look at the committed results")
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if unknown := {*options.columns} - {*hide_and_seek.COLUMNS}:
        parser.error(f"no such column: {', '.join(map(str, sorted(unknown)))}")
    if options.check:
        return check()
    if options.step == "report":
        print(page.report())
        return 0
    if options.step != "solve" and not options.compiled:
        compile_kernels(_COMPILED, (ENGINE, KERNELS))
        given = sys.argv[1:] if arguments is None else arguments
        command = [sys.executable, "-P", "-m", "tests.peers.exact", *given]
        path = os.pathsep.join([compiled_environment(_COMPILED)["PYTHONPATH"], str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run([*command, "--compiled"], env=environment, check=False).returncode
    steps = [options.step] if options.step else STEPS
    os.environ["OMP_NUM_THREADS"] = str(options.jobs)  # of the solver
    end = time.monotonic() + 60 * options.minutes
    if "solve" in steps:
        _solve(options.columns, options.cards)
    if "compare" in steps:
        _compare(options.positions)
    if "regret" in steps:
        parts = [
            p for p in PARTS if p.game != "hide_and_seek" or int(p.name[-1]) in options.columns
        ]
        if options.cards < max(hide_and_seek.CARDS):
            parts = [part for part in parts if part.game != "hide_and_seek"]
        return _regret(parts, options.matches, options.jobs, end)
    return 0


def check() -> int:
    """1 if the results can't be read, or the solver has changed since."""
    try:
        solved = results.load_solved()
        results.load_regrets()
    except results.BadResults as error:
        print(error)
        return 1
    if solved.get("source") != hide_and_seek.source_hash():
        print(f"{results.SOLVED.relative_to(ROOT)} is of another solver: {_command('solve')}")
        return 1
    return 0


def _command(step: str) -> str:
    return f"python -m tests.peers.exact {step}"


def _say(text: str) -> None:
    print(text, flush=True)


def _solved_today() -> dict[str, Any]:
    solved = results.load_solved()
    source = hide_and_seek.source_hash()
    if solved.get("source") != source:
        solved = {"source": source, "columns": {}}
    return solved


def _solve(columns: Sequence[int], cards: int) -> None:
    for column in columns:
        layers = []
        for layer in hide_and_seek.solve(column, cards):
            _say(
                f"candy in column {'abc'[column]}: {layer['cards']} cards,"
                f" {layer['unknown']} faces unknown,"
                f" candy {'there' if layer['candy'] else 'taken'}:"
                f" {layer['states']} states, {layer['sweeps']} sweeps"
                f"{', kept' if layer.pop('kept') else ''}"
            )
            layers.append(layer)
        if cards < max(hide_and_seek.CARDS):
            continue
        solved = _solved_today()
        start = hide_and_seek.start(column)
        solved["columns"][str(column)] = {"layers": layers, "start": start}
        results.save_solved(solved)
        _say(f"candy in column {'abc'[column]}: {start['mean']:+.4f} for the first seat")


def _compare(positions: int) -> None:
    found = {}
    for name, compared in comparing.all_kinds(positions):
        _say(f"{name}: {compared['positions']} positions, differ by {compared['most']:.1e} at most")
        found[name] = compared
    solved = _solved_today()
    solved["compared"] = found
    results.save_solved(solved)


def _regret(parts: Sequence[Part], matches: int, jobs: int, end: float) -> int:
    """Measure what is missing, a little of each part at a time."""
    waiting: list[tuple[Part, int, list[str]]] = []
    records = results.load_regrets(parts)
    for match in range(matches):
        for part in parts:
            of_part = [record for record in records if record.part == part]
            levels = [r.level for r in of_part if r.old or match not in r.matches]
            if levels:
                waiting.append((part, match, levels))
    _say(f"{len(waiting)} matches to ask about")
    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[list[Regrets]], tuple[Part, int]] = {}
        while waiting or running:
            while waiting and len(running) < jobs and time.monotonic() < end:
                part, match, levels = waiting.pop(0)
                running[pool.submit(measure, part, match, levels)] = part, match
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                part, match = running.pop(future)
                results.append(part, match, future.result())
                top = future.result()[-1].regrets
                _say(f"{part.game}, {part.name}, match {match}: {len(top)} decisions that matter")
    if waiting:
        _say(f"{len(waiting)} matches left: go on with {_command('regret')}")
    return 1 if waiting else 0


if __name__ == "__main__":
    sys.exit(main())
