"""The words of the app. Every text a person reads goes through `tr` or `trn`.

English is written in the source; the others are gettext catalogues (`locale/`), which `make words`
gathers and compiles. A text is looked up when it is put on the screen, so no constant of a module
may hold one. A language is changed while the app runs by `OddsocksApp.use_language` (ADR 0120).
"""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import Final

LOCALES: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "app"

SOURCE: Final = "en"
"""The language that the source is written in."""

LANGUAGES: Final = {SOURCE: "English", "de": "Deutsch", "ko": "한국어"}
"""All languages of the app, each called what its speakers call it."""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = SOURCE


def language() -> str:
    """The language in use."""
    return _language


def use_language(language: str) -> None:
    """Look texts up in `language` from now on; English where there is no catalogue or text."""
    global _catalogue, _language
    _language = language if language in LANGUAGES else SOURCE
    _catalogue = gettext.translation(DOMAIN, LOCALES, languages=[_language], fallback=True)


def tr(message: str, **values: object) -> str:
    """`message` in the language in use, with its `{placeholders}` filled."""
    text = _catalogue.gettext(message)
    return text.format(**values) if values else text


def trn(singular: str, plural: str, count: int, **values: object) -> str:
    """The form for `count`, which both forms may use as `{count}`."""
    return _catalogue.ngettext(singular, plural, count).format(count=count, **values)
