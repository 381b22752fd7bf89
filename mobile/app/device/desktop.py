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
        """Raises `ImportError` where plyer is missing."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # plyer warns of what Linux may lack.
            from plyer import notification
        self._plyer = notification

    async def permit(self) -> bool:
        return True

    def show(self, key: str, title: str, text: str) -> None:
        del key  # The next one is shown beside it.
        # On a thread: plyer calls a program, or waits for a service that may not answer.
        threading.Thread(target=self._show, args=(title, text), daemon=True).start()

    def _show(self, title: str, text: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._plyer.notify(title=title, message=text, app_name="Oddsocks", timeout=SHOWN_S)
        except Exception as error:  # NotImplementedError, or whatever the desktop says.
            log.info("nothing shown: %s", error)

    def clear(self, key: str) -> None:
        """See the class."""
