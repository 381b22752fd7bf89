"""Cut the app's fonts out of Noto Sans CJK (Debian package fonts-noto-cjk, OFL 1.1).

    python mobile/tools/subset_fonts.py

Regular has every Hangul syllable, since people are called what they are called; Bold, for the
app's own words, the 2350 of KS X 1001. `--notdef-outline` keeps a visible box for signs that are
in neither: without it they vanish (row 35 of the field failures).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path("/usr/share/fonts/opentype/noto")
TARGET = Path(__file__).parents[1] / "app" / "assets" / "fonts"
KOREAN_FACE = 1
"""Number of the KR face within the .ttc collections."""

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x1E9E]
PUNCTUATION = [
    *range(0x2010, 0x2016),
    *range(0x2018, 0x201F),
    0x2022,
    0x2026,
    0x2039,
    0x203A,
    0x20AC,
    0x2212,
    0x00D7,
    *range(0x2190, 0x2194),
]
JAMO = [*range(0x3131, 0x318F), *range(0x3000, 0x3003), *range(0x3008, 0x3012)]
ALL_SYLLABLES = list(range(0xAC00, 0xD7A4))


def common_syllables() -> list[int]:
    """The 2350 Hangul syllables of KS X 1001."""
    return [
        ord(bytes((lead, trail)).decode("euc_kr"))
        for lead in range(0xB0, 0xC9)
        for trail in range(0xA1, 0xFF)
    ]


def subset(face: str, syllables: list[int]) -> Path:
    """Write the subset of one face; returns the file."""
    target = TARGET / f"NotoSansCJKkr-{face}.subset.otf"
    signs = "".join(map(chr, LATIN + PUNCTUATION + JAMO + syllables))
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "signs.txt"
        text.write_text(signs, "utf-8")
        subprocess.run(
            [
                sys.executable,
                "-m",
                "fontTools.subset",
                str(SOURCE / f"NotoSansCJK-{face}.ttc"),
                f"--font-number={KOREAN_FACE}",
                f"--text-file={text}",
                f"--output-file={target}",
                "--no-hinting",
                "--notdef-outline",
                "--layout-features=kern,liga",
                "--name-IDs=0,1,2,3,4,5,6,13,14",
            ],
            check=True,
        )
    return target


def main() -> int:
    """Write both faces and say how large they are."""
    if not (SOURCE / "NotoSansCJK-Regular.ttc").is_file():
        sys.stderr.write("Noto Sans CJK is missing: apt-get install fonts-noto-cjk\n")
        return 1
    TARGET.mkdir(parents=True, exist_ok=True)
    for face, syllables in (("Regular", ALL_SYLLABLES), ("Bold", common_syllables())):
        path = subset(face, syllables)
        sys.stdout.write(f"{path.name}: {path.stat().st_size // 1024} KiB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
