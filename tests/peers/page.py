"""docs/peers.md, made of what each comparison has to say of its own results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.peers.exact.page import report as exact_report
from tests.peers.versus import report as versus
from tools.reports import ROOT

PAGE: Final = ROOT / "docs" / "peers.md"

_INTRODUCTION: Final = """# Measured against others

Made by `make arena-peers` of the result files in `tests/peers`; `make lint` compares it. A match
counts only for the code and the parameters it was measured with: whatever has changed since counts
as not measured.
"""


def sections() -> Sequence[str]:
    """The parts of the page in order, each from its heading to its last line, without a newline."""
    return versus.report(), exact_report().rstrip("\n")


def page() -> str:
    """The whole page."""
    return "\n\n".join([_INTRODUCTION.rstrip("\n"), *sections()]) + "\n"


def is_current() -> bool:
    """Whether the page is what the results say today."""
    return PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()
