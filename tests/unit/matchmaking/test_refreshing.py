"""What a refresh token is worth when it comes back."""

from __future__ import annotations

import pytest

from services.matchmaking.people.refreshing import RefreshToken, Verdict, judge

NEVER = None
END = 1_000_000


@pytest.mark.parametrize(
    ("used_at_ms", "revoked_at_ms", "now_ms", "verdict"),
    [
        (NEVER, NEVER, 0, Verdict.ROTATE),
        (NEVER, NEVER, END - 1, Verdict.ROTATE),
        (NEVER, NEVER, END, Verdict.EXPIRED),
        (500, NEVER, 500, Verdict.REPEAT),
        (500, NEVER, 60_500, Verdict.REPEAT),
        (500, NEVER, 60_501, Verdict.REUSED),
        (END - 10, NEVER, END, Verdict.EXPIRED),
        (NEVER, 700, 600, Verdict.REVOKED),
        (500, 700, 800, Verdict.REVOKED),
        (500, 700, END, Verdict.REVOKED),
    ],
)
def test_verdicts(
    used_at_ms: int | None, revoked_at_ms: int | None, now_ms: int, verdict: Verdict
) -> None:
    assert judge(RefreshToken("f", "anna", END, used_at_ms, revoked_at_ms), now_ms) is verdict
