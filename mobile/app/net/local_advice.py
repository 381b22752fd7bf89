"""Hints and reviews of this device: what the ai service gives, worked out in this process."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import threading
from collections.abc import AsyncGenerator, Callable, Sequence

from app.model.advice import Hint, Progress
from app.model.gateway import Refused
from app.net import convert_advice
from app.net.local_match import LocalMatch
from app.net.local_thinking import Found, Thinker
from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.hint import agent_of, find_hint
from services.advice.line import Line, read_line
from services.advice.review import Part, conclude, look_through
from services.engine.agents import Clock

log = logging.getLogger("oddsocks")

REVIEW_S = 20.0
"""For the search for a whole review: a person waits, and the phone gets warm."""


class _Unwanted(Exception):
    """Nobody waits for it any more."""


async def suggest(thinker: Thinker, match: LocalMatch, seat: int) -> Hint:
    """A hint for a seat that may ask for one (`LocalMatch.may_ask`), by what it knows and nothing
    else; counted by whoever keeps the match. Raises `Refused`."""
    rules = match.rules
    # In its notation, as it goes to a worker: what is not in there can't be used.
    information = rules.format_information(rules.information(match.state, seat))
    stop = threading.Event()
    try:
        message = await _thought(
            thinker, lambda: find_hint(rules.game, information, thinker.budget, stop.is_set)
        )
    finally:
        stop.set()  # Whoever asked may have gone on playing.
    return convert_advice.hint(message, 0)


async def review(
    thinker: Thinker, record: str, seat: int, hints_used: Sequence[int], search_s: float
) -> AsyncGenerator[Progress | pb.Review, None]:
    """Look through the record of a finished match, part by part, so that opponents of other
    matches get their turns in between. Raises `Refused`."""
    document = json.loads(record)
    line = await asyncio.to_thread(read_line, document)
    found = pb.Review(match_id=document["match_id"], seat=seat, agent=agent_of(document["game"]))
    strayed, quiet, start = [0] * line.seats, 0, 0
    stop = threading.Event()
    try:
        while True:
            yield Progress(start, len(line.steps))
            part = await _thought(thinker, _part_of(line, seat, start, search_s, thinker, stop))
            found.MergeFrom(part.found)
            strayed = [old + new for old, new in zip(strayed, part.strayed, strict=True)]
            quiet, start = quiet + part.quiet, part.next
            if start >= part.total:
                break
    finally:
        stop.set()
    conclude(found, strayed, quiet)
    found.hints_used.extend(hints_used)
    yield found


def _part_of(
    line: Line, seat: int, start: int, search_s: float, thinker: Thinker, stop: threading.Event
) -> Callable[[], Part]:
    now = _until(stop, thinker.now)
    return lambda: look_through(line, seat, start, search_s, now, random.Random())


def _until(stop: threading.Event, now: Clock) -> Clock:
    """A clock that ends the work of whoever looks at it once `stop` is set: searches look often."""

    def look() -> float:
        if stop.is_set():
            raise _Unwanted
        return now()

    return look


async def _thought(thinker: Thinker, work: Callable[[], Found]) -> Found:
    try:
        return await thinker.work(work)
    except Exception as error:
        # The type only: what an exception says may tell what is hidden.
        log.error("no advice: %s", type(error).__name__)
        raise Refused("NO_ADVICE", "could not be worked out", {}) from error
