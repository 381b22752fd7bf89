"""Settings of the command for operators."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class AdminSettings(BaseSettings):
    """Where the services are."""

    model_config = SettingsConfigDict(env_prefix="ODDSOCKS_", frozen=True)

    rules_address: str = Field(..., description="internal listener of rules")
    ai_address: str = Field(..., description="internal listener of ai")
    matchmaking_address: str = Field(
        "matchmaking:50052", description="internal listener of matchmaking"
    )
    service_secret_file: Path = Field(..., description="the services' shared secret")
