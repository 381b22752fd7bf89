"""The command line of the system on one machine."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import Enum, StrEnum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from services.standalone.backup import back_up, restore
from services.standalone.chaos import play_chaos, report_failure
from services.standalone.compose import compose_target
from services.standalone.demo import Scribe, play_demo
from services.standalone.home import EVERYWHERE, home_server, introduction
from services.standalone.problem import Problem
from services.standalone.screen import SHOT, has_display, run_app
from services.standalone.stack import PARTS, Stack
from services.standalone.state import State, default_directory
from services.standalone.target import Target, address_text, local_address, local_target

_STOPPED: Final = 130
_progress = Console(stderr=True, highlight=False)
cli = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=__doc__,
)


class Format(StrEnum):
    """How a match is told."""

    TEXT = "text"
    JSON = "json"


class On(StrEnum):
    """Which system."""

    LOCAL = "local"
    COMPOSE = "compose"


Part = Enum("Part", {n.upper(): n for n in PARTS}, type=str)  # type: ignore[misc]  # from a list

StateOption = Annotated[
    Path | None,
    typer.Option(help="state directory [default: $ODDSOCKS_STATE, else the platform's]"),
]
StackOption = Annotated[On, typer.Option(help="processes of this machine, or containers")]


PortOption = Annotated[
    int, typer.Option(min=0, max=65533, help="listen here and on the next two; 0: any")
]


@cli.command()
def run(
    headless: Annotated[
        bool, typer.Option("--headless", help="offscreen: a few touches and a picture")
    ] = False,
    port: PortOption = 0,
    state: StateOption = None,
) -> None:
    """Start everything and play. Ends when the window is closed."""
    _finish(_run(State(state or default_directory()), headless, port), stopped=0)


@cli.command()
def serve(port: PortOption = 0, state: StateOption = None) -> None:
    """Start everything but the app, until told to stop."""
    _finish(_serve(State(state or default_directory()), port), stopped=0)


@cli.command()
def home(
    listen: Annotated[
        str, typer.Option(help="the address of this machine to listen on")
    ] = EVERYWHERE,
    port: Annotated[int, typer.Option(min=1, max=65535, help="the one port phones use")] = 8443,
    name: Annotated[
        list[str] | None, typer.Option(help="another name or address phones know it by")
    ] = None,
    state: StateOption = None,
) -> None:
    """Serve the phones in this house, with TLS on one address, until told to stop."""
    chosen = State(state or default_directory())
    _finish(_home(chosen, listen, port, name or []), stopped=0)


@cli.command()
def demo(
    format: Annotated[Format, typer.Option(help="boards, or one line for programs")] = Format.TEXT,
    stack: StackOption = On.LOCAL,
    state: StateOption = None,
) -> None:
    """Follow a whole match between two agents."""
    _finish(_demo(stack, State(state or default_directory()), format))


@cli.command()
def chaos(
    part: Annotated[Part, typer.Option(help="what to kill")],
    stack: StackOption = On.LOCAL,
    state: StateOption = None,
) -> None:
    """Kill a part in the middle of a match; 0 only if nobody had to notice."""
    _finish(_chaos(stack, State(state or default_directory()), part.value))


@cli.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(help="where to write it, e.g. oddsocks.backup")],
    state: StateOption = None,
) -> None:
    """Copy all matches and players into a file, also while the system runs."""
    with _told():
        back_up(State(state or default_directory()), file.expanduser().absolute())
    _say(f"everything is in {file}; it holds secrets of running matches, so keep it to yourself")


@cli.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(help="what `backup` has written")],
    state: StateOption = None,
) -> None:
    """Bring back what a backup holds. What was there before is kept in a folder beside it."""
    with _told():
        kept = restore(State(state or default_directory()), file.expanduser().absolute())
    _say(f"{file} is back" + (f"; what was there before is in {kept}" if kept else ""))


async def _run(state: State, headless: bool, port: int) -> int:
    async with _own_stack(state, port) as stack:
        if not headless and not has_display():
            _say("no display here: playing the demo instead of opening the app")
            await play_demo(local_address(stack.addresses), Scribe(_print).hear)
            return 0
        _say("playing offscreen" if headless else "opening the app; close it to stop")
        await run_app(state, stack.addresses, headless=headless)
        if headless:
            _say(f"picture: {SHOT}")
    return 0


async def _serve(state: State, port: int) -> int:
    async with _own_stack(state, port) as stack:
        _say(f"serving {address_text(stack.addresses)}; Ctrl-C stops it")
        await asyncio.Event().wait()
    return 0


async def _home(state: State, listen: str, port: int, names: list[str]) -> int:
    state.prepare()
    with state.held():
        _say(f"state and logs: {state.directory}")
        async with home_server(state, _say, listen, port, names) as server:
            _print(introduction(server))
            await asyncio.Event().wait()
    return 0


@asynccontextmanager
async def _own_stack(state: State, port: int) -> AsyncIterator[Stack]:
    state.prepare()
    with state.held():
        _say(f"state and logs: {state.directory}")
        async with Stack(state, _say, port) as stack:
            yield stack


async def _demo(on: On, state: State, format: Format) -> int:
    async with _target(on, state) as target:
        _say("two agents play a match")
        scribe = Scribe(_print if format is Format.TEXT else lambda _: None)
        result = await play_demo(target.address, scribe.hear)
    if format is Format.JSON:
        _print(result.as_json())
    return 0


async def _chaos(on: On, state: State, part: str) -> int:
    try:
        async with _target(on, state) as target:
            _say(f"playing a match; {part} is killed in the middle")
            finding = await play_chaos(target, part)
    except Problem as problem:
        report_failure(part, problem)
        raise
    _print(finding.as_json())
    return finding.report()


@asynccontextmanager
async def _target(on: On, state: State) -> AsyncIterator[Target]:
    if on is On.COMPOSE:
        yield await compose_target()
        return
    async with local_target(state, _say) as target:
        yield target


@contextmanager
def _told() -> Iterator[None]:
    """Tell a problem in one line and leave with status 1."""
    try:
        yield
    except Problem as problem:
        sys.stderr.write(f"oddsocks: {problem}\n")
        raise typer.Exit(1) from problem


def _finish(command: Coroutine[Any, Any, int], stopped: int = _STOPPED) -> None:
    """Run a command and leave with its status; when told to stop, tidy up and leave."""
    try:
        with _told():
            status = asyncio.run(_until_told(command))
    except (KeyboardInterrupt, asyncio.CancelledError):
        status = stopped
    raise typer.Exit(status)


async def _until_told(command: Coroutine[Any, Any, int]) -> int:
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    return await command


def _say(text: str) -> None:
    _progress.print(f"==> {text}", markup=False, soft_wrap=True)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    cli()
