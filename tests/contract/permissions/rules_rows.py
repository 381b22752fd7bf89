"""Who may make which call of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message

from oddsocks.play.v1 import play_pb2 as play
from oddsocks.rules.v1 import admin_internal_service_pb2 as admin
from oddsocks.rules.v1 import advice_internal_service_pb2 as advice
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls
from oddsocks.rules.v1 import news_internal_service_pb2 as news
from oddsocks.rules.v1 import players_internal_service_pb2 as players
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal
from oddsocks.rules.v1 import rules_service_pb2 as rules
from tests.contract.matchmaking.world import fresh_id
from tests.contract.permissions.rows import NO_MATCH, NO_SEAT, Players, Row, Services
from tests.contract.permissions.scene import Match, Scene


def _of_match(
    method: str, ask: Callable[[Match], Message], *, seatless: bool = False, right: str = ""
) -> Players:
    """A method of rules about a match; `seatless` for what a spectator may ask as well."""
    no_seat = "" if seatless else NO_SEAT
    return Players(
        f"rules.v1.RulesService/{method}",
        lambda scene: ask(scene.match),
        right=right,
        stranger=NO_MATCH,
        spectator=no_seat,
        other_seat=no_seat,
        former=no_seat,
        service=NO_MATCH,
    )


def _wish(method: str, right: str = "", **fields: object) -> Players:
    """A method of rules by which a seat wants something."""
    request = getattr(rules, f"{method}Request")
    return _of_match(
        method,
        lambda match: request(
            match_id=match.match_id, seat=match.seat, request_id=fresh_id(), **fields
        ),
        right=right,
    )


PUBLIC: Final = (
    Players("rules.v1.RulesService/ListGames", lambda _: rules.ListGamesRequest(), service=""),
    _of_match(
        "GetMatch", lambda match: rules.GetMatchRequest(match_id=match.match_id), seatless=True
    ),
    _of_match(
        "GetMatch",
        lambda match: rules.GetMatchRequest(match_id=match.match_id, seats=[match.seat]),
    ),
    _of_match(
        "ListLegalActions",
        lambda match: rules.ListLegalActionsRequest(match_id=match.match_id, seat=match.seat),
    ),
    _of_match(
        "SubmitAction",
        lambda match: rules.SubmitActionRequest(
            match_id=match.match_id,
            seat=match.seat,
            request_id=fresh_id(),
            expected_revision=match.revision,
            action=match.action,
        ),
    ),
    _of_match(
        "UndoAction",
        lambda match: rules.UndoActionRequest(
            match_id=match.match_id,
            seat=match.seat,
            request_id=fresh_id(),
            expected_revision=match.revision,
        ),
        right="CANNOT_UNDO",
    ),
    _of_match(
        "AskTakeback",
        lambda match: rules.AskTakebackRequest(
            match_id=match.match_id,
            seat=match.seat,
            request_id=fresh_id(),
            expected_revision=match.revision,
        ),
        right="CANNOT_UNDO",
    ),
    _wish("OfferEnd"),
    _wish("AnswerAsk", right="ASK_LAPSED"),
    _wish("Resign"),
    _wish("TakeSeatBack"),
    _wish("SetVacation", right="TABLE_FORBIDS", days=1),
    _of_match(
        "WatchMatch",
        lambda match: rules.WatchMatchRequest(match_id=match.match_id),
        seatless=True,
    ),
    _of_match(
        "WatchMatch",
        lambda match: rules.WatchMatchRequest(match_id=match.match_id, seats=[match.seat]),
    ),
    _of_match(
        "ListEvents", lambda match: rules.ListEventsRequest(match_id=match.match_id), seatless=True
    ),
    _of_match(
        "ListEvents",
        lambda match: rules.ListEventsRequest(match_id=match.match_id, seats=[match.seat]),
    ),
    _of_match(
        "GetPly",
        lambda match: rules.GetPlyRequest(match_id=match.match_id, revision=1),
        seatless=True,
    ),
    _of_match(
        "GetPly",
        lambda match: rules.GetPlyRequest(match_id=match.match_id, revision=1, seats=[match.seat]),
    ),
    _of_match(
        "ExportMatch",
        lambda match: rules.ExportMatchRequest(match_id=match.match_id),
        seatless=True,
        right="MATCH_RUNNING",
    ),
)


def _call(scene: Scene) -> calls.Call:
    return calls.Call(match_id=scene.match.match_id, player_id=scene.holder.player_id)


INTERNAL: Final = (
    Services(
        "rules.v1.RulesInternalService/PromiseSeed",
        lambda _: internal.PromiseSeedRequest(request_id=fresh_id()),
    ),
    Services(
        "rules.v1.RulesInternalService/CreateMatch",
        lambda scene: internal.CreateMatchRequest(
            request_id=fresh_id(),
            game="socker",
            seats=[
                play.Seat(seat=0, player_id=scene.holder.player_id),
                play.Seat(seat=1, player_id=scene.other.player_id),
            ],
        ),
    ),
    Services(
        "rules.v1.RulesInternalService/GetInformationState",
        # The seat of a person: nobody's business, not even the service's that acts for agents.
        lambda scene: internal.GetInformationStateRequest(
            match_id=scene.match.match_id, seat=scene.match.seat, revision=scene.match.revision
        ),
        by="ai",
        right=NO_SEAT,
        others=NO_MATCH,
    ),
    Services(
        "rules.v1.RulesInternalService/ListWaitingSeats",
        lambda _: internal.ListWaitingSeatsRequest(),
    ),
    Services(
        "rules.v1.RulesInternalService/ListFinishedMatches",
        lambda _: internal.ListFinishedMatchesRequest(),
    ),
    Services(
        "rules.v1.RulesInternalService/ListMatchSummaries",
        lambda scene: internal.ListMatchSummariesRequest(match_ids=[scene.match.match_id]),
    ),
    Services(
        "rules.v1.AdminInternalService/DescribeMatch",
        lambda scene: admin.DescribeMatchRequest(match_id=scene.match.match_id),
        by="admin",
    ),
    Services(
        "rules.v1.AdminInternalService/CountMatches",
        lambda _: admin.CountMatchesRequest(),
        by="admin",
    ),
    Services(
        "rules.v1.AdviceInternalService/GetKnowledge",
        lambda scene: advice.GetKnowledgeRequest(
            match_id=scene.match.match_id,
            seat=scene.match.seat,
            revision=scene.match.revision,
            player_id=scene.holder.player_id,
        ),
        by="ai",
    ),
    Services(
        "rules.v1.AdviceInternalService/GetKnowledge",
        # Also for the service that finds the hints it matters who asks for one.
        lambda scene: advice.GetKnowledgeRequest(
            match_id=scene.match.match_id,
            seat=scene.match.seat,
            revision=scene.match.revision,
            player_id=scene.other.player_id,
        ),
        by="ai",
        right=NO_SEAT,
    ),
    Services(
        "rules.v1.AdviceInternalService/CheckFinished",
        lambda scene: advice.CheckFinishedRequest(
            match_id=scene.match.match_id, player_id=scene.holder.player_id
        ),
        by="ai",
        right="MATCH_RUNNING",
    ),
    Services(
        "rules.v1.CallsInternalService/ListCalls",
        lambda _: calls.ListCallsRequest(),
        by="matchmaking",
    ),
    Services(
        "rules.v1.CallsInternalService/AckCalls",
        lambda scene: calls.AckCallsRequest(calls=[_call(scene)]),
        by="matchmaking",
    ),
    Services(
        "rules.v1.CallsInternalService/CheckCalls",
        lambda scene: calls.CheckCallsRequest(calls=[_call(scene)]),
        by="matchmaking",
    ),
    Services(
        "rules.v1.NewsInternalService/ListNews",
        lambda scene: news.ListNewsRequest(player_id=scene.holder.player_id),
        by="matchmaking",
    ),
    Services(
        "rules.v1.PlayersInternalService/EndSessions",
        lambda scene: players.EndSessionsRequest(player_id=scene.holder.player_id, generation=1),
        by="matchmaking",
    ),
    Services(
        "rules.v1.PlayersInternalService/ForgetPlayer",
        lambda scene: players.ForgetPlayerRequest(
            player_id=scene.holder.player_id, generation=1, display_name="Guest"
        ),
        by="matchmaking",
    ),
)

RULES: Final[tuple[Row, ...]] = (*PUBLIC, *INTERNAL)
