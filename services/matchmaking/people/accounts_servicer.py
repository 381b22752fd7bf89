"""The RPCs of accounts: read the request, call, convert the answer."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.matchmaking.v1 import accounts_service_pb2 as pb
from oddsocks.matchmaking.v1.accounts_service_pb2_grpc import AccountsServiceServicer
from services.common.interceptors import Context
from services.matchmaking.convert import tokens_to_message
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.people.convert import player_to_message, profile_to_message
from services.matchmaking.people.deletion import Deletion
from services.matchmaking.people.devices import Devices
from services.matchmaking.people.model import LANGUAGES, PICTURES
from services.matchmaking.people.profiles import Profiles


@dataclass(frozen=True, slots=True)
class AccountsServicer(AccountsServiceServicer):
    """See accounts_service.proto."""

    accounts: Accounts
    profiles: Profiles
    devices: Devices
    deletion: Deletion

    async def GetProfile(
        self, request: pb.GetProfileRequest, context: Context
    ) -> pb.GetProfileResponse:
        """Who the caller is, and what there is to choose from."""
        account = await self.accounts.calling()
        return pb.GetProfileResponse(
            profile=profile_to_message(account),
            pictures=PICTURES,
            languages=LANGUAGES,
            has_recovery_code=account.has_recovery_code,
        )

    async def UpdateProfile(
        self, request: pb.UpdateProfileRequest, context: Context
    ) -> pb.UpdateProfileResponse:
        """Change what the request names."""
        account = await self.profiles.update(
            await self.accounts.calling(),
            request.display_name if request.HasField("display_name") else None,
            request.picture if request.HasField("picture") else None,
            request.language if request.HasField("language") else None,
        )
        return pb.UpdateProfileResponse(profile=profile_to_message(account))

    async def CreateRecoveryCode(
        self, request: pb.CreateRecoveryCodeRequest, context: Context
    ) -> pb.CreateRecoveryCodeResponse:
        """A code to print."""
        code = await self.devices.new_recovery_code(await self.accounts.calling())
        return pb.CreateRecoveryCodeResponse(recovery_code=code)

    async def RecoverAccount(
        self, request: pb.RecoverAccountRequest, context: Context
    ) -> pb.RecoverAccountResponse:
        """The account of a recovery code."""
        account, tokens = await self.devices.recover(request.recovery_code)
        return pb.RecoverAccountResponse(
            player=player_to_message(account), tokens=tokens_to_message(tokens)
        )

    async def CreateLinkCode(
        self, request: pb.CreateLinkCodeRequest, context: Context
    ) -> pb.CreateLinkCodeResponse:
        """A code for another device."""
        code, expires_at_ms = await self.devices.new_link_code(await self.accounts.calling())
        return pb.CreateLinkCodeResponse(link_code=code, expires_at_ms=expires_at_ms)

    async def LinkDevice(
        self, request: pb.LinkDeviceRequest, context: Context
    ) -> pb.LinkDeviceResponse:
        """The account of a link code."""
        account, tokens = await self.devices.link(request.request_id, request.link_code)
        return pb.LinkDeviceResponse(
            player=player_to_message(account), tokens=tokens_to_message(tokens)
        )

    async def SignOutEverywhere(
        self, request: pb.SignOutEverywhereRequest, context: Context
    ) -> pb.SignOutEverywhereResponse:
        """End all sessions, but perhaps this one."""
        account = await self.accounts.calling()
        code = await self.devices.sign_out_everywhere(account, request.keep_refresh_token)
        return pb.SignOutEverywhereResponse(recovery_code=code)

    async def DeleteAccount(
        self, request: pb.DeleteAccountRequest, context: Context
    ) -> pb.DeleteAccountResponse:
        """Delete the caller's account."""
        await self.deletion.delete(await self.accounts.calling())
        return pb.DeleteAccountResponse()
