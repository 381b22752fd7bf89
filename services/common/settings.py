"""Settings from the environment, all prefixed ODDSOCKS_; see `python -m services.X --help`."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class ServiceSettings(BaseSettings):
    """What every service reads. Addresses are `host:port`; port 0 picks a free one."""

    model_config = SettingsConfigDict(env_prefix="ODDSOCKS_", frozen=True)

    listen: str = Field("127.0.0.1:0", description="public listener, for the edge and the app")
    internal_listen: str = Field("127.0.0.1:0", description="listener for the other services")
    plain_text_network: bool = Field(
        False,
        description="allow listeners beyond loopback although they speak plain text: only inside"
        " a private container network",
    )
    database_url: str = Field(
        ..., description="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    )
    redis_url: str = Field("", description="redis://HOST:PORT/N; empty: play without a cache")
    keys_file: Path = Field(..., description="players' keys (signing.json or verify.json)")
    service_secret_file: Path = Field(..., description="the services' shared secret")
    rules_address: str = Field("127.0.0.1:0", description="internal listener of rules")
    ai_address: str = Field("127.0.0.1:0", description="internal listener of ai")
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING or ERROR")
    metrics_listen: str = Field("", description="host:port for Prometheus; empty: none")
    drain_seconds: float = Field(8.0, description="grace for running calls after SIGTERM")
    ready_file: Path | None = Field(
        None, description="written once healthy: JSON with the ports that were picked"
    )

    @field_validator("redis_url")
    @classmethod
    def _redis_scheme(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return url

    @model_validator(mode="after")
    def _loopback_unless_allowed(self) -> Self:
        for name in ("listen", "internal_listen"):
            host = getattr(self, name).rpartition(":")[0]
            if not self.plain_text_network and host not in ("127.0.0.1", "localhost", "[::1]"):
                raise ValueError(
                    f"{name}={getattr(self, name)}: plain text stays on loopback; put TLS in front"
                    " or set ODDSOCKS_PLAIN_TEXT_NETWORK=1 inside a private network"
                )
        return self


def describe(settings: type[ServiceSettings]) -> str:
    """The settings with defaults, a line each, for `--help`."""
    lines = []
    for name, info in settings.model_fields.items():
        default = "required" if info.is_required() else f"default {info.default!r}"
        lines.append(f"  ODDSOCKS_{name.upper():<22} {info.description} ({default})")
    return "\n".join(lines)


def one_line(error: ValidationError) -> str:
    """What is wrong with the settings and which variable to change, in one line."""
    first = error.errors()[0]
    where = "_".join(str(part) for part in first["loc"]).upper()
    problem = first["msg"].removeprefix("Value error, ")
    return f"set ODDSOCKS_{where}: {problem}" if where else problem
