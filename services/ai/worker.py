"""A worker: `python -m services.ai.worker --queues live --concurrency 2`.

With build/compiled first on the path (`services.ai.kernels`) it searches in compiled code.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import threading
from typing import Final

import structlog
from celery.signals import worker_shutting_down
from pydantic import ValidationError

from services.ai.celery_app import HARD_LIMIT_S, QUEUES, app
from services.ai.kernels import kernels_in_use
from services.ai.reconnect import Pulse
from services.ai.settings import WorkerSettings
from services.common.auth import read_secret
from services.common.logs import configure_logs
from services.common.settings import one_line

_log = structlog.get_logger("worker")

SHUTDOWN_S: Final = HARD_LIMIT_S + 2.0
"""By then every job has ended or been killed, and a worker that was told to stop has no reason to
stay. A warm shutdown right after a start was seen to hang; why is not known, so this bounds it
whatever the cause. Jobs are acknowledged late and count once, so leaving loses nothing.
"""


@worker_shutting_down.connect
def _leave_in_time(**_: object) -> None:
    leave_within(SHUTDOWN_S)


def leave_within(seconds: float) -> None:
    """End this process with status 1 unless it has ended by itself after `seconds`."""

    def leave() -> None:
        _log.warning("shutdown hung", seconds=seconds)
        # Where it hangs, into the same log: the cause is still looked for.
        faulthandler.dump_traceback(all_threads=True)
        os._exit(1)

    timer = threading.Timer(seconds, leave)
    timer.daemon = True
    timer.start()


def main(arguments: list[str] | None = None) -> int:
    """Work until told to stop; 1 with one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m services.ai.worker", description=__doc__)
    parser.add_argument("--queues", default=",".join(QUEUES), help="which to serve")
    parser.add_argument("--concurrency", type=int, default=2, help="how many think at once")
    options = parser.parse_args(arguments)
    if unknown := set(options.queues.split(",")) - set(QUEUES):
        return _fail(f"--queues: there is no queue '{min(unknown)}'")
    try:
        settings = WorkerSettings()
        read_secret(settings.service_secret_file)
    except ValidationError as error:
        return _fail(one_line(error))
    except (OSError, ValueError) as error:
        return _fail(str(error))
    configure_logs("worker", settings.log_level)
    settings.set_clock()
    app.conf.update(
        broker_url=settings.redis_url,
        worker_max_memory_per_child=settings.worker_memory_mb * 1_024,
    )
    if settings.worker_pulse_file is not None:
        Pulse.file = settings.worker_pulse_file
        app.steps["consumer"].add(Pulse)
    worker = app.Worker(
        queues=options.queues,
        concurrency=options.concurrency,
        loglevel="WARNING",
        quiet=True,
        # Workers need nothing of each other; all these would do is wait and chatter.
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,
    )
    _log.info("starting", queues=options.queues, kernels=kernels_in_use())
    worker.start()
    return int(worker.exitcode or 0)


def _fail(problem: str) -> int:
    sys.stderr.write(f"worker: {problem}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
