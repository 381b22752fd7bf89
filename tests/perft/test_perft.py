"""Numbers of lines of play, and the order of the legal actions, from positions of every game.

`<game>.json`, here or in `perft/` beside the game, is a list of `{name, position, counts, order}`:
counts of lines of 1, 2, … actions, and the texts of the legal actions in order. To add a position
write name, position, a list of zeros as long as wanted and an empty order, then run with
UPDATE_SNAPSHOTS=1 and look at what came out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.engine.__main__ import count_lines
from services.engine.core.registry import game_names, ruleset
from tests.fixtures.recordings import recordings
from tests.fixtures.snapshots import compare

HERE = Path(__file__).parent


def recorded(game: str) -> Path:
    paths = recordings(HERE, f"{game}.json")
    assert len(paths) == 1, f"{game} needs one file of recorded positions, not {paths}"
    return paths[0]


def table(game: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(recorded(game).read_text(encoding="utf-8"))
    assert rows, f"no positions recorded for {game}"
    return rows


@pytest.mark.parametrize("game", game_names())
def test_counts_and_order(game: str) -> None:
    rules = ruleset(game)
    rows = []
    for row in table(game):
        state = rules.parse_state(row["position"])
        depths = range(1, len(row["counts"]) + 1)
        rows.append(
            {
                "name": row["name"],
                "position": rules.format_state(state),
                "counts": [count_lines(rules, state, depth) for depth in depths],
                "order": " ".join(rules.format_action(a) for a in rules.legal_actions(state)),
            }
        )
    compare(recorded(game), json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("game", game_names())
def test_positions_have_names_of_their_own(game: str) -> None:
    names = [row["name"] for row in table(game)]
    assert len(set(names)) == len(names)
