"""The keys of an installation: `python -m services.common.keys DIRECTORY`.

Writes what is missing and keeps what is there: `signing.json` (matchmaking only), `verify.json`
(the public halves, for everybody else) and `service.secret` (shared by the services).

To change the key that signs players' tokens without signing anybody out:

    keys DIRECTORY --add            another key, known but not used; restart all services
    keys DIRECTORY --activate ID    sign with it from now on; restart matchmaking
    keys DIRECTORY --retire ID      once the last token of the old key has ended (an hour later);
                                    restart all services

A key that became known to others is retired right after activating another: players' refresh
tokens do not depend on it.
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


def add_key(directory: Path) -> str:
    """Another key that does not sign yet; returns its id."""
    ring, name = KeyRing.load(directory / "signing.json").with_another()
    _save(directory, ring)
    return name


def activate_key(directory: Path, name: str) -> None:
    """Sign with a key from now on; raises ValueError for an unknown one."""
    _save(directory, KeyRing.load(directory / "signing.json").signing_with(name))


def retire_key(directory: Path, name: str) -> None:
    """Forget a key; raises ValueError for an unknown one and for the one that signs."""
    _save(directory, KeyRing.load(directory / "signing.json").without(name))


def _save(directory: Path, ring: KeyRing) -> None:
    # The public halves first: a token must never be signed with a key that only matchmaking knows.
    # When a key goes, the order is of no matter: it signs nothing any more.
    ring.save(directory / "verify.json", private=False)
    ring.save(directory / "signing.json", private=True)


def _list(directory: Path) -> None:
    ring = KeyRing.load(directory / "signing.json")
    for name in sorted(ring.keys):
        sys.stdout.write(f"{name}{'  signs' if name == ring.active else ''}\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m services.common.keys",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("directory", type=Path, help="where the keys are kept")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--list", action="store_true", help="print the ids of the keys")
    change.add_argument("--add", action="store_true", help="add a key and print its id")
    change.add_argument("--activate", metavar="ID", help="sign with this key from now on")
    change.add_argument("--retire", metavar="ID", help="forget a key that does not sign any more")
    given = parser.parse_args(arguments)
    try:
        if given.list:
            _list(given.directory)
        elif given.add:
            sys.stdout.write(f"{add_key(given.directory)}\n")
        elif given.activate:
            activate_key(given.directory, given.activate)
        elif given.retire:
            retire_key(given.directory, given.retire)
        else:
            ensure_keys(given.directory)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"keys: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
