"""When tests with an app look for garbage: an app is some ten thousands of objects, and to look at
all of them whenever Python likes takes a good part of a short test's time."""

from __future__ import annotations

import gc
import itertools
from functools import cache

APPS_TOGETHER = 4
"""So many are thrown away at once."""
_apps = itertools.count(1)


def collected_later() -> None:
    """Not before so many apps have ended, or `collected_as_usual`."""
    _keep_what_was_imported()
    gc.disable()


@cache
def _keep_what_was_imported() -> None:
    """It stays, and need not be looked at again."""
    gc.freeze()


def collected_as_usual() -> None:
    """As in the app, for who measures it, and for tests without one."""
    gc.enable()


def app_ended() -> None:
    """One more app is garbage, nearly: who held it last returns in a moment.

    Python stays told not to look by itself. It would do so at once, at all that the app has made,
    and find it still in use.
    """
    if next(_apps) % APPS_TOGETHER == 0:
        gc.collect()
