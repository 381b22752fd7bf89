"""What the pages say of the project has to be so."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.reports import ROOT

PAGES = sorted(
    path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if path.name != "RULINGS.md"
)

FOLDERS = "(?:deploy|docs|mobile|proto|requirements|services|tests|tools)"


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
    known = set(re.findall(r"^([a-z0-9-]+):", makefile, re.M))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"`make ([a-z0-9-]+)", text)) | set(
            re.findall(r"^    make ([a-z0-9-]+)", text, re.M)
        )
        assert named <= known, page


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_path_in_the_pages_exists(page: Path) -> None:
    """Those in back ticks, and those in commands; a placeholder is written `<game>` or my_game."""
    text = page.read_text(encoding="utf-8")
    commands = "\n".join(re.findall(r"^    .*\.venv/bin/python .*", text, re.M))
    named = re.findall(rf"`({FOLDERS}/[^`\s]*)`", text)
    named += re.findall(rf"(?:^|\s)({FOLDERS}/\S+)", commands)
    paths = {path.partition("::")[0] for path in named if not re.search(r"my_game|[<*{…]", path)}
    assert not [path for path in paths if not (ROOT / path).exists()]


def runnable(name: str) -> bool:
    """Whether `python -m` finds it: a module, or a package that has a `__main__`."""
    found = find_spec(name)
    if found is None or found.submodule_search_locations is None:
        return found is not None
    return find_spec(f"{name}.__main__") is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_in_the_pages_can_be_run(page: Path) -> None:
    modules = re.findall(r"python -m ([\w.]*\w)", page.read_text(encoding="utf-8"))
    assert not [name for name in modules if not runnable(name)]


def test_the_readme_names_its_two_commands_before_anything_else() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    make ([a-z-]+)", readme, re.M)
    assert commands == ["run", "test"]
