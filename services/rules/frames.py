"""Messages that are made once and copied, which costs a tenth of making them again.

What never changes about a match or a game stands here; `convert` adds what a seat sees of the
position. Nothing here depends on who asks, and none of it may be changed: copy it, as `CopyFrom`
and a new message's fields do (docs/adr/0082).
"""

from __future__ import annotations

from functools import lru_cache

from oddsocks.play.v1 import play_pb2
from services.engine.core import Action, Seat
from services.engine.core.fairness import commitment
from services.engine.core.registry import AnyRuleset
from services.rules.match import MatchInfo, Occupant
from services.rules.table_rules import rules_to_message
from services.wire.actions import action_to_message, visible_to_message
from services.wire.options import options_to_message


@lru_cache(maxsize=2_000)
def of_game(info: MatchInfo) -> play_pb2.Match:
    """The game of a match and how it is played."""
    return play_pb2.Match(
        match_id=info.match_id,
        game=info.ruleset.game,
        ruleset_version=info.ruleset.version,
        options=options_to_message(dict(info.options)),
        pace=play_pb2.Pace.ValueType(info.pace),
    )


@lru_cache(maxsize=2_000)
def of_match(info: MatchInfo) -> play_pb2.Match:
    """Also who sits there, what the table agreed, and what is told of the seed from the start."""
    message = play_pb2.Match(
        seats=[_seat(seat, who) for seat, who in enumerate(info.seats)],
        rules=rules_to_message(info.rules),
        fairness=play_pb2.Fairness(
            scheme=info.draws.scheme, seed_sha256=commitment(info.seed), nonces=info.nonces
        ),
    )
    message.MergeFrom(of_game(info))
    return message


def _seat(seat: Seat, who: Occupant) -> play_pb2.Seat:
    message = play_pb2.Seat(seat=seat, display_name=who.display_name)
    if who.player_id is None:
        message.agent = who.agent or ""
    else:
        message.player_id = who.player_id
    return message


class Listed(dict[Action, bytes]):
    """The actions of a game as they stand in a list of legal ones, in bytes by action.

    The bytes of several, joined, are those of a view with all of them in its list: reading them is
    cheaper than copying as many messages, and what all views of a game list are the same few.
    """

    def __init__(self, game: AnyRuleset) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, action: Action) -> bytes:
        listed = play_pb2.SeatView(legal_actions=[action_to_message(self._game, action)])
        return self.setdefault(action, listed.SerializeToString())


@lru_cache(maxsize=100)
def of_actions(game: AnyRuleset) -> Listed:
    """The actions of a game."""
    return Listed(game)


@lru_cache(maxsize=10_000)
def of_seen(game: AnyRuleset, text: str) -> play_pb2.Action | None:
    """An action as seats see it, by its notation; None when it is hidden."""
    return visible_to_message(game, text)
