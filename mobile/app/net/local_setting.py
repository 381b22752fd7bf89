"""What a match on this device is set up as: its game, options and seats. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.model.gateway import Refused
from app.model.terms import USUAL
from app.model.values import (
    Agent,
    Here,
    Occupant,
    Player,
    SeatRequest,
    SeatWish,
    Table,
    TableStatus,
)
from app.net import convert
from services.engine.agents import agent_names
from services.engine.core import EngineError, InvalidOption
from services.engine.core.options import OptionValue, resolve
from services.engine.core.registry import ruleset


@dataclass(frozen=True, slots=True)
class Setting:
    """What never changes about a match.

    `options` holds every option; `mine` are the seats of this device's account, sorted; `start` is
    the position it began at, in the game's notation, "" for the usual one; `seed` is what its dice
    follow from, in hexadecimal, "" for a match of an older app; `hints`: whether people may ask for
    them.
    """

    match_id: str
    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[Occupant, ...]
    mine: tuple[int, ...]
    opened_at_ms: int = 0
    start: str = ""
    seed: str = ""
    hints: bool = True


def table_of(setting: Setting) -> Table:
    """The table of a match on this device."""
    return Table(
        table_id=setting.match_id,
        invitation_code="",
        game=setting.game,
        seats=setting.seats,
        status=TableStatus.STARTED,
        match_id=setting.match_id,
        opened_at_ms=setting.opened_at_ms,
        options=setting.options,
        terms=replace(USUAL, hints=setting.hints),
    )


def new_setting(
    match_id: str,
    game: str,
    wishes: Sequence[SeatRequest],
    options: Mapping[str, OptionValue],
    me: Player,
    opened_at_ms: int,
) -> Setting:
    """The setting that `wishes` ask for; raises `Refused` with the reasons of the services."""
    try:
        rules = ruleset(game)
        whole = resolve(rules.option_specs, options)
    except InvalidOption as error:
        raise Refused("INVALID_OPTION", str(error), {"option": error.name[:80]}) from error
    except EngineError as error:
        raise Refused("GAME_NOT_FOUND", str(error), {"game": game[:80]}) from error
    if not rules.min_seats <= len(wishes) <= rules.max_seats:
        least, most = rules.min_seats, rules.max_seats
        problem = f"seats: {game} has {least} to {most} seats, not {len(wishes)}"
        raise Refused("INVALID_FIELD", problem, {"field": "seats"})
    seats = tuple(occupant_of(wish, game, me) for wish in wishes)
    mine = tuple(seat for seat, who in enumerate(seats) if who.player_id == me.player_id)
    return Setting(match_id, game, whole, seats, mine, opened_at_ms)


def occupant_of(wish: SeatRequest, game: str, me: Player) -> Occupant:
    """Who sits where `wish` asks for; an open seat for a friend. Raises `Refused`."""
    match wish:
        case Agent(name=name):
            if name not in agent_names(game):
                raise Refused("AGENT_NOT_FOUND", f"no agent '{name[:80]}'", {"agent": name[:80]})
            return Occupant(agent=name, display_name=name)
        case Here(name=name):
            return Occupant(player_id=me.player_id, display_name=convert.shown_name(name))
        case SeatWish.ME:
            return Occupant(player_id=me.player_id, display_name=me.display_name)
        case SeatWish.FRIEND:
            return Occupant()


def rotated(setting: Setting, match_id: str, opened_at_ms: int) -> Setting:
    """The setting of a rematch: everybody one seat on."""
    count = len(setting.seats)
    mine = tuple(sorted((seat - 1) % count for seat in setting.mine))
    seats = setting.seats[1:] + setting.seats[:1]
    return replace(
        setting, match_id=match_id, seats=seats, mine=mine, opened_at_ms=opened_at_ms, start=""
    )


def fingerprint(setting: Setting) -> str:
    """What a request id of a table stands for."""
    seats = [[who.player_id, who.agent, who.display_name] for who in setting.seats]
    parts: list[Any] = [setting.game, dict(sorted(setting.options.items())), seats]
    if not setting.hints:  # Not named in what was kept before there were any.
        parts.append("no hints")
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
