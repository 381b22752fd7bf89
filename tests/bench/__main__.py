"""The command line of the benchmarks: `python -m tests.bench [NAME...]`.

Each part measures something and a reference for it in the same run; only the ratio has a bound,
since absolute times say more about the machine than about us.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tests.bench import (
    levels,
    my_matches,
    pairing,
    playouts,
    round_trip,
    search,
    submits,
    watching,
)
from tools.reports import Report

PARTS: dict[str, Callable[[Report], None]] = {
    "playouts": playouts.measure,
    "search": search.measure,
    "levels": levels.measure,
    "submits": submits.measure,
    "round_trip": round_trip.measure,
    "pairing": pairing.measure,
    "my_matches": my_matches.measure,
    "watching": watching.measure,
}


def main() -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    report = Report("bench")
    for name in parser.parse_args().parts or PARTS:
        print(f"==> {name}", flush=True)
        known = len(report.checks)
        PARTS[name](report)
        for check in report.checks[known:]:
            bound = "" if check.bound is None else f"  (bound {check.bound})"
            print(f"{check.status:<8}{check.id:<44}{check.value:>12} {check.unit}{bound}")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
