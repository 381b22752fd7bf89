"""Kill a part with -9 in the middle of a match, and see what the match makes of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.model.follow import FollowUpdate
from app.model.gateway import Gateway, Offline
from app.model.values import Event
from app.net.remote import RemoteGateway
from services.common.background import end
from services.engine.core import EngineError
from services.engine.core.registry import ruleset
from services.standalone.demo import GAME, Result, play_demo
from services.standalone.problem import Problem
from services.standalone.target import Target
from tools.reports import REPORTS, Report

MAX_GAP_S: Final = 30.0
KILL_AT: Final = 16
"""Events after which the part is killed: past the setup, far from the end."""
MATCH_S: Final = 600.0
PROBE_EVERY_S: Final = 0.25


@dataclass(slots=True)
class Gap:
    """The longest silence between two signs of life, in seconds."""

    longest_s: float = 0.0
    _last: float = field(default_factory=time.monotonic)

    def sign(self) -> None:
        """A sign of life."""
        now = time.monotonic()
        self.longest_s, self._last = max(self.longest_s, now - self._last), now


@dataclass(frozen=True, slots=True)
class Finding:
    """What a match went through. `max_gap_s` is the longest wait, for the next action of the match
    or for an answer of the part killed; `duplicates` are events that happened twice; `lost` are
    events that were seen and are gone, or missing in the history.
    """

    part: str
    killed_at: str
    killed_revision: int
    max_gap_s: float
    duplicates: int
    lost: int
    match_id: str

    def as_json(self) -> str:
        """One line for programs."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    def report(self, folder: Path = REPORTS) -> int:
        """Write build/reports/chaos.json; returns the exit status."""
        report = Report("chaos")
        report.measured("part", self.part)
        report.measured("killed_at", self.killed_at)
        report.measured("killed_revision", self.killed_revision)
        report.at_most("max_gap_s", self.max_gap_s, MAX_GAP_S, "s")
        report.equals("duplicates", self.duplicates, 0, "events")
        report.equals("lost", self.lost, 0, "events")
        report.measured("match_id", self.match_id)
        return report.write(folder)


def report_failure(part: str, problem: Problem, folder: Path = REPORTS) -> None:
    """Write build/reports/chaos.json for a match that did not end, or did not end well."""
    report = Report("chaos")
    report.measured("part", part)
    report.skipped("match ended", str(problem))
    report.write(folder)


async def play_chaos(target: Target, part: str) -> Finding:
    """Play a match, kill `part` in the middle, and follow it to the end.

    Raises `Problem` when the match does not end, or ends before anything was killed.
    """
    seen: list[Event] = []
    moves = Gap()
    killed: list[tuple[str, int]] = []

    async def hear(update: FollowUpdate) -> None:
        if isinstance(update, Event):
            moves.sign()
            seen.append(update)
            if len(seen) == KILL_AT:
                killed.append((datetime.now(UTC).isoformat(timespec="milliseconds"), len(seen)))
                await target.kill(part)

    probe = Probe(target, part)
    async with probe:
        try:
            async with asyncio.timeout(MATCH_S):
                result = await play_demo(target.address, hear)
                await probe.answered_after_all()
        except TimeoutError:
            raise Problem(f"the match did not end within {MATCH_S:.0f} s") from None
    if not killed:
        raise Problem("the match ended before anything was killed")
    moment, revision = killed[0]
    duplicates, lost = compare(seen, result.history)
    longest_s = max(moves.longest_s, probe.gap.longest_s)
    return Finding(
        part, moment, revision, round(longest_s, 3), duplicates, lost, check(result).match_id
    )


def compare(seen: Sequence[Event], history: Sequence[Event]) -> tuple[int, int]:
    """(duplicates, lost): what happened twice, and what was seen or must have been and is not
    there. Revisions count up from 0, one an event.
    """
    revisions = [event.revision for event in history]
    duplicates = len(revisions) - len(set(revisions))
    kept = {event.revision: event for event in history}
    gone = [event for event in seen if kept.get(event.revision) != event]
    missing = set(range(max(revisions, default=-1) + 1)) - set(revisions)
    return duplicates, len(gone) + len(missing)


def check(result: Result) -> Result:
    """Return `result` if its history is a match by the rules with that outcome, else raise
    `Problem`: an action applied twice under two revisions would show here.
    """
    game = ruleset(GAME)
    state = game.initial({}, 2)
    try:
        for event in result.history:
            if game.actor(state) != event.actor:
                raise Problem(f"event {event.revision}: seat {event.actor} was not to act")
            state = game.apply(state, game.check(state, game.parse_action(event.notation)))
    except EngineError as error:
        raise Problem(f"the history is no match: {error}") from error
    if game.outcome(state) != result.outcome:
        raise Problem(f"the history ends otherwise than the match: {game.outcome(state)}")
    return result


class Probe:
    """Asks the service that is killed again and again, as long as the block lasts: a person who
    only wants to see the tables notices its absence, too. Redis and workers answer nobody, so for
    them the match itself has to tell.
    """

    def __init__(self, target: Target, part: str) -> None:
        self.gap = Gap()
        self._part, self._address = part, target.address
        self._task: asyncio.Task[None] | None = None
        self._answers = 0

    async def __aenter__(self) -> Probe:
        if self._part in ("rules", "matchmaking", "ai"):
            self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await end(self._task)

    async def answered_after_all(self) -> None:
        """Wait for one more answer, so that a part which never came back can't go unnoticed."""
        before = self._answers
        while self._task is not None and self._answers == before:
            ended, _ = await asyncio.wait({self._task}, timeout=PROBE_EVERY_S)
            for task in ended:
                raise Problem(f"{self._part} answers otherwise than before: {task.exception()}")

    async def _run(self) -> None:
        gateway = RemoteGateway(self._address, display_name="Probe", call_timeout_s=3.0)
        try:
            while True:
                with suppress(Offline):
                    await self._ask(gateway)
                    self._answers += 1
                    self.gap.sign()
                await asyncio.sleep(PROBE_EVERY_S)
        finally:
            await gateway.close()

    async def _ask(self, gateway: Gateway) -> None:
        if self._part == "ai":
            await gateway.list_agents(GAME)
        else:  # matchmaking lists the tables and asks rules how their matches stand
            await gateway.list_my_matches()
