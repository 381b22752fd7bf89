"""How a worker gets back to Redis, and how it shows that it can take jobs.

Celery finds this module by its setting `worker_consumer`; whoever starts a worker gets all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import kombu
from celery import bootsteps
from celery.worker.consumer import Consumer
from kombu.transport import redis as transport
from kombu.transport import virtual

PULSE_S: Final = 2.0


class QuickReconnect(Consumer):
    """A consumer that tries every half second, then every two: by default up to 30 s pass."""

    def ensure_connected(self, conn: kombu.Connection) -> kombu.Connection:
        """As Celery does it, with other pauses; it has no setting for them."""
        patient: Any = conn.ensure_connection  # typed as if pauses were whole seconds
        conn.ensure_connection = partial(  # type: ignore[method-assign]  # this one object's
            patient, interval_start=0.5, interval_step=0.5, interval_max=2
        )
        return super().ensure_connected(conn)


class FreeingQoS(transport.QoS):
    """Forgets a job also when Redis was not there to be told that it is done.

    Kombu keeps such a job among those under way. When that happens to all that a worker may have
    under way, it stops looking at its connection, never notices that it is broken, and idles for
    ever (celery#8091). A job that Redis still knows comes back and finds its position moved on.
    """

    def ack(self, delivery_tag: str) -> None:
        """Tell Redis, and free the place in any case; connection errors rise."""
        with self._freeing(delivery_tag):
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give the job back, and free the place in any case; connection errors rise."""
        with self._freeing(delivery_tag):
            super().reject(delivery_tag, requeue)

    @contextmanager
    def _freeing(self, delivery_tag: str) -> Iterator[None]:
        try:
            yield
        except BaseException:
            virtual.QoS.ack(self, delivery_tag)
            raise


transport.Channel.QoS = FreeingQoS


class Pulse(bootsteps.StartStopStep):
    """Touches a file while the consumer listens to its queues; the step starts after the
    consumer's tasks and stops with the connection, so a worker cut off falls silent.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)
    file: Path | None = None

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._timer: Any = None

    def start(self, parent: Any) -> None:
        """Beat from now on."""
        if self.file is not None:
            self.file.touch()
            self._timer = parent.timer.call_repeatedly(PULSE_S, self.file.touch)

    def stop(self, _parent: Any) -> None:
        """Fall silent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
