"""Android's doors, through pyjnius: Firebase if the APK has it, notifications, intents.

No phone has run this yet (docs/phone-build.md): the tests have a stand-in for Java.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from app.model.calls import Notifier
from app.model.links import SCHEME, LinkHeard, link_to_match

log = logging.getLogger("oddsocks")

ANSWER_S = 20
ASKED_FROM_SDK = 33
"""From this Android on, the person is asked before an app may show anything."""
_FROM_HISTORY = 0x00100000
"""Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY: opened from the list of recent apps."""
_IMMUTABLE = 0x04000000
"""PendingIntent.FLAG_IMMUTABLE, which Android demands since 12."""


def _class(name: str) -> Any:
    from jnius import autoclass

    return autoclass(name)


def _activity() -> Any:
    return _class("org.kivy.android.PythonActivity").mActivity


class FirebasePush:
    """See `PushDoor`. Classes are looked up here, on Kivy's own thread: others find none of an
    app's. Raises where the APK was built without Firebase, or without a project's values."""

    able = True

    def __init__(self) -> None:
        self._messaging = _class("com.google.firebase.messaging.FirebaseMessaging").getInstance()
        self._tasks = _class("com.google.android.gms.tasks.Tasks")
        self._unit = _class("java.util.concurrent.TimeUnit").SECONDS
        self._zones = _class("java.util.TimeZone")

    async def token(self) -> str:
        return str(await self._answer(self._messaging.getToken) or "")

    async def drop(self) -> None:
        await self._answer(self._messaging.deleteToken)

    def time_zone(self) -> str:
        return str(self._zones.getDefault().getID())

    async def _answer(self, ask: Any) -> Any:
        return await asyncio.to_thread(self._wait, ask)

    def _wait(self, ask: Any) -> Any:
        """Wait for a task of Play services, on a thread of its own; None if it fails."""
        from jnius import detach

        try:
            return getattr(self._tasks, "await")(ask(), ANSWER_S, self._unit)
        except Exception as error:  # No network, no Play services, or too slow.
            log.info("no answer from the push service: %s", error)
            return None
        finally:
            detach()


def android_notes() -> Notifier:
    """See `Notifier`: plyer's notifications of Android, mended.

    plyer 2.1.0 shows all of them under one number, can't take one back, and makes an intent that
    Android 12 and later refuse. A match's id is the tag here, as it is in what a server sends: the
    one replaces the other.
    """
    from plyer.platforms.android import SDK_INT, activity
    from plyer.platforms.android.notification import AndroidNotification

    class Notes(AndroidNotification):
        able = True
        _key = ""

        async def permit(self) -> bool:
            return SDK_INT < ASKED_FROM_SDK or await _permitted()

        def show(self, key: str, title: str, text: str) -> None:
            self._key = key
            try:
                self.notify(title=title, message=text, ticker=title, app_icon="")
            except Exception as error:  # Java's have no common kind.
                log.info("nothing shown: %s", error)

        def clear(self, key: str) -> None:
            try:
                self._get_notification_service().cancel(key, 0)
            except Exception as error:  # likewise
                log.info("nothing taken back: %s", error)

        def _set_open_behavior(self, notification: Any) -> None:
            intent = _class("android.content.Intent")(
                _class("android.content.Intent").ACTION_VIEW,
                _class("android.net.Uri").parse(link_to_match(self._key)),
                activity,
                _class("org.kivy.android.PythonActivity"),
            )
            pending = _class("android.app.PendingIntent")
            notification.setContentIntent(pending.getActivity(activity, 0, intent, _IMMUTABLE))
            notification.setAutoCancel(True)

        def _open_notification(self, notification: Any) -> None:
            self._get_notification_service().notify(self._key, 0, notification.build())

    made: Notifier = Notes()
    return made


async def _permitted() -> bool:
    """Ask Android whether the app may show anything; it asks the person if it has to."""
    from android.permissions import Permission, check_permission, request_permissions

    wanted = Permission.POST_NOTIFICATIONS
    if check_permission(wanted):
        return True
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[bool] = loop.create_future()

    def heard(_permissions: object, granted: list[bool]) -> None:
        loop.call_soon_threadsafe(_settle, answer, bool(granted) and all(granted))

    request_permissions([wanted], heard)
    return await answer


def _settle(answer: asyncio.Future[bool], granted: bool) -> None:
    if not answer.done():
        answer.set_result(granted)


class IntentLinks:
    """See `LinkDoor`: links that were touched elsewhere, and reminders, come as intents."""

    def __init__(self) -> None:
        self._at_start = _activity().getIntent()

    def first(self) -> str:
        intent, self._at_start = self._at_start, None
        # An app from the list of recent ones gets the intent once more that opened it long ago.
        old = intent is None or bool(intent.getFlags() & _FROM_HISTORY)
        return "" if old else link_of(intent)

    def listen(self, heard: LinkHeard) -> None:
        from android import activity

        def came(intent: Any) -> None:
            link = link_of(intent)
            if link:
                heard(link)

        activity.bind(on_new_intent=came)


def link_of(intent: Any) -> str:
    """The link of an intent: its own, or what a server's call is about; "" for none."""
    link = str(intent.getDataString() or "")
    if link:
        return link
    match_id, table_id = intent.getStringExtra("match_id"), intent.getStringExtra("table_id")
    if match_id:
        return link_to_match(str(match_id))
    return f"{SCHEME}table/{table_id}" if table_id else ""
