"""Settings from the environment, all prefixed ODDSOCKS_; see `python -m services.X --help`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.common.clock import use_test_clock

_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(address: str) -> bool:
    """Whether nobody outside of this machine can be at a `host:port`."""
    return address.rpartition(":")[0] in _LOOPBACK


class ClockSettings(BaseSettings):
    """What every process reads: where its time comes from."""

    model_config = SettingsConfigDict(env_prefix="ODDSOCKS_", frozen=True)

    test_clock: bool = Field(
        False, description="let a test move this process's clock: on loopback only"
    )
    test_clock_file: Path | None = Field(
        None, description="with ODDSOCKS_TEST_CLOCK=1: the file with the milliseconds to add"
    )

    @model_validator(mode="after")
    def _clock_with_its_file(self) -> Self:
        if self.test_clock != (self.test_clock_file is not None):
            raise ValueError(
                "ODDSOCKS_TEST_CLOCK=1 and ODDSOCKS_TEST_CLOCK_FILE go together, in tests only"
            )
        return self

    def set_clock(self) -> None:
        """Take the time from where the settings say."""
        use_test_clock(self.test_clock_file)


class ServiceSettings(ClockSettings):
    """What every service reads. Addresses are `host:port`; port 0 picks a free one."""

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
    behind_edge: bool = Field(
        False, description="take callers' addresses from the edge: nobody else may reach us then"
    )
    minimum_client_version: str = Field(
        "", description='the oldest app let in, like "1.2.3"; empty: any'
    )
    account_calls_per_minute: int = Field(
        1_200, ge=0, description="most calls of one account, also at once; 0: any number"
    )
    address_calls_per_minute: int = Field(
        12_000, ge=0, description="most calls from one address, say a school's; 0: any number"
    )
    keepalive_seconds: float = Field(
        30.0, gt=0, description="silence after which a client is asked whether it is still there"
    )
    drain_seconds: float = Field(8.0, description="grace for running calls after SIGTERM")
    ready_file: Path | None = Field(
        None, description="written once healthy: JSON with the ports that were picked"
    )

    @field_validator("listen", "internal_listen", "metrics_listen")
    @classmethod
    def _has_port(cls, address: str) -> str:
        port = address.rpartition(":")[2]
        if address and not (":" in address and port.isdecimal() and int(port) < 65_536):
            raise ValueError(f"not host:port with a port up to 65535: '{address[:80]}'")
        return address

    @field_validator("redis_url")
    @classmethod
    def _redis_scheme(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must start with redis://, rediss:// or unix://")
        return url

    @field_validator("minimum_client_version")
    @classmethod
    def _is_version(cls, text: str) -> str:
        if text and re.fullmatch(r"\d{1,6}\.\d{1,6}(\.\d{1,6})?", text) is None:
            raise ValueError('must be a version like "1.2.3"')
        return text

    @model_validator(mode="after")
    def _loopback_unless_allowed(self) -> Self:
        for name in ("listen", "internal_listen"):
            if not self.plain_text_network and not is_loopback(getattr(self, name)):
                raise ValueError(
                    f"{name}={getattr(self, name)}: plain text stays on loopback; put TLS in front"
                    " or set ODDSOCKS_PLAIN_TEXT_NETWORK=1 inside a private network"
                )
        return self

    @model_validator(mode="after")
    def _no_test_clock_in_service(self) -> Self:
        addresses = filter(None, (self.listen, self.internal_listen, self.metrics_listen))
        if self.test_clock and (self.plain_text_network or not all(map(is_loopback, addresses))):
            raise ValueError(
                "ODDSOCKS_TEST_CLOCK is for tests on loopback: who can move the time can end"
                " anybody's turn; take it away"
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
