"""Settings of the ai service and of its workers."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.common.settings import ServiceSettings


class AiSettings(ServiceSettings):
    """What the ai service reads."""

    poll_seconds: float = Field(2.0, description="how often to ask rules who waits, unless woken")


class WorkerSettings(BaseSettings):
    """What a worker reads. It has no database: everything it knows comes from rules."""

    model_config = SettingsConfigDict(env_prefix="ODDSOCKS_", frozen=True)

    redis_url: str = Field(..., description="redis://HOST:PORT/N, the queue")
    rules_address: str = Field(..., description="internal listener of rules")
    service_secret_file: Path = Field(..., description="the services' shared secret")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    worker_pulse_file: Path | None = Field(
        None, description="touched every 2 s while the worker can take jobs, for health checks"
    )
