"""The last resort: an action found by the ai service itself.

First by a child process, since thinking may hang, crash or fill a core, and the service must do
none of these. `python -m services.ai.fallback` is that process: a question as JSON on standard
input, the answer as JSON on standard output. Then any legal action, which needs no thinking.
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
from services.ai.think import Answer, Question, any_legal, think
from services.common.process import die_with_parent
from services.engine.core import EngineError

_log = structlog.get_logger("fallback")

LIMIT_S: Final = 5.0
"""For starting a process and a quick look, on a busy machine."""


async def answer_here(question: Question) -> Answer | None:
    """A quick action, else any legal one; None if even that can't be found."""
    if (answer := await _ask_child(question)) is not None:
        return answer
    try:
        return await asyncio.to_thread(any_legal, question)
    except EngineError as error:
        # The type only: what it says may tell what is hidden.
        _log.error("no legal action", error=type(error).__name__)
        return None


async def _ask_child(question: Question) -> Answer | None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "services.ai.fallback"),
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
    _log.warning("no answer from a child", status=child.returncode)
    return None


def main() -> int:
    """The child: read, think, write."""
    die_with_parent()
    try:
        answer = think(Question(**json.load(sys.stdin)), Mode.QUICK)
    except Exception as error:
        # The type only: what an exception says may tell what is hidden.
        sys.stderr.write(f"fallback: {type(error).__name__}\n")
        return 1
    json.dump(asdict(answer), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
