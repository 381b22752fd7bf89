"""The table before a match: who plays, and by which rules. It could start at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from app.i18n import tr
from app.model.games import Choice, Knob, knobs, offer
from app.model.session import fresh_id
from app.model.setup import Plan, With, first_plan
from app.model.term_knobs import (
    HINTS,
    LISTED,
    TermKnob,
    agreed,
    agreed_here,
    hints_knob,
    term_knobs,
)
from app.model.values import Agent, SeatRequest, SeatWish
from app.screens.base import OddScreen, load_kv
from app.screens.setup import rows, sheet
from app.screens.setup.rows import SeatRow, knob_row
from app.widgets import Chip

WHERE = "where"


class SetupScreen(OddScreen):
    """A plan that starts with what is usual; `key` is the offer, `whom` says with whom."""

    title = StringProperty("")
    key = StringProperty("")
    ready = BooleanProperty(False)
    unfolded = BooleanProperty(False)
    """Whether the options are shown: the usual ones will do for most."""
    can_add = BooleanProperty(False)
    usual = BooleanProperty(True)
    plan = ObjectProperty(None, allownone=True)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.agents: tuple[Agent, ...] = ()
        self._request_id = ""
        self._with = With.COMPUTER

    def open(self) -> None:
        one = offer(self.params.get("key", ""))
        self.title, self.key = one.title, one.key
        self._with = With(self.params.get("whom"))
        self.ready = self.unfolded = False
        self.plan = None
        self.ids.seats.clear_widgets()
        self.ids.knobs.clear_widgets()
        self.ids.sheet.close()
        self.run(self._prepare)

    async def _prepare(self) -> None:
        one = offer(self.key)
        # The opponents are the same everywhere; these need no network.
        self.agents = await self.app.session.here.list_agents(one.game)
        names = self.app.session.people.offered()
        plan = first_plan(one, self._with, self.agents, names)
        if self._with is With.ANYBODY:
            plan = plan.agree(LISTED, 1)
        for knob in knobs(self.key) if self.app.session.settings.now.memory_help else ():
            if knob.key == "memory_aid":
                plan = plan.choose(knob, 1)
        self.use(plan)
        self.ready = True

    def use(self, plan: Plan) -> None:
        """Show another plan."""
        self.plan = plan
        self._request_id = ""
        self.can_add = len(plan.seats) < plan.most
        terms = plan.terms if SeatWish.FRIEND in plan.seats else {HINTS: plan.terms.get(HINTS, 0)}
        self.usual = not (any(plan.chosen.values()) or plan.on_server or any(terms.values()))
        self.ids.seats.clear_widgets()
        for seat, wish in enumerate(plan.seats):
            row = SeatRow(wish=wish, me=self.app.session.people.me, removable=self._removable)
            row.bind(on_release=lambda _, seat=seat: self.ids.sheet.ask(self, seat))
            row.bind(on_remove=lambda _, seat=seat: self.use(self.plan.remove(seat)))
            self.ids.seats.add_widget(row)
        self._show_knobs()

    @property
    def _removable(self) -> bool:
        plan: Plan = self.plan
        return len(plan.seats) > plan.least

    # --- who ------------------------------------------------------------------------------------

    def add(self) -> None:
        """One more player, of the kind that was asked for."""
        names = self.app.session.people.offered()
        self.use(self.plan.add(self.plan.next_wish(self._with, self.agents, names)))

    def sit(self, seat: int, wish: SeatRequest) -> None:
        """Somebody else on a seat."""
        self.use(self.plan.sit(seat, wish))

    # --- how ------------------------------------------------------------------------------------

    def unfold(self) -> None:
        """Show or hide the options."""
        self.unfolded = not self.unfolded
        self._show_knobs()

    def _show_knobs(self) -> None:
        self.ids.knobs.clear_widgets()
        if not self.unfolded:
            return
        if self.app.session.server:
            row = knob_row(_where(), int(self.plan.on_server))
            row.bind(on_choice=lambda _, index: self._move(on_server=bool(index)))
            self.ids.knobs.add_widget(row)
        for knob in knobs(self.key):
            row = knob_row(knob, self.plan.choice(knob))
            row.bind(on_choice=lambda _, index, knob=knob: self.use(self.plan.choose(knob, index)))
            self.ids.knobs.add_widget(row)
        if SeatWish.FRIEND in self.plan.seats:
            self._show_terms(term_knobs(self.plan.pace, self.agents))
        else:
            self._show_terms((hints_knob(),))

    def _show_terms(self, terms: tuple[TermKnob, ...]) -> None:
        """What is agreed beside the game; with people elsewhere before the options, since there it
        matters more."""
        many = len(terms) > 1
        for number, knob in enumerate(terms):
            row = knob_row(knob, self.plan.terms.get(knob.key, 0))
            row.bind(on_choice=lambda row, index: self.use(self.plan.agree(row.key, index)))
            last = len(self.ids.knobs.children)
            self.ids.knobs.add_widget(row, index=last - number if many else 0)

    def chip(self, key: str, index: int) -> Chip:
        """The chip of a choice; the options have to be unfolded."""
        row = next(row for row in self.ids.knobs.children if row.key == key)
        chip: Chip = row.chips[index]
        return chip

    def _move(self, *, on_server: bool) -> None:
        self.use(replace(self.plan, on_server=on_server))

    # --- and off --------------------------------------------------------------------------------

    def play(self) -> None:
        """Open the table."""
        if self.ready and not self.busy:
            self.run(partial(self._play, self.plan))

    async def _play(self, plan: Plan) -> None:
        session = self.app.session
        gateway = session.online if plan.needs_server else session.here
        # The same id until there is an answer: trying again makes no second table.
        self._request_id = self._request_id or fresh_id()
        terms, listed = (
            agreed(plan.terms, self.agents)
            if SeatWish.FRIEND in plan.seats
            else (agreed_here(plan.terms), False)
        )
        table = await gateway.open_table(
            self._request_id, plan.offer.game, plan.seats, plan.options, terms, listed=listed
        )
        for name in plan.people:
            session.people.met(name)
        self.app.show_table(table, instead=True)

    def takes_back(self) -> bool:
        return bool(self.ids.sheet.close())


def _where() -> Knob:
    return Knob(
        WHERE,
        tr("Where it is kept"),
        tr("On the server you can go on with it from another device."),
        (Choice(tr("On this device"), {}), Choice(tr("On the server"), {})),
    )


__all__ = ["SetupScreen", "rows", "sheet"]

load_kv(__file__)
