"""Clients that repeat at random, lose answers and race leave exactly the accepted history.

A model that knows nothing of transactions beside two real services on one database: whatever was
accepted stays, in order; every repeat gets the first reply; everything else is refused.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import grpc
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.common.errors import error_info
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.rules import Client, make_settings, serving
from tests.fixtures.rules_faults import Faults

SOCKER = ruleset("socker")
T = TypeVar("T")


class Site:
    """Two services on one SQLite file, in a thread with a loop of its own."""

    def __init__(self, directory: Path) -> None:
        self.faults = Faults()
        self._settings = make_settings(directory / "keys", f"sqlite:///{directory}/rules.db")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._stack = AsyncExitStack()
        self.clients: list[Client] = self.run(self._start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something there and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _start(self) -> list[Client]:
        one, _ = await self._stack.enter_async_context(
            serving(self._settings, wrap=self.faults.wrap)
        )
        two, _ = await self._stack.enter_async_context(serving(self._settings))
        self.new_match = one.new_match
        return [one.player("anna"), two.player("anna")]

    def close(self) -> None:
        """Stop everything."""
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module", name="site")
def _site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as directory:
        site = Site(Path(directory))
        yield site
        site.close()


class ExactlyOnce(RuleBasedStateMachine):
    """One match on one device, played through two services."""

    site: Site  # set by the test

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None
        self.history: list[str] = []  # what was accepted, the toss included
        self.requests: list[tuple[int, str, int, str]] = []  # seat, id, revision, action
        self.replies: dict[str, tuple[int, int]] = {}  # to accepted requests, by id

    @initialize()
    def open_match(self) -> None:
        """A short match: at most a turn each, then sudden death of as much."""
        options: dict[str, Any] = {"turn_limit": 1, "sudden_cap": 1}
        self.match_id = self.site.run(self.site.new_match("anna", "anna", **options))
        self.state = SOCKER.initial(options, 2)
        self._take_chance(self._events())

    def _events(self) -> list[str]:
        events = self.site.run(self.site.clients[0].events(self.match_id))
        return [SOCKER.format_action(action_from_message(SOCKER, e.action)) for e in events]

    def _take_chance(self, events: list[str]) -> None:
        """What chance did is not the model's to foresee: take it over, if it was chance's turn."""
        while SOCKER.actor(self.state) == -1:
            text = events[len(self.history)]
            self._apply(text)

    def _apply(self, text: str) -> None:
        action = SOCKER.parse_action(text)
        SOCKER.check(self.state, action)
        self.state = SOCKER.apply(self.state, action)
        self.history.append(text)

    def _accept(self, request: tuple[int, str, int, str]) -> None:
        _, request_id, revision, text = request
        self._apply(text)
        self._take_chance(self._events())
        self.replies[request_id] = (revision, len(self.history))

    async def _submit(self, service: int, request: tuple[int, str, int, str]) -> Any:
        seat, request_id, revision, text = request
        client = self.site.clients[service]
        try:
            reply = await client.submit(self.match_id, seat, request_id, revision, text)
        except grpc.aio.AioRpcError as error:
            info = error_info(error)
            return error.code().name if info is None else info.reason
        return reply.applied_revision, reply.revision

    def _new_request(self, choice: int) -> tuple[int, str, int, str]:
        seat = SOCKER.actor(self.state)
        assert seat is not None
        legal = SOCKER.legal_actions(self.state)
        text = SOCKER.format_action(legal[choice % len(legal)])
        request = (seat, f"request-{len(self.requests)}", len(self.history), text)
        self.requests.append(request)
        return request

    def goes_on(self) -> bool:
        """Whether somebody is to act."""
        return SOCKER.actor(self.state) is not None

    @precondition(goes_on)
    @rule(service=st.integers(0, 1), choice=st.integers(0, 10_000), copies=st.integers(1, 3))
    def submit(self, service: int, choice: int, copies: int) -> None:
        """Something legal, perhaps several times at once and through both services."""
        request = self._new_request(choice)

        async def at_once() -> list[Any]:
            calls = (self._submit((service + copy) % 2, request) for copy in range(copies))
            return await asyncio.gather(*calls)

        answers = self.site.run(at_once())
        self._accept(request)
        assert answers == [self.replies[request[1]]] * copies

    @precondition(goes_on)
    @rule(choice=st.integers(0, 10_000))
    def submit_and_lose_the_reply(self, choice: int) -> None:
        """It happens, but the client is told nothing of use."""
        request = self._new_request(choice)
        self.site.faults.lose_answers = 1
        assert self.site.run(self._submit(0, request)) == "UNAVAILABLE"
        self._accept(request)

    @precondition(lambda self: bool(self.replies))
    @rule(service=st.integers(0, 1), choice=st.integers(0, 10_000))
    def repeat(self, service: int, choice: int) -> None:
        """Any earlier accepted request again, also after the end: its first reply."""
        accepted = [request for request in self.requests if request[1] in self.replies]
        request = accepted[choice % len(accepted)]
        assert self.site.run(self._submit(service, request)) == self.replies[request[1]]

    @precondition(lambda self: bool(self.replies))
    @rule(service=st.integers(0, 1), choice=st.integers(0, 10_000))
    def reuse_an_id(self, service: int, choice: int) -> None:
        """An earlier id for something else."""
        accepted = [request for request in self.requests if request[1] in self.replies]
        seat, request_id, revision, text = accepted[choice % len(accepted)]
        other = (seat, request_id, revision, "end" if text != "end" else "pass")
        assert self.site.run(self._submit(service, other)) == "REQUEST_ID_REUSED"

    @rule(service=st.integers(0, 1), choice=st.integers(0, 10_000), away=st.integers(1, 3))
    def submit_stale(self, service: int, choice: int, away: int) -> None:
        """Under a new id, for a revision that is over or not yet there."""
        for revision in (len(self.history) - away, len(self.history) + away):
            if revision >= 0:
                request = (choice % 2, f"stale-{len(self.history)}-{choice}", revision, "end")
                assert self.site.run(self._submit(service, request)) == "STALE_REVISION"

    @precondition(goes_on)
    @rule(service=st.integers(0, 1))
    def submit_out_of_turn(self, service: int) -> None:
        """The other seat."""
        seat = 1 - SOCKER.actor(self.state)  # type: ignore[operator] # it goes on
        request = (seat, "out-of-turn", len(self.history), "end")
        assert self.site.run(self._submit(service, request)) == "NOT_YOUR_TURN"

    @invariant()
    def the_history_is_what_was_accepted(self) -> None:
        """Nothing lost, nothing twice, nothing else."""
        if self.state is not None:
            assert self._events() == self.history
            for client in self.site.clients:
                match = self.site.run(client.match(self.match_id))
                assert match.revision == len(self.history)
                assert match.HasField("actor") == self.goes_on()


@pytest.mark.field(1)
def test_exactly_the_accepted_history_remains(site: Site) -> None:
    machine = type("Bound", (ExactlyOnce,), {"site": site})
    bounds = settings(
        max_examples=12,
        stateful_step_count=50,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=bounds)
