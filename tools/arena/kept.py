"""Files of results: a line of JSON for each block, under a hash of the code it came from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Kept = TypeVar("Kept")


def read(path: Path, block: Callable[[dict[str, Any]], Kept]) -> Iterator[tuple[str, Kept]]:
    """The hash and what `block` makes of the words, line by line; nothing where there is no file.
    Raises `ValueError`, which names the first line that is no block.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            words = json.loads(line)
            found = words["key"], block(words)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}:{number}: no block of results: {line[:60]!r}") from error
        yield found


def append(path: Path, words: dict[str, Any]) -> None:
    """Add a line; `words` name the hash as `key`."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(words) + "\n")
