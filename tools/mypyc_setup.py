"""Compiles modules where it is run: `python -m tools.mypyc_setup MODULE.py…`, for tools.compile."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]  # it ships no types

LEAKS: Final = ("2.4.1",)
"""Versions of mypyc with which a call from Python keeps each vec that it is given for ever."""
ARGUMENT: Final = re.compile(r"(arg_\w+) = VecI64Api\.unbox\(obj_\w+\);")

IN_BOUNDS: Final = re.compile(
    r"(?P<test>(?P<name>cpy_r_r\d+) = \(uint64_t\)\S+ < \(uint64_t\)\S+;\s+)if \((?P=name)\)"
)


def release_arguments(source: Path) -> None:
    """Let go of a vec argument once it is unwrapped.

    The code that receives a call from Python means to borrow what it is given, as with all other
    types, but gets a reference of its own and never releases it. The caller's one outlives the
    call, so the other can go at once.
    """
    text = source.read_text(encoding="utf-8")
    text = ARGUMENT.sub(r"\g<0> if (!VEC_IS_ERROR(\1)) VEC_I64_DECREF(\1);", text)
    source.write_text(text, encoding="utf-8")


def expect_bounds(source: Path) -> None:
    """Tell the C compiler that indices are nearly always in bounds.

    Else it computes what a negative index would mean before each access, just in case.
    """
    text = source.read_text(encoding="utf-8")
    text = IN_BOUNDS.sub(r"\g<test>if (likely(\g<name>))", text)
    source.write_text(text, encoding="utf-8")


def main(modules: list[str]) -> None:
    """Compile the modules in place, as one library, so that they call each other directly."""
    options = ["--strict", "--explicit-package-bases", *modules]
    extensions = mypycify(options, opt_level="3", group_name="oddsocks_kernels")
    for path in {Path(path) for extension in extensions for path in extension.sources}:
        if version("mypy") in LEAKS:
            release_arguments(path)
        expect_bounds(path)
    setup(
        name="oddsocks_kernels",
        packages=[],
        ext_modules=extensions,
        script_args=["--quiet", "build_ext", "--inplace"],
    )


if __name__ == "__main__":
    main(sys.argv[1:])
