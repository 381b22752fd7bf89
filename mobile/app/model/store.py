"""Small JSON files in the app's own folder, replaced as a whole or not at all.

A phone may end the app between any two instructions (kivy#1621, kivy#7936).
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from pathlib import Path
from typing import Any

log = logging.getLogger("oddsocks")


class Store:
    """Named JSON objects under one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def names(self, most: int) -> list[str]:
        """The names of the objects kept, those written last first; at most so many."""
        paths = [path for path in self.folder.glob("*.json") if not path.name.startswith(".")]
        paths.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return [path.stem for path in paths[:most]]

    def read(self, name: str) -> dict[str, Any]:
        """The object kept as `name`; empty when there is none or the file is damaged.

        A damaged file is set aside as `<name>.json.damaged`, never overwritten in silence.
        """
        path = self._path(name)
        try:
            value = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            path.replace(path.with_suffix(".json.damaged"))
            return {}
        return value if isinstance(value, dict) else {}

    def write(self, name: str, value: dict[str, Any], *, durable: bool = True) -> None:
        """Keep `value` as `name`; readable by this user only, since tokens are kept so.

        Durable means that it outlives a power cut as well, and takes as long as the storage does:
        not for what is written while frames are drawn. Raises `OSError` when the device has no
        room; what was kept before is kept still.
        """
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=f".{name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(value, file, ensure_ascii=False, sort_keys=True)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(temporary, self._path(name))
        except BaseException:
            os.unlink(temporary)
            raise

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"


class Notebook(Store):
    """A store of what the app can go on without: where the device has no room, what was kept stays
    as it was, and the log says so. (A match is more than that: whoever plays has to know.)"""

    def write(self, name: str, value: dict[str, Any], *, durable: bool = True) -> None:
        """As `Store.write`, but never raises for want of room."""
        try:
            super().write(name, value, durable=durable)
        except OSError as error:
            log.warning("%s could not be kept: %s", name, error)
