"""The stack in containers, through the commands of deploy/compose.py."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Final

from app.net.address import Address, parse_address
from services.standalone.problem import Problem
from services.standalone.stack import ROOT

_COMMAND: Final = ROOT / "deploy" / "compose.py"


class ComposeTarget:
    """What `make up` has started."""

    def __init__(self, address: Address) -> None:
        self.address = address

    async def kill(self, part: str) -> None:
        """Kill a container's processes; the engine starts it again."""
        await _deploy("kill", part)


async def compose_target() -> ComposeTarget:
    """The running stack; raises `Problem` when there is none."""
    edge = json.loads(await _deploy("edge"))
    return ComposeTarget(parse_address(edge["address"], ca_file=Path(edge["ca_file"])))


async def _deploy(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(_COMMAND),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    if process.returncode != 0:
        lines = errors.decode(errors="replace").strip().splitlines()
        raise Problem(lines[-1].removeprefix("oddsocks: ") if lines else "compose.py failed")
    return output.decode()
