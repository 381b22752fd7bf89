"""From the wire to the app: what a newer server says is unknown, never an error (row 28)."""

from __future__ import annotations

from typing import Any

import pytest

from app.model.socker import Kind, Phase, Side, SockerAct
from app.model.values import (
    Event,
    Heartbeat,
    MatchStatus,
    SeatWish,
    TableStatus,
    UnknownAct,
    UnknownView,
)
from app.model.words import match_state
from app.net import convert
from app.net.convert_socker import act_from, act_to, view_from
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.play.v1 import socker_pb2 as pb
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.engine.core.options import OptionValue
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message, action_to_message
from tests.mobile.positions import NEARLY, RECENTRE, SETUP, TURN


@pytest.mark.parametrize("position", [TURN, SETUP, RECENTRE, NEARLY])
def test_actions_survive_the_way_to_the_app_and_back(position: str) -> None:
    socker = ruleset("socker")
    for action in socker.legal_actions(socker.parse_state(position)):
        act = convert.act(action_to_message(socker, action))
        assert isinstance(act, SockerAct)
        assert act.notation == socker.format_action(action)
        assert action_from_message(socker, convert.act_to(act)) == action


@pytest.mark.parametrize("notation", ["toss:south", "toss:north", "pass", "end"])
def test_actions_without_cells_survive_it_too(notation: str) -> None:
    socker = ruleset("socker")
    act = convert.act(action_to_message(socker, socker.parse_action(notation)))
    assert isinstance(act, SockerAct)
    assert act.notation == notation
    assert act_from(act_to(act)) == act


@pytest.mark.field(28)
def test_unknown_enumeration_values_are_shown_as_unknown() -> None:
    # Through bytes, as a newer server would send them.
    newer: Any = 99
    match = play.Match.FromString(play.Match(match_id="m", status=newer).SerializeToString())
    assert convert.match(match).status is MatchStatus.UNKNOWN
    table = mm.Table.FromString(mm.Table(table_id="t", status=newer).SerializeToString())
    assert convert.table(table).status is TableStatus.UNKNOWN
    mine = convert.my_match(mm.MyMatch(table=table, status=newer))
    assert match_state(mine) == "Needs a newer app"


@pytest.mark.field(28)
def test_unknown_values_inside_a_position_are_unknown_one_by_one() -> None:
    newer: Any = 99
    piece = pb.SockerPiece(side=newer, cell=pb.Cell(column=1, row=1))
    message = pb.SockerObservation(pieces=[piece], phase=newer, turn=newer)
    view = view_from(pb.SockerObservation.FromString(message.SerializeToString()))
    assert not isinstance(view, UnknownView)
    assert (view.pieces[0].side, view.phase, view.turn) == (
        Side.UNKNOWN,
        Phase.UNKNOWN,
        Side.UNKNOWN,
    )
    toss = act_from(pb.SockerAction(toss=pb.SockerToss(winner=newer)))
    assert toss == SockerAct(Kind.TOSS, toss_winner=Side.UNKNOWN)


@pytest.mark.field(28)
def test_arms_of_a_newer_contract_are_unknown() -> None:
    newer = b"\x82\x7d\x02\x08\x01"  # field 2000: a message this app has never heard of
    assert act_from(pb.SockerAction.FromString(newer)) == UnknownAct()
    assert convert.act(play.Action.FromString(newer)) == UnknownAct()
    assert convert.act(play.Action(text="move:a1")) == UnknownAct()
    assert convert.view(play.Observation(text="hide_and_seek/1 2 | …")) == UnknownView()
    assert convert.update(rules.WatchMatchResponse.FromString(newer)) == Heartbeat(0)
    assert convert.options_from(play.Options(values={"new": play.OptionValue()})) == {}


@pytest.mark.field(28)
def test_games_this_app_can_not_draw_are_unknown() -> None:
    # A game without a typed contract travels as its notation.
    assert convert.view(play.Observation(text="ludo/1 4 | red a1")) == UnknownView()
    assert convert.act(play.Action(text="roll:6")) == UnknownAct()
    # One with a newer contract than this app's looks empty to it.
    assert convert.view(play.Observation()) == UnknownView()
    assert convert.act(play.Action()) == UnknownAct()


def test_a_piece_off_the_board_makes_the_view_unknown() -> None:
    piece = pb.SockerPiece(side=pb.SOCKER_SIDE_SOUTH, cell=pb.Cell(column=9, row=0))
    assert view_from(pb.SockerObservation(pieces=[piece])) == UnknownView()


def test_an_action_hidden_from_this_seat_is_unknown() -> None:
    event = convert.event(play.Event(revision=3, actor=1))
    assert event == Event(3, 1, UnknownAct())
    assert event.notation == ""


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("  Ada ", "Ada"),
        ("A\u202eda\u0000\n", "Ada"),
        ("가\u1100\u1161", "가가"),
        ("x" * 10_000, "x" * 23 + "…"),
        ("[b]Ada[/b]", "[b]Ada[/b]"),
    ],
)
def test_names_are_one_short_line_of_plain_text(sent: str, shown: str) -> None:
    assert convert.shown_name(sent) == shown


def test_seats_of_a_new_table() -> None:
    assert convert.seat_request(SeatWish.ME).WhichOneof("occupant") == "self"
    assert convert.seat_request(SeatWish.FRIEND).WhichOneof("occupant") == "open"


def test_options_survive_the_way_there_and_back() -> None:
    options: dict[str, OptionValue] = {
        "goals_to_win": 3,
        "recentre_into_goal": True,
        "edition": "german",
    }
    assert convert.options_from(convert.options_to(options)) == options
