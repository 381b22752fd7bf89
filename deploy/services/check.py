"""Import every stub and every module of the services: run while the image is built."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

APP = Path(__file__).resolve().parents[2]


def modules(root: Path, *folders: str) -> list[str]:
    """Dotted names of all modules below the folders, seen from `root`."""
    found = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            # Migrations run under Alembic only, and `__main__` would start a service.
            if "migrations" in parts or parts[-1] == "__main__":
                continue
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def main() -> int:
    """Import them all; the exit status is 1 if there are none."""
    stubs = modules(APP / "proto" / "gen", "oddsocks")
    code = modules(APP, "services")
    for name in [*stubs, *code]:
        importlib.import_module(name)
    sys.stdout.write(f"{len(stubs)} stubs and {len(code)} modules import\n")
    return 0 if stubs and code else 1


if __name__ == "__main__":
    sys.exit(main())
