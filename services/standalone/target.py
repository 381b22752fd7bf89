"""The system a command talks to: on this machine, or in containers behind the edge."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol

from app.net.address import Address, parse_address
from services.standalone.problem import Problem
from services.standalone.stack import Stack
from services.standalone.state import Running, State

Say = Callable[[str], None]


class Target(Protocol):
    """A running system."""

    @property
    def address(self) -> Address:
        """Where an app connects to."""
        ...

    async def kill(self, part: str) -> None:
        """End a part at once, without a chance to tidy up. Raises `Problem`."""
        ...


class LocalTarget:
    """The stack of a state directory."""

    def __init__(self, state: State, running: Running) -> None:
        self._state = state
        self.address = local_address(running.addresses)

    async def kill(self, part: str) -> None:
        running = self._state.running()
        if running is None:
            raise Problem("the stack has stopped")
        os.kill(running.pids[part], signal.SIGKILL)


def local_address(addresses: Mapping[str, str]) -> Address:
    """What an app on this machine connects to."""
    return parse_address(address_text(addresses), plaintext=True)


def address_text(addresses: Mapping[str, str]) -> str:
    """The same as the app's `--server` takes it."""
    return ",".join(f"{name}={where}" for name, where in addresses.items())


@asynccontextmanager
async def local_target(state: State, say: Say) -> AsyncIterator[LocalTarget]:
    """The stack that runs on `state`; started for as long as the block lasts if none does."""
    if (running := state.running()) is not None:
        say(f"playing on the stack that runs on {state.directory}")
        yield LocalTarget(state, running)
        return
    state.prepare()
    with state.held():
        say(f"state and logs: {state.directory}")
        async with Stack(state, say):
            started = state.running()
            assert started is not None
            yield LocalTarget(state, started)
