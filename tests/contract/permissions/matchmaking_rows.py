"""Who may make which call of matchmaking."""

from __future__ import annotations

from typing import Final

from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts
from oddsocks.matchmaking.v1 import admin_internal_service_pb2 as admin
from oddsocks.matchmaking.v1 import friends_service_pb2 as friends
from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox
from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import push_service_pb2 as push
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets
from tests.contract.matchmaking.world import OPEN, SELF, fresh_id
from tests.contract.permissions.rows import NO_MATCH, NO_SEAT, Anybody, Players, Row, Services

NO_TABLE: Final = "TABLE_NOT_FOUND"

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

INTERNAL: Final = (
    Services(
        "matchmaking.v1.AdminInternalService/DescribePlayer",
        lambda scene: admin.DescribePlayerRequest(player_id=scene.holder.player_id),
        by="admin",
    ),
    Services(
        "matchmaking.v1.AdminInternalService/CountPlayers",
        lambda _: admin.CountPlayersRequest(),
        by="admin",
    ),
)

MATCHMAKING: Final[tuple[Row, ...]] = (*ACCOUNTS, *FRIENDS, *TABLES, *INTERNAL)
