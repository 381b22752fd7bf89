"""Play our top levels against OpenSpiel's bots: `python -m tests.peers [GAME…]`.

First checks the adapter between the two, then goes on where the results file ends, on compiled
engine and agents, and writes docs/peers.md. --check and --page play nothing and need no open-spiel.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib.util import find_spec

from tests.peers import page
from tests.peers.versus.pairings import MATCHES, Block, pairings
from tests.peers.versus.results import Record, append, load
from tools.arena.sequential import share
from tools.compile import ROOT, compile_kernels, compiled_environment
from tools.reports import Check, Report, Status


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if the adapter is sound and all matches are played."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    games = tuple(dict.fromkeys(pairing.game for pairing in pairings()))
    parser.add_argument("games", nargs="*", help=f"of {', '.join(games)}; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=120.0, help="begin no matches after these")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="only compare the page")
    instead.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if unknown := {*options.games} - {*games}:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    if options.jobs < 1:
        parser.error("--jobs: one at least")
    if options.check:
        return _check()
    if options.page:
        return _write_page()
    if not options.compiled:
        return _again_on_compiled(sys.argv[1:] if arguments is None else arguments)
    return _measure(tuple(options.games) or games, options.jobs, 60 * options.minutes)


def _again_on_compiled(arguments: Sequence[str]) -> int:
    compile_kernels()
    paths = [compiled_environment()["PYTHONPATH"], str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-P", "-m", "tests.peers", *arguments, "--compiled"]
    return subprocess.run(command, env=environment, check=False).returncode


def _measure(games: tuple[str, ...], jobs: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    report = Report("arena-peers")
    if find_spec("pyspiel") is None:
        print("open-spiel is not installed: tools/setup.sh bench", file=sys.stderr)
        report.skipped("adapter", "not installed: tools/setup.sh bench")
        return report.write()
    from tests.peers.versus.checks import check  # only where open-spiel is installed

    print(f"Checking the adapter of {', '.join(games)}", flush=True)
    if not check(report, games):
        for problem in report.checks:
            print(f"{problem.id}: {problem.value}")
        return report.write()
    records = load(games)
    _play(records, jobs, end)
    _write_page()
    for record in records:
        found, name = share(record.results), record.pairing.name
        status: Status = "passed" if record.done else "skipped"
        report.add(Check(name, status, round(found.mean, 4), None, f"share of {found.matches}"))
        if not record.done:
            print(f"{name}: {found.matches} of {MATCHES} matches; the same command goes on")
    return report.write()


def _play(records: list[Record], jobs: int, end: float) -> None:
    """Play blocks until every pairing has its matches or the time is up."""
    from tests.peers.versus.matches import play_block  # only where open-spiel is installed

    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[Block], tuple[Record, int]] = {}
        while True:
            while len(running) < jobs and time.monotonic() < end:
                chosen = following(records, [*running.values()])
                if chosen is None:
                    break
                record, number = chosen
                running[pool.submit(play_block, record.pairing, number)] = chosen
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                record, _ = running.pop(future)
                append(record, future.result())
                found = share(record.results)
                print(
                    f"{record.pairing.name}: {found.mean:.1%} of {found.matches} of {MATCHES}",
                    flush=True,
                )


def following(
    records: list[Record], running: Sequence[tuple[Record, int]]
) -> tuple[Record, int] | None:
    """What to play next: of the pairing with the fewest matches, so that a run that ends early
    knows a little of each."""

    def begun(record: Record) -> set[int]:
        return {*record.blocks} | {number for of, number in running if of is record}

    for record in sorted(records, key=lambda record: len(begun(record))):
        number = record.next_block(begun(record))
        if number is not None:
            return record, number
    return None


def _write_page() -> int:
    page.PAGE.write_text(page.page(), encoding="utf-8")
    return 0


def _check() -> int:
    """Compare docs/peers.md with what the results say today."""
    if page.is_current():
        return 0
    print(f"{page.PAGE.relative_to(ROOT)} is not what the results say: make arena-peers")
    return 1


if __name__ == "__main__":
    sys.exit(main())
