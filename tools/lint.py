"""All checks of `make lint`, one after the other: `python -m tools.lint [NAME...]`.

Every check runs, also after one has failed, so that one run shows all there is to mend.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tools import proto
from tools.reports import ROOT, Check, Report

BIN = Path(sys.executable).parent
TYPED = ("services", "mobile", "tests", "deploy", "tools")
LOCK_FILES = ("requirements/*.txt", "mobile/requirements*.txt")

INDEX = re.compile(r"^\s*(-i\b|-f\b|--(extra-)?index-url|--find-links|--trusted-host)|://")
IGNORE = re.compile(r"#\s*(type:\s*ignore|noqa|pragma:\s*no\s*cover|pylint:|fmt:\s*(off|skip))")
REASONED = re.compile(
    r"#\s*(type:\s*ignore\[[\w, -]+\]|noqa:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*|pragma:\s*no\s*cover"
    r"|fmt:\s*(off|skip))\s+(#\s*|-\s*|—\s*|\()\w"
)


class Problem(Exception):
    """What a check found, as lines for the reader."""


def run(*command: str) -> None:
    """Run a command of the virtual environment; its output is the problem if it fails."""
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Problem(done.stdout.strip())


def types() -> None:
    """mypy --strict, over everything that is ours."""
    run("mypy", *(folder for folder in TYPED if any((ROOT / folder).rglob("*.py"))))


def lock_files() -> list[Path]:
    """The requirement files that are installed from."""
    return sorted(path for pattern in LOCK_FILES for path in ROOT.glob(pattern))


def pins() -> None:
    """Lock files pin each package with a hash, and leave the choice of an index to the machine."""
    problems = []
    for path in lock_files():
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if INDEX.search(line):
                problems.append(f"{_place(path, number)}: names an index: {line.strip()}")
        problems += [
            f"{path.relative_to(ROOT)}: no hash: {requirement.splitlines()[0]}"
            for requirement in re.split(r"\n(?=\S)", text)
            if not requirement.startswith("#") and "--hash=sha256:" not in requirement
        ]
    _raise_if(problems)


def ignores() -> None:
    """Whoever silences a checker names the rule and says why, on the same line."""
    _raise_if(
        f"{_place(path, number)}: say why: {line.strip()}"
        for path in python_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if silent_ignore(line)
    )


def silent_ignore(line: str) -> bool:
    """Whether `line` switches a checker off without the rule's name and a reason."""
    return IGNORE.search(line) is not None and REASONED.search(line) is None


def python_files() -> Iterator[Path]:
    """All modules that people wrote."""
    for folder in TYPED:
        yield from sorted((ROOT / folder).rglob("*.py"))


def catalogues() -> None:
    """Every text of the app is in every catalogue, translated and compiled."""
    run("python", "-m", "tools.words", "check")


def _place(path: Path, number: int) -> str:
    return f"{path.relative_to(ROOT)}:{number}"


def _raise_if(problems: Iterator[str] | list[str]) -> None:
    found = list(problems)
    if found:
        raise Problem("\n".join(found))


CHECKS: dict[str, Callable[[], object]] = {
    "ruff": lambda: run("ruff", "check", "--quiet", "."),
    "format": lambda: run("ruff", "format", "--check", "."),
    "ignores": ignores,
    "pins": pins,
    "imports": lambda: run("lint-imports", "--no-logo"),
    "buf": proto.check_style,
    "breaking": proto.check_compatible,
    "generated": proto.check_generated,
    "mypy": types,
    "words": catalogues,
    "statistics": lambda: run("python", "-m", "tools.statistics", "--check"),
    "levels": lambda: run("python", "-m", "tools.arena", "--check"),
    "peers": lambda: run("python", "-m", "tests.peers", "--check"),
    "exact": lambda: run("python", "-m", "tests.peers.exact", "--check"),
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(CHECKS)
    if unknown:
        print(f"no such check: {', '.join(sorted(unknown))}; there are: {', '.join(CHECKS)}")
        return 2
    report = Report("lint")
    for name in names or CHECKS:
        print(f"{name:<12}", end="", flush=True)
        start = time.monotonic()
        problem, note = "", None
        try:
            note = CHECKS[name]()
        except (Problem, proto.Broken) as error:
            problem = str(error)
        seconds = round(time.monotonic() - start, 1)
        report.add(Check(name, "failed" if problem else "passed", seconds, None, "s"))
        print("FAILED" if problem else f"ok  {note or ''}".rstrip())
        if problem:
            print(problem, flush=True)
    return report.write()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
