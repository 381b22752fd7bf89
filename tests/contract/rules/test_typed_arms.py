"""A whole match of every game with a typed contract, once in typed actions and once in notation."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.engine.core.registry import ruleset
from services.rules import matches
from services.wire.actions import action_from_message
from services.wire.codecs import CODECS
from services.wire.observations import observation_from_message
from tests.fixtures.rules import Client, make_settings, new_match_request, serving

SHORT: dict[str, dict[str, Any]] = {
    "socker": {"turn_limit": 6, "sudden_cap": 1},
    "sock_monsters": {"round_cap": 6},
}


@dataclass
class Played:
    """What a match was, as its players could see it."""

    submitted: list[tuple[int, str]]
    """Seats with the notation of what they did."""
    match: play_pb2.Match
    events: list[play_pb2.Event]


@pytest.mark.parametrize("game", CODECS)
async def test_both_arms_make_the_same_match(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The dice follow from these two, so that both matches have the same luck.
    monkeypatch.setattr(matches, "new_seed", lambda: bytes(32))
    monkeypatch.setattr(matches, "uuid", SimpleNamespace(uuid4=lambda: UUID(int=5)))
    by_arm = {}
    for arm in (game, "text"):
        url = f"sqlite:///{tmp_path}/{arm}.db"
        async with serving(make_settings(tmp_path / "keys", url), clock=lambda: 9) as (rules, _):
            request = new_match_request(arm, "anna", "anna", **SHORT.get(game, {}))
            request.game = game
            made = await rules.service("matchmaking").call("CreateMatch", request)
            by_arm[arm] = await play(rules.player("anna"), made.match_id, arm)
    assert by_arm[game].submitted
    assert by_arm[game] == by_arm["text"]


async def play(anna: Client, match_id: str, arm: str) -> Played:
    """Play both seats of a match at random, submitting actions in this arm."""
    rng, submitted = random.Random(11), list[tuple[int, str]]()
    while (match := await anna.match(match_id)).status == play_pb2.MATCH_STATUS_RUNNING:
        rules, view = ruleset(match.game), match.views[match.actor]
        for one in match.views:
            assert one.observation.WhichOneof("observation") == match.game
            observation_from_message(rules, one.observation)
        action = rng.choice(list(view.legal_actions))
        assert action.WhichOneof("action") == match.game
        notation = rules.format_action(action_from_message(rules, action))
        request = rules_pb2.SubmitActionRequest(
            match_id=match_id,
            seat=match.actor,
            request_id=f"at-{match.revision}",
            expected_revision=match.revision,
            action=play_pb2.Action(text=notation) if arm == "text" else action,
        )
        reply = await anna.call("SubmitAction", request)
        # A retry says the same whichever arm it is in.
        request.action.CopyFrom(action)
        assert await anna.call("SubmitAction", request) == reply
        submitted.append((match.actor, notation))
    events = await anna.events(match_id)
    seen = [event.action for event in events if event.HasField("action")]
    assert {action.WhichOneof("action") for action in seen} == {match.game}
    return Played(submitted, match, events)
