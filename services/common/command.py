"""The command line every service shares: `--help` lists the settings, faults are one line."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from prometheus_client import start_http_server
from pydantic import ValidationError

from services.common.database import DatabaseError
from services.common.logs import configure_logs
from services.common.server import TakenError
from services.common.settings import ServiceSettings, describe, one_line
from services.common.watchdog import watched

Settings = TypeVar("Settings", bound=ServiceSettings)


def run_service(
    name: str,
    summary: str,
    settings_type: type[Settings],
    serve: Callable[[Settings], Coroutine[Any, Any, None]],
) -> int:
    """Read the settings, serve until stopped, and return the exit status.

    0 after a clean stop; 1 with one line on standard error that says what is wrong and what to do.
    A process that hangs ends with 1 as well (`services.common.watchdog`).
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m services.{name}",
        description=f"{summary}\n\nsettings (environment):\n{describe(settings_type)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args()
    try:
        settings = settings_type()
        configure_logs(name, settings.log_level)
        settings.set_clock()
        if settings.metrics_listen:
            host, _, port = settings.metrics_listen.rpartition(":")
            start_http_server(int(port), host)
        asyncio.run(watched(serve(settings)))
    except ValidationError as error:
        return _fail(name, one_line(error))
    except (DatabaseError, TakenError, OSError, ValueError) as error:
        return _fail(name, str(error))
    return 0


def _fail(name: str, problem: str) -> int:
    sys.stderr.write(f"{name}: {problem}\n")
    return 1
