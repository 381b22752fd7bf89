"""Settings of the matchmaking service."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

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
    push_seconds: float = Field(
        2.0, gt=0, description="how often to look whom to call whose app is closed"
    )
    fcm_credentials_file: Path | None = Field(
        None, description="JSON of Firebase's service account, to call phones; empty: only log"
    )
    fcm_url: str = Field("https://fcm.googleapis.com", description="where Firebase's API is")
    sweep_seconds: float = Field(
        2.0, gt=0, description="how often to start full tables again and to read finished matches"
    )

    @field_validator("fcm_credentials_file", mode="before")
    @classmethod
    def _empty_is_none(cls, path: object) -> object:
        return None if path == "" else path

    @field_validator("fcm_url")
    @classmethod
    def _no_plain_text(cls, url: str) -> str:
        if not url.startswith(("https://", "http://127.0.0.1:")):
            raise ValueError("must start with https://")
        return url
