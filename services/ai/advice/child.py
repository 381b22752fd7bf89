"""Advice as a child process gives it: JSON in, JSON out."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from typing import Any

from google.protobuf.json_format import MessageToDict

from services.advice.hint import find_hint
from services.advice.line import read_line
from services.advice.review import look_through


def advice_on(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to `hint` or `review`; raises whatever thinking raises."""
    match asked:
        case {"hint": known}:
            hint: dict[str, Any] = MessageToDict(find_hint(**known))
            return hint
        case {"review": wanted}:
            return _part(**wanted)
        case _:
            raise ValueError("no such question")


def _part(record: str, seat: int, start: int, search_s: float) -> dict[str, Any]:
    line = read_line(json.loads(record))
    part = look_through(line, seat, start, search_s, time.monotonic, random.Random())
    return {
        "next": part.next,
        "total": part.total,
        "found": MessageToDict(part.found),
        "strayed": part.strayed,
        "quiet": part.quiet,
    }
