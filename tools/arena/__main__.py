"""Play the ladder: `python -m tools.arena [GAME…] [--jobs N] [--minutes M]`.

Goes on where the results file ends, on compiled engine and agents, and writes docs/levels.md.
--check plays nothing: it compares the page with the results.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from services.engine.core.registry import game_names
from tools.arena.ladder import Record, append, holds, load
from tools.arena.matches import Block, play_block
from tools.arena.page import PAGE, page
from tools.arena.sequential import share
from tools.compile import ROOT, compile_kernels, compiled_environment
from tools.reports import Check, Report, Status


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if all pairings that are decided are as they should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.arena", description=__doc__)
    parser.add_argument("games", nargs="*", help=f"of {', '.join(game_names())}; all by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=120.0, help="begin no match after these")
    parser.add_argument("--check", action="store_true", help="only compare the page")
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if unknown := {*options.games} - {*game_names()}:
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    if options.check:
        return _check()
    if not options.compiled:
        compile_kernels()
        given = sys.argv[1:] if arguments is None else arguments
        command = [sys.executable, "-P", "-m", "tools.arena", *given]
        path = os.pathsep.join([compiled_environment()["PYTHONPATH"], str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run([*command, "--compiled"], env=environment, check=False).returncode
    records = load(tuple(options.games))
    _play(records, options.jobs, time.monotonic() + 60 * options.minutes)
    PAGE.write_text(page(load()), encoding="utf-8")
    return _report(records)


def _play(records: list[Record], jobs: int, end: float) -> None:
    """Play blocks until every pairing is decided or the time is up, each core at one block."""
    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[Block], Record] = {}
        numbers: dict[Future[Block], int] = {}
        while True:
            while len(running) < jobs and time.monotonic() < end:
                waiting = [record for record in records if not record.done]
                if not waiting:
                    break
                # The one with the fewest matches: a run that ends early knows a little of each.
                record = min(waiting, key=lambda r: len(r.blocks) + [*running.values()].count(r))
                taken = {numbers[f] for f, of in running.items() if of is record}
                number = record.next_block(taken)
                future = pool.submit(play_block, record.pairing, number)
                running[future], numbers[future] = record, number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                record = running.pop(future)
                append(record, future.result())
                found = share(record.results)
                sys.stdout.write(
                    f"{record.pairing.name}: {found.mean:.1%} of {found.matches}"
                    f"{'' if record.done else ' …'}\n"
                )
                sys.stdout.flush()


def _report(records: list[Record]) -> int:
    report = Report("arena")
    for record in records:
        as_it_should = holds(record)
        status: Status = (
            "passed" if as_it_should else "skipped" if as_it_should is None else "failed"
        )
        found = share(record.results)
        report.add(Check(record.pairing.name, status, found.mean, None, "share"))
        sys.stdout.write(f"{status:<8}{record.pairing.name}: {found.mean:.1%} of {found.matches}\n")
    sys.stdout.write(f"see {PAGE.relative_to(ROOT)}\n")
    return report.write()


def _check() -> int:
    """Compare docs/levels.md with what the results say today."""
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page(load()):
        return 0
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is not what the results say: make arena\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
