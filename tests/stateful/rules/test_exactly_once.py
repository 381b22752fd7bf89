"""Fifty clients that repeat at random, lose answers and race leave exactly the accepted history.

A model that knows nothing of transactions beside two real services on one database: whatever was
accepted stays, in order; every repeat gets the first reply; everything else is refused.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from oddsocks.play.v1 import play_pb2
from services.wire.actions import action_from_message
from tests.fixtures.local import empty_database
from tests.stateful.rules.model import CHANCE, SOCKER, Match
from tests.stateful.rules.site import CROWD, Site, answer_of

PICK = st.integers(0, 10_000)
SEAT = st.integers(0, 1)

Wish = tuple[str, int, str, dict[str, Any]]
"""Method, seat, request id, and what else the request says."""


class ExactlyOnce(RuleBasedStateMachine):
    """One match of two players, played through two services."""

    site: Site  # set by the test

    def __init__(self) -> None:
        super().__init__()
        self.model: Match | None = None
        self.ids = 0
        self.accepted: list[tuple[Wish, tuple[int, int]]] = []

    @initialize()
    def open_match(self) -> None:
        """A short match: at most a turn each, then sudden death of as much."""
        options: dict[str, Any] = {"turn_limit": 1, "sudden_cap": 1}
        self.match_id = self.site.new_match(**options)
        self.model = Match(options)
        self._take_chance()

    # --- asking the services ---------------------------------------------------------------------

    def wish(self, method: str, seat: int, **more: Any) -> Wish:
        """A new request, under a new id."""
        self.ids += 1
        return method, seat, f"request-{self.ids}", more

    async def send(self, wish: Wish, client: int = 0) -> Any:
        """The answer one of the seat's clients gets; even ones ask the service with the faults."""
        method, seat, request_id, more = wish
        clients = self.site.crowd[seat]
        asking = clients[client % len(clients)]
        if method == "SubmitAction":
            text, revision = more["text"], more["revision"]
            call: Any = asking.submit(self.match_id, seat, request_id, revision, text)
        else:
            call = asking.wish(method, self.match_id, seat, request_id, **more)
        return await answer_of(call)

    def events(self) -> list[str]:
        """What the services say has happened, each event in a word."""
        return [word(event) for event in self.site.run(self._events())]

    async def _events(self) -> list[play_pb2.Event]:
        return await self.site.crowd[0][1].events(self.match_id)

    def _take_chance(self) -> None:
        """What chance did is not the model's to foresee: take it over, if it was chance's turn."""
        model = self.match
        while model.actor == CHANCE:
            model.act(self.events()[model.revision])

    @property
    def match(self) -> Match:
        assert self.model is not None
        return self.model

    # --- what has to come of it ------------------------------------------------------------------

    def due(self, wish: Wish) -> str | None:
        """The reason for which a new request has to be refused now; None: it has to be done."""
        method, seat, _, more = wish
        match = self.match
        if "revision" in more and more["revision"] != match.revision:
            return "STALE_REVISION"
        if more.get("expected_revision", match.revision) != match.revision:
            return "STALE_REVISION"
        if match.over:
            return "MATCH_FINISHED"
        if method == "SubmitAction":
            return None if seat == match.actor else "NOT_YOUR_TURN"
        if method == "UndoAction":
            return "CANNOT_UNDO" if match.undo_target(seat) is None else None
        if method == "AnswerAsk":
            ask = match.ask
            if ask is None or ask.revision != more["ask_revision"]:
                return "ASK_LAPSED"
            return "ASK_LAPSED" if ask.seat == seat and more["agree"] else None
        if method == "Resign":
            return None
        if not match.may_ask(seat):
            return "ASK_PENDING"
        takes_back = method == "AskTakeback"
        return "CANNOT_UNDO" if takes_back and match.takeback_target(seat) is None else None

    def accept(self, wish: Wish) -> tuple[int, int]:
        """It was done: so has the model; the reply that is due for it."""
        method, seat, _, more = wish
        match = self.match
        before = match.revision
        if method == "SubmitAction":
            match.act(more["text"])
            self._take_chance()
        elif method == "UndoAction":
            target = match.undo_target(seat)
            assert target is not None
            match.undo(target)
        elif method == "AskTakeback":
            match.asks("ASK_TAKEBACK", seat, match.takeback_target(seat))
        elif method == "OfferEnd":
            match.asks("OFFER_END", seat)
        elif method == "AnswerAsk":
            match.answer(agree=more["agree"])
        else:
            match.resign()
        reply = before, match.revision
        self.accepted.append((wish, reply))
        return reply

    def try_once(self, wish: Wish, client: int) -> None:
        """A new request, and its due answer."""
        reason = self.due(wish)
        answer = self.site.run(self.send(wish, client))
        assert answer == (self.accept(wish) if reason is None else reason), wish

    # --- what clients do -------------------------------------------------------------------------

    def goes_on(self) -> bool:
        return self.model is not None and not self.model.over

    def action(self, pick: int) -> Wish:
        """Something legal."""
        match = self.match
        assert match.actor is not None
        legal = match.legal()
        text = legal[pick % len(legal)]
        return self.wish("SubmitAction", match.actor, text=text, revision=match.revision)

    @precondition(goes_on)
    @rule(pick=PICK, client=PICK)
    def act(self, pick: int, client: int) -> None:
        self.try_once(self.action(pick), client)

    @rule(seat=SEAT, client=PICK)
    def undo(self, seat: int, client: int) -> None:
        revision = self.match.revision
        self.try_once(self.wish("UndoAction", seat, expected_revision=revision), client)

    @rule(seat=SEAT, client=PICK, takeback=st.booleans())
    def ask(self, seat: int, client: int, takeback: bool) -> None:
        if takeback:
            revision = self.match.revision
            wish = self.wish("AskTakeback", seat, expected_revision=revision)
        else:
            wish = self.wish("OfferEnd", seat)
        self.try_once(wish, client)

    @rule(seat=SEAT, client=PICK, agree=st.booleans(), late=st.integers(0, 2))
    def answer(self, seat: int, client: int, agree: bool, late: int) -> None:
        """What is asked, or something that is not."""
        ask = self.match.ask
        if ask is not None and ask.kind == "OFFER_END" and agree and late:
            return  # not every match is to end so soon
        at = max(0, (ask.revision if ask else self.match.revision) - (late == 2))
        self.try_once(self.wish("AnswerAsk", seat, ask_revision=at, agree=agree), client)

    @rule(seat=SEAT, client=PICK, really=st.integers(0, 9))
    def resign(self, seat: int, client: int, really: int) -> None:
        if really == 0 or self.match.over:
            self.try_once(self.wish("Resign", seat), client)

    @precondition(goes_on)
    @rule(pick=PICK, undo=st.booleans())
    def lose_the_reply(self, pick: int, undo: bool) -> None:
        """It happens, but the client is told nothing of use, and asks again."""
        match = self.match
        seat = match.actor
        assert seat is not None
        wish = self.action(pick)
        if undo and match.undo_target(seat) is not None:
            wish = self.wish("UndoAction", seat, expected_revision=match.revision)
        self.site.faults.lose_answers = 1
        assert self.site.run(self.send(wish)) == "UNAVAILABLE"
        reply = self.accept(wish)
        assert self.site.run(self.send(wish, pick)) == reply

    @precondition(lambda self: bool(self.accepted))
    @rule(pick=PICK, client=PICK)
    def repeat(self, pick: int, client: int) -> None:
        """Any earlier accepted request again, also after the end: its first reply."""
        wish, reply = self.accepted[pick % len(self.accepted)]
        assert self.site.run(self.send(wish, client)) == reply

    @precondition(lambda self: bool(self.accepted))
    @rule(pick=PICK, client=PICK)
    def reuse_an_id(self, pick: int, client: int) -> None:
        """An earlier id for something else."""
        (_, seat, request_id, _), _ = self.accepted[pick % len(self.accepted)]
        other = ("SubmitAction", seat, request_id, {"text": "pass", "revision": 10_000})
        assert self.site.run(self.send(other, client)) == "REQUEST_ID_REUSED"

    @rule(seat=SEAT, client=PICK, away=st.integers(-3, 3))
    def be_out_of_date(self, seat: int, client: int, away: int) -> None:
        """For a revision that is over or not yet there, or out of turn."""
        revision = max(0, self.match.revision + away)
        wish = self.wish("SubmitAction", seat, text="end", revision=revision)
        if self.due(wish) is not None:
            self.try_once(wish, client)

    @precondition(goes_on)
    @rule(seed=PICK, lost=st.integers(0, 20))
    def crowd(self, seed: int, lost: int) -> None:
        """All clients at once: some new requests, each from several, and old ones again."""
        rng, match = Random(seed), self.match
        seat = match.actor
        assert seat is not None
        revision = match.revision
        fresh = [self.action(rng.randrange(10_000)) for _ in range(3)]
        if match.undo_target(seat) is not None:
            fresh.append(self.wish("UndoAction", seat, expected_revision=revision))
        old = rng.choices(self.accepted, k=CROWD // 3) if self.accepted else []
        sent = rng.choices(fresh, k=CROWD - len(old)) + [wish for wish, _ in old]
        rng.shuffle(sent)
        self.site.faults.lose_answers = lost

        async def at_once() -> list[Any]:
            return await asyncio.gather(*(self.send(w, i) for i, w in enumerate(sent)))

        answers = self.site.run(at_once())
        self.site.faults.lose_answers = 0
        first_word = self.events()[revision]
        done = {wish[2]: wish for wish in fresh if self._says(wish) == first_word}
        known = {wish[2]: reply for wish, reply in self.accepted}
        # Several may have asked for the same action: whose it was is told by who gets a reply.
        asked_again = {w[2]: self.site.run(self.send(w, 1)) for w in fresh if w[2] in done}
        winners = [done[name] for name, answer in asked_again.items() if isinstance(answer, tuple)]
        assert len(winners) == 1, asked_again
        reply = self.accept(winners[0])
        for wish, answer in zip(sent, answers, strict=True):
            name = wish[2]
            if name in known:
                assert answer in (known[name], "UNAVAILABLE")
            elif name == winners[0][2]:
                assert answer in (reply, "UNAVAILABLE")
            else:
                assert answer in ("STALE_REVISION", "MATCH_FINISHED", "UNAVAILABLE"), wish
        assert sum(answer == "UNAVAILABLE" for answer in answers) <= lost

    def _says(self, wish: Wish) -> str:
        if wish[0] == "SubmitAction":
            return str(wish[3]["text"])
        return f"UNDO>{self.match.undo_target(wish[1])}"

    @precondition(lambda self: self.site.redis is not None)
    @rule()
    def restart_redis(self) -> None:
        self.site.run(self.site.restart_redis())

    @invariant()
    def the_history_is_what_was_accepted(self) -> None:
        """Nothing lost, nothing twice, nothing else; the same through both services."""
        if self.model is None:
            return
        model = self.model
        assert self.events() == model.history
        for client in self.site.crowd[0][:2]:
            match = self.site.run(client.match(self.match_id))
            assert match.revision == model.revision
            assert match.HasField("actor") != model.over
            if not model.over:
                assert match.actor == model.actor
                assert match.views[0].may_undo == (model.undo_target(0) is not None)
                assert match.HasField("ask") == (model.ask is not None)


def word(event: play_pb2.Event) -> str:
    """An event in a word: an action's notation, or the kind of what happened beside the game."""
    if event.HasField("action"):
        return SOCKER.format_action(action_from_message(SOCKER, event.action))
    kind = play_pb2.ControlKind.Name(event.control.kind).removeprefix("CONTROL_KIND_")
    to_revision = event.control.HasField("to_revision")
    return f"{kind}>{event.control.to_revision}" if to_revision else kind


def run_machine(site: Site, examples: int) -> None:
    machine = type("Bound", (ExactlyOnce,), {"site": site})
    bounds = settings(
        max_examples=examples,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=bounds)


@pytest.fixture(name="sqlite_site")
def _sqlite_site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as directory:
        site = Site(Path(directory), f"sqlite:///{directory}/rules.db")
        yield site
        site.close()


@pytest.fixture(name="postgres_site")
def _postgres_site(postgres_url: str) -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as directory, empty_database(postgres_url) as url:
        site = Site(Path(directory), url, redis=True)
        yield site
        site.close()


@pytest.mark.field(1)
def test_exactly_the_accepted_history_remains(sqlite_site: Site) -> None:
    run_machine(sqlite_site, examples=12)


@pytest.mark.long
@pytest.mark.timeout(1_200)
@pytest.mark.field(1)
def test_so_it_does_on_postgres_while_redis_restarts(postgres_site: Site) -> None:
    run_machine(postgres_site, examples=40)
