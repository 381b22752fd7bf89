"""Asking rules on behalf of a person: its refusals are handed on as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import grpc

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import advice_internal_service_pb2 as pb
from services.ai.plan import Key
from services.common.auth import Kind, Principal
from services.common.errors import RefusedError, error_info

if TYPE_CHECKING:  # this type is in the stubs' descriptions only
    from oddsocks.rules.v1.advice_internal_service_pb2_grpc import AdviceInternalServiceAsyncStub

CALL_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows, in its game's notation."""

    game: str
    information: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over: its game, and how many seats it has."""

    game: str
    seats: int


@dataclass(frozen=True, slots=True)
class Asking:
    """Each call raises `RefusedError` for what the person may not know."""

    advice: AdviceInternalServiceAsyncStub

    async def knowledge(self, person: Principal, key: Key) -> Knowledge:
        """What the person's seat knows that is to act."""
        request = pb.GetKnowledgeRequest(
            **key._asdict(), player_id=_player(person), generation=person.generation
        )
        try:
            answer = await self.advice.GetKnowledge(request, timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            raise _refused(error) from error
        return Knowledge(answer.game, answer.information)

    async def finished(self, person: Principal, match_id: str) -> Finished:
        """A match that is over and that the person may see."""
        request = pb.CheckFinishedRequest(
            match_id=match_id, player_id=_player(person), generation=person.generation
        )
        try:
            answer = await self.advice.CheckFinished(request, timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            raise _refused(error) from error
        return Finished(answer.game, answer.seats)


def _player(person: Principal) -> str:
    if person.kind is not Kind.PLAYER:
        # Services have no seats, and see no matches here.
        raise RefusedError(ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match")
    return person.id


def _refused(error: grpc.aio.AioRpcError) -> RefusedError:
    info = error_info(error)
    if info is None:
        return RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "rules does not answer")
    reason = ErrorReason.Value(f"ERROR_REASON_{info.reason}")
    return RefusedError(reason, error.details() or "", **dict(info.metadata))
