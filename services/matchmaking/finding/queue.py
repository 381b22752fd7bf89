"""Quick match: tickets that wait become tables. Pure; SQL makes it count (`ticket_store`).

Only tickets that ask for exactly the same meet. A ticket takes players whose skill is within its
window, which widens as it waits, so that somebody who waits long enough meets anybody.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from services.engine.core import OptionValue
from services.matchmaking.model import Fill, Pace

SILENCE_MS: Final = 30_000
"""A live ticket lapses this long after its player's last sign of life."""
POLL_MS: Final = {Pace.LIVE: 2_000, Pace.DAYS: 15_000}
"""How soon an app should ask again: often enough that a lost call or two do no harm."""

_START: Final = 100
_WIDER_EVERY_MS: Final = {Pace.LIVE: 100, Pace.DAYS: 6_000}
_ANYBODY_AFTER_MS: Final = {Pace.LIVE: 120_000, Pace.DAYS: 6 * 3_600_000}
_MOST_LOOKED_AT: Final = 200
"""How many tickets are looked at for one before it has to wait for the next round."""
_MOST_TRIED: Final = 2_000

Blocked: TypeAlias = Mapping[str, AbstractSet[str]]
"""For each player those they must not be seated with: whoever of the two blocked the other."""


class TicketStatus(Enum):
    """What has become of a ticket. Nothing leads back to WAITING."""

    WAITING = "waiting"
    SEATED = "seated"
    LAPSED = "lapsed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Hope:
    """What somebody wants to play: all that two tickets must agree in.

    `options` holds every option, defaults included, sorted by name; `rules` is JSON.
    """

    game: str
    options: tuple[tuple[str, OptionValue], ...]
    rules: str
    seats: int
    pace: Pace


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player's place in the queue of a game; times in milliseconds since 1970 UTC."""

    ticket_id: str
    player_id: str
    hope: Hope
    fill: Fill | None
    skill: int
    opened_at_ms: int
    seen_at_ms: int
    status: TicketStatus = TicketStatus.WAITING
    table_id: str = ""

    @property
    def agents_at_ms(self) -> int | None:
        """When agents take the seats that are left; None: never."""
        return None if self.fill is None else self.opened_at_ms + self.fill.after_ms


@dataclass(frozen=True, slots=True)
class Proposal:
    """Tickets to seat at one table, and the agent for the other seats, if some are left."""

    tickets: tuple[Ticket, ...]
    agent: str | None = None


def lapsed(ticket: Ticket, now_ms: int) -> bool:
    """Whether a ticket's player has been silent for too long. Over days silence means nothing."""
    return ticket.hope.pace is Pace.LIVE and now_ms - ticket.seen_at_ms >= SILENCE_MS


def window(ticket: Ticket, now_ms: int) -> int | None:
    """How far away in skill another player may be by now; None: anybody will do."""
    waited, pace = now_ms - ticket.opened_at_ms, ticket.hope.pace
    if waited >= _ANYBODY_AFTER_MS[pace]:
        return None
    return _START + max(waited, 0) // _WIDER_EVERY_MS[pace]


def changed(ticket: Ticket, hope: Hope, fill: Fill | None, now_ms: int) -> Ticket:
    """The ticket asking for something else. Who wants the same keeps how long they have waited."""
    since = ticket.opened_at_ms if hope == ticket.hope else now_ms
    return dataclasses.replace(ticket, hope=hope, fill=fill, opened_at_ms=since, seen_at_ms=now_ms)


def propose(tickets: Iterable[Ticket], now_ms: int, blocked: Blocked) -> list[Proposal]:
    """Whom to seat with whom. Each ticket is in one proposal at most.

    Who has waited longest chooses first, and gets those nearest in skill. Agents come only to
    tickets whose time for them has come, and that found too few people; others who take agents at
    all come along.
    """
    queues: defaultdict[Hope, list[Ticket]] = defaultdict(list)
    for ticket in tickets:
        if ticket.status is TicketStatus.WAITING and not lapsed(ticket, now_ms):
            queues[ticket.hope].append(ticket)
    proposals: list[Proposal] = []
    for hope in sorted(queues, key=repr):  # the same proposals whatever the order of the tickets
        queue = _Queue(queues[hope], now_ms, blocked)
        proposals += queue.among_people()
        proposals += queue.with_agents()
    return proposals


class _Queue:
    """Tickets that ask for the same, in the order of skill, linked so that taking out is quick."""

    def __init__(self, tickets: Sequence[Ticket], now_ms: int, blocked: Blocked) -> None:
        self.tickets = sorted(tickets, key=lambda t: (t.skill, t.opened_at_ms, t.ticket_id))
        self.now_ms, self.blocked = now_ms, blocked
        widths = [window(ticket, now_ms) for ticket in self.tickets]
        self.widths = [1 << 40 if width is None else width for width in widths]
        size = len(self.tickets)
        self.before = list(range(-1, size - 1))
        self.after = list(range(1, size + 1))
        self.taken = [False] * size
        self.oldest_first = sorted(
            range(size), key=lambda i: (self.tickets[i].opened_at_ms, self.tickets[i].ticket_id)
        )

    def among_people(self) -> Iterator[Proposal]:
        """Tables without agents."""
        for first in self.oldest_first:
            if not self.taken[first]:
                group = self._whole_group(first, self.tickets[first].hope.seats - 1)
                if group is not None:
                    yield Proposal(self._take([first, *group]))

    def with_agents(self) -> Iterator[Proposal]:
        """Tables for those whose time has come for agents, of the tickets that are left."""
        for first in self.oldest_first:
            ticket = self.tickets[first]
            due = ticket.agents_at_ms
            if self.taken[first] or ticket.fill is None or due is None or due > self.now_ms:
                continue
            group: list[int] = []
            for other in self._near(first):
                if len(group) == ticket.hope.seats - 1:
                    break
                if self.tickets[other].fill and all(self._fit(other, one) for one in group):
                    group.append(other)
            full = len(group) == ticket.hope.seats - 1
            yield Proposal(self._take([first, *group]), None if full else ticket.fill.agent)

    def _whole_group(self, first: int, wanted: int) -> list[int] | None:
        """`wanted` tickets that fit `first` and each other; the nearest of them, if that works."""
        group: list[int] = []
        near: list[int] = []
        for other in self._near(first):
            near.append(other)
            if all(self._fit(other, one) for one in group):
                group.append(other)
                if len(group) == wanted:
                    return group
        if wanted == 1 or len(near) < wanted:
            return None
        # The nearest may fit nobody else (blocks, narrow windows): try others beside it.
        tries = [_MOST_TRIED]
        return self._search(near, wanted, tries)

    def _search(self, candidates: list[int], wanted: int, tries: list[int]) -> list[int] | None:
        if wanted == 0:
            return []
        for place, one in enumerate(candidates):
            if len(candidates) - place < wanted or tries[0] <= 0:
                return None
            tries[0] -= 1
            fitting = [other for other in candidates[place + 1 :] if self._fit(one, other)]
            if (rest := self._search(fitting, wanted - 1, tries)) is not None:
                return [one, *rest]
        return None

    def _near(self, first: int) -> Iterator[int]:
        """Tickets that fit one, nearest in skill first."""
        skill, width = self.tickets[first].skill, self.widths[first]
        low, high = self.before[first], self.after[first]
        for _ in range(_MOST_LOOKED_AT):
            down = skill - self.tickets[low].skill if low >= 0 else width + 1
            up = self.tickets[high].skill - skill if high < len(self.tickets) else width + 1
            if min(down, up) > width:
                return
            if down <= up:
                other, low = low, self.before[low]
            else:
                other, high = high, self.after[high]
            if self._fit(first, other):
                yield other

    def _fit(self, one: int, other: int) -> bool:
        """Whether two may sit at one table, as far as each of them is concerned."""
        a, b = self.tickets[one], self.tickets[other]
        return (
            abs(a.skill - b.skill) <= min(self.widths[one], self.widths[other])
            and a.player_id != b.player_id
            and b.player_id not in self.blocked.get(a.player_id, ())
            and a.player_id not in self.blocked.get(b.player_id, ())
        )

    def _take(self, group: Sequence[int]) -> tuple[Ticket, ...]:
        for index in group:
            self.taken[index] = True
            low, high = self.before[index], self.after[index]
            if low >= 0:
                self.after[low] = high
            if high < len(self.tickets):
                self.before[high] = low
        return tuple(self.tickets[index] for index in group)
