"""How a worker gets back to Redis, and how it shows that it can take jobs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Final

import kombu
from celery import bootsteps
from celery.worker.consumer import Consumer

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
