"""What the app brings along from others, and under which licences. Free of Kivy."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "assets" / "licences"
LONGEST: Final = 1200
"""How long one block of a licence may be, in signs: a phone draws no picture of all of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that somebody else made, or the app itself."""

    name: str
    licence: str
    file: str


@cache
def parts() -> tuple[Part, ...]:
    """All of them, the app itself first."""
    found = tomllib.loads((FOLDER / "parts.toml").read_text("utf-8"))["part"]
    return tuple(Part(one["name"], one["licence"], one["file"]) for one in found)


def part(name: str) -> Part:
    """The part of that name; the app itself for one that is not there."""
    return next((one for one in parts() if one.name == name), parts()[0])


def licence_text(one: Part) -> tuple[str, ...]:
    """Its licence, paragraph by paragraph, each in lines that may be broken anew."""
    text = (FOLDER / f"{one.file}.txt").read_text("utf-8")
    found: list[str] = []
    for block in text.split("\n\n"):
        line = " ".join(block.split())
        while len(line) > LONGEST:
            cut = line.rfind(" ", 0, LONGEST)
            found.append(line[:cut])
            line = line[cut + 1 :]
        if line.strip("-=_*# "):
            found.append(line)
    return tuple(found)
