"""The last resort: an action found in a child process of the ai service.

In a process of its own, since thinking may hang, crash or fill a core, and the service must do
none of these. `python -m services.ai.fallback` is that process: a question as JSON on standard
input, the answer as JSON on standard output.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Final

import structlog

from services.ai.plan import Mode
from services.ai.think import Answer, Question, think
from services.common.process import die_with_parent

_log = structlog.get_logger("fallback")

LIMIT_S: Final = 5.0
"""For starting a process and a quick look, on a busy machine."""


async def answer_here(question: Question) -> Answer | None:
    """A quick action, else a legal one; None if even that can't be found."""
    for mode in (Mode.QUICK, Mode.LEGAL):
        if (answer := await _ask_child(question, mode)) is not None:
            return answer
    return None


async def _ask_child(question: Question, mode: Mode) -> Answer | None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "services.ai.fallback", mode.value),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            output, _ = await child.communicate(json.dumps(asdict(question)).encode())
        if child.returncode == 0:
            return Answer(**json.loads(output))
    except TimeoutError:
        pass
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    _log.warning("no answer from a child", mode=mode.value, status=child.returncode)
    return None


def main() -> int:
    """The child: read, think, write."""
    die_with_parent()
    try:
        answer = think(Question(**json.load(sys.stdin)), Mode(sys.argv[1]))
    except Exception as error:
        # The type only: what an exception says may tell what is hidden.
        sys.stderr.write(f"fallback: {type(error).__name__}\n")
        return 1
    json.dump(asdict(answer), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
