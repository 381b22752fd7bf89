"""What Prometheus can see of seats that wait for an agent, and of the queues of jobs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final

from prometheus_client import REGISTRY, Gauge
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError

from services.ai.celery_app import QUEUES

AGES_S: Final = (2, 10, 60, 600)
TIMEOUT_S: Final = 0.5

_waiting = Gauge(
    "oddsocks_waiting_turns",
    "Agents' turns that wait, by for how long at most (seconds); told by the process that sweeps",
    ["le"],
)


def note_waiting(since_ms: Iterable[int], now_ms: int) -> None:
    """Note since when turns have waited, milliseconds since 1970 UTC."""
    ages_s = [(now_ms - since) / 1_000 for since in since_ms]
    for limit in AGES_S:
        _waiting.labels(str(limit)).set(sum(age <= limit for age in ages_s))
    _waiting.labels("+Inf").set(len(ages_s))


class QueueLengths(Collector):
    """How many jobs wait in Redis, asked whenever somebody looks."""

    def __init__(self, redis_url: str) -> None:
        self._redis = Redis.from_url(
            redis_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S
        )

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One value a queue; none while Redis is away."""
        lengths = GaugeMetricFamily("oddsocks_queue_jobs", "Jobs nobody took yet", labels=["queue"])
        for name in QUEUES:
            with contextlib.suppress(RedisError, OSError):
                lengths.add_metric([name], int(str(self._redis.llen(name))))
        yield lengths

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing before somebody looks: Redis need not be there at the start."""
        return iter(())

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """For as long as the block lasts."""
        REGISTRY.register(self)
        try:
            yield
        finally:
            REGISTRY.unregister(self)
            self._redis.close()
