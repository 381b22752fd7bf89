"""Choosing a computer opponent and how long to play."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import tr
from app.model.values import Agent
from app.model.words import portrait
from app.screens.base import OddScreen, load_kv
from app.widgets import Card
from services.engine.core.options import OptionValue

GAME = "socker"
MOST_SOCKS = 5
"""Strength is shown in socks; there is no room for more."""

LENGTHS: dict[str, dict[str, OptionValue]] = {
    "goal": {},
    "goals": {"goals_to_win": 3},
    "turns": {"turn_limit": 15},
}
"""How long a match is, by the name of its chip. A limit of turns is offered as prominently as
goals, since cautious players need long for a first goal (RULINGS 2.10)."""


class AgentCard(ButtonBehavior, Card):
    """One computer opponent."""

    name = StringProperty("")
    about = StringProperty("")
    level = NumericProperty(1)
    hardest = NumericProperty(1)
    side = NumericProperty(1)
    agent = ObjectProperty(None, allownone=True)


class ComputerScreen(OddScreen):
    """The agents of the server, kindest first; one is chosen from the start."""

    length = StringProperty("goal")
    ready = BooleanProperty(False)

    def open(self) -> None:
        self.ready = False
        self.ids.agents.clear_widgets()
        self.run(self._list)

    async def _list(self) -> None:
        agents = await self.app.session.gateway.list_agents(GAME)
        hardest = max((agent.level for agent in agents), default=1)
        for agent in agents:
            self.ids.agents.add_widget(self._card(agent, hardest))
        if not self.ids.agents.children:
            self.trouble = tr("No computer opponent is awake on this server.")
            return
        self.choose(self.ids.agents.children[-1])

    def _card(self, agent: Agent, hardest: int) -> AgentCard:
        words = portrait(agent)
        card = AgentCard(
            name=words.name,
            about=words.about,
            level=min(agent.level, MOST_SOCKS),
            hardest=min(hardest, MOST_SOCKS),
            agent=agent,
            size_hint_y=None,
            height=dp(88),
        )
        card.bind(on_release=self.choose)
        return card

    def choose(self, chosen: Any) -> None:
        """Mark one opponent as the one to play."""
        for card in self.ids.agents.children:
            card.chosen = card is chosen
        self.ready = True

    def play(self) -> None:
        """Open a table against the chosen one."""
        for card in self.ids.agents.children:
            if card.chosen and not self.busy:
                self.run(partial(self._play, card.agent))

    async def _play(self, agent: Agent) -> None:
        table = await self.app.session.play_agent(agent, LENGTHS[self.length])
        self.app.show_table(table, instead=True)


load_kv(__file__)
