"""When tests with an app look for garbage: an app is some 240 000 objects, and to look at all of
them whenever Python likes takes a third of a short test's time."""

from __future__ import annotations

import gc
import itertools

APPS_TOGETHER = 4
"""So many are thrown away at once."""
_apps = itertools.count(1)


def collected_later() -> None:
    """Not before `collected_as_usual`."""
    if gc.get_freeze_count() == 0:
        gc.freeze()  # What was imported stays, and need not be looked at again.
    gc.disable()


def collected_as_usual() -> None:
    """As in the app, for who measures it."""
    gc.enable()


def app_ended() -> None:
    """One more app is garbage."""
    if next(_apps) % APPS_TOGETHER == 0:
        gc.collect()
    gc.enable()
