"""The RPCs of devices to be called: read the request, call, answer."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.matchmaking.v1 import push_service_pb2 as pb
from oddsocks.matchmaking.v1.push_service_pb2_grpc import PushServiceServicer
from services.common.interceptors import Context
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.push.calling import PushDevices
from services.matchmaking.push.quiet import read_quiet


@dataclass(frozen=True, slots=True)
class PushServicer(PushServiceServicer):
    """See push_service.proto."""

    accounts: Accounts
    devices: PushDevices

    async def RegisterDevice(
        self, request: pb.RegisterDeviceRequest, context: Context
    ) -> pb.RegisterDeviceResponse:
        """Call this device."""
        account = await self.accounts.calling()
        quiet = read_quiet(request.time_zone, request.quiet_from, request.quiet_until)
        await self.devices.register(account, request.push_token, quiet)
        return pb.RegisterDeviceResponse()

    async def ForgetDevice(
        self, request: pb.ForgetDeviceRequest, context: Context
    ) -> pb.ForgetDeviceResponse:
        """Call it no more."""
        await self.devices.forget(await self.accounts.calling(), request.push_token)
        return pb.ForgetDeviceResponse()
