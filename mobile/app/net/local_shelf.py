"""Matches kept on the device: one small file each, replaced as a whole or not at all.

A file holds the setting and the history in the games' notation, from which the engine makes the
match again; and how it stands, so that a list need not replay every match.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from app.model.store import Store
from app.model.terms import Said
from app.model.values import MatchStatus, MyMatch, Occupant, Outcome
from app.net.local_beside import Done
from app.net.local_match import LocalMatch, Step
from app.net.local_setting import Setting, table_of
from services.engine.core import EngineError
from services.engine.core.registry import ruleset

VERSION = 1
MOST_LISTED = 200
"""Of the matches on the device the newest are listed; nobody scrolls through more."""


_ID = re.compile(r"[a-z0-9-]{1,60}")
"""An id becomes the name of a file."""


class Unreadable(Exception):
    """A kept match that this app can't go on with: damaged, or of a newer app."""


class Shelf:
    """Kept matches by their ids."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, match: LocalMatch, step: Step, asked: str) -> None:
        """Keep `match` as it will be after `step`. `asked` is what its opening asked for.

        Raises `OSError` when the device has no room; what was kept before is kept still.
        """
        outcome, actor = step.outcome(match.rules), step.actor(match.rules)
        history = [*match.history, *step.done]
        self._store.write(
            match.match_id,
            {
                "version": VERSION,
                "ruleset_version": match.rules.version,
                "asked": asked,
                "setting": _setting_out(match.setting),
                "history": [_done_out(done) for done in history],
                "hinted": sorted(match.hinted),
                "reviews": {str(seat): found for seat, found in match.reviews.items()},
                "stands": {
                    "revision": len(history),
                    "actor": actor,
                    "outcome": asdict(outcome) if outcome else None,
                },
            },
        )

    def load(self, match_id: str) -> tuple[LocalMatch, str] | None:
        """A match as it was kept last, and what its opening asked for; None if there is none.

        Raises `Unreadable`.
        """
        kept = self._store.read(match_id) if _ID.fullmatch(match_id) else {}
        if not kept:
            return None
        try:
            setting = _setting_in(match_id, kept["setting"])
            self._check(kept, setting)
            match = LocalMatch(setting)
            match.replay(_done_in(entry) for entry in kept["history"])
            match.hinted = {(int(seat), int(at)) for seat, at in kept.get("hinted", ())}
            match.reviews = _reviews_in(kept.get("reviews"))
            return match, str(kept["asked"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise Unreadable(f"{match_id}: {error}") from error

    def listed(self) -> tuple[MyMatch, ...]:
        """All matches, newest first; those that can't be gone on with have status UNKNOWN."""
        found: list[MyMatch] = []
        for match_id in self._store.names(MOST_LISTED):
            kept = self._store.read(match_id)
            try:
                found.append(self._line(match_id, kept))
            except (KeyError, TypeError, ValueError, IndexError):
                continue  # Not a match at all; `load` says so to whoever asks for it.
        return tuple(sorted(found, key=lambda one: -one.table.opened_at_ms))

    def _line(self, match_id: str, kept: dict[str, Any]) -> MyMatch:
        setting = _setting_in(match_id, kept["setting"])
        stands = kept["stands"]
        revision = int(stands["revision"])
        try:
            self._check(kept, setting)
        except EngineError:
            unknown = MatchStatus.UNKNOWN
            return MyMatch(table_of(setting), setting.mine, revision, unknown, None, None)
        outcome = _outcome_in(stands["outcome"])
        actor = None if stands["actor"] is None else int(stands["actor"])
        status = MatchStatus.RUNNING if outcome is None else MatchStatus.FINISHED
        return MyMatch(table_of(setting), setting.mine, revision, status, actor, outcome)

    @staticmethod
    def _check(kept: dict[str, Any], setting: Setting) -> None:
        if kept["version"] != VERSION:
            raise EngineError(f"version {kept['version']} of the file")
        if kept["ruleset_version"] != ruleset(setting.game).version:
            raise EngineError(f"version {kept['ruleset_version']} of the rules")


_SEAT = ("player_id", "agent", "display_name")
"""What is kept of a seat: who acts for whom is of servers only."""


def _setting_out(setting: Setting) -> dict[str, Any]:
    return {
        "game": setting.game,
        "options": dict(setting.options),
        "seats": [{name: getattr(who, name) for name in _SEAT} for who in setting.seats],
        "mine": list(setting.mine),
        "opened_at_ms": setting.opened_at_ms,
        "start": setting.start,
        "seed": setting.seed,
        "hints": setting.hints,
    }


def _setting_in(match_id: str, kept: dict[str, Any]) -> Setting:
    return Setting(
        match_id=match_id,
        game=str(kept["game"]),
        options=dict(kept["options"]),
        seats=tuple(Occupant(**seat) for seat in kept["seats"]),
        mine=tuple(int(seat) for seat in kept["mine"]),
        opened_at_ms=int(kept["opened_at_ms"]),
        start=str(kept["start"]),
        seed=str(kept.get("seed", "")),
        hints=kept.get("hints") is not False,
    )


def _done_out(done: Done) -> list[Any]:
    entry = [done.actor, done.action, done.at_ms, done.origin, done.request_id]
    # Actions stay as they always were, so that an older app reads a match that has only these.
    return entry if done.said is None else [*entry, done.said.value, done.to_revision]


def _done_in(entry: list[Any]) -> Done:
    actor, action, at_ms, origin, request_id, *beside = entry
    said, to_revision = beside or (None, None)
    return Done(
        int(actor),
        str(action),
        int(at_ms),
        str(origin),
        str(request_id),
        None if said is None else Said(said),
        None if to_revision is None else int(to_revision),
    )


def _reviews_in(kept: Any) -> dict[int, str]:
    """What can be made again costs nobody their match, whatever it is."""
    found = kept.items() if isinstance(kept, dict) else ()
    return {int(seat): str(one) for seat, one in found if seat.isdecimal()}


def _outcome_in(kept: dict[str, Any] | None) -> Outcome | None:
    if kept is None:
        return None
    winners, scores = tuple(map(int, kept["winners"])), tuple(map(int, kept["scores"]))
    return Outcome(str(kept["reason"]), winners, scores)
