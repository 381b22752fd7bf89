"""Which of the app's languages the device itself is set to."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module

from app.i18n import LANGUAGES, SOURCE


def system_language() -> str:
    """The first language of the device that the app speaks; English if it speaks none of them."""
    return spoken(_wanted())


def spoken(wanted: Iterable[str]) -> str:
    """The first of `wanted` that the app speaks; each is a locale such as `de_AT.UTF-8` or `ko-KR`.

    Whoever reads English before German wants English, and `C` is no language.
    """
    for name in wanted:
        code = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
        if code in LANGUAGES:
            return code
    return SOURCE


def _wanted() -> Iterator[str]:
    """What the device says, the most wanted first."""
    if hasattr(sys, "getandroidapilevel") or "ANDROID_ARGUMENT" in os.environ:
        # The environment of an Android app says nothing of languages.
        yield str(import_module("jnius").autoclass("java.util.Locale").getDefault().toString())
        return
    if sys.platform == "ios":
        languages = import_module("pyobjus").autoclass("NSLocale").preferredLanguages()
        for number in range(languages.count()):
            yield str(languages.objectAtIndex_(number).UTF8String())
        return
    # The order of gettext itself.
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        yield from filter(None, os.environ.get(variable, "").split(":"))
