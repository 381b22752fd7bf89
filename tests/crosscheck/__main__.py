"""The command line of the cross-check."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from rich.progress import Progress

from tests.crosscheck.play import MOST_REFUSED, Difference, Tally, play_both
from tests.crosscheck.variants import ENOUGH_GAMES, VARIANTS, Variant
from tools.reports import Report

_BATCH = 10


def _batch(job: tuple[str, range]) -> tuple[Tally, str]:
    """What was played, and the first difference or nothing."""
    name, seeds = job
    variant = next(variant for variant in VARIANTS if variant.name == name)
    tally = Tally()
    for seed in seeds:
        try:
            tally.add(play_both(variant, range(seed, seed + 1)))
        except Difference as difference:
            return tally, str(difference)
    return tally, ""


def _record(report: Report, variant: Variant, games: int, tally: Tally, differ: int) -> None:
    """Put what was found in one variant into the report; few games need not meet every case."""
    name = variant.name
    report.measured(f"{name}_actions", tally.actions, "actions compared")
    report.measured(f"{name}_rare_starts", tally.read, "rare positions played on")
    report.measured(f"{name}_rare_actions", tally.rare_actions, "actions compared after them")
    report.at_most(f"{name}_rare_refused", tally.share_refused(), MOST_REFUSED, "of the positions")
    report.equals(f"{name}_differences", differ, 0, "batches")
    for case in sorted(variant.cases):
        if games >= ENOUGH_GAMES:
            report.at_least(f"{name}_reached: {case}", tally.reached[case], 1, "times")
        else:
            report.measured(f"{name}_reached: {case}", tally.reached[case], "times")


def _summary(variant: Variant, games: int, tally: Tally, differences: list[str]) -> str:
    never = sorted(case for case in variant.cases if not tally.reached[case])
    lines = [
        f"{variant.name}: {games} games, {tally.actions} actions,"
        f" {tally.read} rare starts, {tally.rare_actions} actions, {len(tally.refusals)} refused,"
        f" {len(variant.cases) - len(never)} of {len(variant.cases)} rare cases,"
        f" {len(differences)} batches differ"
    ]
    lines += [f"  never reached: {', '.join(never)}"] if never else []
    lines += [f"  refused: {refusal}" for refusal in tally.refusals[:3]]
    lines += [f"  {difference}" for difference in differences[:3]]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command; returns its exit status."""
    names = [variant.name for variant in VARIANTS]
    parser = argparse.ArgumentParser(prog="python -m tests.crosscheck", description=__doc__)
    parser.add_argument(
        "--games", type=int, default=300, help="random games and rare starts of each variant"
    )
    parser.add_argument("--only", choices=names, action="append", help="only this variant")
    parser.add_argument("--report", default="crosscheck", help="name of the report written")
    arguments = parser.parse_args()
    if arguments.games < 1:
        parser.error("--games must be at least 1")
    try:
        report = Report(arguments.report)
    except ValueError as error:
        parser.error(f"--report: {error}")
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
            tally, differences = Tally(), list[str]()
            for played, difference in pool.map(_batch, jobs):
                tally.add(played)
                differences += [difference] if difference else []
                progress.advance(task)
            progress.remove_task(task)
            _record(report, variant, arguments.games, tally, len(differences))
            sys.stdout.write(_summary(variant, arguments.games, tally, differences))
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
