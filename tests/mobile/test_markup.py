"""What players are called is text: nothing on a screen reads markup in it."""

from __future__ import annotations

import re

from tools.reports import ROOT


def test_no_label_reads_markup() -> None:
    sources = [*(ROOT / "mobile").rglob("*.kv"), *(ROOT / "mobile" / "app").rglob("*.py")]
    assert len(sources) > 20
    readers = [
        str(path.relative_to(ROOT))
        for path in sources
        if re.search(r"\bmarkup\s*[:=]|MarkupLabel|RstDocument", path.read_text())
    ]
    assert readers == []
