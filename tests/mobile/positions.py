"""Positions written in the engine's notation, as the app sees them."""

from __future__ import annotations

from app.model.socker import Cell, Side, SockerAct, SockerView
from app.model.socker_touch import Hand
from app.model.values import Occupant
from app.net import convert
from app.net.fake import ME
from services.engine.core.registry import ruleset
from services.wire.actions import action_to_message
from services.wire.observations import observation_to_message

TURN = "socker/1 2 | 9/4N4/2N3N2/9/5N3/9/9/3oS1S2/1n1S5/4S4/2S6 south:1/3"
"""South to act: d3 next to the ball on d4; a North socker lies on b3."""
SETUP = "socker/1 2 | 9/9/9/9/9/4o4/9/9/4S4/9/9 setup:south"
RECENTRE = "socker/1 2 | 9/4S1S2/9/9/9/9/9/9/9/9/9 south:3/3 pick=e10"
NEARLY = "socker/1 2 | 9/4oN3/4S1N2/9/5N3/9/9/4S1S2/1n1S5/4S4/9 south:1/3"
"""One kick from a goal for South."""

SEATS = (
    Occupant(player_id=ME.player_id, display_name="Ada"),
    Occupant(player_id="p-friend", display_name="Ben"),
)
"""A match of this device's player against a friend elsewhere."""


def cell(name: str) -> Cell:
    """`e4` as (column, row)."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)


def acts(position: str) -> tuple[SockerAct, ...]:
    """What the actor may do, as the app gets it over the wire."""
    rules = ruleset("socker")
    state = rules.parse_state(position)
    found = [convert.act(action_to_message(rules, a)) for a in rules.legal_actions(state)]
    return tuple(act for act in found if isinstance(act, SockerAct))


def view(position: str) -> SockerView:
    """What a seat sees, as the app gets it over the wire."""
    rules = ruleset("socker")
    message = observation_to_message(rules, rules.observe(rules.parse_state(position), 0))
    seen = convert.view(message)
    assert isinstance(seen, SockerView)
    return seen


def hand(position: str, picked: str = "", side: Side = Side.SOUTH) -> Hand:
    """The hand of the side to act."""
    return Hand(view(position), acts(position), side, cell(picked) if picked else None)
