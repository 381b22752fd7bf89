"""The edge of the deployment as a process of this machine: nginx with the same configuration.

Only what a container gives it differs: addresses, and where files are.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from services.standalone.problem import Problem

CONFIGURATION: Final = Path(__file__).resolve().parents[2] / "deploy" / "edge" / "nginx.conf"
_PROGRAM_FOLDERS: Final = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin"
_ANSWER_S: Final = 2.0


def edge_command(
    directory: Path, listen: str, services: Mapping[str, str], calls: Path | None = None
) -> list[str]:
    """What starts it. Listens on `listen` (`host:port`), before services at these addresses.

    `directory` holds `edge.crt`, `edge.key` and, for apps that ask who vouches for them, `ca.crt`;
    the configuration is written there as well. `calls`, if given, gets a line for each call.
    Raises `Problem` without nginx.
    """
    program = shutil.which("nginx", path=_PROGRAM_FOLDERS)
    if program is None:
        raise Problem("nginx is not installed (Debian: sudo apt-get install nginx)")
    file = directory / "nginx.conf"
    file.write_text(_adapted(directory, listen, services, calls))
    # Started by root, it would read files as a user who may not enter this directory.
    user = " user root;" if os.geteuid() == 0 else ""
    return [program, "-c", str(file), "-e", "stderr", "-g", f"daemon off;{user}"]


def _adapted(directory: Path, listen: str, services: Mapping[str, str], calls: Path | None) -> str:
    text = CONFIGURATION.read_text()
    changes = {
        "/tmp/": f"{directory}/",
        "/run/secrets/": f"{directory}/",
        "listen 8443 ssl": f"listen {listen} ssl",
        "listen 127.0.0.1:8080": f"listen unix:{directory}/alive.sock",
        "access_log /dev/stdout calls": f"access_log {calls} calls" if calls else "access_log off",
        "worker_processes auto": "worker_processes 1",
        **{f"{name}:50051": address for name, address in services.items()},
    }
    for old in changes:
        if old not in text:
            raise Problem(f"the edge's configuration has no '{old}' any more: {CONFIGURATION}")
    # All at once, since what replaces one may look like another.
    return re.sub("|".join(map(re.escape, changes)), lambda found: changes[found[0]], text)


async def answers_tls(host: str, port: int, ca_file: Path) -> bool:
    """Whether somebody there proves to be `localhost` under that authority."""
    context = ssl.create_default_context(cafile=str(ca_file))
    try:
        async with asyncio.timeout(_ANSWER_S):
            _, writer = await asyncio.open_connection(
                host, port, ssl=context, server_hostname="localhost"
            )
    except OSError:
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
