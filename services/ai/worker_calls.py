"""The calls of one worker process: its channels, opened after the fork, and its tokens."""

from __future__ import annotations

from functools import cache

import grpc

from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import JobsInternalServiceStub
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceStub
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai.answers import SERVICE
from services.ai.settings import WorkerSettings
from services.common.auth import ServiceTokens, read_secret
from services.common.clock import system_clock


class WorkerCalls:
    """Stubs of the services that workers ask, and what to send along."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._tokens = ServiceTokens(
            SERVICE, read_secret(settings.service_secret_file), system_clock
        )
        to_rules = grpc.insecure_channel(settings.rules_address)
        self.internal = RulesInternalServiceStub(to_rules)
        self.rules = RulesServiceStub(to_rules)
        # No call is made of a worker without an address of ai: nothing tells it of such jobs.
        self.jobs = JobsInternalServiceStub(grpc.insecure_channel(settings.ai_address or "unset"))

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The token by which a worker calls."""
        return (("authorization", f"Bearer {self._tokens.current()}"),)


@cache
def worker_calls() -> WorkerCalls:
    """Those of this process, opened by its first job: a channel does not survive a fork."""
    return WorkerCalls(WorkerSettings())
