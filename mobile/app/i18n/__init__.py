"""The words of the app. Every text a person reads goes through `tr` or `trn`.

English is written in the source; catalogues of other languages are looked up through gettext.
"""

from __future__ import annotations

import gettext
from pathlib import Path

_LOCALES = Path(__file__).parent / "locale"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str) -> None:
    """Look texts up in `language` from now on; English where there is no catalogue or text."""
    global _catalogue
    _catalogue = gettext.translation("app", _LOCALES, languages=[language], fallback=True)


def tr(message: str, **values: object) -> str:
    """`message` in the language in use, with its `{placeholders}` filled."""
    text = _catalogue.gettext(message)
    return text.format(**values) if values else text


def trn(singular: str, plural: str, count: int, **values: object) -> str:
    """The form for `count`, which both forms may use as `{count}`."""
    return _catalogue.ngettext(singular, plural, count).format(count=count, **values)
