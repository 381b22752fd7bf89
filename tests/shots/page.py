"""build/shots/index.json and the page to look at all pictures on."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

_STYLE = """
body { font: 16px/1.4 sans-serif; margin: 24px; background: #efe4cf; color: #2f2b4a }
section { margin: 0 0 40px } h2 { margin: 24px 0 8px } nav a { margin-right: 12px }
figure { display: inline-block; margin: 0 12px 12px 0; vertical-align: top }
img { max-height: 420px; border-radius: 12px; border: 1px solid #c9b892 }
figcaption { font-size: 13px } .wrong { color: #b8402f; font-weight: bold }
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of index.json. Sizes are dp; `clipped` are the texts that are not whole."""

    file: str
    screen: str
    scene: str
    language: str
    size: tuple[int, int]
    light: str
    smallest_target_dp: float
    clipped: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Its JSON object: `clipped_texts` is their number."""
        return {
            "file": self.file,
            "screen": self.screen,
            "scene": self.scene,
            "language": self.language,
            "size": list(self.size),
            "light": self.light,
            "smallest_target_dp": self.smallest_target_dp,
            "clipped_texts": len(self.clipped),
            "clipped": list(self.clipped),
        }


def write(folder: Path, entries: Sequence[Entry]) -> None:
    """Write index.json and index.html beside the pictures."""
    listed = json.dumps([entry.as_json() for entry in entries], ensure_ascii=False, indent=1)
    (folder / "index.json").write_text(listed + "\n", "utf-8")
    (folder / "index.html").write_text(_page(entries), "utf-8")


def _page(entries: Iterable[Entry]) -> str:
    by_scene = groupby(sorted(entries, key=lambda one: one.scene), key=lambda one: one.scene)
    scenes = [(name, list(shots)) for name, shots in by_scene]
    links = "".join(f'<a href="#{name}">{html.escape(name)}</a>' for name, _ in scenes)
    sections = "\n".join(_section(name, shots) for name, shots in scenes)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Oddsocks</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>Every screen</h1><nav>{links}</nav>\n"
        f"{sections}\n</body></html>\n"
    )


def _section(name: str, shots: Iterable[Entry]) -> str:
    figures = "\n".join(map(_figure, shots))
    return f'<section id="{name}"><h2>{html.escape(name)}</h2>\n{figures}\n</section>'


def _figure(entry: Entry) -> str:
    width, height = entry.size
    what = f"{entry.language} · {width}x{height} · {entry.light} · {entry.smallest_target_dp} dp"
    cut = ", ".join(html.escape(f"“{text}”") for text in entry.clipped)
    wrong = f' <span class="wrong">cut: {cut}</span>' if cut else ""
    file = html.escape(entry.file)
    return (
        f'<figure><a href="{file}"><img loading="lazy" src="{file}" alt="{html.escape(what)}">'
        f"</a><figcaption>{html.escape(what)}{wrong}</figcaption></figure>"
    )
