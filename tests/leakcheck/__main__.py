"""The command line of the leak check."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path

from rich.progress import Progress

from tests.leakcheck.compare import compare
from tests.leakcheck.pairs import SECRET, make_pair
from tools.reports import Report


async def _check(pairs: int, report: Report, progress: Progress) -> None:
    for variant in SECRET:
        task = progress.add_task(variant.name, total=pairs)
        messages, leaks = 0, []
        for seed in range(pairs):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    messages += await compare(make_pair(variant, seed), Path(folder))
                except AssertionError as leak:
                    leaks.append(str(leak))
            progress.advance(task)
        progress.remove_task(task)
        report.measured(f"{variant.name}_messages", messages, "messages compared")
        report.equals(f"{variant.name}_leaks", len(leaks), 0)
        sys.stdout.write(f"{variant.name}: {messages} messages, {len(leaks)} leaks\n")
        if leaks:
            sys.stdout.write(f"{leaks[0]}\n")


def main() -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.leakcheck", description=__doc__)
    parser.add_argument("--pairs", type=int, default=3, help="pairs of each variant")
    arguments = parser.parse_args()
    if arguments.pairs < 1:
        parser.error("--pairs must be at least 1")
    logging.disable(logging.CRITICAL)
    report = Report("leakcheck")
    with Progress(transient=True) as progress:
        asyncio.run(_check(arguments.pairs, report, progress))
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
