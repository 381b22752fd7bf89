"""Actions on the wire: every one comes back, and what nobody can read is named."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from google.protobuf import text_format

from oddsocks.play.v1 import play_pb2
from services.engine.core import CHANCE, SPECTATOR, Action, InvalidNotation
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message, action_to_message, visible_to_message
from services.wire.codecs import CODECS
from tests.conformance.shelf import PLAIN, Variant, samples
from tests.fixtures.peek import Peek

GAMES = tuple(CODECS)
FOREIGN = list(permutations(GAMES, 2))


def sent(message: play_pb2.Action) -> play_pb2.Action:
    """The message as it arrives."""
    return play_pb2.Action.FromString(message.SerializeToString())


def typed(game: str, body: str) -> play_pb2.Action:
    """An action of a game's contract, in protobuf's text format."""
    return text_format.Parse(f"{game} {{ {body} }}", play_pb2.Action())


@pytest.mark.parametrize("game", GAMES)
def test_every_action_comes_back_typed_and_as_text(game: str) -> None:
    rules = ruleset(game)
    for action in map(Action, range(rules.action_count)):
        message = sent(action_to_message(rules, action))
        assert message.WhichOneof("action") == game
        assert action_from_message(rules, message) == action
        text = play_pb2.Action(text=rules.format_action(action))
        assert action_from_message(rules, sent(text)) == action


@pytest.mark.parametrize(
    ("game", "notation", "body"),
    [
        ("socker", "@e3", "place { cell { column: 4 row: 2 } }"),
        ("socker", "e4-e5", "move { origin { column: 4 row: 3 } to { column: 4 row: 4 } }"),
        ("socker", "e5*e6", "kick { origin { column: 4 row: 4 } ball { column: 4 row: 5 } }"),
        ("socker", "d6xe7", "sock { origin { column: 3 row: 5 } target { column: 4 row: 6 } }"),
        ("socker", "=d9", "recentre { cell { column: 3 row: 8 } }"),
        ("socker", "end", "end_turn {}"),
        ("socker", "pass", "pass_turn {}"),
        ("socker", "toss:north", "toss { winner: SOCKER_SIDE_NORTH }"),
        (
            "sock_monsters",
            "deal:gw",
            "deal { tile {"
            " colour: SOCK_MONSTERS_COLOUR_GREEN motif: SOCK_MONSTERS_MOTIF_WARDROBE } }",
        ),
        ("sock_monsters", "first:2", "first_player { seat: 2 }"),
        ("sock_monsters", "draw:violet", "draw { sock: SOCK_MONSTERS_SOCK_VIOLET }"),
        ("sock_monsters", "roll:blue", "roll { face: SOCK_MONSTERS_DIE_FACE_BLUE }"),
        ("sock_monsters", "roll:any", "roll { face: SOCK_MONSTERS_DIE_FACE_ANY }"),
        ("sock_monsters", "eye:open", "eye { open: true }"),
        ("sock_monsters", "eye:closed", "eye {}"),
        ("sock_monsters", "place:d3", "place { cell { column: 3 row: 2 } }"),
        ("sock_monsters", "monster:red", "pick_monster { colour: SOCK_MONSTERS_COLOUR_RED }"),
        ("sock_monsters", "move:b6", "move_monster { cell { column: 1 row: 5 } }"),
        ("sock_monsters", "peek:f2", "peek { cell { column: 5 row: 1 } }"),
        ("sock_monsters", "steal:3:smelly", "steal { victim: 3 sock: SOCK_MONSTERS_SOCK_SMELLY }"),
        ("sock_monsters", "go", "go_on {}"),
        ("sock_monsters", "pawn:a2", "move_pawn { cell { row: 1 } }"),
        ("sock_monsters", "throw:1", "throw_boomerang { target: 1 }"),
        ("sock_monsters", "take:boomerang", "take_sock { sock: SOCK_MONSTERS_SOCK_BOOMERANG }"),
        ("sock_monsters", "gift:green", "take_gift { sock: SOCK_MONSTERS_SOCK_GREEN }"),
        ("sock_monsters", "lift", "lift {}"),
        (
            "sock_monsters",
            "lair:yellow:rainbow",
            "take_from_lair { lair: SOCK_MONSTERS_COLOUR_YELLOW sock: SOCK_MONSTERS_SOCK_RAINBOW }",
        ),
        ("sock_monsters", "bag", "take_from_bag {}"),
        ("sock_monsters", "pass", "pass_phase {}"),
        ("sock_monsters", "pair:rainbow", "pair_rainbow { sock: SOCK_MONSTERS_SOCK_RAINBOW }"),
        ("sock_monsters", "keep", "keep {}"),
        (
            "hide_and_seek",
            "deal:AE",
            "deal { shown: HIDE_AND_SEEK_FACE_A hidden: HIDE_AND_SEEK_FACE_E }",
        ),
        (
            "hide_and_seek",
            "deal:*",
            "deal { shown: HIDE_AND_SEEK_FACE_CANDY hidden: HIDE_AND_SEEK_FACE_CANDY }",
        ),
        ("hide_and_seek", "flip:g4", "flip { cell { column: 6 row: 3 } }"),
        (
            "hide_and_seek",
            "flip:b1+a2",
            "flip_both { first { column: 1 } second { row: 1 } }",
        ),
        ("hide_and_seek", "candy:c2", "take_candy { cell { column: 2 row: 1 } }"),
        ("hide_and_seek", "stop", "stop {}"),
    ],
)
def test_what_the_arms_mean(game: str, notation: str, body: str) -> None:
    rules = ruleset(game)
    assert action_to_message(rules, rules.parse_action(notation)) == typed(game, body)


@pytest.mark.parametrize(
    ("game", "body", "part"),
    [
        ("socker", "place { cell { column: 9 } }", "Place(cell=(9, 0))"),
        ("socker", "recentre { cell { row: -1 } }", "Recentre(cell=(0, -1))"),
        ("socker", "kick { origin { column: 1 } ball { column: 3 } }", "Kick("),
        ("socker", "toss { winner: 3 }", "toss"),
        ("socker", "toss {}", "toss"),
        ("sock_monsters", "", "action"),
        ("sock_monsters", "place { cell { column: 6 row: 2 } }", "place.cell.column"),
        ("sock_monsters", "place { cell { column: 2 row: -1 } }", "place.cell.row"),
        ("sock_monsters", "place { cell {} }", "place"),  # a1 is no centre cell
        ("sock_monsters", "place {}", "place.cell"),
        ("sock_monsters", "move_monster { cell { row: 6 } }", "move_monster.cell.row"),
        ("sock_monsters", "peek {}", "peek.cell"),
        ("sock_monsters", "move_pawn { cell { column: -1 } }", "move_pawn.cell.column"),
        ("sock_monsters", "deal {}", "deal.tile.colour"),
        ("sock_monsters", "deal { tile { colour: 1 } }", "deal.tile.motif"),
        ("sock_monsters", "deal { tile { colour: 5 motif: 1 } }", "deal.tile.colour"),
        ("sock_monsters", "first_player { seat: 4 }", "first_player.seat"),
        ("sock_monsters", "draw { sock: 9 }", "draw.sock"),
        ("sock_monsters", "roll {}", "roll.face"),
        ("sock_monsters", "roll { face: 6 }", "roll.face"),
        ("sock_monsters", "pick_monster { colour: -1 }", "pick_monster.colour"),
        ("sock_monsters", "steal { victim: -1 sock: 1 }", "steal.victim"),
        ("sock_monsters", "steal { victim: 1 }", "steal.sock"),
        ("sock_monsters", "throw_boomerang { target: 2147483647 }", "throw_boomerang.target"),
        ("sock_monsters", "take_sock {}", "take_sock.sock"),
        ("sock_monsters", "take_gift { sock: 99 }", "take_gift.sock"),
        ("sock_monsters", "take_from_lair { sock: 1 }", "take_from_lair.lair"),
        ("sock_monsters", "take_from_lair { lair: 1 }", "take_from_lair.sock"),
        ("sock_monsters", "pair_rainbow { sock: 7 }", "pair_rainbow"),  # nobody pairs a smelly
        ("hide_and_seek", "", "action"),
        ("hide_and_seek", "deal {}", "deal.shown"),
        ("hide_and_seek", "deal { shown: 1 }", "deal.hidden"),  # as a seat sees it: no action
        ("hide_and_seek", "deal { shown: 1 hidden: 6 }", "deal.hidden"),
        ("hide_and_seek", "deal { shown: 6 hidden: 1 }", "deal.shown"),
        ("hide_and_seek", "deal { shown: 7 hidden: 1 }", "deal.shown"),
        ("hide_and_seek", "flip { cell { column: 7 } }", "flip.cell.column"),
        ("hide_and_seek", "flip { cell { row: 4 } }", "flip.cell.row"),
        ("hide_and_seek", "flip {}", "flip.cell"),
        ("hide_and_seek", "take_candy { cell { row: -1 } }", "take_candy.cell.row"),
        ("hide_and_seek", "flip_both { first {} }", "flip_both.second"),
        ("hide_and_seek", "flip_both { first {} second {} }", "flip_both.second"),
        ("hide_and_seek", "flip_both { first { row: 1 } second {} }", "flip_both.second"),
        ("hide_and_seek", "flip_both { first { row: 9 } second {} }", "flip_both.first.row"),
    ],
)
def test_a_part_that_can_not_be_is_named(game: str, body: str, part: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        action_from_message(ruleset(game), sent(typed(game, body)))
    assert caught.value.part == part or (part[-1] == "(" and caught.value.part.startswith(part))
    assert part in str(caught.value)


@pytest.mark.parametrize(("game", "other"), FOREIGN)
def test_another_games_arm_is_refused(game: str, other: str) -> None:
    foreign = ruleset(other)
    message = action_to_message(foreign, Action(foreign.action_count - 1))
    with pytest.raises(InvalidNotation, match=f"not an action of {game}") as caught:
        action_from_message(ruleset(game), message)
    assert caught.value.part == other


@pytest.mark.field(28)
@pytest.mark.parametrize("game", GAMES)
def test_arms_of_a_newer_contract_are_refused(game: str) -> None:
    newer = b"\x82\x7d\x02\x08\x01"  # field 2000: a message this server has never heard of
    body: Any = getattr(play_pb2.Action(), game)
    inside = play_pb2.Action(**{game: type(body).FromString(newer)})
    for message in (play_pb2.Action(), play_pb2.Action.FromString(newer), inside):
        with pytest.raises(InvalidNotation, match="this server knows"):
            action_from_message(ruleset(game), sent(message))


@pytest.mark.parametrize("game", GAMES)
def test_text_longer_than_any_action_is_refused(game: str) -> None:
    with pytest.raises(InvalidNotation, match="longer than 200 characters"):
        action_from_message(ruleset(game), play_pb2.Action(text="x" * 201))


def test_a_game_without_a_contract_travels_as_its_notation() -> None:
    peek = Peek()
    for action in map(Action, range(peek.action_count)):
        message = action_to_message(peek, action)
        assert message == play_pb2.Action(text=peek.format_action(action))
        assert action_from_message(peek, message) == action
    assert visible_to_message(peek, "?") is None


def test_a_card_is_dealt_with_its_hidden_side_left_out() -> None:
    rules = ruleset("hide_and_seek")
    start = rules.initial({}, 2)
    seen = {shown: set[bytes]() for shown in "ABCDE"}
    for shown, down in product("ABCDE", repeat=2):
        action = rules.parse_action(f"deal:{shown}{down}")
        message = visible_to_message(rules, rules.visible_action(start, action, 0))
        assert message is not None
        seen[shown].add(message.SerializeToString())
    assert [len(messages) for messages in seen.values()] == [1] * 5
    for shown, (told,) in seen.items():
        expected = typed("hide_and_seek", f"deal {{ shown: HIDE_AND_SEEK_FACE_{shown} }}")
        assert play_pb2.Action.FromString(told) == expected


def test_nobody_sees_a_tile_dealt() -> None:
    rules = ruleset("sock_monsters")
    start = rules.initial({}, 2)
    for action in rules.legal_actions(start):
        assert visible_to_message(rules, rules.visible_action(start, action, 0)) is None


@pytest.mark.parametrize("variant", PLAIN, ids=str)
def test_what_is_seen_of_an_action_is_typed_whatever_the_position(variant: Variant) -> None:
    rules = variant.rules
    for state in samples(variant, 24):
        for action in rules.legal_actions(state):
            for seat in (*range(variant.seats), SPECTATOR):
                told = rules.visible_action(state, action, seat)
                message = visible_to_message(rules, told)
                if told == "?":
                    assert message is None
                    continue
                assert message is not None
                typed = variant.game in CODECS
                assert message.WhichOneof("action") == (variant.game if typed else "text")
                if rules.actor(state) != CHANCE:  # what people do happens before all eyes
                    assert message == action_to_message(rules, action)
