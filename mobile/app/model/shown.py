"""Which matches this device has shown, and up to where: for what is told and for what is news."""

from __future__ import annotations

from dataclasses import dataclass

from app.model.store import Store

_FILE = "seen"
MOST_MATCHES = 500


@dataclass(frozen=True, slots=True)
class _Known:
    revision: int
    promise: str = ""


class Shown:
    """Up to which revision each match was on show here, and what was promised of its dice; the
    newest 500 matches are remembered.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        kept = store.read(_FILE).get("matches")
        self._known: dict[str, _Known] = {}
        for entry in kept if isinstance(kept, list) else []:
            match entry:
                case [str(match_id), int(revision), str(promise), *_]:  # an older app kept more
                    self._known[match_id] = _Known(revision, promise)

    def of(self, match_id: str) -> int | None:
        """The revision shown last; None for a match that was never shown here."""
        return self._known[match_id].revision if match_id in self._known else None

    def promise_of(self, match_id: str) -> str:
        """What was promised of its dice when it was first seen here; "" if nothing was."""
        return self._known[match_id].promise if match_id in self._known else ""

    def note(self, match_id: str, revision: int, promise: str = "") -> None:
        """The match has been shown up to `revision`. Of promises the first counts."""
        now = _Known(revision, self.promise_of(match_id) or promise)
        if self._known.get(match_id) == now:
            return
        self._known.pop(match_id, None)
        self._known[match_id] = now
        self._known = dict(list(self._known.items())[-MOST_MATCHES:])
        kept = [[match_id, one.revision, one.promise] for match_id, one in self._known.items()]
        # Not worth waiting for the storage: at worst a turn is told twice.
        self._store.write(_FILE, {"matches": kept}, durable=False)
