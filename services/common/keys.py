"""Make the keys of an installation: `python -m services.common.keys DIRECTORY`.

Writes what is missing and keeps what is there: `signing.json` (matchmaking only), `verify.json`
(the public halves, for everybody else) and `service.secret` (shared by the services).
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from services.common.auth import KeyRing


def ensure_keys(directory: Path) -> None:
    """Make whatever of the three files is missing."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    signing = directory / "signing.json"
    ring = KeyRing.load(signing) if signing.exists() else KeyRing.generate()
    if not signing.exists():
        ring.save(signing, private=True)
    ring.save(directory / "verify.json", private=False)
    secret = directory / "service.secret"
    if not secret.exists():
        with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(48) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m services.common.keys", description=__doc__)
    parser.add_argument("directory", type=Path, help="where the keys are kept")
    directory: Path = parser.parse_args(arguments).directory
    try:
        ensure_keys(directory)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"keys: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
