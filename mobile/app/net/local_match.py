"""A match played by the engine in this process: whose turn it is, and what an action does. Pure.

The guard stands here, once: request id first, then revision, end, turn and legality, as in the
rules service, and it refuses for the same reasons. No clock, no storage, no tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from app.model.gateway import Refused
from app.model.terms import USUAL
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Here,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Outcome,
    Player,
    SeatRequest,
    SeatView,
    SeatWish,
    Table,
    TableStatus,
    UnknownAct,
)
from app.net import convert
from app.net.local_record import written
from services.engine.agents import agent_names
from services.engine.core import CHANCE, SPECTATOR, Action, EngineError, InvalidOption
from services.engine.core.chance import draw
from services.engine.core.fairness import Draws, commitment
from services.engine.core.options import OptionValue, resolve
from services.engine.core.registry import AnyRuleset, ruleset
from services.wire.actions import (
    HIDDEN,
    action_from_message,
    action_to_message,
    visible_to_message,
)
from services.wire.observations import observation_to_message


@dataclass(frozen=True, slots=True)
class Setting:
    """What never changes about a match.

    `options` holds every option; `mine` are the seats of this device's account, sorted; `start` is
    the position it began at, in the game's notation, "" for the usual one; `seed` is what its dice
    follow from, in hexadecimal, "" for a match of an older app; `hints`: whether people may ask for
    them.
    """

    match_id: str
    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[Occupant, ...]
    mine: tuple[int, ...]
    opened_at_ms: int = 0
    start: str = ""
    seed: str = ""
    hints: bool = True


@dataclass(frozen=True, slots=True)
class Done:
    """One action of the history: its notation, and the request that asked for it, if one did."""

    actor: int
    action: str
    at_ms: int
    origin: str = ""
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Actions that happen together, what the device sees of them, and the state they lead to."""

    done: tuple[Done, ...]
    events: tuple[Event, ...]
    state: Any


class LocalMatch:
    """The truth of one match. Nothing changes before `commit`, so that it can be saved first."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rules: AnyRuleset = ruleset(setting.game)
        self.history: list[Done] = []
        self.events: list[Event] = []
        self.hinted: set[tuple[int, int]] = set()
        """For which decisions there was a hint: seats and revisions."""
        self.state: Any = (
            self.rules.parse_state(setting.start)
            if setting.start
            else self.rules.initial(setting.options, len(setting.seats))
        )
        self._requests: dict[str, int] = {}

    @property
    def match_id(self) -> str:
        """Its id."""
        return self.setting.match_id

    @property
    def revision(self) -> int:
        """How many actions have happened."""
        return len(self.history)

    @property
    def actor(self) -> int | None:
        """The seat to act; None when it is over."""
        return self.rules.actor(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.rules.outcome(self.state)

    @property
    def agent_to_act(self) -> str:
        """The agent whose seat is to act; "" for a person's turn and after the end."""
        actor = self.actor
        return "" if actor is None or actor == CHANCE else self.setting.seats[actor].agent

    # --- what happens -------------------------------------------------------------------------

    def begin(self, rng: Random, now_ms: int) -> Step:
        """What chance does before anybody acts."""
        return self._settled(_Running(self.state), rng, now_ms)

    def answer(
        self, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied | Action:
        """The answer this request got before, or else the action it may make now.

        Raises `Refused` with the reasons of the rules service.
        """
        if seat not in self.setting.mine:
            raise Refused("NOT_YOUR_SEAT", f"seat {seat} is not yours", {"seat": str(seat)})
        action = self._read(act)
        if request_id in self._requests:
            return self._repeated(seat, request_id, expected_revision, action)
        revision = {"revision": str(self.revision)}
        if expected_revision != self.revision:
            problem = f"the match is at revision {self.revision}, not {expected_revision}"
            raise Refused("STALE_REVISION", problem, revision)
        if self.actor is None:
            raise Refused("MATCH_FINISHED", "the match is over", revision)
        if self.actor != seat:
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
        running = _Running(self.state)
        self._apply(running, action, now_ms, origin, request_id)
        return self._settled(running, rng, now_ms)

    def commit(self, step: Step) -> None:
        """Let `step`, which began at the present state, have happened."""
        for done in step.done:
            if done.request_id:
                self._requests[done.request_id] = len(self.history)
            self.history.append(done)
        self.events += step.events
        self.state = step.state

    def replay(self, history: Iterable[Done]) -> None:
        """Do everything of `history` again; raises `EngineError` where the rules forbid it."""
        running = _Running(self.state)
        for done in history:
            action = self.rules.parse_action(done.action)
            if self.rules.actor(running.state) != done.actor:
                raise EngineError(f"not the turn of seat {done.actor}: '{done.action}'")
            self.rules.check(running.state, action)
            self._apply(running, action, done.at_ms, done.origin, done.request_id)
        self.commit(Step(tuple(running.done), tuple(running.events), running.state))

    def _settled(self, running: _Running, rng: Random, now_ms: int) -> Step:
        while self.rules.actor(running.state) == CHANCE:
            self._apply(running, self._drawn(running, rng), now_ms)
        return Step(tuple(running.done), tuple(running.events), running.state)

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
        running.state = self.rules.apply(running.state, action)

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

    def _repeated(
        self, seat: int, request_id: str, expected_revision: int, action: Action
    ) -> Applied:
        revision = self._requests[request_id]
        done = self.history[revision]
        asked = (seat, expected_revision, self.rules.format_action(action))
        if asked != (done.actor, revision, done.action):
            raise Refused("REQUEST_ID_REUSED", "this request id asked for something else", {})
        after = revision + 1
        while after < self.revision and self.history[after].actor == CHANCE:
            after += 1
        return Applied(revision, after)

    # --- what is seen ---------------------------------------------------------------------------

    def seen(self) -> Match:
        """The match as the seats of this device see it, each for itself."""
        actor = self.actor
        return Match(
            match_id=self.match_id,
            game=self.setting.game,
            seats=self.setting.seats,
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
        legal = rules.legal_actions(state) if rules.actor(state) == seat else ()
        return SeatView(
            seat,
            convert.view(observation_to_message(rules, rules.observe(state, seat))),
            tuple(convert.act(action_to_message(rules, action)) for action in legal),
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
    done: list[Done]
    events: list[Event]

    def __init__(self, state: Any) -> None:
        self.state, self.done, self.events = state, [], []


def table_of(setting: Setting) -> Table:
    """The table of a match on this device."""
    return Table(
        table_id=setting.match_id,
        invitation_code="",
        game=setting.game,
        seats=setting.seats,
        status=TableStatus.STARTED,
        match_id=setting.match_id,
        opened_at_ms=setting.opened_at_ms,
        options=setting.options,
        terms=replace(USUAL, hints=setting.hints),
    )


def new_setting(
    match_id: str,
    game: str,
    wishes: Sequence[SeatRequest],
    options: Mapping[str, OptionValue],
    me: Player,
    opened_at_ms: int,
) -> Setting:
    """The setting that `wishes` ask for; raises `Refused` with the reasons of the services."""
    try:
        rules = ruleset(game)
        whole = resolve(rules.option_specs, options)
    except InvalidOption as error:
        raise Refused("INVALID_OPTION", str(error), {"option": error.name[:80]}) from error
    except EngineError as error:
        raise Refused("GAME_NOT_FOUND", str(error), {"game": game[:80]}) from error
    if not rules.min_seats <= len(wishes) <= rules.max_seats:
        least, most = rules.min_seats, rules.max_seats
        problem = f"seats: {game} has {least} to {most} seats, not {len(wishes)}"
        raise Refused("INVALID_FIELD", problem, {"field": "seats"})
    seats = tuple(occupant_of(wish, game, me) for wish in wishes)
    mine = tuple(seat for seat, who in enumerate(seats) if who.player_id == me.player_id)
    return Setting(match_id, game, whole, seats, mine, opened_at_ms)


def occupant_of(wish: SeatRequest, game: str, me: Player) -> Occupant:
    """Who sits where `wish` asks for; an open seat for a friend. Raises `Refused`."""
    match wish:
        case Agent(name=name):
            if name not in agent_names(game):
                raise Refused("AGENT_NOT_FOUND", f"no agent '{name[:80]}'", {"agent": name[:80]})
            return Occupant(agent=name, display_name=name)
        case Here(name=name):
            return Occupant(player_id=me.player_id, display_name=convert.shown_name(name))
        case SeatWish.ME:
            return Occupant(player_id=me.player_id, display_name=me.display_name)
        case SeatWish.FRIEND:
            return Occupant()


def rotated(setting: Setting, match_id: str, opened_at_ms: int) -> Setting:
    """The setting of a rematch: everybody one seat on."""
    count = len(setting.seats)
    mine = tuple(sorted((seat - 1) % count for seat in setting.mine))
    seats = setting.seats[1:] + setting.seats[:1]
    return replace(
        setting, match_id=match_id, seats=seats, mine=mine, opened_at_ms=opened_at_ms, start=""
    )
