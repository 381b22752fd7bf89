"""What docs/peers.md says of the matches against OpenSpiel's bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from services.engine.agents import levels_for, monster
from tests.peers.versus.pairings import MATCHES, Effort, Thinking
from tests.peers.versus.results import Record, load, openspiel_version
from tools.arena.sequential import share
from tools.titles import TITLES

_BOTS: Final = {"socker": "MCTS", "sock_monsters": "IS-MCTS", "hide_and_seek": "IS-MCTS"}
"""Their bot of each game."""

_INTRODUCTION: Final = f"""## Against OpenSpiel

The top level of each game against the bots of OpenSpiel {openspiel_version()}: MCTS where
everything lies open, IS-MCTS elsewhere. They play our games through
`tests/peers/versus/adapter.py`, which OpenSpiel's `random_sim_test` and checks of our own go over
before anything is played. Two seats, default options, {MATCHES} matches for each pairing, each deal
from both seats. A draw or a shared win is half a point; the interval is Wilson's.
"""
_EQUAL: Final = """
What was equal, and what was not:

- *Time* is processor time of the thread that thinks, not time on the wall, since the machine had
  other work. Theirs looks at the clock before each simulation, ours every 8 iterations, every 32 in
  Socker; what is under way is finished.
- Our level is the one people play against. It stops at its own bound where that comes before the
  time does: {bounds} iterations.
  OpenSpiel's bots use all of the time, unless a win is proved.
- *Simulations* are each side's own unit. Theirs is one way down the tree and one random match from
  there to its end. Ours is one line of play to its horizon and a judgement of the position there,
  or, in Socker, one position looked at; it costs far less and knows more of the game. What
  has one sensible answer needs none. Socker's search also ends when nothing is left to look at, and
  may overrun by the actions that one line can go on with; MCTS ends when it has proved a win.
- Our engine, search and tree run compiled, as on workers. Their tree runs as OpenSpiel has it in
  Python, and each of their random matches is played in one go on the same compiled kernels as ours:
  their bots in C++ would ask the adapter for every single action of it.
- Both know the same: IS-MCTS samples its worlds by the game's own `determinize`, from what its seat
  knows. Chance is an actor in the adapter, too. Their curiosity is 2, for results from -1 to 1, as
  in OpenSpiel's own example of MCTS; all else is as it comes.
- Random matches say little in Socker: three of four end without a winner (`docs/statistics.md`).
"""
_COST: Final = """
What the adapter cost: where OpenSpiel's bots were whenever they were looked at while they thought,
every few milliseconds of processor time. The rules would cost a game of OpenSpiel's own something,
too; the adapter is what only a game from outside pays. The way between C++ and Python counts as
OpenSpiel's.
"""


def report() -> str:
    """The section, from its heading on."""
    return section(load())


def section(records: Sequence[Record]) -> str:
    """The section for these results, without a newline at its end."""
    bounds = ", ".join(
        f"{TITLES[game]} {levels_for(game)[-1].iterations}"
        for game in dict.fromkeys(record.pairing.game for record in records)
    )
    tables = (_points(records), _thinking(records), _where(records))
    points, thinking, where = ("\n".join(table) + "\n" for table in tables)
    text = "\n".join((_INTRODUCTION, points, thinking, _EQUAL.strip("\n").format(bounds=bounds)))
    return "\n".join((text, _COST, where)).rstrip("\n")


def _points(records: Sequence[Record]) -> Iterator[str]:
    yield "| game | our level | their bot | a decision | won | drawn | lost | points | 95 % |"
    yield "|---|---|---|---|---:|---:|---:|---:|---|"
    for record in records:
        results, found = record.results, share(record.results)
        won, drawn, lost = (sum(result == points for result in results) for points in (1, 0.5, 0))
        points = found.cells
        if not results:
            points = "not measured |"
        elif not record.done:
            points += f" after {found.matches} of {MATCHES}"
        yield f"| {_names(record)} | {won} | {drawn} | {lost} | {points} |"


def _names(record: Record) -> str:
    pairing = record.pairing
    who = monster(pairing.level.agent)
    assert who is not None
    game = pairing.game
    return f"{TITLES[game]} | {who.name.en} | {_BOTS[game]} | {_limit(pairing.effort)}"


def _limit(effort: Effort) -> str:
    if effort.seconds is not None:
        return f"{1000 * effort.seconds:.0f} ms"
    return f"{effort.simulations} simulations"


def _thinking(records: Sequence[Record]) -> Iterator[str]:
    yield "Means of all decisions with more than one legal action:"
    yield ""
    yield "| game | a decision | our decisions | simulations | ms | theirs | simulations | ms |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for record in records:
        title = TITLES[record.pairing.game]
        sides = " | ".join(_means(side) for side in (record.ours, record.theirs))
        yield f"| {title} | {_limit(record.pairing.effort)} | {sides} |"


def _means(side: Thinking) -> str:
    if not side.decisions:
        return "0 | |"
    simulations, milliseconds = side.simulations, 1000 * side.seconds
    return (
        f"{side.decisions} | {simulations / side.decisions:.0f}"
        f" | {milliseconds / side.decisions:.1f}"
    )


def _where(records: Sequence[Record]) -> Iterator[str]:
    yield "| game | a decision | adapter | our rules and kernels | OpenSpiel | looks |"
    yield "|---|---|---:|---:|---:|---:|"
    for record in records:
        title = TITLES[record.pairing.game]
        where = record.where
        looks = where.adapter + where.rules + where.openspiel
        parts = (where.adapter, where.rules, where.openspiel)
        shares = " | ".join(f"{100 * part / looks:.0f} %" if looks else "" for part in parts)
        yield f"| {title} | {_limit(record.pairing.effort)} | {shares} | {looks} |"
