"""A match as it has to come out: what was accepted, in order, and what may be asked of it next.

Knows the game from the engine, and nothing of databases, requests that are repeated, or time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from services.engine.core.registry import ruleset

SOCKER = ruleset("socker")
CHANCE = -1


@dataclass
class Ask:
    """What one seat asks of the other."""

    kind: str
    seat: int
    revision: int
    to_revision: int | None = None


@dataclass
class Match:
    """`history` has each event in a word; `states` the game at each revision; `line` the actions
    that stand, as (revision, seat).
    """

    options: dict[str, Any]
    history: list[str] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    line: list[tuple[int, int]] = field(default_factory=list)
    settled: int = 0
    """So many actions of the line can't be undone: people agreed to go back to them."""
    ask: Ask | None = None
    asked: set[int] = field(default_factory=set)
    over: bool = False

    def __post_init__(self) -> None:
        self.states.append(SOCKER.initial(self.options, 2))

    @property
    def revision(self) -> int:
        return len(self.history)

    @property
    def actor(self) -> int | None:
        return None if self.over else SOCKER.actor(self.states[-1])

    def legal(self) -> list[str]:
        """What the actor may do."""
        return [SOCKER.format_action(a) for a in SOCKER.legal_actions(self.states[-1])]

    def act(self, text: str) -> None:
        """An action, chance's included."""
        action = SOCKER.parse_action(text)
        SOCKER.check(self.states[-1], action)
        actor = self.actor
        assert actor is not None
        self.line.append((self.revision, actor))
        self._happened(text, SOCKER.apply(self.states[-1], action))
        self.ask, self.asked = None, set()
        self.over = SOCKER.outcome(self.states[-1]) is not None

    def undo_target(self, seat: int) -> int | None:
        """To which revision the seat may go back by itself."""
        if self.actor != seat or len(self.line) <= self.settled:
            return None
        revision, actor = self.line[-1]
        return revision if actor == seat else None

    def undo(self, to_revision: int) -> None:
        """Back to before the last action that stands."""
        self._back("UNDO", to_revision)
        self.ask = None

    def takeback_target(self, seat: int) -> int | None:
        """Before which action of its own the seat may ask to go back."""
        own = [revision for revision, actor in self.line if actor == seat]
        return own[-1] if own else None

    def may_ask(self, seat: int) -> bool:
        """Whether it may ask anything now."""
        return not self.over and self.ask is None and seat not in self.asked

    def asks(self, kind: str, seat: int, to_revision: int | None = None) -> None:
        """One question."""
        self.ask = Ask(kind, seat, self.revision, to_revision)
        self.asked.add(seat)
        self._happened(kind if to_revision is None else f"{kind}>{to_revision}", self.states[-1])

    def answer(self, *, agree: bool) -> None:
        """The other one's answer, and what it leads to."""
        assert self.ask is not None
        ask, self.ask = self.ask, None
        self._happened("AGREE" if agree else "DECLINE", self.states[-1])
        if agree and ask.to_revision is not None:
            self._back("TAKEBACK", ask.to_revision)
            self.settled, self.asked = len(self.line), set()
        elif agree:
            self._happened("END", self.states[-1])
            self.over = True

    def resign(self) -> None:
        """Of two seats one gives up."""
        self._happened("RESIGN", self.states[-1])
        self.over, self.ask = True, None

    def _back(self, word: str, to_revision: int) -> None:
        while self.line and self.line[-1][0] >= to_revision:
            self.line.pop()
        self.settled = min(self.settled, len(self.line))
        self._happened(f"{word}>{to_revision}", self.states[to_revision])

    def _happened(self, word: str, state: Any) -> None:
        self.history.append(word)
        self.states.append(state)
