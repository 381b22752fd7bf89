"""Settings of the rules service."""

from __future__ import annotations

from pydantic import Field

from services.common.settings import ServiceSettings


class RulesSettings(ServiceSettings):
    """What the rules service reads beside the common settings."""

    heartbeat_seconds: float = Field(
        20.0, gt=0, description="longest silence on a stream that follows a match"
    )
    matches_in_memory: int = Field(2_000, ge=1, description="positions kept at hand")
