"""Words beside the app on desktops, through plyer."""

from __future__ import annotations

import logging
import threading
import warnings

log = logging.getLogger("oddsocks")

SHOWN_S = 15


class DesktopNotes:
    """See `Notifier`. What plyer has shown there can't be taken back: it goes by itself."""

    able = True

    def __init__(self) -> None:
        """Raises `ImportError` where plyer is missing, `NotImplementedError` where it can do
        nothing."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # plyer warns of what Linux may lack.
            from plyer import notification
            from plyer.facades import Notification

            self._notify = notification.notify  # Looks for what this desktop has.
        if type(self._notify.__self__) is Notification:
            raise NotImplementedError("plyer finds no way to show anything")

    async def permit(self) -> bool:
        return True

    def show(self, key: str, title: str, text: str) -> None:
        del key  # The next one is shown beside it.
        # On a thread: plyer calls a program, or waits for a service that may not answer.
        threading.Thread(target=self._show, args=(title, text), daemon=True).start()

    def _show(self, title: str, text: str) -> None:
        try:
            self._notify(title=title, message=text, app_name="Oddsocks", timeout=SHOWN_S)
        except Exception as error:  # Whatever the desktop says.
            log.info("nothing shown: %s", error)

    def clear(self, key: str) -> None:
        """See the class."""
