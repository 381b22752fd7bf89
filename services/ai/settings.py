"""Settings of the ai service and of its workers."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from services.ai.celery_app import MEMORY_MB
from services.common.settings import ClockSettings, ServiceSettings, is_loopback


class AiSettings(ServiceSettings):
    """What the ai service reads."""

    poll_seconds: float = Field(2.0, description="how often to ask rules who waits, unless woken")
    hint_seconds: float = Field(
        4.0, gt=0, description="that a worker may take for a hint, before it is found here"
    )
    review_seconds: float = Field(
        60.0, gt=0, description="of search for one review; a long match has less for each decision"
    )


class WorkerSettings(ClockSettings):
    """What a worker reads. It has no database: everything it knows comes from rules."""

    redis_url: str = Field(..., description="redis://HOST:PORT/N, the queue")
    rules_address: str = Field(..., description="internal listener of rules")
    ai_address: str = Field(
        "", description="internal listener of ai; without it no hints and reviews are worked on"
    )
    service_secret_file: Path = Field(..., description="the services' shared secret")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    worker_memory_mb: int = Field(
        MEMORY_MB, ge=1, description="a process that held more makes way for another"
    )
    worker_pulse_file: Path | None = Field(
        None, description="touched every 2 s while the worker can take jobs, for health checks"
    )

    @model_validator(mode="after")
    def _no_test_clock_in_service(self) -> Self:
        if self.test_clock and not is_loopback(self.rules_address):
            raise ValueError("ODDSOCKS_TEST_CLOCK is for tests on loopback; take it away")
        return self
