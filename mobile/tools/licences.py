"""Gather the licences of all that the phone gets from others into the app.

    python mobile/tools/licences.py

Packages bring theirs along; those of the C libraries that Kivy and Python are built with are
written below. Run it again when a package of mobile/requirements.txt changes.
"""

from __future__ import annotations

import sys
import sysconfig
import tomllib
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "mobile" / "app" / "assets" / "licences"
APACHE = ROOT / "LICENSE"

ZLIB = """\
This software is provided 'as-is', without any express or implied warranty. In no event will the
authors be held liable for any damages arising from the use of this software.

Permission is granted to anyone to use this software for any purpose, including commercial
applications, and to alter it and redistribute it freely, subject to the following restrictions:

1. The origin of this software must not be misrepresented; you must not claim that you wrote the
original software. If you use this software in a product, an acknowledgment in the product
documentation would be appreciated but is not required.

2. Altered source versions must be plainly marked as such, and must not be misrepresented as being
the original software.

3. This notice may not be removed or altered from any source distribution.
"""
MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
LIBRARIES = {
    "sdl2": "Simple DirectMedia Layer, SDL_image, SDL_mixer and SDL_ttf\n"
    "Copyright (C) 1997-2025 Sam Lantinga <slouken@libsdl.org>\n\n"
    f"{ZLIB}\n"
    "SDL_ttf contains FreeType: Portions of this software are copyright (C) 1996-2025 The FreeType "
    "Project (www.freetype.org). All rights reserved.\n",
    "libffi": f"libffi - Copyright (c) 1996-2025 Anthony Green, Red Hat, Inc and others.\n\n{MIT}",
    "pyjnius": "Copyright (c) 2010-2025 Kivy Team and other contributors\n\n" + MIT,
    "sqlite": "SQLite is in the public domain: its authors have dedicated all of its code to it.\n",
}


def packages() -> list[str]:
    """What the phone gets through pip and python-for-android, by the app's own list of parts."""
    parts = tomllib.loads((TARGET / "parts.toml").read_text("utf-8"))["part"]
    return [part["file"] for part in parts if part.get("package")]


def licence_of(package: str) -> str:
    """The licence that a package brings along; raises `SystemExit` for one that has none."""
    files = distribution(package).files or []
    texts = [
        Path(str(file.locate())).read_text("utf-8")
        for file in sorted(files, key=str)
        if Path(file.name).stem.upper() in ("LICENSE", "LICENCE", "COPYING", "NOTICE")
    ]
    if not texts:
        raise SystemExit(f"{package} brings no licence along")
    return "\n\n".join(texts)


def main() -> int:
    """Write all of them."""
    texts = {package: licence_of(package) for package in packages()}
    python = Path(sysconfig.get_paths()["stdlib"]) / "LICENSE.txt"
    texts |= {"python": python.read_text("utf-8"), "apache": APACHE.read_text("utf-8"), **LIBRARIES}
    for name, text in texts.items():
        lines = [line.rstrip() for line in text.expandtabs().splitlines()]
        (TARGET / f"{name}.txt").write_text("\n".join(lines).strip() + "\n", "utf-8")
    sys.stdout.write(f"{len(texts)} licences\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
