"""Every RPC of every service, and who may make it: the one table.

A row names a method, a request that its rightful caller may make, and what everybody else hears
instead: the reason of the refusal, or "" where they may as well. What holds for all methods alike
(no token, an expired one, one that was signed out …) stands in test_permissions.py.

To add an RPC, add a row; `test_every_rpc_has_a_row` says which is missing. Several rows of one
method differ in what they ask for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.message import Message

from oddsocks.ai.v1 import admin_internal_service_pb2 as admin_ai
from oddsocks.ai.v1 import advice_pb2 as advice
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.ai.v1 import jobs_internal_service_pb2 as jobs
from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts
from oddsocks.matchmaking.v1 import admin_internal_service_pb2 as admin_mm
from oddsocks.matchmaking.v1 import friends_service_pb2 as friends
from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox
from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import push_service_pb2 as push
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.rules.v1 import admin_internal_service_pb2 as admin
from oddsocks.rules.v1 import advice_internal_service_pb2 as advice_rules
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls
from oddsocks.rules.v1 import news_internal_service_pb2 as news
from oddsocks.rules.v1 import players_internal_service_pb2 as players
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal
from oddsocks.rules.v1 import rules_service_pb2 as rules
from tests.contract.matchmaking.world import OPEN, SELF, fresh_id
from tests.contract.permissions.scene import Match, Scene

Ask: TypeAlias = Callable[[Scene], Message]

NO_MATCH: Final = "MATCH_NOT_FOUND"
NO_SEAT: Final = "NOT_YOUR_SEAT"
NO_TABLE: Final = "TABLE_NOT_FOUND"
INVALID: Final = "TOKEN_INVALID"
MISSING: Final = "UNIMPLEMENTED"


@dataclass(frozen=True, slots=True)
class Anybody:
    """A public method that needs no token."""

    method: str
    ask: Ask


@dataclass(frozen=True, slots=True)
class Players:
    """A public method that needs a player's token, and whose caller it says is `holder`.

    `right` is what the holder hears: "", or a refusal for another reason than who they are. The
    others are players, too: a `stranger` to the match, table or ticket; a `spectator` of the match
    who has no seat; one at another seat of it; a `former` holder of a seat. None: the request is
    about nothing but its caller, so they are no others. `service` is what a service hears that asks
    on the internal listener and has no seats.
    """

    method: str
    ask: Ask
    right: str = ""
    stranger: str | None = None
    spectator: str | None = None
    other_seat: str | None = None
    former: str | None = None
    service: str = INVALID


@dataclass(frozen=True, slots=True)
class Services:
    """A method of the internal listener; `by` is the one service that may, or any ("")."""

    method: str
    ask: Ask
    by: str = ""
    others: str = INVALID
    right: str = ""


Row: TypeAlias = Anybody | Players | Services


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


RULES: Final = (
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


RULES_INTERNAL: Final = (
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
        "matchmaking.v1.AdminInternalService/DescribePlayer",
        lambda scene: admin_mm.DescribePlayerRequest(player_id=scene.holder.player_id),
        by="admin",
    ),
    Services(
        "matchmaking.v1.AdminInternalService/CountPlayers",
        lambda _: admin_mm.CountPlayersRequest(),
        by="admin",
    ),
    Services(
        "ai.v1.AdminInternalService/Requeue",
        lambda scene: admin_ai.RequeueRequest(match_id=scene.match.match_id),
        by="admin",
    ),
    Services(
        "rules.v1.AdviceInternalService/GetKnowledge",
        lambda scene: advice_rules.GetKnowledgeRequest(
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
        lambda scene: advice_rules.GetKnowledgeRequest(
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
        lambda scene: advice_rules.CheckFinishedRequest(
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

ACCOUNTS: Final = (
    Anybody(
        "matchmaking.v1.MatchmakingService/SignInGuest",
        lambda _: mm.SignInGuestRequest(request_id=fresh_id()),
    ),
    Anybody(
        "matchmaking.v1.MatchmakingService/RefreshToken",
        lambda scene: mm.RefreshTokenRequest(refresh_token=scene.holder.refresh_token),
    ),
    Anybody(
        "matchmaking.v1.AccountsService/RecoverAccount",
        lambda scene: accounts.RecoverAccountRequest(recovery_code=scene.recovery_code),
    ),
    Anybody(
        "matchmaking.v1.AccountsService/LinkDevice",
        lambda scene: accounts.LinkDeviceRequest(
            request_id=f"a device of {scene.holder.player_id}", link_code=scene.link_code
        ),
    ),
    Players("matchmaking.v1.AccountsService/GetProfile", lambda _: accounts.GetProfileRequest()),
    Players(
        "matchmaking.v1.AccountsService/UpdateProfile",
        lambda _: accounts.UpdateProfileRequest(display_name="Zoë"),
    ),
    Players(
        "matchmaking.v1.AccountsService/CreateRecoveryCode",
        lambda _: accounts.CreateRecoveryCodeRequest(),
    ),
    Players(
        "matchmaking.v1.AccountsService/CreateLinkCode",
        lambda _: accounts.CreateLinkCodeRequest(),
    ),
    Players(
        "matchmaking.v1.AccountsService/SignOutEverywhere",
        lambda _: accounts.SignOutEverywhereRequest(),
    ),
    Players(
        "matchmaking.v1.AccountsService/SignOutEverywhere",
        lambda scene: accounts.SignOutEverywhereRequest(
            keep_refresh_token=scene.holder.refresh_token
        ),
        stranger="INVALID_FIELD",
    ),
    Players(
        "matchmaking.v1.AccountsService/DeleteAccount",
        lambda _: accounts.DeleteAccountRequest(),
    ),
)

FRIENDS: Final = (
    Players(
        "matchmaking.v1.FriendsService/GetFriendCode", lambda _: friends.GetFriendCodeRequest()
    ),
    Players(
        "matchmaking.v1.FriendsService/RenewFriendCode",
        lambda _: friends.RenewFriendCodeRequest(),
    ),
    Players(
        "matchmaking.v1.FriendsService/AddFriend",
        lambda scene: friends.AddFriendRequest(friend_code=scene.friend_code),
    ),
    Players("matchmaking.v1.FriendsService/ListFriends", lambda _: friends.ListFriendsRequest()),
    Players(
        "matchmaking.v1.FriendsService/RemoveFriend",
        lambda scene: friends.RemoveFriendRequest(player_id=scene.other.player_id),
    ),
    Players(
        "matchmaking.v1.FriendsService/BlockPlayer",
        lambda scene: friends.BlockPlayerRequest(player_id=scene.other.player_id),
    ),
    Players(
        "matchmaking.v1.FriendsService/UnblockPlayer",
        lambda scene: friends.UnblockPlayerRequest(player_id=scene.other.player_id),
    ),
    Players(
        "matchmaking.v1.FriendsService/ListBlockedPlayers",
        lambda _: friends.ListBlockedPlayersRequest(),
    ),
)

TABLES: Final = (
    Players(
        "matchmaking.v1.MatchmakingService/OpenTable",
        lambda _: mm.OpenTableRequest(request_id=fresh_id(), game="socker", seats=[SELF, OPEN]),
    ),
    Players(
        "matchmaking.v1.MatchmakingService/GetTable",
        lambda scene: mm.GetTableRequest(table_id=scene.left_table.table_id),
        stranger=NO_TABLE,
        former=NO_TABLE,
    ),
    Players(
        "matchmaking.v1.MatchmakingService/JoinTable",
        lambda scene: mm.JoinTableRequest(
            request_id=fresh_id(), invitation_code=scene.table.invitation_code
        ),
        stranger="",
    ),
    Players(
        # By its id only, without code: a table that is not listed opens to nobody but the invited.
        "matchmaking.v1.MatchmakingService/JoinTable",
        lambda scene: mm.JoinTableRequest(
            request_id=fresh_id(), table_id=scene.invited_to.table_id
        ),
        stranger=NO_TABLE,
    ),
    Players(
        "matchmaking.v1.MatchmakingService/LeaveTable",
        lambda scene: mm.LeaveTableRequest(table_id=scene.left_table.table_id),
        stranger=NO_TABLE,
        former=NO_TABLE,
    ),
    Players(
        "matchmaking.v1.MatchmakingService/Rematch",
        lambda scene: mm.RematchRequest(request_id=fresh_id(), match_id=scene.match.match_id),
        right="MATCH_RUNNING",
        stranger=NO_MATCH,
        spectator=NO_MATCH,
    ),
    Players("matchmaking.v1.MatchmakingService/ListMyMatches", lambda _: mm.ListMyMatchesRequest()),
    Players(
        "matchmaking.v1.PushService/RegisterDevice",
        lambda _: push.RegisterDeviceRequest(push_token=fresh_id(), time_zone="Asia/Seoul"),
    ),
    Players(
        "matchmaking.v1.PushService/ForgetDevice",
        lambda _: push.ForgetDeviceRequest(push_token=fresh_id()),
    ),
    Players("matchmaking.v1.LobbyService/ListOpenTables", lambda _: lobby.ListOpenTablesRequest()),
    Players(
        "matchmaking.v1.LobbyService/ListWatchableMatches",
        lambda _: lobby.ListWatchableMatchesRequest(),
    ),
    Players(
        "matchmaking.v1.LobbyService/GiveNonce",
        lambda scene: lobby.GiveNonceRequest(table_id=scene.left_table.table_id, nonce=b"n" * 16),
        stranger=NO_TABLE,
        former=NO_TABLE,
    ),
    Players(
        "matchmaking.v1.LobbyService/InviteFriend",
        lambda scene: lobby.InviteFriendRequest(
            table_id=scene.left_table.table_id, player_id=scene.other.player_id
        ),
        stranger=NO_TABLE,
        former=NO_TABLE,
    ),
    Players(
        "matchmaking.v1.LobbyService/DeclineInvitation",
        lambda scene: lobby.DeclineInvitationRequest(table_id=scene.invited_to.table_id),
    ),
    Players(
        "matchmaking.v1.LobbyService/MarkInvitationsSeen",
        lambda scene: lobby.MarkInvitationsSeenRequest(table_ids=[scene.invited_to.table_id]),
    ),
    Players("matchmaking.v1.InboxService/WatchInbox", lambda _: inbox.WatchInboxRequest()),
    Players("matchmaking.v1.InboxService/ListPhrases", lambda _: inbox.ListPhrasesRequest()),
    Players(
        "matchmaking.v1.InboxService/SendPhrase",
        lambda scene: inbox.SendPhraseRequest(
            request_id=fresh_id(), match_id=scene.match.match_id, seat=scene.match.seat, number=1
        ),
        stranger=NO_MATCH,
        spectator=NO_MATCH,
        other_seat=NO_SEAT,
    ),
    Players(
        "matchmaking.v1.TicketsService/OpenTicket",
        lambda _: tickets.OpenTicketRequest(request_id=fresh_id(), game="socker", seats=2),
    ),
    Players(
        "matchmaking.v1.TicketsService/GetTicket",
        lambda scene: tickets.GetTicketRequest(ticket_id=scene.ticket_id),
        stranger="TICKET_NOT_FOUND",
    ),
    Players(
        "matchmaking.v1.TicketsService/ListMyTickets", lambda _: tickets.ListMyTicketsRequest()
    ),
    Players(
        "matchmaking.v1.TicketsService/CloseTicket",
        lambda scene: tickets.CloseTicketRequest(ticket_id=scene.ticket_id),
        stranger="TICKET_NOT_FOUND",
    ),
    Players(
        "matchmaking.v1.RatingsService/ListMyRatings", lambda _: ratings.ListMyRatingsRequest()
    ),
    Players(
        "matchmaking.v1.RatingsService/ListLeaderboard",
        lambda _: ratings.ListLeaderboardRequest(game="socker"),
    ),
)

NO_JOB: Final = "JOB_NOT_FOUND"

AI: Final = (
    Players("ai.v1.AiService/ListAgents", lambda _: ai.ListAgentsRequest(), service=""),
    Players(
        "ai.v1.AiService/SuggestAction",
        lambda scene: ai.SuggestActionRequest(
            match_id=scene.match.match_id, seat=scene.match.seat, revision=scene.match.revision
        ),
        stranger=NO_MATCH,
        spectator=NO_SEAT,
        other_seat=NO_SEAT,
        former=NO_SEAT,
        service=NO_MATCH,
    ),
    # Who may see a match may look through it, as soon as nothing of it is hidden any more.
    Players(
        "ai.v1.AiService/ReviewMatch",
        lambda scene: ai.ReviewMatchRequest(match_id=scene.match.match_id, seat=scene.match.seat),
        right="MATCH_RUNNING",
        stranger=NO_MATCH,
        spectator="",
        other_seat="",
        former="",
        service=NO_MATCH,
    ),
    Services(
        "ai.v1.JobsInternalService/TakeHint",
        lambda _: jobs.TakeHintRequest(hint_id=fresh_id()),
        by="ai",
        right=NO_JOB,
    ),
    Services(
        "ai.v1.JobsInternalService/FinishHint",
        lambda scene: jobs.FinishHintRequest(
            hint_id=fresh_id(), hint=advice.Hint(action=scene.match.action)
        ),
        by="ai",
        right=NO_JOB,
    ),
    Services(
        "ai.v1.JobsInternalService/TakeReviewPart",
        lambda _: jobs.TakeReviewPartRequest(review_id=fresh_id()),
        by="ai",
        right=NO_JOB,
    ),
    Services(
        "ai.v1.JobsInternalService/FinishReviewPart",
        lambda _: jobs.FinishReviewPartRequest(review_id=fresh_id(), next=1, total=1),
        by="ai",
        right=NO_JOB,
    ),
)

ROWS: Final[tuple[Row, ...]] = (*RULES, *RULES_INTERNAL, *ACCOUNTS, *FRIENDS, *TABLES, *AI)
