"""What a result depends on, as one hash: the code of the agents and the game, and two levels.

Comments, docstrings and layout of the source do not count; anything else does.
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Final

from tools.arena.matches import Pairing
from tools.reports import ROOT

_AGENTS: Final = "services.engine.agents"
_ARENA: Final = ("tools.arena.matches", "tools.arena.beginner")
_DATA: Final = {_AGENTS, f"{_AGENTS}.level_table"}  # of which a pairing's two levels are hashed
_BREAKS: Final = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
_NOTHING: Final = {tokenize.COMMENT, tokenize.NL}


def key(pairing: Pairing) -> str:
    """16 hexadecimal digits that change when a result of this pairing could be another."""
    digest = hashlib.sha256(pairing.name.encode())
    digest.update(_code_of(pairing.game).encode())
    for level in (pairing.upper, pairing.lower):
        words = {} if level is None else asdict(level)
        # It does not count in the arena, in which there is no clock.
        digest.update(repr(sorted(words.items() - {("seconds", words.get("seconds"))})).encode())
    return digest.hexdigest()[:16]


@cache
def _code_of(game: str) -> str:
    return code_of((*player_of(game), *_ARENA))


def player_of(game: str) -> tuple[str, ...]:
    """The modules by which the levels of a game play."""
    return f"{_AGENTS}.levels", f"{_AGENTS}.{game}_search", f"services.engine.games.{game}"


@cache
def code_of(modules: tuple[str, ...], alone: tuple[str, ...] = ()) -> str:
    """A hash of these modules and of all in the engine that they lead to; `alone`: of modules that
    lead nowhere. The level table does not count.
    """
    waiting, found = [*modules, *alone], dict[str, str]()
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is None or name in found:
            continue
        found[name] = essence(path.read_text(encoding="utf-8"))
        if name not in alone:
            waiting += [each for each in _imported(path) if _matters(each)]
    text = "".join(f"{name}\n{found[name]}\n" for name in sorted(found))
    return hashlib.sha256(text.encode()).hexdigest()


def _matters(name: str) -> bool:
    return name.startswith("services.engine.") and name not in _DATA


def _path(name: str) -> Path | None:
    path = ROOT / Path(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            # `from package import module` names modules as well.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def essence(source: str) -> str:
    """The tokens of a module without comments, docstrings and layout."""
    words: list[str] = []
    fresh = True  # at the beginning of a statement
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _NOTHING:
            continue
        if token.type in _BREAKS:
            fresh = True
            if token.type != tokenize.NEWLINE:  # where a block ends is no layout
                words.append("{" if token.type == tokenize.INDENT else "}")
        elif fresh and token.type == tokenize.STRING:
            continue
        else:
            fresh = False
            words.append(token.string)
    return "".join(words)
