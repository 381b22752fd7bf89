"""Who may make which call of ai."""

from __future__ import annotations

from typing import Final

from oddsocks.ai.v1 import admin_internal_service_pb2 as admin
from oddsocks.ai.v1 import advice_pb2 as advice
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.ai.v1 import jobs_internal_service_pb2 as jobs
from tests.contract.matchmaking.world import fresh_id
from tests.contract.permissions.rows import NO_MATCH, NO_SEAT, Players, Row, Services

NO_JOB: Final = "JOB_NOT_FOUND"

AI: Final[tuple[Row, ...]] = (
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
    Services(
        "ai.v1.AdminInternalService/Requeue",
        lambda scene: admin.RequeueRequest(match_id=scene.match.match_id),
        by="admin",
    ),
)
