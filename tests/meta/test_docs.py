"""What the pages say of the project has to be so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.reports import ROOT

PAGES = sorted(
    path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if path.name != "RULINGS.md"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    broken = [
        target for target in targets if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken


def test_the_index_names_every_decision_once() -> None:
    index = (ROOT / "docs/adr/README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in (ROOT / "docs/adr").glob("[0-9]*.md"))
    assert sorted(re.findall(r"\]\((\d{4}-[^)]+)\)", index)) == pages
    numbers = [name[:4] for name in pages]
    assert len(set(numbers)) == len(numbers), "two decisions share a number"


def test_every_make_command_in_the_pages_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"`make ([a-z-]+)", text)) | set(
            re.findall(r"^    make ([a-z-]+)", text, re.M)
        )
        assert named <= known, page


def test_the_readme_names_its_two_commands_before_anything_else() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    make ([a-z-]+)", readme, re.M)
    assert commands == ["run", "test"]
