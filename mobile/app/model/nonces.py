"""What this device has added to the seeds of its matches, and what was promised of them before.

Kept from the moment it is made, so that it is there when the dice are checked, after any kill.
Free of Kivy.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any, Final

from app.model.gateway import Offline, Refused
from app.model.online import Online
from app.model.store import Store
from app.model.values import Table

SIZE: Final = 32
"""Random bytes; a server takes 16 to 32."""
MOST: Final = 200
_FILE = "nonces"


@dataclass(frozen=True, slots=True)
class Added:
    """What this device added to a seed: `nonce` and the `promise` it was shown before (SHA-256 of
    the seed), both in hexadecimal. `given`: the server has said that it has it."""

    nonce: str
    promise: str
    given: bool = False
    match_id: str = ""


class Nonces:
    """By table; the newest 200 are kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._added: dict[str, Added] = {}
        self._refused: set[str] = set()
        for entry in _list(store.read(_FILE).get("tables")):
            match entry:
                case [str(table_id), str(nonce), str(promise), bool(given), str(match_id)]:
                    self._added[table_id] = Added(nonce, promise, given, match_id)

    def for_table(self, table: Table) -> bytes:
        """What to add at a table, the same whenever it is asked for; nothing where no seed was
        promised yet: who adds before that could be answered with a seed that suits."""
        if not table.promise:
            return b""
        if table.table_id not in self._added:
            self._keep(table.table_id, Added(secrets.token_hex(SIZE), table.promise))
        return bytes.fromhex(self._added[table.table_id].nonce)

    async def add(self, online: Online, table: Table) -> None:
        """Add to the seed of a table where the player sits, if that was not done. It is no harm if
        it can't be done: the match then starts without, and the check knows. Offline, the next time
        tries it again."""
        nonce, added = self.for_table(table), self._added.get(table.table_id)
        if not nonce or table.table_id in self._refused or (added and added.given):
            return
        try:
            self.given(await online.give_nonce(table.table_id, nonce))
        except Offline:
            return
        except Refused:  # It starts just now, or another device of the player was first.
            self._refused.add(table.table_id)

    def given(self, table: Table) -> None:
        """The server has what was added at a table."""
        added = self._added.get(table.table_id)
        if added is not None and not added.given:
            self._keep(table.table_id, replace(added, given=True))

    def taken_back(self, table_id: str) -> None:
        """The player got up from a table: what they added went with them."""
        added = self._added.get(table_id)
        if added is not None and added.given:
            self._keep(table_id, replace(added, given=False))

    def started(self, table: Table) -> None:
        """The match of a table is known."""
        added = self._added.get(table.table_id)
        if added is not None and table.match_id and added.match_id != table.match_id:
            self._keep(table.table_id, replace(added, match_id=table.match_id))

    def of_match(self, match_id: str) -> Added | None:
        """What was added to the seed of a match; None for nothing."""
        return next((one for one in self._added.values() if one.match_id == match_id), None)

    def _keep(self, table_id: str, added: Added) -> None:
        self._added.pop(table_id, None)  # The newest come last, and the oldest go.
        self._added[table_id] = added
        self._added = dict(list(self._added.items())[-MOST:])
        kept = [
            [table, one.nonce, one.promise, one.given, one.match_id]
            for table, one in self._added.items()
        ]
        self._store.write(_FILE, {"tables": kept})


def _list(kept: Any) -> list[Any]:
    return kept if isinstance(kept, list) else []
