"""The command line of the benchmarks: `python -m tests.bench [PART...]`.

Each part measures something and writes it into build/reports/bench.json; the exit status is 1 if a
bound does not hold. What can be compared is compared: with a reference that takes turns with it in
the same run, since absolute times say more about the machine than about us. docs/speed.md has the
numbers and what they mean.
"""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

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

MODULES = (
    playouts,
    search,
    levels,
    submits,
    round_trip,
    pairing,
    my_matches,
    watching,
)
PARTS: dict[str, ModuleType] = {module.__name__.rpartition(".")[2]: module for module in MODULES}


def main() -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("parts", nargs="*", metavar="PART", help="which to run; all, if none")
    parser.epilog = "parts:\n" + "\n".join(
        f"  {name:<12}{(module.__doc__ or '').splitlines()[0]}" for name, module in PARTS.items()
    )
    parts = parser.parse_args().parts
    if unknown := [name for name in parts if name not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)} (there are {', '.join(PARTS)})")
    report = Report("bench")
    for name in parts or PARTS:
        print(f"==> {name}", flush=True)
        known = len(report.checks)
        PARTS[name].measure(report)
        for check in report.checks[known:]:
            bound = "" if check.bound is None else f"  (bound {check.bound})"
            print(f"{check.status:<8}{check.id:<44}{check.value:>12} {check.unit}{bound}")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
