"""What operators ask and do. Settings come from the environment, as those of the services."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import grpc
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from services.admin.settings import AdminSettings
from services.admin.site import Site, site
from services.common.settings import one_line

cli = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=__doc__,
)
Json = Annotated[bool, typer.Option("--json", help="for programs")]
MatchId = Annotated[str, typer.Argument(help="a match's id")]


@cli.command()
def match(match_id: MatchId, as_json: Json = False) -> None:
    """Where a match stands, and who is in it; no positions."""
    _show(_ask(lambda services: services.match(match_id)), as_json)


@cli.command()
def player(
    player_id: Annotated[str, typer.Argument(help="a player's id")], as_json: Json = False
) -> None:
    """An account and its latest matches; no names."""
    _show(_ask(lambda services: services.player(player_id)), as_json)


@cli.command()
def waiting(
    older_than: Annotated[float, typer.Option(min=0, help="seconds")] = 0, as_json: Json = False
) -> None:
    """Agents' turns that wait, oldest first."""
    _show(_ask(lambda services: services.waiting(older_than)), as_json)


@cli.command()
def requeue(match_id: MatchId, as_json: Json = False) -> None:
    """Ask a worker again for the agent's turn that waits in a match."""
    _show(_ask(lambda services: services.requeue(match_id)), as_json)


@cli.command()
def stats(as_json: Json = False) -> None:
    """How many matches, players, tables, tickets and calls there are."""
    _show(_ask(lambda services: services.stats()), as_json)


def _ask(question: Callable[[Site], Awaitable[Any]]) -> Any:
    async def ask(settings: AdminSettings) -> Any:
        async with site(settings) as services:
            return await question(services)

    try:
        return asyncio.run(ask(AdminSettings()))
    except ValidationError as error:
        problem = one_line(error)
    except grpc.aio.AioRpcError as error:
        problem = error.details() or error.code().name
    except (OSError, ValueError) as error:
        problem = str(error)
    sys.stderr.write(f"admin: {problem}\n")
    raise typer.Exit(1)


def _show(answer: Any, as_json: bool) -> None:
    if as_json:
        print(json.dumps(answer))
        return
    rows = answer if isinstance(answer, list) else [_flat(answer)]
    if not rows:
        print("none")
        return
    table = Table(show_header=len(rows) > 1, box=None)
    if len(rows) == 1:
        for name, value in rows[0].items():
            table.add_row(name, str(value))
    else:
        for name in rows[0]:
            table.add_column(name)
        for row in rows:
            table.add_row(*map(str, row.values()))
    Console(highlight=False, markup=False).print(table)


def _flat(answer: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted names."""
    flat: dict[str, Any] = {}
    for name, value in answer.items():
        flat |= (
            _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
        )
    return flat


if __name__ == "__main__":
    cli(prog_name="python -m services.admin")
