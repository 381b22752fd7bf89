"""The last resort: an action found by the ai service itself.

First by a child process, since thinking may hang, crash or fill a core, and the service must do
none of these. `python -m services.ai.fallback` is that process: one question after another as lines
of JSON on standard input, an answer to each on standard output. Then any legal action, which needs
no thinking.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import structlog

from services.ai.plan import Mode
from services.ai.think import Answer, Question, any_legal, think
from services.common.process import die_with_parent
from services.engine.core import EngineError

_log = structlog.get_logger("fallback")

LIMIT_S: Final = 5.0
"""For starting a process and a quick look, on a busy machine."""
IDLE_S: Final = 30.0
"""After this long without a question a child ends."""
MOST_WAITING: Final = 8
"""With more questions than this waiting for a child, the next gets any legal action at once."""
LONGEST_LINE: Final = 16 * 1024 * 1024


class Child:
    """A process that is started with its first question and answers one at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, question: Mapping[str, Any], limit_s: float) -> dict[str, Any] | None:
        """The answer; None if there was none in time, and then the process is ended."""
        try:
            async with asyncio.timeout(limit_s):
                if self._process is None or self._process.returncode is not None:
                    self._process = await self._start()
                assert self._process.stdin is not None
                assert self._process.stdout is not None
                self._process.stdin.write(json.dumps(question).encode() + b"\n")
                await self._process.stdin.drain()
                line = await self._process.stdout.readline()
        except (TimeoutError, OSError, ValueError):
            line = b""
        except BaseException:  # cancelled: whatever it answers would be taken for the next answer
            await self.end()
            raise
        if not line:
            await self.end()
            _log.warning("no answer from a child")
            return None
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            _log.warning("a child found no answer", error=answer["error"])
            return None
        return answer

    async def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "services.ai.fallback"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )


@dataclass(slots=True)
class Children:
    """At most `most` children at a time, kept for a while between questions. `limit_s` is how long
    an action may take, in seconds.
    """

    most: int
    limit_s: float = LIMIT_S
    waiting: int = 0
    """Questions that no child has taken up yet."""
    _free: list[Child] = field(default_factory=list)
    _slots: asyncio.Semaphore = field(init=False)
    _ends: dict[Child, asyncio.TimerHandle] = field(default_factory=dict)
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.most)

    async def ask(self, question: Mapping[str, Any], limit_s: float) -> dict[str, Any] | None:
        """What a child answers; None if it does not within the limit."""
        async with self._child() as child:
            return await child.ask(question, limit_s)

    async def answer(self, question: Question) -> Answer | None:
        """A quick action, else any legal one; None if even that can't be found."""
        if self.waiting < MOST_WAITING:
            found = await self.ask({"act": asdict(question)}, self.limit_s)
            if found is not None:
                return Answer(**found)
        try:
            return await asyncio.to_thread(any_legal, question)
        except EngineError as error:
            # The type only: what it says may tell what is hidden.
            _log.error("no legal action", error=type(error).__name__)
            return None

    async def close(self) -> None:
        """End all children that are idle."""
        for timer in self._ends.values():
            timer.cancel()
        self._ends.clear()
        children, self._free = self._free, []
        await asyncio.gather(*(child.end() for child in children), *self._ending)

    @asynccontextmanager
    async def _child(self) -> AsyncIterator[Child]:
        self.waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self.waiting -= 1
        child = self._free.pop() if self._free else Child()
        if timer := self._ends.pop(child, None):
            timer.cancel()
        try:
            yield child
        finally:
            self._free.append(child)
            self._ends[child] = asyncio.get_running_loop().call_later(IDLE_S, self._dismiss, child)
            self._slots.release()

    def _dismiss(self, child: Child) -> None:
        self._ends.pop(child, None)
        self._free.remove(child)
        task = asyncio.create_task(child.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def answer_to(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the child answers; raises whatever thinking raises."""
    match asked:
        case {"act": question}:
            return asdict(think(Question(**question), Mode.QUICK))
        case {"hint": _} | {"review": _}:
            # Not before it is asked for: a turn should not wait for what it does not need.
            from services.ai.advice.child import advice_on

            return advice_on(asked)
        case _:
            raise ValueError("no such question")


def main() -> int:
    """The child: read, think, write, until there is no more to read."""
    die_with_parent()
    # Answers only: whatever else wants to be printed, such as a log line, is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            answer = answer_to(json.loads(line))
        except Exception as error:
            # The type only: what an exception says may tell what is hidden.
            answer = {"error": type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
