"""Settings of the matchmaking service."""

from __future__ import annotations

from pydantic import Field

from services.common.sessions import LONGEST_ACCESS_MS
from services.common.settings import ServiceSettings


class MatchmakingSettings(ServiceSettings):
    """What matchmaking reads."""

    access_minutes: int = Field(
        60,
        ge=1,
        le=LONGEST_ACCESS_MS // 60_000,
        description="how long an access token lasts",
    )
    refresh_days: int = Field(180, ge=1, description="how long an unused refresh token lasts")
    sign_ins_per_hour: int = Field(
        200, ge=1, description="most sign-ins of new devices from one address, say a school's"
    )
    heartbeat_seconds: float = Field(
        20.0, gt=0, description="how long a stream of an inbox may be silent"
    )
    pairing_seconds: float = Field(
        1.0, gt=0, description="how often to look whose tickets for quick match fit each other"
    )
    sweep_seconds: float = Field(
        2.0, gt=0, description="how often to start full tables again and to read finished matches"
    )
