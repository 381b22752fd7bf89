"""The command line of the cross-check."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from rich.progress import Progress

from tests.crosscheck.play import Difference, play
from tests.crosscheck.variants import VARIANTS
from tools.reports import Report

_BATCH = 10


def _batch(job: tuple[str, range]) -> tuple[int, str]:
    """(actions played, first difference or nothing)."""
    name, seeds = job
    variant = next(variant for variant in VARIANTS if variant.name == name)
    actions = 0
    for seed in seeds:
        try:
            actions += play(variant, seed)
        except Difference as difference:
            return actions, str(difference)
    return actions, ""


def main() -> int:
    """Run the command; returns its exit status."""
    names = [variant.name for variant in VARIANTS]
    parser = argparse.ArgumentParser(prog="python -m tests.crosscheck", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="random games of each variant")
    parser.add_argument("--only", choices=names, action="append", help="only this variant")
    parser.add_argument("--report", default="crosscheck", help="name of the report written")
    arguments = parser.parse_args()
    if arguments.games < 1:
        parser.error("--games must be at least 1")
    report = Report(arguments.report)
    with ProcessPoolExecutor(2) as pool, Progress(transient=True) as progress:
        for variant in VARIANTS:
            if arguments.only and variant.name not in arguments.only:
                continue
            starts = range(0, arguments.games, _BATCH)
            jobs = [
                (variant.name, range(start, min(start + _BATCH, arguments.games)))
                for start in starts
            ]
            task = progress.add_task(variant.name, total=len(jobs))
            actions, differences = 0, []
            for played, difference in pool.map(_batch, jobs):
                actions += played
                differences += [difference] if difference else []
                progress.advance(task)
            progress.remove_task(task)
            report.measured(f"{variant.name}_actions", actions, "actions compared")
            report.equals(f"{variant.name}_differences", len(differences), 0)
            sys.stdout.write(
                f"{variant.name}: {arguments.games} games, {actions} actions,"
                f" {len(differences)} batches differ\n"
            )
            for difference in differences[:3]:
                sys.stdout.write(f"  {difference}\n")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
