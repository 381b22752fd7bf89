"""The doors to the platform that the app runs on. Where it has none, nothing happens."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kivy.utils import platform

from app.model.calls import NoNotes, NoPush, Notifier, PushDoor
from app.model.links import LinkDoor, NoLinks

DESKTOPS = frozenset({"linux", "macosx", "win"})

log = logging.getLogger("oddsocks")


@dataclass(frozen=True, slots=True)
class Doors:
    """All of them; without arguments none, as in tests and wherever nobody looks."""

    push: PushDoor = field(default_factory=NoPush)
    notes: Notifier = field(default_factory=NoNotes)
    links: LinkDoor = field(default_factory=NoLinks)


def doors(link: str = "", on: str = "") -> Doors:
    """What there is on this platform, or `on` one as Kivy names it; `link` is the one given as
    an argument. Never raises: what can't be opened is left out, and the log says so."""
    on = on or platform
    if on == "android":
        return _android(link)
    notes: Notifier = NoNotes()
    if on in DESKTOPS:
        from app.device.desktop import DesktopNotes

        with _left_out("notifications"):
            notes = DesktopNotes()
    return Doors(notes=notes, links=NoLinks(link))


def _android(link: str) -> Doors:
    from app.device import android

    push: PushDoor = NoPush()
    notes: Notifier = NoNotes()
    links: LinkDoor = NoLinks(link)
    with _left_out("push"):
        push = android.FirebasePush()
    with _left_out("notifications"):
        notes = android.android_notes()
    with _left_out("links"):
        links = android.IntentLinks()
    return Doors(push, notes, links)


@contextmanager
def _left_out(what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # Java's and plyer's are of no common kind.
        log.info("no %s here: %s", what, error)
