"""A match played by the engine in this process: whose turn it is, and what an action does. Pure.

The guard stands here, once: request id first, then revision, end, turn and legality, as in the
rules service, and it refuses for the same reasons. No clock, no storage, no tasks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from app.model.gateway import Refused
from app.model.terms import USUAL, Said, Undo, Wish
from app.model.values import (
    Act,
    Applied,
    Event,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Outcome,
    SeatView,
    Table,
    UnknownAct,
)
from app.net import convert
from app.net.local_beside import NOTHING_BESIDE, WISHES, Done, Life, event_of, happened, wished
from app.net.local_record import written
from app.net.local_setting import Setting, table_of
from services.engine.core import CHANCE, SPECTATOR, Action, EngineError
from services.engine.core.chance import draw
from services.engine.core.fairness import Draws, commitment
from services.engine.core.registry import AnyRuleset, ruleset
from services.wire.actions import (
    HIDDEN,
    action_from_message,
    action_to_message,
    visible_to_message,
)
from services.wire.observations import observation_to_message


@dataclass(frozen=True, slots=True)
class Step:
    """What happens together, what the device sees of it, and how the match stands afterwards."""

    done: tuple[Done, ...]
    events: tuple[Event, ...]
    state: Any
    life: Life = NOTHING_BESIDE

    def outcome(self, rules: AnyRuleset) -> Outcome | None:
        """How the match ended; None while it goes on."""
        ended: Outcome | None = rules.outcome(self.state) or self.life.ended
        return ended

    def actor(self, rules: AnyRuleset) -> int | None:
        """The seat to act; None when it is over."""
        return None if self.life.ended else rules.actor(self.state)


class LocalMatch:
    """The truth of one match. Nothing changes before `commit`, so that it can be saved first."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rules: AnyRuleset = ruleset(setting.game)
        self.history: list[Done] = []
        self.events: list[Event] = []
        self.hinted: set[tuple[int, int]] = set()
        """For which decisions there was a hint: seats and revisions."""
        self.reviews: dict[int, str] = {}
        """What was found when it was looked through, by seat, as it is kept."""
        self.state: Any = (
            self.rules.parse_state(setting.start)
            if setting.start
            else self.rules.initial(setting.options, len(setting.seats))
        )
        self.life = NOTHING_BESIDE
        self._requests: dict[str, int] = {}

    @property
    def match_id(self) -> str:
        """Its id."""
        return self.setting.match_id

    @property
    def revision(self) -> int:
        """How many things have happened, in the game and beside it."""
        return len(self.history)

    @property
    def actor(self) -> int | None:
        """The seat to act; None when it is over."""
        return Step((), (), self.state, self.life).actor(self.rules)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return Step((), (), self.state, self.life).outcome(self.rules)

    @property
    def seats(self) -> tuple[Occupant, ...]:
        """Who sits where now."""
        return tuple(self.life.occupant(*each) for each in enumerate(self.setting.seats))

    @property
    def agent_to_act(self) -> str:
        """The agent that acts for the seat to act; "" for a person's turn and after the end."""
        actor = self.actor
        if actor is None or actor == CHANCE:
            return ""
        return self.seats[actor].sitter or self.setting.seats[actor].agent

    # --- what happens -------------------------------------------------------------------------

    def begin(self, rng: Random, now_ms: int) -> Step:
        """What chance does before anybody acts."""
        return self._settled(_Running(self.state, self.life), rng, now_ms)

    def answer(
        self, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied | Action:
        """The answer this request got before, or else the action it may make now.

        Raises `Refused` with the reasons of the rules service.
        """
        self._check_mine(seat)
        action = self._read(act)
        if request_id in self._requests:
            asked = Done(seat, self.rules.format_action(action), 0)
            return self._repeated(request_id, asked, expected_revision)
        revision = {"revision": str(self.revision)}
        if expected_revision != self.revision:
            problem = f"the match is at revision {self.revision}, not {expected_revision}"
            raise Refused("STALE_REVISION", problem, revision)
        if self.actor is None:
            raise Refused("MATCH_FINISHED", "the match is over", revision)
        if self.actor != seat or self.agent_to_act:
            raise Refused("NOT_YOUR_TURN", f"seat {self.actor} is to act", revision)
        if not self.rules.is_legal(self.state, action):
            raise Refused(
                "ILLEGAL_ACTION", f"not legal here: '{self.rules.format_action(action)}'", {}
            )
        return action

    def may_ask(self, seat: int, revision: int) -> None:
        """Raises `Refused`, as the services do, unless the person of `seat` may have a hint now."""
        if seat not in self.setting.mine:
            raise Refused("NOT_YOUR_SEAT", f"seat {seat} is not yours", {"seat": str(seat)})
        if not self.setting.hints:
            raise Refused("TABLE_FORBIDS", "this table has no hints", {"rule": "hints"})
        now = {"revision": str(self.revision)}
        if self.actor is None:
            raise Refused("MATCH_FINISHED", "the match is over", now)
        if revision != self.revision:
            problem = f"the match is at revision {self.revision}, not {revision}"
            raise Refused("STALE_REVISION", problem, now)
        if self.actor != seat:
            raise Refused("NOT_YOUR_TURN", f"seat {self.actor} is to act", now)

    def hints_used(self) -> tuple[int, ...]:
        """How many hints each seat has had."""
        asked = [seat for seat, _ in self.hinted]
        return tuple(asked.count(seat) for seat in range(len(self.setting.seats)))

    def step(
        self, action: Action, rng: Random, now_ms: int, *, origin: str = "", request_id: str = ""
    ) -> Step:
        """What the actor's legal `action` leads to, and what chance does after it."""
        running = _Running(self.state, self.life)
        self._apply(running, action, now_ms, origin, request_id)
        return self._settled(running, rng, now_ms)

    def wish(self, seat: int, request_id: str, wish: Wish, now_ms: int) -> Applied | Step:
        """The answer this request got before, or else what it leads to beside the game.

        Raises `Refused` with the reasons of the rules service.
        """
        self._check_mine(seat)
        if request_id in self._requests:
            before = self.history[self._requests[request_id]]
            same = isinstance(wish, WISHES.get(before.said, ()))
            asked = replace(before, actor=seat) if same else Done(seat, "", 0)
            at = wish.revision if isinstance(wish, Undo) else None
            return self._repeated(request_id, asked, at)
        running = _Running(self.state, self.life)
        said = wished(wish, seat, self.revision, self.actor, self.life, self.setting.mine)
        for kind, to_revision in said:
            done = Done(seat, "", now_ms, "", request_id, kind, to_revision)
            self._happen(running, replace(done, request_id="") if running.done else done)
        return running.step()

    def commit(self, step: Step) -> None:
        """Let `step`, which began at the present state, have happened."""
        for done in step.done:
            if done.request_id:
                self._requests[done.request_id] = len(self.history)
            self.history.append(done)
        self.events += step.events
        self.state, self.life = step.state, step.life

    def replay(self, history: Iterable[Done]) -> None:
        """Do everything of `history` again; raises `EngineError` where the rules forbid it."""
        running = _Running(self.state, self.life)
        for done in history:
            if done.said is not None:
                self._happen(running, done)
                continue
            action = self.rules.parse_action(done.action)
            if self.rules.actor(running.state) != done.actor:
                raise EngineError(f"not the turn of seat {done.actor}: '{done.action}'")
            self.rules.check(running.state, action)
            self._apply(running, action, done.at_ms, done.origin, done.request_id)
        self.commit(running.step())

    def _settled(self, running: _Running, rng: Random, now_ms: int) -> Step:
        while self.rules.actor(running.state) == CHANCE:
            self._apply(running, self._drawn(running, rng), now_ms)
        return running.step()

    def _drawn(self, running: _Running, rng: Random) -> Action:
        """What chance does: what follows from the seed, so that it can be checked afterwards."""
        if not self.setting.seed:
            return draw(self.rules, running.state, rng)
        number = sum(done.actor == CHANCE for done in (*self.history, *running.done))
        draws = Draws(bytes.fromhex(self.setting.seed), self.match_id)
        return draws(number, self.rules.chance_outcomes(running.state))

    def _apply(
        self,
        running: _Running,
        action: Action,
        now_ms: int,
        origin: str = "",
        request_id: str = "",
    ) -> None:
        actor = self.rules.actor(running.state)
        assert actor is not None
        revision = self.revision + len(running.done)
        act = self._seen_act(running.state, action)
        text = self.rules.format_action(action)
        running.done.append(Done(actor, text, now_ms, origin, request_id))
        running.events.append(Event(revision, actor, act, now_ms, origin))
        before, running.state = running.state, self.rules.apply(running.state, action)
        # ADR 0061: nobody else acts in between, and nobody has learnt anything by it.
        undoable = self.rules.actor(running.state) == actor and self.rules.may_undo(before, action)
        running.life = running.life.after_action(revision, before, undoable=undoable)

    def _happen(self, running: _Running, done: Done) -> None:
        """Let something happen beside the game."""
        revision = self.revision + len(running.done)
        running.state, running.life = happened(
            self.rules, running.state, running.life, done, len(self.setting.seats)
        )
        running.done.append(done)
        running.events.append(event_of(done, revision))

    def _seen_act(self, state: Any, action: Action) -> Act:
        """What all seats of the device may see of an action: events are not for one seat alone."""
        seats = self.setting.mine or (SPECTATOR,)
        texts = {self.rules.visible_action(state, action, seat) for seat in seats}
        text = texts.pop() if len(texts) == 1 else HIDDEN
        message = visible_to_message(self.rules, text)
        return UnknownAct() if message is None else convert.act(message)

    def _read(self, act: Act) -> Action:
        try:
            return action_from_message(self.rules, convert.act_to(act))
        except (TypeError, EngineError) as error:
            raise Refused("INVALID_FIELD", f"action: {error}", {"field": "action"}) from error

    def _check_mine(self, seat: int) -> None:
        if seat not in self.setting.mine:
            raise Refused("NOT_YOUR_SEAT", f"seat {seat} is not yours", {"seat": str(seat)})

    def _repeated(self, request_id: str, asked: Done, expected_revision: int | None) -> Applied:
        """The answer to a request that has counted; `asked` is what it asks for this time, and
        `expected_revision` at which, where it says so."""
        revision = self._requests[request_id]
        done = self.history[revision]
        same = (asked.actor, asked.action, asked.said) == (done.actor, done.action, done.said)
        if not same or expected_revision not in (None, revision):
            raise Refused("REQUEST_ID_REUSED", "this request id asked for something else", {})
        after = revision + 1
        while after < self.revision and self._follows(self.history[after]):
            after += 1
        return Applied(revision, after)

    @staticmethod
    def _follows(done: Done) -> bool:
        """Whether it happened by itself, together with what was asked for before it."""
        return done.actor == CHANCE or done.said in (Said.END, Said.ABANDON)

    # --- what is seen ---------------------------------------------------------------------------

    def seen(self) -> Match:
        """The match as the seats of this device see it, each for itself."""
        actor = self.actor
        return Match(
            match_id=self.match_id,
            game=self.setting.game,
            seats=self.seats,
            revision=self.revision,
            status=MatchStatus.FINISHED if actor is None else MatchStatus.RUNNING,
            actor=actor,
            views=tuple(map(self._view, self.setting.mine)),
            outcome=self.outcome,
            options=self.setting.options,
            promise=commitment(bytes.fromhex(self.setting.seed)).hex() if self.setting.seed else "",
            terms=replace(USUAL, hints=self.setting.hints),
        )

    def _view(self, seat: int) -> SeatView:
        rules, state = self.rules, self.state
        acts = self.actor == seat and not self.agent_to_act
        legal = rules.legal_actions(state) if acts else ()
        return SeatView(
            seat,
            convert.view(observation_to_message(rules, rules.observe(state, seat))),
            tuple(convert.act(action_to_message(rules, action)) for action in legal),
            may_undo=acts and bool(self.life.undoable),
        )

    def ply(self, revision: int) -> Match:
        """The match as it stood at `revision`; raises `Refused` for one that it did not reach."""
        if not 0 <= revision <= self.revision:
            problem = f"revision: must be 0 to {self.revision}"
            raise Refused("INVALID_FIELD", problem, {"field": "revision"})
        then = LocalMatch(self.setting)
        then.replay(self.history[:revision])
        return then.seen()

    def record(self) -> str:
        """See `Gateway.export_match`."""
        if self.outcome is None:
            raise Refused("MATCH_RUNNING", "the match is not over yet", {})
        if not self.setting.seed or self.setting.start:
            raise Refused("NOT_PROMISED", "the dice of this match follow from no seed", {})
        return written(self.setting, self.rules.version, self.history, self.outcome)

    def table(self) -> Table:
        """The table it was started from; it has the match's id."""
        return table_of(self.setting)

    def mine(self) -> MyMatch:
        """Its line in a list."""
        status = MatchStatus.FINISHED if self.actor is None else MatchStatus.RUNNING
        return MyMatch(
            self.table(), self.setting.mine, self.revision, status, self.actor, self.outcome
        )


@dataclass(slots=True)
class _Running:
    """A step in the making."""

    state: Any
    life: Life
    done: list[Done] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def step(self) -> Step:
        """What has happened so far."""
        return Step(tuple(self.done), tuple(self.events), self.state, self.life)
