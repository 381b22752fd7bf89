"""Socker against a model: any legal actions, in any order, on both at once."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from services.engine.agents import Budget, agent
from services.engine.core import CHANCE, Action
from services.engine.games.socker import RULESET
from tests.stateful.socker_model import SEATS, Table, on_edge

PICK = st.integers(0, 10_000)


class SockerMachine(RuleBasedStateMachine):
    """Plays short matches, so that goals, caps and sudden death come up."""

    @initialize(
        goals_to_win=st.integers(1, 3),
        turn_cap=st.integers(3, 15),
        sudden_cap=st.integers(1, 12),
        first=st.sampled_from(SEATS),
    )
    def open(self, goals_to_win: int, turn_cap: int, sudden_cap: int, first: str) -> None:
        options = {"goals_to_win": goals_to_win, "turn_cap": turn_cap, "sudden_cap": sudden_cap}
        self.table = Table(goals_to_win, turn_cap, sudden_cap)
        self.state = RULESET.initial(options, 2)
        self.history: list[str] = []
        self.start = self.state
        self.act(f"toss:{first}")

    def act(self, text: str) -> None:
        ending = self.table.seat if text == "end" else ""
        limit = RULESET.observe(self.state, 0).edge_limit
        self.state = RULESET.apply(self.state, RULESET.check(self.state, self.parse(text)))
        self.table.act(text)
        self.history.append(text)
        if ending and limit is not None:
            own = [c for c, sign in self.table.signs.items() if sign.upper() == ending[0].upper()]
            # A cap may have cleared the board; then nothing of the seat is left to count.
            assert sum(map(on_edge, own)) <= limit

    def parse(self, text: str) -> Action:
        return RULESET.parse_action(text)

    def texts(self, signs: str = "") -> list[str]:
        """The legal actions, or those with one of the signs in them."""
        texts = [RULESET.format_action(action) for action in RULESET.legal_actions(self.state)]
        return [text for text in texts if any(sign in text for sign in signs)] if signs else texts

    def going_on(self) -> bool:
        return RULESET.actor(self.state) is not None

    @precondition(lambda self: self.going_on())
    @rule(pick=PICK)
    def anything(self, pick: int) -> None:
        texts = self.texts()
        self.act(texts[pick % len(texts)])

    @precondition(lambda self: self.texts("*x"))
    @rule(pick=PICK)
    def kick_or_sock(self, pick: int) -> None:
        texts = self.texts("*x")
        self.act(texts[pick % len(texts)])

    @precondition(lambda self: self.texts("@"))
    @rule(seed=PICK)
    def place_everybody(self, seed: int) -> None:
        rng = Random(seed)
        while texts := self.texts("@"):
            self.act(rng.choice(texts))

    @precondition(lambda self: self.going_on() and RULESET.actor(self.state) != CHANCE)
    @rule(seed=PICK)
    def play_for_a_while(self, seed: int) -> None:
        rng = Random(seed)
        for _ in range(40):
            texts = self.texts()
            if not texts:
                break
            daring = self.texts("*x")
            self.act(rng.choice(daring if daring and rng.random() < 0.5 else texts))

    @precondition(lambda self: self.going_on() and RULESET.actor(self.state) != CHANCE)
    @rule(seed=PICK, count=st.integers(1, 60))
    def play_for_goals(self, seed: int, count: int) -> None:
        rng, player = Random(seed), agent("socker_search")
        for _ in range(count):
            actor = RULESET.actor(self.state)
            if actor is None or actor == CHANCE:
                break
            information = RULESET.information(self.state, actor)
            # One seat seeks its goal, the other one plays at random.
            name = player if actor == seed % 2 else agent("random")
            action = name.choose(
                RULESET, information, Budget(None, 40), rng, lambda: False, lambda: 0.0
            )
            self.act(RULESET.format_action(action))

    @precondition(lambda self: self.at_start())
    @rule(pick=PICK)
    def step_out_and_back(self, pick: int) -> None:
        """Both seats, so that the position is repeated unless something is in the way."""
        steps: list[str] = []
        for number in range(4):
            texts = self.texts("-")
            if number >= 2:
                texts = [text for text in texts if "-".join(text.split("-")[::-1]) == steps[-2]]
            if not texts or not self.at_start():
                return
            steps.append(texts[pick % len(texts)])
            self.act(steps[-1])
            if "end" not in self.texts():
                return
            self.act("end")

    def at_start(self) -> bool:
        return self.table.stage == "turn" and self.table.used == 0

    @precondition(lambda self: self.texts() and "end" in self.texts())
    @rule()
    def end(self) -> None:
        self.act("end")

    @rule()
    def write_and_read(self) -> None:
        assert RULESET.parse_state(RULESET.format_state(self.state)) == self.state

    @rule()
    def replay(self) -> None:
        state = self.start
        for text in self.history:
            state = RULESET.apply(state, RULESET.check(state, RULESET.parse_action(text)))
        assert state == self.state

    @invariant()
    def the_tables_agree(self) -> None:
        observation = RULESET.observe(self.state, 0)
        body = RULESET.format_observation(observation).partition("| ")[2]
        assert " ".join(w for w in body.split() if not w.startswith("edge=")) == self.table.body()

    @invariant()
    def the_end_is_the_end(self) -> None:
        outcome = RULESET.outcome(self.state)
        assert (outcome is not None) == self.table.stage.startswith("over:")
        assert (outcome is not None) == (not self.texts())
        if outcome is not None:
            south, north = self.table.goals["south"], self.table.goals["north"]
            assert outcome.scores == (south, north)
            assert outcome.winners == (() if south == north else (int(south < north),))


SockerMachine.TestCase.settings = settings(
    max_examples=80, stateful_step_count=30, deadline=None, derandomize=True, database=None
)
TestSocker = SockerMachine.TestCase
