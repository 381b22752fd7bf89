"""How random matches of each game go, for docs/statistics.md: `python -m tools.statistics`.

Plays 100 000 of each variant on the compiled kernels, on both cores, always the same ones.
With --check it plays just the first few of each, on the source, and compares them with the page:
a page that was edited, or made by rules that have changed since, is found in a second.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Final

from rich.progress import Progress

from services.engine.core.options import format_value
from services.engine.core.registry import game_names, ruleset
from tools.compile import ROOT, compile_kernels, compiled_environment
from tools.playouts import Match, Playouts
from tools.titles import TITLES

PAGE: Final = ROOT / "docs" / "statistics.md"
GAMES: Final = 100_000
BATCH: Final = 1_000
FIRST: Final = 5
"""Games of each variant whose checksum is on the page."""

_INTRODUCTION: Final = """# Random matches

What happens when all seats act at random, {games} times in each variant; options that are not named
have their defaults. Such players are no measure of how long people play, but they show that every
game ends, how, and whether a seat is better off than the others. Made by `make statistics`.

Actions count those of chance, such as dealing and dice. Shared wins count for nobody alone. The
last column is a checksum of the first {first} matches, by which `make lint` sees whether the rules
have changed since.
"""


def variants() -> list[Match]:
    """All that is counted: each game in its editions and sizes, with each number of seats."""
    found = [
        Match("socker", 2, {name: value})
        for name, value in (
            ("goals_to_win", 1),
            ("goals_to_win", 3),
            ("turn_limit", 20),
            ("turn_limit", 40),
        )
    ]
    found += [
        Match("sock_monsters", seats, {"edition": edition, "silly_socks": silly})
        for edition in ("international", "german")
        for silly in (False, True)
        for seats in (2, 3, 4)
    ]
    found += [
        Match("hide_and_seek", seats, {"types": types})
        for types in (5, 4, 3)
        for seats in (2, 3, 4)
    ]
    return found


@dataclass
class Tally:
    """What was counted in some matches of one variant."""

    actions: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    winners: Counter[tuple[int, ...]] = field(default_factory=Counter)
    first: int = 0
    """Checksum of the first matches."""

    def add(self, other: Tally) -> None:
        """Add the matches of another batch."""
        self.actions.update(other.actions)
        self.reasons.update(other.reasons)
        self.winners.update(other.winners)


def tally(match: Match, batch: int, games: int) -> Tally:
    """Play the first `games` matches of a batch; each batch has random numbers of its own."""
    seed = int.from_bytes(hashlib.sha256(f"{match}/{batch}".encode()).digest()[:4])
    playouts, found = Playouts(match, seed), Tally()
    for number in range(games):
        played = playouts.next()
        found.actions[played.actions] += 1
        found.reasons[played.outcome.reason] += 1
        found.winners[played.outcome.winners] += 1
        if number < FIRST:
            found.first = (found.first * 31 + played.checksum) & 0x7FFFFFFF
    return found


def _job(job: tuple[Match, int, int]) -> Tally:
    return tally(*job)


def count(matches: list[Match], games: int) -> Iterator[Tally]:
    """Play `games` matches of each variant on both cores."""
    batches = [(at, min(BATCH, games - at)) for at in range(0, games, BATCH)]
    with ProcessPoolExecutor(2) as pool, Progress() as progress:
        task = progress.add_task("", total=len(matches) * len(batches))
        for match in matches:
            progress.update(task, description=str(match))
            total: Tally | None = None
            for part in pool.map(_job, [(match, at // BATCH, size) for at, size in batches]):
                if total is None:
                    total = part
                else:
                    total.add(part)
                progress.advance(task)
            assert total is not None
            yield total


# --- the page -------------------------------------------------------------------------------------


def page(matches: list[Match], tallies: list[Tally], games: int) -> str:
    """The whole page, sealed."""
    lines = [_INTRODUCTION.format(games=_number(games), first=FIRST)]
    for game in game_names():
        lines += [f"## {TITLES[game]}", "", *_table(game, matches, tallies), ""]
    return _sealed("\n".join(lines))


def _table(game: str, matches: list[Match], tallies: list[Tally]) -> Iterator[str]:
    seats = range(ruleset(game).max_seats)
    titles = ["variant", "seats", "actions: 1 %", "half", "99 %", "most", "ends"]
    titles += [*(f"seat {seat} wins" for seat in seats), "shared", "draws", "first"]
    yield _row(titles)
    yield _row(["---", *("---:" for _ in titles[1:6]), "---", *("---:" for _ in titles[7:])])
    for match, found in zip(matches, tallies, strict=True):
        if match.game != game:
            continue
        games = found.actions.total()
        shared = sum(times for winners, times in found.winners.items() if len(winners) > 1)
        yield _row(
            [
                ", ".join(_option(name, value) for name, value in match.options.items()),
                str(match.seats),
                *(_number(_quantile(found.actions, part)) for part in (0.01, 0.5, 0.99, 1)),
                ", ".join(
                    f"{reason} {_percent(times, games)}"
                    for reason, times in sorted(found.reasons.items())
                ),
                *(
                    _percent(found.winners[(seat,)], games) if seat < match.seats else ""
                    for seat in seats
                ),
                _percent(shared, games),
                _percent(found.winners[()], games),
                f"{found.first:08x}",
            ]
        )


def _option(name: str, value: bool | int | str) -> str:
    return f"{name}={format_value(value)}"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %"


def _quantile(values: Counter[int], part: float) -> int:
    """The smallest value that at least this part of all values does not exceed."""
    ordered = sorted(values.items())
    below = accumulate(times for _, times in ordered)
    needed = part * values.total()
    return next(value for (value, _), sum_ in zip(ordered, below, strict=True) if sum_ >= needed)


def _sealed(text: str) -> str:
    return f"{text}<!-- {hashlib.sha256(text.encode()).hexdigest()} -->\n"


# --- the check ------------------------------------------------------------------------------------


def problems(text: str) -> Iterator[str]:
    """What is wrong with the page."""
    content, _, _ = text.rpartition("<!--")
    if _sealed(content) != text:
        yield "was edited by hand"
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in content.splitlines()]
    on_page = [(row[0], row[1], row[-1]) for row in rows if len(row) > 2 and row[1].isdigit()]
    today = []
    for match in variants():
        options = ", ".join(_option(name, value) for name, value in match.options.items())
        today.append((options, str(match.seats), f"{tally(match, 0, FIRST).first:08x}"))
    if [row[:2] for row in on_page] != [row[:2] for row in today]:
        yield "has other variants than there are now"
        return
    for there, here in zip(on_page, today, strict=True):
        if there != here:
            yield f"{here[0]}, {here[1]} seats: the first matches go differently now"


def check(path: Path = PAGE) -> list[str]:
    """What is wrong with the page, one line each; empty if nothing is."""
    try:
        found = list(problems(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        found = ["is missing"]
    return [f"docs/{path.name}: {problem}: run `make statistics`" for problem in found]


def main() -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.statistics", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="only look whether the page is right")
    parser.add_argument("--games", type=int, default=GAMES, help="of each variant")
    parser.add_argument("--output", type=Path, default=PAGE)
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.games < FIRST:
        parser.error(f"--games must be at least {FIRST}")
    if arguments.check:
        found = check(arguments.output)
        print("\n".join(found) or f"{arguments.output.name} is right")
        return 1 if found else 0
    if not arguments.compiled:
        compile_kernels()
        command = [sys.executable, "-P", "-m", "tools.statistics", "--compiled", *sys.argv[1:]]
        return subprocess.run(command, env=compiled_environment(), check=False).returncode
    matches = variants()
    text = page(matches, list(count(matches, arguments.games)), arguments.games)
    arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
