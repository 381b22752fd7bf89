"""docs/levels.md, made of the level table and the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from services.engine.agents import Level, levels_for, monster
from tools.arena.ladder import AGAINST_BEGINNER, MOST, Record, holds
from tools.arena.sequential import ERROR, HIGH, LOW, share
from tools.reports import ROOT
from tools.titles import TITLES

PAGE: Final = ROOT / "docs" / "levels.md"

_NOTES: Final = {
    "socker": (
        "Pip takes the first action that comes to mind, like a beginner, but no own goals, which"
        " would be silly\nto watch, and has no eye for a goal in reach, which a beginner has."
        " Most of these matches end without a\ngoal, after 200 turns each and 100 more in sudden"
        " death, and count half.\n"
    ),
}
"""What the figures do not say."""

_INTRODUCTION: Final = f"""# Levels of computer opponents

Made by `make arena` of `services/engine/agents/level_table.py` and `tools/arena/results.jsonl`;
`make lint` compares it. A result counts only for the code and the parameters it was measured with:
whatever has changed since counts as not measured.

Two seats, five deals to a block, each played from both seats, thinking bounded by iterations, not
by the clock; a shared win or a draw counts half. A level is to win 65 % or more against the one
below, the lower end of the 95 % interval at 55 % or more. Matches go on until a sequential
probability ratio test decides between {100 * LOW:.0f} and {100 * HIGH:.0f} % with an error of
{100 * ERROR:.1f} % at either end, {MOST} at most; stopping so makes a share look a little better
than it is. Level 1 plays {AGAINST_BEGINNER} matches against a beginner, who plays at random, but
with chance ½ takes an immediate win, an immediate pair, or a face seen one turn ago; it is to win
40 to 60 %. Where a number of matches has no verdict yet, the ladder has not been played to its end.

*Search* is the most iterations for a decision. *Attention* is the chance that an action comes to
mind at all. *Fading* is the chance that something seen is forgotten, in each turn after it. *Time*
is the median of processor milliseconds for a decision with a choice, compiled, on the machine that
measured.
"""
_WORDS: Final = {True: "yes", False: "**no**", None: "not decided"}


def page(records: Sequence[Record]) -> str:
    """The whole page."""
    parts = [_INTRODUCTION]
    tables = dict.fromkeys((r.pairing.game, r.pairing.options) for r in records)
    for game in dict.fromkeys(game for game, _ in tables):
        parts.append(f"\n## {TITLES.get(game, game)}\n\n" + "\n".join(_levels(levels_for(game))))
        for options in [options for of, options in tables if of == game]:
            mine = [r for r in records if (r.pairing.game, r.pairing.options) == (game, options)]
            named = ", ".join(f"{name} {str(value).lower()}" for name, value in options)
            parts.append(f"\n\n### With {named or 'default options'}\n\n" + "\n".join(_rows(mine)))
        parts.append("\n" + ("\n" + _NOTES[game] if game in _NOTES else ""))
    return "".join(parts)


def _levels(levels: Sequence[Level]) -> Iterator[str]:
    yield "| level | monster | search | attention | fading | |"
    yield "|---|---|---|---|---|---|"
    for level in levels:
        who = monster(level.agent)
        assert who is not None
        yield (
            f"| {level.number} | {who.name.en} | {level.iterations} | {100 * level.attention:.0f} %"
            f" | {100 * level.fade:.0f} % | {who.character.en} |"
        )


def _rows(records: Sequence[Record]) -> Iterator[str]:
    yield "| level | against | matches | wins | 95 % interval | as it should be | time |"
    yield "|---|---|---|---|---|---|---|"
    for record in records:
        upper, lower = record.pairing.upper, record.pairing.lower
        found = share(record.results)
        against = "a beginner" if lower is None else str(lower.number)
        if found.matches == 0:
            yield f"| {upper.number} | {against} | 0 | not measured | | {_WORDS[None]} | |"
            continue
        yield (
            f"| {upper.number} | {against} | {found.matches} | {found.cells}"
            f" | {_WORDS[holds(record)]} | {record.milliseconds:.1f} |"
        )
