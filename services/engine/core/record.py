"""A finished match as one JSON document, and whether it can have happened so.

docs/export.md describes the document. Everything in it that follows from the rest is worked out
again: each action's turn and legality, what an agent knew that took it, each draw from seed and
nonces, each undo, and the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.engine.core.errors import EngineError, clip
from services.engine.core.fairness import SEED_BYTES, Draws, commitment
from services.engine.core.options import resolve
from services.engine.core.registry import AnyRuleset, ruleset
from services.engine.core.types import CHANCE, Action, Outcome, Seat

FORMAT: Final = "oddsocks-match/1"

CHANCE_KINDS: Final[Mapping[str, str]] = {
    "deal": "shuffle",
    "draw": "draw",
    "eye": "die",
    "first": "toss",
    "roll": "die",
    "toss": "toss",
}
"""What the words of the games' chance are called, by their first part."""

_RESTORES: Final = frozenset({"undo", "takeback"})
_SETTLED: Final = {"end": "agreed", "abandon": "abandoned"}
"""Ends without a winner, by the event, and their reasons."""
_GIVES_UP: Final = {"resign": "resigned", "forfeit": "forfeit"}
"""Ends that the other seat wins where there are two."""
_BESIDE: Final = frozenset(
    {"ask_takeback", "offer_end", "agree", "decline", "sit", "return", "vacation"}
)
"""What changes nothing in the game."""


class UnreadableRecord(EngineError):
    """A document that is no record of a match that this version can replay; the text says why."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing in a record that can't have happened so.

    `ply` is the revision of the event at fault; 0 for the seed, the number of events for the end.
    `kind` is `die`, `draw`, `shuffle` or `toss` for chance; else `seed`, `action`, `control`,
    `outcome`, or `knowledge` where an agent was told something else than what its seat knew.
    """

    ply: int
    kind: str
    problem: str


def read_record(text: str | bytes) -> dict[str, Any]:
    """The document; raises `UnreadableRecord`."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableRecord(f"not JSON: {clip(str(error))}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UnreadableRecord(f"not a match in the format {FORMAT}")
    return document


def verify(document: Mapping[str, Any], published: bytes | None = None) -> Fault | None:
    """The first fault of a record; None: it holds.

    `published` is the SHA-256 of the seed as it was seen before the match; without it, the
    document's own is taken. Raises `UnreadableRecord`, also for another version of the rules.
    """
    try:
        return _Replay(document).run(published)
    except EngineError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableRecord(f"a part is missing or of the wrong kind: {error!r}") from error


class _Found(Exception):
    """Carries the first fault out of the replay."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.problem)
        self.fault = fault


class _Replay:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self.rules = _rules_of(document)
        options = resolve(self.rules.option_specs, document["options"])
        if options != document["options"]:
            raise UnreadableRecord("options: not all of them are named")
        self.seats = len(document["seats"])
        self.states = [self.rules.initial(options, self.seats)]
        """By revision."""
        nonces = tuple(bytes.fromhex(seat.get("nonce") or "") for seat in document["seats"])
        self.seed = bytes.fromhex(document["draws"]["seed"])
        self.published = bytes.fromhex(document["draws"]["seed_sha256"])
        self.draws = Draws(self.seed, str(document["match_id"]), nonces)
        if self.draws.scheme != document["draws"]["scheme"]:
            raise UnreadableRecord(f"draws are made by {self.draws.scheme} here")
        self.drawn = 0
        self.outcome: Outcome | None = None
        self.history = document["history"]
        self.said = document["outcome"]

    def run(self, published: bytes | None) -> Fault | None:
        if len(self.seed) != SEED_BYTES or commitment(self.seed) != self.published:
            return Fault(0, "seed", "the seed does not have its SHA-256")
        if published is not None and published != self.published:
            return Fault(0, "seed", "another SHA-256 was published before the match")
        try:
            for revision, event in enumerate(self.history):
                self._event(revision, event)
            self._end()
        except _Found as found:
            return found.fault
        return None

    def _event(self, revision: int, event: Mapping[str, Any]) -> None:
        kind, state = event["kind"], self.states[-1]
        if event["revision"] != revision:
            raise _Found(Fault(revision, "control", f"revision {event['revision']} comes here"))
        if self.outcome is not None or self.rules.outcome(state) is not None:
            raise _Found(Fault(revision, "control", "the match was over before"))
        if kind == "action":
            state = self._action(revision, event)
        elif kind in _RESTORES:
            state = self._restored(revision, event["to_revision"])
        elif kind in _SETTLED:
            self.outcome = Outcome(_SETTLED[kind], (), self.rules.scores(state))
        elif kind in _GIVES_UP:
            if self.seats == 2:
                resigned = self.rules.resigned(state, event["actor"])
                self.outcome = Outcome(_GIVES_UP[kind], resigned.winners, resigned.scores)
        elif kind not in _BESIDE:
            raise _Found(Fault(revision, "control", f"no kind of event: {clip(str(kind))}"))
        self.states.append(state)

    def _action(self, revision: int, event: Mapping[str, Any]) -> Any:
        state, text = self.states[-1], event["action"]
        actor: Seat | None = self.rules.actor(state)
        kind = CHANCE_KINDS.get(text.partition(":")[0], "draw") if actor == CHANCE else "action"
        if event["actor"] != actor:
            raise _Found(Fault(revision, kind, f"{actor} is to act, not {event['actor']}"))
        action = self._read(revision, kind, text)
        if actor == CHANCE:
            self._check_draw(revision, kind, action, event)
        elif not self.rules.is_legal(state, action):
            raise _Found(Fault(revision, kind, f"not legal here: {clip(text)}"))
        elif event.get("information_sha256") is not None:
            self._check_known(revision, event["actor"], event["information_sha256"])
        return self.rules.apply(state, action)

    def _read(self, revision: int, kind: str, text: str) -> Action:
        try:
            return self.rules.parse_action(text)
        except EngineError as error:
            raise _Found(Fault(revision, kind, str(error))) from error

    def _check_draw(
        self, revision: int, kind: str, action: Action, event: Mapping[str, Any]
    ) -> None:
        due = self.draws(self.drawn, self.rules.chance_outcomes(self.states[-1]))
        if event["draw"] != self.drawn or action != due:
            said = f"{event['action']} as draw {event['draw']}"
            name = self.rules.format_action(due)
            raise _Found(Fault(revision, kind, f"{said}, not {name} as draw {self.drawn}"))
        self.drawn += 1

    def _check_known(self, revision: int, seat: Seat, said: str) -> None:
        known = self.rules.format_information(self.rules.information(self.states[-1], seat))
        if said != hashlib.sha256(known.encode()).hexdigest():
            raise _Found(Fault(revision, "knowledge", f"seat {seat} knew something else here"))

    def _restored(self, revision: int, to_revision: int) -> Any:
        if not 0 <= to_revision < revision:
            raise _Found(Fault(revision, "control", f"no revision {to_revision} before"))
        state = self.states[to_revision]
        if (self.rules.actor(state) or 0) < 0:
            raise _Found(Fault(revision, "control", f"chance was to act at {to_revision}"))
        return state

    def _end(self) -> None:
        outcome = self.rules.outcome(self.states[-1]) or self.outcome
        due = None
        if outcome is not None:
            due = {
                "reason": outcome.reason,
                "winners": list(outcome.winners),
                "scores": list(outcome.scores),
            }
        if self.said != due:
            raise _Found(Fault(len(self.history), "outcome", f"{self.said}, not {due}"))


def _rules_of(document: Mapping[str, Any]) -> AnyRuleset:
    game, version = document["game"], document["ruleset_version"]
    rules = ruleset(game)
    if rules.version != version:
        raise UnreadableRecord(
            f"played by {game}/{version}, and this is {game}/{rules.version}:"
            f" replay it with a release that has {game}/{version}"
        )
    return rules
