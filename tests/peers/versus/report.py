"""What docs/peers.md says of the matches against OpenSpiel's bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from services.engine.agents import monster
from tests.peers.versus.pairings import MATCHES, Effort
from tests.peers.versus.results import Record, load, openspiel_version
from tools.arena.sequential import share

_BOTS: Final = {
    "socker": ("Socker", "MCTS"),
    "sock_monsters": ("Sock Monsters", "IS-MCTS"),
    "hide_and_seek": ("Monster Hide and Seek", "IS-MCTS"),
}
"""By game: its title and the bot."""


def report() -> str:
    """The section, from its heading on."""
    return section(load())


def section(records: Sequence[Record]) -> str:
    """The section for these results."""
    return "\n".join(
        [_introduction(), "", *_points(records), "", *_thinking(records), "", _COST, ""]
        + [*_where(records)]
    )


def _introduction() -> str:
    return f"""## Against OpenSpiel

The top level of each game against the bots of [OpenSpiel](https://github.com/google-deepmind/open_spiel)
{openspiel_version()}: MCTS where everything lies open, IS-MCTS where it does not. They play our games
through `tests/peers/versus/adapter.py`, which OpenSpiel's own `random_sim_test` and ours check
before anything is played. Two seats, default options, {MATCHES} matches for each pairing; each deal
is played from both seats. A draw or a shared win is half a point; the interval is Wilson's."""


_COST: Final = ""


def _points(records: Sequence[Record]) -> Iterator[str]:
    yield "| game | our level | their bot | each decision | matches | won | drawn | lost | points | 95 % interval |"
    yield "|---|---|---|---|---:|---:|---:|---:|---:|---|"
    for record in records:
        results, found = record.results, share(record.results)
        won, drawn, lost = (sum(r == points for r in results) for points in (1, 0.5, 0))
        end = (
            f"{100 * found.mean:.1f} % | {100 * found.low:.1f} % to {100 * found.high:.1f} %"
            if results
            else "not measured | "
        )
        yield f"| {_names(record)} | {found.matches} | {won} | {drawn} | {lost} | {end} |"


def _names(record: Record) -> str:
    pairing = record.pairing
    who = monster(pairing.level.agent)
    assert who is not None
    title, bot = _BOTS.get(pairing.game, (pairing.game, "IS-MCTS"))
    return f"{title} | {who.name.en} | {bot} | {_limit(pairing.effort)}"


def _limit(effort: Effort) -> str:
    if effort.seconds is not None:
        return f"{1000 * effort.seconds:.0f} ms"
    return f"{effort.simulations} simulations"


def _thinking(records: Sequence[Record]) -> Iterator[str]:
    return iter(())


def _where(records: Sequence[Record]) -> Iterator[str]:
    return iter(())
