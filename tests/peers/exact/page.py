"""The section of docs/peers.md on optimal play, made of the committed results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from services.engine.agents import monster
from tests.peers.exact import endings, hide_and_seek, results
from tests.peers.exact.regret import IDLE_MOST, PARTS, UNIT
from tests.peers.exact.results import Measured

_Z: Final = 1.96
_COLUMN_NAMES: Final = ("a or e", "b or d", "c")

_HIDE_AND_SEEK: Final = """### Monster Hide and Seek, three types, two seats

Solved whole: nine monsters and a candy on the 5x2 grid, all other options as by default, both with
perfect memory. Nobody has a secret then (RULINGS 3.9), so what both know is the state: what each
card shows, what it is known to hide, which cards are gone, and the lead. What counts is the share
of the win, ½ for a shared one. Types may be renamed and the grid mirrored; of where cards lie only
their order on the candy's lines counts, and nothing once it is taken. Faces that are not known are
chance, by exact counts of the deals that are left.

What is known only grows, so the states fall into layers; in each the value is iterated until not
one number changes (kept in single precision). Going round for ever is worth what the rules pay for
it when the cap is reached, the lead as it stands. The caps themselves are left out: no layer took
more than {sweeps} sweeps to settle, where the rules leave {cap} idle turns.

| candy in column | states | values | first seat's share of the win | of deals, from to | spread |
|---|---|---|---|---|---|
{rows}
Columns d and e are mirrors of b and a. *Spread* is the standard deviation over deals, by what lies
open before the first flip. {mean}
"""
_ALL: Final = (
    "The candy falls into one of a and e, or of b and d, twice as\noften as into c, so that a match"
    " before its deal is worth **{mean}** to the first seat."
)
_SOME: Final = "**Not solved yet: candy in column {missing}.**"
_COMPARED: Final = """
The solvers beside naive ones, which follow the games' own rules with all caps and know nothing
else, on random positions. *One action* compares what an action is worth with the mean of what it
leads to by the rules.

| | positions | largest difference in the share of the win |
|---|---|---|
{rows}
"""
_REGRET: Final = """
### What a decision costs

Both seats are played by the top level, from fixed seeds; in every position in which the choice
matters each level is asked once, by what the seat knows. *Regret* is what its choice is worth less
than the best one, in hundredths of a win (a shared one is 50). The interval takes matches, not
decisions, as independent. *95 of 100* decisions cost no more than that.
"""
_NOTES: Final = {
    "hide_and_seek": (
        "Monster Hide and Seek, as solved above. Levels that forget are asked with what both seats"
        " know;\nthey forget for themselves."
    ),
    "sock_monsters": (
        f"Sock Monsters, international edition, two seats, under a cap of {endings.ROUNDS} rounds:"
        " the last turn, and the pawn's\npart of the last but one, to the end of the match. From"
        " there on every tile counts as seen by both,\nso that nothing is hidden but dice and"
        " draws. Matches that end before have no such decisions."
    ),
}


@dataclass(frozen=True, slots=True)
class Summary:
    """Of regrets per decision, in hundredths of a win."""

    matches: int
    decisions: int
    mean: float
    reach: float
    """Half of the 95 % interval."""
    high: float
    optimal: float


def summary(matches: Iterable[Sequence[int]]) -> Summary:
    """Of the regrets of some matches, each in parts of `UNIT`. Mean and interval are those of a
    ratio of sums over matches.
    """
    groups = [list(match) for match in matches if match]
    regrets = sorted(regret for group in groups for regret in group)
    n, number = len(regrets), len(groups)
    if n == 0:
        return Summary(0, 0, 0.0, 0.0, 0.0, 0.0)
    mean = sum(regrets) / n
    squares = sum((sum(group) - mean * len(group)) ** 2 for group in groups)
    error = sqrt(squares * number / (number - 1)) / n if number > 1 else 0.0
    high = regrets[min(n - 1, (95 * n + 99) // 100 - 1)]
    scale = 100 / UNIT
    optimal = sum(regret == 0 for regret in regrets) / n
    return Summary(number, n, scale * mean, scale * _Z * error, scale * high, optimal)


def report() -> str:
    """The section. Raises `results.BadResults`."""
    parts = ["## Beside optimal play\n", _solved(results.load_solved())]
    measured = results.load_regrets()
    parts.append(_REGRET)
    parts += [
        _game(game, [each for each in measured if each.part.game == game])
        for game in dict.fromkeys(part.game for part in PARTS)
    ]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _solved(solved: dict[str, Any]) -> str:
    columns = solved.get("columns", {})
    rows, sweeps = "", 0
    for column, found in sorted(columns.items()):
        layers, start = found["layers"], found["start"]
        sweeps = max(sweeps, *(layer["sweeps"] for layer in layers))
        states, values = (sum(layer[what] for layer in layers) for what in ("states", "values"))
        least, most = (_percent((1 + start[end]) / 2) for end in ("least", "most"))
        rows += (
            f"| {_COLUMN_NAMES[int(column)]} | {states:,} | {values:,}"
            f" | {_percent((1 + start['mean']) / 2)} | {least} to {most}"
            f" | {_percent(sqrt(start['variance']) / 2)} |\n"
        )
    missing = [n for n in hide_and_seek.COLUMNS if str(n) not in columns]
    if missing:
        mean = _SOME.format(missing=" and ".join(_COLUMN_NAMES[n] for n in missing))
    else:
        shares = {int(c): (1 + f["start"]["mean"]) / 2 for c, f in columns.items()}
        mean = _ALL.format(mean=_percent((2 * shares[0] + 2 * shares[1] + shares[2]) / 5))
    text = _HIDE_AND_SEEK.format(
        rows=rows, mean=mean, sweeps=sweeps, cap=8 * hide_and_seek.OPTIONS["types"]
    )
    if compared := solved.get("compared"):
        text += _COMPARED.format(
            rows="\n".join(
                f"| {name} | {kind['positions']} | {kind['most']:.1e} |"
                for name, kind in compared.items()
            )
        )
    return text + f"\nSolver {solved['source']}.\n"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _game(game: str, measured: Sequence[Measured]) -> str:
    lines = [
        _NOTES[game],
        "",
        "| level | matches | decisions | mean regret | 95 of 100 | best choice taken |",
        "|---|---|---|---|---|---|",
    ]
    levels = dict.fromkeys(each.level for each in measured)
    for number, level in reversed([*enumerate(levels, 1)]):
        lines.append(_row(f"{number} {_name(level)}", [m for m in measured if m.level == level]))
    lines += ["", f"The top level by kind of decision{_of_parts(game)}:", ""]
    lines += [
        "| | matches | decisions | mean regret | 95 of 100 | best choice taken |",
        "|---|---|---|---|---|---|",
    ]
    top = [each for each in measured if each.level == [*levels][-1]]
    for each in top if len(top) > 1 else ():
        lines.append(_row(f"candy in column {'abc'[int(each.part.name[-1])]}", [each]))
    kinds = {kind for m in top for regrets in m.matches.values() for kind in regrets.kinds}
    lines += [_row(kind, top, kind) for kind in sorted(kinds)]
    if game == "hide_and_seek":
        idle = max((r.idle for m in top for r in m.matches.values()), default=0)
        lines.append(
            f"\nMost idle turns in a row in these matches: {idle}. Decisions after more than"
            f" {IDLE_MOST} of them are left out,\nsince the cap could begin to matter."
        )
    if any(each.old for each in measured):
        lines.append("\n† measured with earlier code of the agents.")
    return "\n".join(lines) + "\n"


def _of_parts(game: str) -> str:
    return " and column of the candy" if game == "hide_and_seek" else ""


def _name(level: str) -> str:
    found = monster(level)
    return found.name.en if found else level


def _row(name: str, measured: Sequence[Measured], kind: str = "") -> str:
    """One line of a table; `kind` of decisions only, or all."""
    found = summary(
        [r for r, of in zip(regrets.regrets, regrets.kinds, strict=True) if kind in ("", of)]
        for each in measured
        for regrets in each.matches.values()
    )
    if found.decisions == 0:
        return f"| {name} | 0 | 0 | not measured | | |"
    old = " †" if any(each.old for each in measured) else ""
    return (
        f"| {name}{old} | {found.matches} | {found.decisions}"
        f" | {found.mean:.2f} ± {found.reach:.2f} | {found.high:.1f} | {_percent(found.optimal)} |"
    )
