"""Take a picture of every screen and board of the app, and measure what is in it.

Writes build/shots/*.png, index.json and index.html, and build/reports/shots.json. Exit status 1 if
a target is smaller than 48 dp or a text is not whole.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.mobile.headless import LARGEST  # first: settings that Kivy reads when it is imported

# isort: split
from tests.shots import page, references
from tests.shots.scenes import scenes
from tests.shots.scenes.scene import Scene
from tests.shots.taking import LIGHTS, SIZES, languages, take_all
from tools.reports import ROOT, Report

TARGET_DP = 48
FOLDER = ROOT / "build" / "shots"


async def _run(
    arguments: argparse.Namespace, wanted: list[Scene], folder: Path
) -> list[page.Entry]:
    entries: list[page.Entry] = []
    saving: list[Future[None]] = []
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(1) as saver:
        shots = take_all(
            Path(place),
            wanted,
            languages=arguments.language,
            sizes=arguments.size,
            lights=arguments.light,
            density=arguments.density,
        )
        async for shot in shots:
            file = f"{shot.name}.png"
            saving.append(saver.submit(shot.picture.save, folder / file, compress_level=1))
            entries.append(
                page.Entry(
                    file=file,
                    screen=shot.scene.screen,
                    scene=shot.scene.name,
                    language=shot.language,
                    size=SIZES[shot.size],
                    light=shot.light,
                    smallest_target_dp=shot.smallest_target_dp,
                    clipped=shot.clipped,
                )
            )
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(entries)} pictures")
        for saved in saving:
            saved.result()
    return entries


def _report(entries: list[page.Entry], seconds: float) -> Report:
    report = Report("shots")
    report.measured("pictures", len(entries))
    report.measured("seconds", round(seconds, 1), "s")
    targets = [entry.smallest_target_dp for entry in entries if entry.smallest_target_dp]
    report.at_least("smallest_target", min(targets, default=0.0), TARGET_DP - 1, "dp")
    report.equals("clipped_texts", sum(len(entry.clipped) for entry in entries), 0)
    return report


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.shots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--scene", nargs="*", default=[], help="only scenes whose name begins so")
    add("--language", nargs="*", default=languages(), choices=languages())
    add("--size", nargs="*", default=tuple(SIZES), choices=tuple(SIZES))
    add("--light", nargs="*", default=tuple(LIGHTS), choices=tuple(LIGHTS))
    add("--density", type=float, default=1.0, help="pixels per dp")
    add("--list", action="store_true", help="name all scenes and stop")
    add("--accept", action="store_true", help="take the reference pictures anew, and no others")
    arguments = parser.parse_args()
    need = int(max(map(max, SIZES.values())) * arguments.density)
    if not 0 < need <= LARGEST:
        parser.error(f"--density {arguments.density:g} needs ODDSOCKS_WINDOW={need} or more")
    arguments.wanted = [
        one for one in scenes() if one.name.startswith(tuple(arguments.scene) or ("",))
    ]
    if not arguments.wanted:
        parser.error(f"no scene begins so: {' '.join(arguments.scene)[:80]}")
    return arguments


def main() -> int:
    """Run the command; returns its exit status."""
    arguments = _arguments()
    if arguments.list:
        sys.stdout.write("".join(f"{one.name}\n" for one in arguments.wanted))
        return 0
    if arguments.accept:
        asyncio.run(references.accept())
        return 0
    logging.disable(logging.CRITICAL)
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    entries = asyncio.run(_run(arguments, arguments.wanted, FOLDER))
    page.write(FOLDER, entries)
    report = _report(entries, time.monotonic() - began)
    for entry in entries:
        if entry.clipped:
            sys.stdout.write(f"{entry.file}: cut: {', '.join(entry.clipped)}\n")
        if 0 < entry.smallest_target_dp < TARGET_DP - 1:
            sys.stdout.write(f"{entry.file}: a target of {entry.smallest_target_dp} dp\n")
    where = (FOLDER / "index.html").relative_to(ROOT)
    sys.stdout.write(f"{len(entries)} pictures: {where}\n")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
