"""A job that outlives its match, with the real rules service and a real worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.ai.plan import Key
from services.ai.publish import Publisher
from tests.contract.ai.jobs import job_for
from tests.contract.ai.processes import Site, until, worker
from tests.contract.rules.test_once import first_move
from tests.fixtures.rules import make_settings, serving

PATIENCE_S = 60.0


@pytest.mark.field(14)
async def test_a_job_for_a_match_that_was_resigned_meanwhile_does_nothing(
    fresh_redis_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", f"sqlite:///{tmp_path}/rules.db")
    async with serving(settings) as (rules, _):
        match_id = await rules.new_match("anna", "ai:random")
        anna = rules.player("anna")
        while (match := await anna.match(match_id)).actor != 1:  # until the agent is to act
            seat, revision, text, _ = await first_move(anna, match_id)
            await anna.submit(match_id, seat, str(revision), revision, text)
        publisher = Publisher(fresh_redis_url)
        assert await publisher.send(job_for(Key(match_id, 1, match.revision)))
        publisher.close()
        await anna.wish("Resign", match_id, 0, "go")
        before = await anna.events(match_id)
        async with worker(Site(tmp_path, fresh_redis_url, rules.internal)):
            await until(
                lambda: any("moved on" in log.read_text() for log in tmp_path.glob("worker-*.log")),
                PATIENCE_S,
            )
        assert await anna.events(match_id) == before
        ended = await anna.match(match_id)
        assert (ended.outcome.reason, list(ended.outcome.winners)) == ("resigned", [1])
