"""Sock Monsters over the wire and back: every action, every position, and what is newer."""

from __future__ import annotations

from typing import Any

import pytest

from app.model.sock_monsters import (
    OVER,
    Colour,
    Kind,
    Motif,
    Phase,
    Sock,
    SockMonstersAct,
    SockMonstersView,
)
from app.model.values import UnknownAct, UnknownView
from app.net import convert
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.play.v1 import sock_monsters_pb2 as pb
from services.engine.core.types import SPECTATOR
from services.engine.games.sock_monsters.layout import ACTIONS
from services.wire.actions import action_from_message, action_to_message
from services.wire.observations import observation_to_message
from tests.mobile.house import RULES, TABLES, cell, playout, view


@pytest.mark.parametrize("number", range(ACTIONS))
def test_every_action_of_the_notation_is_read_and_written(number: Any) -> None:
    act = convert.act(action_to_message(RULES, number))
    assert isinstance(act, SockMonstersAct)
    assert act.notation == RULES.format_action(number)
    assert action_from_message(RULES, convert.act_to(act)) == number


def notation(seen: SockMonstersView) -> list[str]:
    """The sections of a view that are written the same in every observation."""

    def socks(some: tuple[Sock, ...]) -> str:
        return "".join(_LETTERS[sock] for sock in some) or "-"

    def named(where: Any) -> str:
        return "-" if where is None else f"{chr(97 + where[0])}{where[1] + 1}"

    pairs = [",".join(map(socks, elf.pairs)) or "-" for elf in seen.elves]
    turn = [seen.turn, seen.first]
    sections = [
        ["monsters", *(named(monster.cell) for monster in seen.monsters)],
        ["pawns", *(named(elf.cell) for elf in seen.elves)],
        ["tokens", *("".join(one.value for one in elf.tokens) or "-" for elf in seen.elves)],
        ["socks", *(socks(elf.socks) for elf in seen.elves)],
        ["pairs", *pairs],
        ["lairs", *(socks(monster.lair) for monster in seen.monsters)],
        ["turn", str(seen.round), *("-" if seat is None else str(seat) for seat in turn)],
        ["shown", named(seen.shown.cell if seen.shown else None)],
    ]
    if seen.shown is not None and seen.shown.peeker is not None:
        sections[-1].append(str(seen.shown.peeker))
    return [" ".join(words) for words in sections]


_LETTERS = dict(zip(list(Sock)[:8], "rygbvwso", strict=True))


def test_every_view_says_what_its_notation_says() -> None:
    met: set[Phase] = set()
    for seats, options in TABLES:
        for step, state in enumerate(playout(seats, options, seed=3)):
            if step % 7 and RULES.outcome(state) is None:
                continue
            seen = view(state, step % seats)
            met.add(seen.phase)
            parts = [part.strip() for part in seen.position.split("|")]
            assert parts[3:-1] == notation(seen)
            phase = parts[-1].split()
            assert phase[1 if phase[1] != "over" else 2] == seen.phase.value
            tiles(seen, parts[2])
    assert met >= {Phase.PAWN, Phase.ACT, Phase.MOVE, Phase.OPEN, Phase.DEAL} | OVER


def tiles(seen: SockMonstersView, section: str) -> None:
    """Compare the tiles of a view with those of its notation."""
    for row, line in zip(range(5, -1, -1), section.split()[1:], strict=True):
        for column, word in enumerate(line.split(",")):
            tile = seen.tile((column, row))
            if word in ("#", ".."):
                assert tile is None
                continue
            assert tile is not None
            assert tile.face_up == word.endswith("+")
            if word == "??":
                assert (tile.colour, tile.motif) == (None, None)
            else:
                assert tile.colour is not None
                assert tile.motif is not None
                assert (tile.colour.name[0].lower() + tile.motif.value) == word[:2]


def test_a_match_of_the_phone_ends_as_the_rules_say() -> None:
    *_, end = playout(2, {}, 1)
    seen = view(end, 0)
    assert seen.phase in OVER
    outcome = RULES.outcome(end)
    assert outcome is not None
    assert tuple(len(elf.pairs) for elf in seen.elves) == outcome.scores


def message() -> Any:
    """An observation in the middle of a match."""
    state = list(playout(2, {}, 1))[60]
    return observation_to_message(RULES, RULES.observe(state, SPECTATOR))


@pytest.mark.field(28)
def test_words_of_a_newer_server_are_unknown_and_the_rest_is_read() -> None:
    newer = message()
    body = newer.sock_monsters
    body.phase.kind = 99
    body.players[0].socks.append(77)
    body.players[0].tokens.append(77)
    body.tiles[0].type.colour = 88
    body.tiles[0].type.motif = 88
    seen = convert.view(newer)
    assert isinstance(seen, SockMonstersView)
    assert seen.phase is Phase.UNKNOWN
    assert seen.elves[0].socks[-1] is Sock.UNKNOWN
    assert seen.elves[0].tokens[-1] is Motif.UNKNOWN
    assert (seen.tiles[0].colour, seen.tiles[0].motif) == (Colour.UNKNOWN, Motif.UNKNOWN)


@pytest.mark.field(28)
@pytest.mark.parametrize("change", ["pawn", "monster", "colour", "seat", "tile"])
def test_a_house_this_app_does_not_know_is_unknown(change: str) -> None:
    newer = message()
    body = newer.sock_monsters
    match change:
        case "pawn":
            body.players[1].pawn.column = 6
        case "monster":
            body.monsters[2].cell.row = -1
        case "colour":
            body.monsters[2].colour = 5
        case "seat":
            body.players[1].seat = 7
        case "tile":
            body.tiles[3].cell.column = 9
    assert isinstance(convert.view(newer), UnknownView)


@pytest.mark.field(28)
def test_actions_of_a_newer_server_are_unknown() -> None:
    number: Any = 99
    newer = pb.SockMonstersAction(draw=pb.SockMonstersDraw(sock=number))
    assert isinstance(convert.act(play.Action(sock_monsters=newer)), UnknownAct)
    empty = play.Action(sock_monsters=pb.SockMonstersAction())
    assert isinstance(convert.act(empty), UnknownAct)


def test_an_action_is_written_as_the_contract_wants_it() -> None:
    steal = SockMonstersAct(Kind.STEAL, seat=2, sock=Sock.SMELLY)
    body = convert.act_to(steal).sock_monsters.steal
    assert (body.victim, body.sock) == (2, pb.SOCK_MONSTERS_SOCK_SMELLY)
    walk = SockMonstersAct(Kind.PAWN, cell=cell("a3"))
    assert convert.act_to(walk).sock_monsters.move_pawn.cell.row == 2
