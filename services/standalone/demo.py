"""A whole match between two agents, followed from outside as an app would."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from app.model.follow import Connection, FollowUpdate, follow
from app.model.gateway import Gateway, GatewayError, Offline
from app.model.values import Event, Finished, Match, Outcome, Table
from app.net.address import Address
from app.net.remote import RemoteGateway
from services.engine.core.registry import ruleset
from services.standalone.problem import Problem

GAME: Final = "socker"
START_S: Final = 30.0
"""For the match of a full table to be made."""

Answer = TypeVar("Answer")
Hear = Callable[[FollowUpdate], Awaitable[None]]
Print = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """A finished match. `history` is in order; chance is in it."""

    match_id: str
    outcome: Outcome
    history: tuple[Event, ...]

    @property
    def plies(self) -> int:
        """How often a seat acted."""
        return sum(event.actor >= 0 for event in self.history)

    @property
    def history_sha256(self) -> str:
        """Over the notation of all events, chance included, each followed by a line feed."""
        lines = "".join(f"{event.notation}\n" for event in self.history)
        return hashlib.sha256(lines.encode()).hexdigest()

    def as_json(self) -> str:
        """One line for programs."""
        outcome = {
            "reason": self.outcome.reason,
            "winners": list(self.outcome.winners),
            "scores": list(self.outcome.scores),
        }
        return json.dumps(
            {
                "match_id": self.match_id,
                "plies": self.plies,
                "outcome": outcome,
                "history_sha256": self.history_sha256,
            }
        )


async def play_demo(address: Address, hear: Hear) -> Result:
    """Open a table with agents on all seats, follow its match to the end, and read it again.

    `hear` gets every update. Raises `Problem` when the system says no or the match does not start.
    """
    gateway = RemoteGateway(address, display_name="Demo")
    try:
        match_id = await start_match(gateway)
        outcome: Outcome | None = None
        async for update in follow(gateway, match_id):
            await hear(update)
            if isinstance(update, Finished):
                outcome = update.outcome
        if outcome is None:
            raise Problem(f"match {match_id} ended without an outcome")
        return Result(match_id, outcome, await patiently(lambda: gateway.list_events(match_id)))
    except GatewayError as error:
        raise Problem(f"{address} does not play: {error}") from error
    finally:
        await gateway.close()


async def start_match(gateway: Gateway) -> str:
    """The id of a new match between two agents of a middle level: good to watch, and soon over."""
    agents = await patiently(lambda: gateway.list_agents(GAME))
    if not agents:
        raise Problem(f"nobody plays {GAME} here")
    agent = agents[len(agents) // 2]
    request_id = uuid.uuid4().hex
    table: Table = await patiently(lambda: gateway.open_table(request_id, GAME, [agent, agent], {}))
    table_id = table.table_id
    try:
        async with asyncio.timeout(START_S):
            while not table.match_id:
                await asyncio.sleep(0.2)
                table = await patiently(lambda: gateway.get_table(table_id))
    except TimeoutError:
        raise Problem(f"table {table_id} has no match after {START_S:.0f} s") from None
    return table.match_id


async def patiently(call: Callable[[], Awaitable[Answer]], tries: int = 40) -> Answer:
    """The answer of `call`, asked again while nobody answers; raises `GatewayError`."""
    for _ in range(tries - 1):
        try:
            return await call()
        except Offline:
            await asyncio.sleep(0.5)
    return await call()


@dataclass(slots=True)
class Scribe:
    """Draws each turn as a text board with the actions that led there."""

    write: Print
    _actions: list[str] = field(default_factory=list)
    _match: Match | None = None
    _turns: int = 0

    async def hear(self, update: FollowUpdate) -> None:
        """Take in one update."""
        match update:
            case Event():
                self._actions.append(update.notation)
            case Match():
                before, self._match = self._match, update
                if before is None or before.actor != update.actor:
                    self._draw(before, update)
            case Finished():
                self.write(_result(update.outcome, self._match))
            case Connection(online=online) if self._match is not None:
                self.write("(connected again)" if online else "(connection lost)")

    def _draw(self, before: Match | None, now: Match) -> None:
        if before is not None and before.actor is not None:
            self._turns += 1
            self.write(f"\n{self._turns}. {_name(before, before.actor)}: {' '.join(self._actions)}")
        else:
            self.write(f"\nmatch {now.match_id}: {' '.join(self._actions)}")
        self._actions.clear()
        game = ruleset(now.game)
        self.write(game.draw(game.parse_observation(now.position)))


def _name(match: Match, seat: int) -> str:
    who = match.seats[seat]
    return f"seat {seat} ({who.agent or who.display_name})"


def _result(outcome: Outcome | None, match: Match | None) -> str:
    if outcome is None or match is None:
        return "\nover"
    names: Sequence[str] = [_name(match, seat) for seat in outcome.winners]
    won = f"won by {' and '.join(names)}" if names else "a draw"
    return f"\n{won}: {outcome.reason}, {'-'.join(map(str, outcome.scores))}"
