"""A process that does nothing but pair tickets, over and over, until its standard input ends.

    python -m tests.contract.matchmaking.pairer DATABASE_URL

It asks for no lease: leases make two pairers at once rare, and here they are to be the rule. Rules
does not answer it, so tables stay full and unstarted.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time

import grpc

from services.common.clock import system_clock
from services.common.database import connect
from services.common.errors import RefusedError
from services.common.logs import configure_logs
from services.matchmaking.finding.tickets import Tickets
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.neighbours import Ai, Rules
from services.matchmaking.starter import Starter

NOBODY = "127.0.0.1:1"
LONGEST_S = 150.0


async def main(database_url: str) -> None:
    """Pair until nobody wants it any more."""
    configure_logs("pairer", "CRITICAL")
    engine = connect(database_url)
    wanted = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    deadline = time.monotonic() + LONGEST_S
    async with grpc.aio.insecure_channel(NOBODY) as channel:
        rules, ai, bells = Rules(channel, system_clock), Ai(channel, system_clock), Bells()
        starter = Starter(engine, rules, bells, system_clock)
        tickets = Tickets(engine, rules, ai, starter, bells, system_clock)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not wanted.done() and time.monotonic() < deadline:
            with contextlib.suppress(RefusedError):  # the others keep the database busy
                await tickets.pair()
            await asyncio.sleep(0.01)  # leave the machine to the others, too
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
