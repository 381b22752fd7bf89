"""The queue: every setting with its reason beside it.

Two apps share one contract. `app` is what workers run; `publisher` is what the ai service sends
with, since a server must never wait for a queue that is away.

A job is a hint, not the truth: who is to act stands in the database of rules. So a lost job costs
seconds (the sweep asks again), a doubled one costs a look (the position has moved on), and nothing
here needs results, revocation, priorities or delayed tasks.
"""

from __future__ import annotations

import os
from typing import Any, Final

from celery import Celery
from kombu import Queue

ACT: Final = "oddsocks.act"
SUGGEST: Final = "oddsocks.suggest"
REVIEW: Final = "oddsocks.review"

LIVE_QUEUE: Final = "live"
SLOW_QUEUE: Final = "slow"
REVIEW_QUEUE: Final = "review"
QUEUES: Final = (LIVE_QUEUE, SLOW_QUEUE, REVIEW_QUEUE)

SOFT_LIMIT_S: Final = 5
"""Then a task stops thinking and plays any legal action."""
HARD_LIMIT_S: Final = 8
"""Then its process is killed: compiled code may be deaf to the soft limit."""
MEMORY_MB: Final = 400
"""What a process may have held at most before another takes its place; it starts with 80."""
VISIBILITY_S: Final = 30
"""Then the queue takes a worker for dead. Longer than any task, or a task would run twice."""

_CONTRACT: Final[dict[str, Any]] = {
    # JSON only: ids are all that travels, and nothing that is read can run code.
    "task_serializer": "json",
    "accept_content": ["json"],
    # Own queues, and workers of their own, so that a person who waits is never behind thinking
    # for days or behind a review (not priorities: Redis has none worth the name).
    "task_queues": tuple(map(Queue, QUEUES)),
    "task_default_queue": LIVE_QUEUE,
    # A misspelt queue is an error here instead of a queue that nobody reads.
    "task_create_missing_queues": False,
    # Answers go to rules; a result backend would only fill up.
    "task_ignore_result": True,
}

_WORKER: Final[dict[str, Any]] = {
    # A job is done when it is done, not when it is taken …
    "task_acks_late": True,
    # … also when the process that thinks is killed: by default it would be acknowledged and lost.
    "task_reject_on_worker_lost": True,
    # A job waits in the queue, where an idle worker finds it, not behind a busy one.
    "worker_prefetch_multiplier": 1,
    "task_soft_time_limit": SOFT_LIMIT_S,
    "task_time_limit": HARD_LIMIT_S,
    "broker_transport_options": {
        "visibility_timeout": VISIBILITY_S,
        # Give back what a dead worker held soon after that, not minutes later.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "unacked_mutex_expire": 10,
        # Notice a Redis that is frozen or behind a dead link.
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
        "health_check_interval": 10,
    },
    # A queue that is away comes back: never give up on it.
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    # Its connection is not the task's: what is being thought gets finished and handed in.
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    # Nobody listens to events, and remote control is a way in that nothing needs.
    "worker_send_task_events": False,
    "worker_enable_remote_control": False,
    # Back within 2 s of Redis, see QuickReconnect.
    "worker_consumer": "services.ai.reconnect:QuickReconnect",
    # A new process has 4 s to say hello by default; a busy machine needs longer, and killing it
    # for that makes the machine busier.
    "worker_proc_alive_timeout": 30.0,
    # Whatever leaks, leaks no further than this; in kilobytes, and between two jobs.
    "worker_max_tasks_per_child": 1_000,
    "worker_max_memory_per_child": MEMORY_MB * 1_024,
    # Logs are ours: one JSON object a line.
    "worker_hijack_root_logger": False,
    "worker_redirect_stdouts": False,
}

_PUBLISHER: Final[dict[str, Any]] = {
    # Never wait for Redis longer than half a second, twice: the sweep tries again anyway.
    "task_publish_retry": False,
    "broker_connection_timeout": 0.5,
    "broker_transport_options": {
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.5,
        "max_retries": 0,
    },
}

app = Celery(
    "oddsocks",
    broker=os.environ.get("ODDSOCKS_REDIS_URL"),
    include=["services.ai.tasks", "services.ai.advice.tasks"],
    changes=_CONTRACT | _WORKER,
)


def publisher(redis_url: str) -> Celery:
    """The app that jobs are sent with; each call is bounded, see `services.ai.publish`."""
    return Celery(
        "oddsocks-publisher",
        broker=redis_url,
        set_as_current=False,
        changes=_CONTRACT | _PUBLISHER,
    )
