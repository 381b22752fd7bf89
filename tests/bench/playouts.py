"""Random playouts: compiled kernels beside C references and beside their own source.

The references in `c/` are the same algorithm on the same words with the same random numbers, so
everything that is compared has played exactly the same matches; checksums are held equal. Seconds
are of processor time, of one core.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Final

from services.engine.core.registry import ruleset
from tools.compile import ROOT, compile_kernels, compiled_environment
from tools.playouts import PLAYERS, Match
from tools.reports import Report

ROUNDS: Final = 21
COMPILED_OF_C: Final = 0.65
COMPILED_OF_SOURCE: Final = 15
SOURCES: Final = Path(__file__).parent / "c"
BUILT: Final = ROOT / "build" / "bench"
METHODS: Final = ("list", "drawn")


@dataclass(frozen=True)
class Timed:
    """A match that is timed; how many of them by list and drawn, on machine code and on source."""

    match: Match
    matches: dict[str, tuple[int, int]]


TIMED: Final = (
    Timed(Match("socker", 2), {"list": (400, 4), "drawn": (2_000, 8)}),
    Timed(Match("sock_monsters", 3), {"list": (3_000, 40), "drawn": (6_000, 60)}),
)
OTHERS: Final = (
    Match("socker", 2, {"turn_limit": 7, "sudden_cap": 9, "recentre_into_goal": True}),
    Match("socker", 2, {"goals_to_win": 3, "repetition_ignores_mover": True}),
    Match("sock_monsters", 4, {"silly_socks": True, "steal_adjacency": "four"}),
    Match("sock_monsters", 3, {"edition": "german", "silly_socks": True}),
    Match("sock_monsters", 2, {"edition": "german", "start_socks": "2", "lair_source": "lair"}),
)
"""Only compared: rules that the timed matches do not use."""


@dataclass(frozen=True)
class Order:
    """What to play."""

    match: Match
    method: str
    matches: int
    seed: int

    def as_json(self) -> str:
        match = self.match
        order = [match.game, match.seats, match.options, self.method, self.matches, self.seed]
        return json.dumps(order)


@dataclass(frozen=True)
class Result:
    """What was played: the same for everybody, but for the time."""

    actions: int
    checksum: int
    seconds: float

    @property
    def played(self) -> tuple[int, int]:
        return self.actions, self.checksum

    @property
    def rate(self) -> float:
        """Actions a second."""
        return self.actions / self.seconds


# --- who plays ------------------------------------------------------------------------------------


def build_references() -> None:
    """Compile the C references into build/bench/."""
    BUILT.mkdir(parents=True, exist_ok=True)
    for game in ("socker", "sock_monsters"):
        (BUILT / f"{game}_layout.h").write_text(layout_header(game))
        command = ["cc", "-std=c11", "-O3", "-I", str(BUILT), "-I", str(SOURCES)]
        source, program = SOURCES / f"{game}.c", BUILT / game
        subprocess.run([*command, str(source), "-o", str(program)], check=True)


def layout_header(game: str) -> str:
    """The numbers and tables of a game's layout in C."""
    lines = ["/* Written from layout.py. */"]
    for name, value in vars(import_module(f"services.engine.games.{game}.layout")).items():
        if not name.isupper() or name.startswith("_"):
            continue
        if isinstance(value, int):
            lines.append(f"#define {name} INT64_C({value})")
        elif isinstance(value[0], int):
            lines.append(f"static const word {name}[] = {{{', '.join(map(str, value))}}};")
    return "\n".join(lines) + "\n"


def play_in_c(order: Order) -> Result:
    """Let the C reference play."""
    match = order.match
    words = PLAYERS[match.game].words(ruleset(match.game).initial(match.options, match.seats))
    done = subprocess.run(
        [str(BUILT / match.game), order.method, str(order.seed), str(order.matches)],
        input=" ".join(map(str, words)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    actions, checksum, seconds = done.stdout.split()
    return Result(int(actions), int(checksum), float(seconds))


class Worker:
    """A Python process that plays, on compiled kernels or on their source."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def play(self, order: Order) -> Result:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(order.as_json() + "\n")
        self._process.stdin.flush()
        return Result(*json.loads(self._process.stdout.readline()))


@contextmanager
def worker(environment: dict[str, str]) -> Iterator[Worker]:
    """A worker process for as long as it is needed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.bench.player"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    with process:
        yield Worker(process)
        assert process.stdin is not None
        process.stdin.close()


# --- the comparison -------------------------------------------------------------------------------


def measure(report: Report) -> None:
    """Add checksums (equal), rates, and ratios (bounded) to `report`."""
    build_references()
    compiled_folder = compile_kernels()
    source_environment = {**compiled_environment(), "PYTHONPATH": ""}
    with ExitStack() as stack:
        compiled = stack.enter_context(worker(compiled_environment(compiled_folder)))
        source = stack.enter_context(worker(source_environment))
        _compare(report, compiled, source)
        for timed in TIMED:
            for method in METHODS:
                _time(report, timed, method, compiled, source)


def _compare(report: Report, compiled: Worker, source: Worker) -> None:
    different = 0
    for match in (*(timed.match for timed in TIMED), *OTHERS):
        for method in METHODS:
            few, many = (Order(match, method, matches, 2026) for matches in (5, 200))
            different += compiled.play(many).played != play_in_c(many).played
            different += source.play(few).played != play_in_c(few).played
    report.equals("playouts.different_checksums", different, 0)


def _time(report: Report, timed: Timed, method: str, compiled: Worker, source: Worker) -> None:
    machine_code, on_source = timed.matches[method]
    rates = defaultdict[str, list[float]](list)
    playouts: list[float] = []
    for seed in range(1, ROUNDS + 1):
        order = Order(timed.match, method, machine_code, seed)
        few = Order(timed.match, method, on_source, seed)
        # Each is first as often as not: a machine that gets slower favours nobody.
        pair = [("c", play_in_c), ("compiled", compiled.play)]
        for who, play in pair if seed % 2 else reversed(pair):
            rates[who].append(play(order).rate)
        result = source.play(few)
        rates["source"].append(result.rate)
        playouts.append(on_source / result.seconds)
    name = f"playouts.{timed.match.game}.{method}"
    for who, found in rates.items():
        report.measured(f"{name}.{who}", round(median(found)), "actions/s")
    if method == "drawn":
        report.measured(f"{name}.source_playouts", round(median(playouts)), "1/s")
    for other, bound in (("c", COMPILED_OF_C), ("source", COMPILED_OF_SOURCE)):
        ratio = median(
            mine / theirs for mine, theirs in zip(rates["compiled"], rates[other], strict=True)
        )
        report.at_least(f"{name}.compiled / {other}", round(ratio, 2), bound)
