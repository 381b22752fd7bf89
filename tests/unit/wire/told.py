"""Typed observations told in the games' notation, from their fields alone.

Written from docs/notation and the comments of the contract: it knows no engine and no codec, and
so finds a field that was filled with something else.
"""

from __future__ import annotations

from typing import Any

from oddsocks.play.v1 import hide_and_seek_pb2 as hide
from oddsocks.play.v1 import sock_monsters_pb2 as monsters
from oddsocks.play.v1 import socker_pb2 as socker

CORNERS = {(0, 0), (5, 0), (0, 5), (5, 5)}


def cell(message: Any) -> str:
    return f"{'abcdefghi'[message.column]}{message.row + 1}"


def seat_or_none(message: Any, field: str) -> str:
    return str(getattr(message, field)) if message.HasField(field) else "-"


def sock_monsters(seen: monsters.SockMonstersObservation) -> list[str]:
    """All sections after the header."""
    types = {(tile.cell.column, tile.cell.row): _tile(tile) for tile in seen.tiles}
    rows = [
        ",".join(
            "#" if (column, row) in CORNERS else types.get((column, row), "..")
            for column in range(6)
        )
        for row in (5, 4, 3, 2, 1, 0)
    ]
    viewer = "spectator" if seen.viewer == -2 else str(seen.viewer)
    assert [monster.colour for monster in seen.monsters] == [1, 2, 3, 4]
    assert [player.seat for player in seen.players] == list(range(len(seen.players)))
    return [
        f"sees {viewer}",
        " ".join(["tiles", *rows]),
        " ".join(["monsters", *(cell(monster.cell) for monster in seen.monsters)]),
        " ".join(
            ["pawns", *(cell(one.pawn) if one.HasField("pawn") else "-" for one in seen.players)]
        ),
        " ".join(["tokens", *(_letters("cwdb", player.tokens) for player in seen.players)]),
        " ".join(["socks", *(_socks(player.socks) for player in seen.players)]),
        " ".join(["pairs", *(_pairs(player) for player in seen.players)]),
        " ".join(["lairs", *(_socks(monster.lair) for monster in seen.monsters)]),
        f"turn {seen.round} {seat_or_none(seen, 'turn')} {seat_or_none(seen, 'first_player')}",
        f"shown {_shown(seen)}",
        f"phase {_sock_monsters_phase(seen.phase)}",
    ]


def bag(seen: monsters.SockMonstersObservation, *, silly: int) -> dict[int, int]:
    """Socks of each kind that lie nowhere on the table, of 8 a colour and so many silly ones."""
    left = {kind: 8 if kind <= 5 else silly for kind in range(1, 9)}
    out = [sock for player in seen.players for sock in player.socks]
    out += [
        sock
        for player in seen.players
        for pair in player.pairs
        for sock in (pair.first, pair.second)
    ]
    out += [sock for monster in seen.monsters for sock in monster.lair]
    for sock in out:
        left[sock] -= 1
    return {kind: count for kind, count in left.items() if count}


def _letters(letters: str, numbers: Any) -> str:
    return "".join(letters[number - 1] for number in numbers) or "-"


def _socks(numbers: Any) -> str:
    return _letters("rygbvwso", numbers)


def _pairs(player: monsters.SockMonstersPlayer) -> str:
    return ",".join(_socks((pair.first, pair.second)) for pair in player.pairs) or "-"


def _tile(tile: monsters.SockMonstersTile) -> str:
    name = "??"
    if tile.HasField("type"):
        name = _letters("rygb", [tile.type.colour]) + _letters("cwdb", [tile.type.motif])
    return name + "+" * tile.face_up


def _shown(seen: monsters.SockMonstersObservation) -> str:
    if not seen.HasField("shown"):
        return "-"
    shown = seen.shown
    return cell(shown.cell) + (f" {shown.peeker}" if shown.HasField("peeker") else "")


def _sock_monsters_phase(phase: monsters.SockMonstersPhase) -> str:
    kind = monsters.SockMonstersPhaseKind.Name(phase.kind).removeprefix("SOCK_MONSTERS_PHASE_KIND_")
    monster = ("", "red", "yellow", "green", "blue")[phase.monster]
    moves, throws = phase.moves_made, phase.throws_left
    match kind:
        case "DRAW":
            return f"draw {phase.seat} {phase.socks_to_draw} {_then(phase)}"
        case "EYE" | "MOVE" | "OPEN":
            return f"{kind.lower()} {monster} {moves}"
        case "THROW" | "TAKE":
            return f"{kind.lower()} {phase.seat} {throws}"
        case "PLACE":
            return f"place {phase.seat}"
        case "GIFT":
            return f"gift {monster} {phase.seat}"
        case "RAINBOW":
            return f"rainbow {phase.seat} {_then(phase)}"
        case "ACT":
            return f"act {throws}"
        case "THREE_PAIRS" | "ROUND_CAP":
            return f"over {kind.lower()}"
    return kind.lower()


def _then(phase: monsters.SockMonstersPhase) -> str:
    match monsters.SockMonstersThen.Name(phase.then).removeprefix("SOCK_MONSTERS_THEN_"):
        case "GIFT":
            return f"gift {phase.then_seat}"
        case "BOOMERANG":
            return f"boomerang {phase.then_seat} {phase.throws_left}"
        case "ACT":
            return f"act {phase.throws_left}"
        case word:
            return word.lower()


FACES = ("", "A", "B", "C", "D", "E", "*")
HIDE_PHASES = ("", "deal", "first", "second", "again", "paired", "over")


def hide_and_seek(seen: hide.HideAndSeekObservation) -> list[str]:
    """All sections after the header, the reason of an end left out: it is the outcome's."""
    lying = {(card.cell.column, card.cell.row): _card(card) for card in seen.cards}
    rows = [
        ",".join(
            lying.get((column, row))
            or (".." if column + row * seen.columns < seen.cells_dealt else "__")
            for column in range(seen.columns)
        )
        for row in reversed(range(seen.rows))
    ]
    assert [pile.seat for pile in seen.piles] == list(range(len(seen.piles)))
    phase = HIDE_PHASES[seen.phase]
    if seen.HasField("turn"):
        phase += f" {seen.turn}"
    if seen.HasField("flipped"):
        phase += f" {cell(seen.flipped)}"
    return [
        "seen",
        "/".join(rows),
        " ".join(["piles", *map(_pile, seen.piles)]),
        f"turns {seen.turns}",
        f"idle {seen.idle_turns}",
        phase,
    ]


def _card(card: hide.HideAndSeekCard) -> str:
    if FACES[card.shown] == "*":
        assert FACES[card.hidden] == "*"
        return "*"
    return FACES[card.shown] + (FACES[card.hidden] if card.HasField("hidden") else "?")


def _pile(pile: hide.HideAndSeekPile) -> str:
    cards = [FACES[card.first] + FACES[card.second] for card in pile.monsters]
    return ",".join([*cards, *"*" * pile.candies]) or "-"


def socker_board(seen: socker.SockerObservation) -> str:
    """The board, as eleven ranks."""
    signs = {
        (piece.cell.column, piece.cell.row): {(1, False): "S", (1, True): "s", (2, False): "N"}.get(
            (piece.side, piece.lying), "n"
        )
        for piece in seen.pieces
    }
    if seen.HasField("ball"):
        signs[seen.ball.column, seen.ball.row] = "o"
    ranks = []
    for row in reversed(range(11)):
        rank = "".join(signs.get((column, row), " ") for column in range(9))
        for run in range(9, 0, -1):
            rank = rank.replace(" " * run, str(run))
        ranks.append(rank)
    return "/".join(ranks)
