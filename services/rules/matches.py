"""What the service does with matches: make, look at, and play them. No protobuf in here.

Positions are kept in memory, but memory is never asked whether an action counts: the database
compares the revision in the transaction that writes it. So several processes may serve one match.
"""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

import structlog

from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field, request_id_reused, short_reason
from services.engine.core import InvalidNotation
from services.engine.core.fairness import commitment
from services.engine.core.registry import AnyRuleset
from services.rules import wishes
from services.rules.absence import (
    ComeBack,
    TimeUp,
    Vacation,
    Wanted,
    clock_of,
    come_back,
    time_up,
    vacation,
    with_clock,
)
from services.rules.fairness import new_seed
from services.rules.history import PAGE, History, keep
from services.rules.match import (
    MatchInfo,
    Move,
    Occupant,
    Position,
    Step,
    begin,
    play,
    replay,
    restore,
)
from services.rules.metrics import COMMITTED, REPEATED, SUBMITS
from services.rules.refusals import as_refusals
from services.rules.store import (
    SNAPSHOT_EVERY,
    Answer,
    Commit,
    Committed,
    Head,
    MatchStore,
    Moved,
    Request,
    Snapshot,
    SubmitPath,
)
from services.rules.table_rules import UNTIMED, TableRules
from services.rules.turn_clock import Time, acted, first_clock, load_clock
from services.rules.wishes import Wish

_log = structlog.get_logger("matches")

Value = TypeVar("Value")


class Notices(Protocol):
    """Whom to tell, and whom to ask for a copy. All of it may be lost: it only saves time."""

    def committed(self, info: MatchInfo, position: Position) -> None:
        """A match has reached this position. Returns at once."""

    async def recall(self, match_id: str) -> Snapshot | None:
        """A recent position of a match, if there is one at hand. Never waits longer than 0.5 s."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match somebody wants."""

    ruleset: AnyRuleset
    options: dict[str, Any]
    seats: tuple[Occupant, ...]
    pace: int
    host_player_id: str
    rules: TableRules = UNTIMED
    nonces: tuple[bytes, ...] = ()


class Losses(Protocol):
    """How much time was lost in which no process was there, in milliseconds: `Uptime`."""

    @property
    def known_ms(self) -> int:
        """As far as is known at once; for showing."""

    async def lost_ms(self) -> int:
        """As it is. Raises `RefusedError` UNAVAILABLE."""


@dataclass(frozen=True, slots=True)
class _NothingLost:
    known_ms: int = 0

    async def lost_ms(self) -> int:
        return self.known_ms


@dataclass(slots=True)
class Matches:
    """All matches of the database. `size` bounds the positions kept in memory."""

    store: MatchStore
    path: SubmitPath
    notices: Notices
    clock: Clock
    size: int = 2_000
    losses: Losses = field(default_factory=_NothingLost)
    _infos: OrderedDict[str, MatchInfo] = field(default_factory=OrderedDict)
    _positions: OrderedDict[str, Position] = field(default_factory=OrderedDict)
    _loading: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _writing: set[asyncio.Task[Any]] = field(default_factory=set)
    _forgotten: int = 0
    history: History = field(init=False)

    def __post_init__(self) -> None:
        self.history = History(self.store, self.size)

    async def create(self, new: NewMatch, request: Request, payload: bytes) -> str:
        """Make a match; returns its id, which repeating the request gives again.

        Raises `RefusedError` (INVALID_OPTION, INVALID_FIELD, REQUEST_ID_REUSED, UNAVAILABLE).
        """
        info = MatchInfo(
            match_id=uuid.uuid4().hex,
            ruleset=new.ruleset,
            options=new.options,
            seats=new.seats,
            pace=new.pace,
            host_player_id=new.host_player_id,
            seed=await self._seed(new, request),
            rules=new.rules,
            nonces=new.nonces,
        )
        time = await self._time()
        with as_refusals():
            step = begin(info, info.draws, time.now_ms)
        clock = first_clock(info.rules, info.persons)
        step = with_clock(info, step.after, step, clock, time.served_ms)
        match_id = await self._finish(self._create(info, step, request, payload))
        return match_id.decode()

    async def promise(self, request: Request) -> bytes:
        """Choose the seed of the match that `create` will make for this request, once.

        Returns what may be published of it.
        """
        seed = await self.store.promise_seed(request, new_seed(), self.clock())
        return commitment(seed)

    async def _seed(self, new: NewMatch, request: Request) -> bytes:
        promised = await self.store.promised_seed(request)
        if promised is None and any(new.nonces):
            # Who knows the nonces could choose a seed that suits them.
            raise invalid_field("nonces", "need a seed that was promised before")
        return promised or new_seed()

    async def info(self, match_id: str) -> MatchInfo | None:
        """What never changes about a match; None when there is none."""
        info = self._infos.get(match_id)
        if info is None:
            forgotten = self._forgotten
            info = await self.store.info(match_id)
            if info is not None and forgotten == self._forgotten:  # else its names may be old
                keep(self._infos, match_id, info, self.size)
        return info

    def forget_names(self, player_id: str) -> None:
        """Read the matches of a player, who has another name now, anew when they are asked for."""
        self._forgotten += 1
        for match_id, info in list(self._infos.items()):
            if any(who.player_id == player_id for who in info.seats):
                del self._infos[match_id]

    def time(self) -> Time:
        """Now, for showing. What happens now goes by `_time`."""
        return Time(self.clock(), self.losses.known_ms)

    async def served_ms(self) -> int:
        """Now, in served milliseconds. Raises `RefusedError` UNAVAILABLE."""
        return (await self._time()).served_ms

    async def _time(self) -> Time:
        return Time(self.clock(), await self.losses.lost_ms())

    def remembered(self, match_id: str) -> MatchInfo | None:
        """What `info` would answer without asking the database."""
        return self._infos.get(match_id)

    async def current(self, info: MatchInfo, at_least: int | None = None) -> Position:
        """The position as of now, or one in memory that has got to revision `at_least`."""
        known = self._positions.get(info.match_id)
        if known is not None:
            if at_least is not None and known.revision >= at_least:
                return known
            # Read after what is known, so that it can't be behind it.
            head = await self.store.head(info.match_id)
            if head.revision == known.revision and not _unfinished(known, head):
                return known
        async with self._loading.setdefault(info.match_id, asyncio.Lock()):
            return await self._catch_up(info, self._positions.get(info.match_id))

    async def submit(
        self,
        info: MatchInfo,
        wish: Wanted,
        request: Request,
        reply: Callable[[int, int], bytes],
        *,
        first_counts: bool = False,
    ) -> bytes:
        """Do what is wished exactly once; returns the reply made of (applied, new) revision.

        A request id that was answered before gets that answer again, whatever has happened to
        the match since. Asked for something else under it, that is REQUEST_ID_REUSED, unless
        `first_counts`. Raises `RefusedError`, also for what the guard refuses.
        """
        kind, payload = type(wish).__name__, fingerprint(info, wish)
        try:
            known, result = await self._submit(info, wish, request, payload, reply)
            told = _repeat(known, payload, request, first_counts)
        except RefusedError as error:
            SUBMITS.labels(kind, short_reason(error.reason)).inc()
            raise
        SUBMITS.labels(kind, result).inc()
        return told

    async def _submit(
        self,
        info: MatchInfo,
        wish: Wanted,
        request: Request,
        payload: bytes,
        reply: Callable[[int, int], bytes],
    ) -> tuple[Answer, str]:
        """The answer that counts for the request, and whether this call or an earlier made it."""
        position = await self.current(info, at_least=0)
        while True:
            try:
                step = await self._step(info, position, wish)
            except RefusedError:
                # Perhaps refused only because it has been done already, or because another
                # process has moved the match on since this one looked.
                known = await self.store.answer(info.match_id, request)
                if known is not None:
                    return known, REPEATED
                latest = await self.current(info)
                if latest.revision == position.revision:
                    raise
                position = latest
                continue
            answer = Answer(payload, reply(position.revision, step.after.revision))
            snapshot = _snapshot_due(info, position, step)
            commit = Commit(info, position.revision, step, request, answer, snapshot)
            match await self._finish(self._commit(commit)):
                case Committed():
                    return answer, COMMITTED
                case Answer() as known:
                    return known, REPEATED
                case Moved():
                    position = await self.current(info)

    async def _step(self, info: MatchInfo, position: Position, wish: Wanted) -> Step:
        """What a wish leads to, on the clock too; raises `RefusedError` where it may not be."""
        time = await self._time()
        by_person = not isinstance(wish, TimeUp) and not (isinstance(wish, Move) and wish.by_agent)
        clock = acted(position.clock, wish.seat) if by_person else position.clock
        match wish:
            case TimeUp():
                step, clock = time_up(info, position, wish, info.draws, time)
            case Vacation():
                step, clock = vacation(info, position, clock, wish, time)
            case ComeBack():
                step = come_back(info, position, wish, time.now_ms)
            case _:
                step = await self._granted(info, position, wish, time.now_ms)
        return with_clock(info, position, step, clock, time.served_ms)

    async def _granted(self, info: MatchInfo, position: Position, wish: Wish, now_ms: int) -> Step:
        match wish:
            case Move():
                return play(info, position, wish, info.draws, now_ms)
            case wishes.Undo():
                before = await self.history.at(info, wishes.undo_target(info, position, wish))
                return wishes.undo(info, position, wish, before, now_ms)
            case wishes.Resign():
                return wishes.resign(info, position, wish, now_ms)
            case wishes.AskTakeback():
                pages = self.history.pages(info, position.revision)
                history = [event async for page in pages for event in page]
                step = wishes.ask_takeback(info, position, wish, history, now_ms)
            case wishes.OfferEnd():
                step = wishes.offer_end(info, position, wish, now_ms)
            case wishes.Answer():
                step = wishes.answer(info, position, wish, now_ms)
        ask = wishes.all_agreed(info, step.after)
        if ask is None:
            return step
        to_revision = ask.to_revision
        restored = None if to_revision is None else await self.history.at(info, to_revision)
        return wishes.conclude(info, step, ask, restored, now_ms)

    async def close(self) -> None:
        """Wait for writes whose callers have gone."""
        if self._writing:
            await asyncio.wait(self._writing)

    async def _create(self, info: MatchInfo, step: Step, request: Request, payload: bytes) -> bytes:
        known = await self.store.create(info, step, request, payload)
        if known.reply == info.match_id.encode():
            keep(self._infos, info.match_id, info, self.size)
            self._reached(info, step.after)
            return known.reply
        return _repeat(known, payload, request, first_counts=False)

    async def _commit(self, commit: Commit) -> Committed | Answer | Moved:
        result = await self.path.submit(commit)
        if isinstance(result, Committed):
            self._reached(commit.info, commit.step.after)
        return result

    async def _finish(self, write: Coroutine[Any, Any, Value]) -> Value:
        """Await a write that goes on, and tells of itself, although its caller may give up."""
        task = asyncio.create_task(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    def _reached(self, info: MatchInfo, position: Position) -> None:
        known = self._positions.get(info.match_id)
        if known is None or known.revision < position.revision:
            keep(self._positions, info.match_id, position, self.size)
        self.notices.committed(info, position)

    async def _catch_up(self, info: MatchInfo, known: Position | None) -> Position:
        """From what is at hand to what the database says now."""
        base = known or await self._recall(info)
        # Read after the base, so that it can't be behind it.
        head = await self.store.head(info.match_id)
        if base.revision > head.revision:
            # The database was brought back from a backup, and what is at hand never was for it.
            base = _restore(info, await self.store.snapshot(info.match_id))
            head = await self.store.head(info.match_id)
        while base.revision < head.revision or _unfinished(base, head):
            events = await self.store.events(
                info.match_id, base.revision, min(PAGE, head.revision - base.revision)
            )
            if len(events) == 0 and base.revision < head.revision:
                raise LookupError(f"match {info.match_id} has no event {base.revision}")
            ended = head.outcome if base.revision + len(events) == head.revision else None
            base = replay(info, base, events, ended)
        if base is not known:
            clock = clock_of(info, base) if head.clock is None else load_clock(head.clock)
            base = replace(base, clock=clock)
        keep(self._positions, info.match_id, base, self.size)
        return base

    async def _recall(self, info: MatchInfo) -> Position:
        copy = await self.notices.recall(info.match_id)
        if copy is not None:
            try:
                return _restore(info, copy)
            except InvalidNotation as error:
                _log.warning("unreadable copy", match_id=info.match_id, problem=error.problem)
        return _restore(info, await self.store.snapshot(info.match_id))


def fingerprint(info: MatchInfo, wish: Wanted) -> bytes:
    """What a request id stands for: SHA-256 over what is wished, actions in their notation."""
    if isinstance(wish, Move):
        action = info.ruleset.format_action(wish.action)
        text = f"{wish.seat} {wish.expected_revision} {action}"
    else:
        text = repr(wish)
    return hashlib.sha256(text.encode()).digest()


def _repeat(known: Answer, payload: bytes, request: Request, first_counts: bool) -> bytes:
    if known.payload != payload and not first_counts:
        raise request_id_reused(request.request_id)
    return known.reply


def _snapshot_due(info: MatchInfo, before: Position, step: Step) -> str | None:
    if before.revision // SNAPSHOT_EVERY == step.after.revision // SNAPSHOT_EVERY:
        return None
    return info.ruleset.format_state(step.after.state)


def _restore(info: MatchInfo, copy: Snapshot) -> Position:
    state = info.ruleset.parse_state(copy.position)
    return restore(info, copy.revision, copy.draws, state, copy.acting_since_ms, life=copy.life)


def _unfinished(base: Position, head: Head) -> bool:
    return base.outcome is None and head.outcome is not None
