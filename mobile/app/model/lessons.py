"""Lessons and rule pages, as their data files say (assets/learn/*.toml). Free of Kivy.

A lesson is a position in the engine's notation and what to do there, step by step. What chance and
the others do in between is written down as well, so that it is the same every time. The engine
plays all of it (tests/mobile/test_lessons.py); nothing here knows a rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.i18n import tr
from app.model.store import Store

FOLDER: Final = Path(__file__).parents[1] / "assets" / "learn"
_DONE: Final = "lessons"
"""The name of what is kept on the device."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    say: str
    """What it is; English, as everything in the data files: `said` translates."""
    do: tuple[str, ...]
    """The actions that do it, in the game's notation; the plainest one first."""
    hint: str
    """Where to touch."""
    then: tuple[str, ...] = ()
    """What chance and the others do after it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, and what to do there."""

    name: str
    title: str
    position: str
    steps: tuple[Step, ...]
    done: str
    """What was learned."""
    result: tuple[str, ...]
    """Parts of the notation of the position in the end."""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: a picture of the board, and a few sentences."""

    title: str
    text: str
    position: str
    touch: tuple[str, ...] = ()
    """Cells that were touched, so that what follows from it is lit."""
    seat: int = 0
    placards: bool = False
    """Whether the players' placards belong to the picture."""


def said(text: str) -> str:
    """A text of the data files in the language in use."""
    return tr(text) if text else ""


@cache
def lessons(key: str) -> tuple[Lesson, ...]:
    """The lessons of an offer, in order; none for one that has none."""
    return tuple(map(_lesson, _read(key).get("lesson", ())))


@cache
def pages(key: str) -> tuple[Page, ...]:
    """The pages of the rules of an offer, in order."""
    return tuple(map(_page, _read(key).get("page", ())))


def _read(key: str) -> dict[str, Any]:
    path = FOLDER / f"{key}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _lesson(found: Mapping[str, Any]) -> Lesson:
    return Lesson(
        name=found["name"],
        title=found["title"],
        position=_line(found["position"]),
        steps=tuple(
            Step(step["say"], tuple(step["do"]), step["hint"], tuple(step.get("then", ())))
            for step in found["step"]
        ),
        done=found["done"],
        result=tuple(found["result"]),
        seat=found.get("seat", 0),
    )


def _page(found: Mapping[str, Any]) -> Page:
    return Page(
        title=found["title"],
        text=found["text"],
        position=_line(found["position"]),
        touch=tuple(found.get("touch", ())),
        seat=found.get("seat", 0),
        placards=found.get("placards", False),
    )


def _line(position: str) -> str:
    return " ".join(position.split())


class Progress:
    """Which lessons were solved on this device."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def done(self, key: str) -> frozenset[str]:
        """The names of those of an offer that were solved and still exist."""
        kept = self._store.read(_DONE).get(key)
        names = kept if isinstance(kept, list) else []
        return frozenset(lesson.name for lesson in lessons(key) if lesson.name in names)

    def solved(self, key: str, name: str) -> None:
        """A lesson was solved."""
        kept = self._store.read(_DONE)
        kept[key] = sorted(self.done(key) | {name})
        self._store.write(_DONE, kept)

    def next(self, key: str) -> int:
        """The number of the first lesson that is not solved yet; 0 once all are."""
        done = self.done(key)
        open_ones = (n for n, lesson in enumerate(lessons(key)) if lesson.name not in done)
        return next(open_ones, 0)
