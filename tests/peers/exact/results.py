"""The files with what was found: `results/solved.json` and `results/regrets.jsonl`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.peers.exact.regret import PARTS, Part, Regrets, key_of

FOLDER: Final = Path(__file__).parent / "results"
SOLVED: Final = FOLDER / "solved.json"
REGRETS: Final = FOLDER / "regrets.jsonl"


class BadResults(Exception):
    """A results file that does not say what it should."""


def load_solved(path: Path = SOLVED) -> dict[str, Any]:
    """`source` (hash of the solver), `columns` (by number: layers and start values) and `compared`
    (with the naive solver); empty if there is nothing yet. Raises `BadResults`.
    """
    if not path.exists():
        return {}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for column in found["columns"].values():
            for layer in column["layers"]:
                layer["states"] + layer["values"] + layer["sweeps"] + layer["unknown"]
            column["start"]["mean"] + column["start"]["variance"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadResults(f"{path}: {error!r}") from error
    return found


def save_solved(solved: dict[str, Any], path: Path = SOLVED) -> None:
    """Replace the file as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(solved, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    part.replace(path)


@dataclass
class Measured:
    """The regrets of one level in one part, by match; `old` if they are of other code than today's:
    then they are the last ones there are.
    """

    part: Part
    level: str
    matches: dict[int, Regrets] = field(default_factory=dict)
    old: bool = False


def load_regrets(parts: Iterable[Part] = PARTS, path: Path = REGRETS) -> list[Measured]:
    """All parts and levels with what the file holds of them. Raises `BadResults`."""
    by_key = defaultdict[str, dict[int, Regrets]](dict)
    last: dict[tuple[str, str, str], str] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            words = json.loads(line)
            regrets = Regrets(
                words["level"],
                tuple(words["kinds"]),
                tuple(map(int, words["regrets"])),
                words["idle"],
            )
            if len(regrets.kinds) != len(regrets.regrets):
                raise ValueError("kinds and regrets differ in number")
            by_key[words["key"]][int(words["match"])] = regrets
            last[words["game"], words["part"], words["level"]] = words["key"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadResults(f"{path}:{number}: {line[:60]!r}: {error!r}") from error
    found = []
    for part in parts:
        for level in part.levels:
            key = key_of(part, level)
            old = key not in by_key
            if old:
                key = last.get((part.game, part.name, level.agent), key)
            matches = dict(by_key.get(key, {}))
            found.append(Measured(part, level.agent, matches, old and bool(matches)))
    return found


def append(part: Part, match: int, found: Iterable[Regrets], path: Path = REGRETS) -> None:
    """Add what was measured of a match to the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    keys = {level.agent: key_of(part, level) for level in part.levels}
    with path.open("a", encoding="utf-8") as file:
        for regrets in found:
            words = {
                "key": keys[regrets.level],
                "game": part.game,
                "part": part.name,
                "match": match,
                "level": regrets.level,
                "kinds": regrets.kinds,
                "regrets": regrets.regrets,
                "idle": regrets.idle,
            }
            file.write(json.dumps(words, separators=(",", ":")) + "\n")
