"""Actions made offline in matches over days: kept on the device, and sent only where the position
is still the one they were made in. Free of Kivy.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from app.model.gateway import Gateway, Refused
from app.model.store import Store
from app.model.values import Act, Match, MatchStatus, UnknownAct

_FILE = "kept"


@dataclass(frozen=True, slots=True)
class Kept:
    """An action on its way: `notation` was chosen by `seat` at `revision`, in `position`."""

    match_id: str
    request_id: str
    seat: int
    revision: int
    position: str
    notation: str


@dataclass(frozen=True, slots=True)
class Late:
    """The match has moved on meanwhile. `act` is the same action where it is still possible, and
    None where it is not: then there is nothing to be asked."""

    match: Match
    act: Act | None


class KeptActs:
    """What is on its way to one server, one action a match at most. Outlives the app."""

    def __init__(self, store: Store, server: str) -> None:
        self._store, self._server = store, server

    def keep(self, one: Kept) -> None:
        """Keep an action until it is dropped."""
        everything = self._read()
        everything[one.match_id] = asdict(one)
        self._write(everything)

    def drop(self, match_id: str, request_id: str) -> None:
        """It arrived, or nobody wants it any more. What has been kept since stays."""
        one = self.get(match_id)
        if one is not None and one.request_id == request_id:
            everything = self._read()
            del everything[match_id]
            self._write(everything)

    def get(self, match_id: str) -> Kept | None:
        """What is on its way in a match; None for nothing, or what another version kept."""
        try:
            return Kept(**self._read()[match_id])
        except (KeyError, TypeError):
            return None

    @property
    def matches(self) -> tuple[str, ...]:
        """The matches in which something is on its way."""
        return tuple(self._read())

    def _read(self) -> dict[str, Any]:
        found = self._store.read(_FILE).get(self._server, {})
        return dict(found) if isinstance(found, dict) else {}

    def _write(self, everything: dict[str, Any]) -> None:
        whole = self._store.read(_FILE)
        whole[self._server] = everything
        self._store.write(_FILE, whole)


async def deliver(
    gateway: Gateway,
    kept: KeptActs,
    match_id: str,
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    *,
    asks: bool = True,
) -> Late | None:
    """Send what is on its way in a match; None once there is nothing more to do. An action that is
    late is dropped where the caller `asks` about it now, and else stays.

    Exactly once: an action that had arrived before its answer was lost is in the match's history
    at its revision, and then nothing is sent. Raises what the gateway raises; `Offline` leaves the
    action where it is.
    """
    one = kept.get(match_id)
    if one is None:
        return None
    match = await gateway.get_match(match_id)
    if match.revision != one.revision and await _has_counted(gateway, one):
        kept.drop(match_id, one.request_id)
        return None
    if kept.get(match_id) != one:
        return None  # Another action has taken its place meanwhile, and is on its way itself.
    act = _same(match, one)
    if act is not None and match.position_of(one.seat) == one.position:
        if match.revision != one.revision:  # another request: kept first, lest its answer be lost
            one = replace(one, request_id=new_id(), revision=match.revision)
            kept.keep(one)
        try:
            await gateway.submit_action(match_id, one.seat, one.request_id, one.revision, act)
        except Refused as refused:
            if refused.reason != "STALE_REVISION":
                kept.drop(match_id, one.request_id)
                raise
            match = await gateway.get_match(match_id)
            act = _same(match, one)
        else:
            kept.drop(match_id, one.request_id)
            return None
    if asks:
        kept.drop(match_id, one.request_id)
    return Late(match, act)


async def send_unchanged(gateway: Gateway, kept: KeptActs, match_id: str) -> None:
    """Send what is on its way in a match that nobody looks at, if nothing has happened there since;
    else leave it for when the match is opened. Raises what the gateway raises."""
    one = kept.get(match_id)
    if one is not None and (await gateway.get_match(match_id)).revision == one.revision:
        await deliver(gateway, kept, match_id, asks=False)


async def _has_counted(gateway: Gateway, one: Kept) -> bool:
    for event in await gateway.list_events(one.match_id):
        if event.revision == one.revision:
            return event.actor == one.seat and event.notation == one.notation
    return False


def _same(match: Match, one: Kept) -> Act | None:
    view = match.acting_view
    if match.status is not MatchStatus.RUNNING or view is None or view.seat != one.seat:
        return None
    found = (act for act in view.legal if not isinstance(act, UnknownAct))
    return next((act for act in found if act.notation == one.notation), None)
