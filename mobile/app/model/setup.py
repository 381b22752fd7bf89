"""A table in the making: who sits where, and what was chosen. Free of Kivy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from app.model.games import Knob, Offer, knobs
from app.model.terms import Pace
from app.model.values import Agent, Here, SeatRequest, SeatWish
from services.engine.core.options import OptionValue
from services.engine.core.registry import ruleset


class With(Enum):
    """With whom somebody wants to play; its value is what screens pass on."""

    COMPUTER = "computer"
    HERE = "here"
    FRIEND = "friend"
    ANYBODY = "anybody"

    @classmethod
    def _missing_(cls, value: object) -> With:
        """A screen kept by another version: the usual."""
        del value
        return cls.COMPUTER


@dataclass(frozen=True, slots=True)
class Plan:
    """What a new table is to be. Never changed, only replaced."""

    offer: Offer
    seats: tuple[SeatRequest, ...]
    chosen: Mapping[str, int] = field(default_factory=dict)
    """The choice of each knob by its number; 0, the usual one, for those not named."""
    on_server: bool = False
    """Whether it is played on the server although nobody elsewhere takes part."""
    terms: Mapping[str, int] = field(default_factory=dict)
    """The choice of each knob of what is agreed with people elsewhere, by its number."""

    @property
    def least(self) -> int:
        """How few can play."""
        return ruleset(self.offer.game).min_seats

    @property
    def most(self) -> int:
        """How many can play."""
        return ruleset(self.offer.game).max_seats

    @property
    def needs_server(self) -> bool:
        """Whether the match can't be on this device alone."""
        return self.on_server or SeatWish.FRIEND in self.seats

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options that differ from the defaults of the game."""
        found: dict[str, OptionValue] = dict(self.offer.options)
        for knob in knobs(self.offer.key):
            index = self.choice(knob)
            if index:
                found |= knob.choices[index].options
        return found

    def choice(self, knob: Knob) -> int:
        """The number of the choice made for a knob."""
        return self.chosen.get(knob.key, 0)

    def choose(self, knob: Knob, index: int) -> Plan:
        """Another choice for a knob."""
        return replace(self, chosen={**self.chosen, knob.key: index})

    @property
    def pace(self) -> Pace:
        """How fast it is to be played."""
        return Pace.DAYS if self.terms.get("pace", 0) == 1 else Pace.LIVE

    def agree(self, key: str, index: int) -> Plan:
        """Another choice for a knob of what is agreed."""
        return replace(self, terms={**self.terms, key: index})

    def sit(self, seat: int, wish: SeatRequest) -> Plan:
        """Somebody else on a seat. Whoever sits elsewhere already changes places."""
        seats = list(self.seats)
        if not isinstance(wish, Agent) and wish is not SeatWish.FRIEND and wish in seats:
            seats[seats.index(wish)] = seats[seat]
        seats[seat] = wish
        return replace(self, seats=tuple(seats))

    def add(self, wish: SeatRequest) -> Plan:
        """One more seat, if there is room."""
        room = len(self.seats) < self.most
        return replace(self, seats=(*self.seats, wish)) if room else self

    def remove(self, seat: int) -> Plan:
        """One seat less, if enough are left."""
        enough = len(self.seats) > self.least
        return replace(self, seats=self.seats[:seat] + self.seats[seat + 1 :]) if enough else self

    @property
    def people(self) -> tuple[str, ...]:
        """The others on this device who take part."""
        return tuple(wish.name for wish in self.seats if isinstance(wish, Here))

    def next_wish(self, kind: With, agents: Sequence[Agent], names: Sequence[str]) -> SeatRequest:
        """Who would most likely come next."""
        if kind in (With.FRIEND, With.ANYBODY):
            return SeatWish.FRIEND
        free = [name for name in names if name not in self.people]
        if kind is With.HERE and free:
            return Here(free[0])
        return usual_agent(agents) or Here(free[0] if free else "")


def usual_agent(agents: Sequence[Agent]) -> Agent | None:
    """The opponent for somebody who has not said whom they want: the kindest."""
    return min(agents, key=lambda agent: agent.level, default=None)


def first_plan(offer: Offer, kind: With, agents: Sequence[Agent], names: Sequence[str]) -> Plan:
    """A table of two that could start at once."""
    plan = Plan(offer, (SeatWish.ME,))
    return replace(plan, seats=(SeatWish.ME, plan.next_wish(kind, agents, names)))
