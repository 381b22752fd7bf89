"""Refusals: each reason of the contract has its status, and travels whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from grpc import StatusCode

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import STATUS, RefusedError, invalid_field, short_reason

PROTO = Path(__file__).parents[3] / "proto/oddsocks/play/v1/errors.proto"


def documented() -> dict[str, str]:
    """The status that the contract's comment names for each reason."""
    pattern = r"// ([A-Z_]+):[^=]*?\n  (ERROR_REASON_\w+) = \d+;"
    return {reason: status for status, reason in re.findall(pattern, PROTO.read_text())}


def test_every_reason_has_the_status_its_comment_names() -> None:
    ours = {ErrorReason.Name(reason): status.name for reason, status in STATUS.items()}
    assert ours == documented()
    assert set(ours) | {"ERROR_REASON_UNSPECIFIED"} == set(ErrorReason.keys())


def test_reasons_are_short_on_the_wire() -> None:
    assert short_reason(ErrorReason.ERROR_REASON_STALE_REVISION) == "STALE_REVISION"


def test_a_refused_field_is_named() -> None:
    refused = invalid_field("seats[1]", "say who is to sit here")
    assert refused.status is StatusCode.INVALID_ARGUMENT
    assert refused.details == {"field": "seats[1]"}
    assert refused.message == "seats[1]: say who is to sit here"


@pytest.mark.parametrize("value", ["x" * 100_000, 10**400])
def test_details_are_clipped(value: str | int) -> None:
    # More than 8 KiB of metadata makes clients drop the connection.
    refused = RefusedError(ErrorReason.ERROR_REASON_ILLEGAL_ACTION, "no", action=value)
    assert len(refused.details["action"]) <= 1_000
