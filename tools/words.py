"""The catalogues of the app's languages: `python -m tools.words`, or `check` to change nothing.

Gathers every text of the source, brings each catalogue up to date with it, and compiles what the
phone reads. A text that is new or has changed stands in the catalogue without a translation until
somebody writes one; nothing is guessed.
"""

from __future__ import annotations

import io
import string
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from app.i18n import DOMAIN, LANGUAGES, LOCALES, SOURCE
from tools.reports import ROOT

APP = ROOT / "mobile" / "app"
KEYWORDS: dict[str, tuple[int, ...] | None] = {"tr": None, "trn": (1, 2)}
TOML_KEYS = ("title", "text", "say", "hint", "done")
"""What is shown of the app's data files; the rest is notation."""

HEADER = """\
# The app's words in {language}. `make words` brings the English ones up to date.
"""


def extract_kv(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Texts of a .kv file: the right sides of its rules are Python, line by line."""
    for number, line in enumerate(file, start=1):
        code = io.BytesIO(line.strip() + b"\n")
        for _, *found in extract_python(code, keywords, comment_tags, options):
            yield (number, *found)


def extract_toml(file: IO[bytes], *_: Any, **__: Any) -> Iterator[Any]:
    """Texts of a data file, wherever they stand in it."""

    def inside(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                if key in TOML_KEYS and isinstance(part, str):
                    yield part
                else:
                    yield from inside(part)
        elif isinstance(value, list):
            for part in value:
                yield from inside(part)

    for text in inside(tomllib.load(io.BytesIO(file.read()))):
        yield 1, "tr", text, []


EXTRACTORS: dict[str, Any] = {".py": "python", ".kv": extract_kv, ".toml": extract_toml}


def template(folder: Path = APP) -> Catalog:
    """Every text of the app, in the order of its files."""
    found = Catalog(charset="utf-8")
    for path in sorted(folder.rglob("*")):
        if path.suffix in EXTRACTORS:
            with path.open("rb") as file:
                for _, texts, notes, _ in extract(EXTRACTORS[path.suffix], file, KEYWORDS):
                    place = (path.relative_to(folder).as_posix(), 0)
                    found.add(texts, locations=[place], auto_comments=notes)
    return found


def catalogue_file(language: str, suffix: str = ".po") -> Path:
    """Where a catalogue lies."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


def read(language: str) -> Catalog:
    """A catalogue as it was written; an empty one for a language that has none yet."""
    path = catalogue_file(language)
    if not path.is_file():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language)


def updated(language: str, texts: Catalog) -> Catalog:
    """The catalogue of a language with exactly `texts`, translated as far as it was."""
    old = read(language)
    fresh = Catalog(
        language, header_comment=HEADER.format(language=LANGUAGES[language]), fuzzy=False
    )
    for message in texts:
        if message.id:
            before = old.get(message.id)
            translated = before.string if before is not None else None
            fresh.add(
                message.id, translated, message.locations, auto_comments=message.auto_comments
            )
    return fresh


def written(catalogue: Catalog) -> bytes:
    """A catalogue as text: sorted by source, without times or line numbers, which only churn."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, omit_header=False)
    kept = [
        line
        for line in file.getvalue().splitlines(keepends=True)
        if not line.startswith(HEADER_NOISE)
    ]
    return b"".join(kept)


NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)
"""Babel writes times; the same words have to make the same file."""

HEADER_NOISE = tuple(
    f'"{name}:'.encode()
    for name in (
        *("Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date"),
        *("Last-Translator", "Language-Team", "Generated-By"),
    )
)


def compiled(catalogue: bytes, language: str) -> bytes:
    """What the phone reads."""
    read_back = read_po(io.BytesIO(catalogue), language)
    read_back.creation_date = read_back.revision_date = NO_TIME
    file = io.BytesIO()
    write_mo(file, read_back)
    return file.getvalue()


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def faults(message: Message) -> Iterator[str]:
    """What is wrong with a translation, in words."""
    originals, translations = forms(message.id), forms(message.string)
    if not all(translations):
        yield "not translated"
        return
    wanted = placeholders(originals[-1])
    for form in translations:
        # A language with one form for all counts needs the number in it; others may say "one".
        allowed = (wanted, wanted - {"count"}) if len(originals) > 1 else (wanted,)
        if placeholders(form) not in allowed:
            yield f"placeholders differ: {form}"
        if form != form.strip() or "  " in form:
            yield f"stray spaces: {form}"


def forms(text: Sequence[str] | str | None) -> tuple[str, ...]:
    """A text in all its forms: one, or one for each of the language's plurals."""
    if text is None or isinstance(text, str):
        return (text or "",)
    return tuple(text)


def problems() -> list[str]:
    """All that `make lint` should complain about, a line each."""
    found: list[str] = []
    texts = template()
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        fresh = updated(language, texts)
        text = written(fresh)
        for suffix, wanted in ((".po", text), (".mo", compiled(text, language))):
            path = catalogue_file(language, suffix)
            if not path.is_file() or path.read_bytes() != wanted:
                found.append(f"{path.relative_to(ROOT)}: out of date: run `make words`")
        found += [
            f"{language}: {fault}: {message.id}"
            for message in fresh
            if message.id
            for fault in faults(message)
        ]
    return found


def update() -> None:
    """Write every catalogue again."""
    texts = template()
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        text = written(updated(language, texts))
        path = catalogue_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        path.with_suffix(".mo").write_bytes(compiled(text, language))


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["check"]):
        print("usage: python -m tools.words [check]")
        return 2
    if not arguments:
        update()
    found = problems()
    print("\n".join(found) or "All words are translated.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
