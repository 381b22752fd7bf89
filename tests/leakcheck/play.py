"""One match of a pair on the real services, and everything that reaches the viewer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import uuid
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias
from unittest import mock

import grpc
import structlog.testing
from google.protobuf.json_format import MessageToDict

from oddsocks.ai.v1 import advice_pb2, ai_service_pb2
from oddsocks.matchmaking.v1 import (
    inbox_service_pb2,
    matchmaking_service_pb2,
    push_service_pb2,
)
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as pb
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai.fallback import Children
from services.common.background import end
from services.engine.core import CHANCE, SPECTATOR, Action, OptionValue, WeightedAction
from services.engine.core.fairness import Draws
from services.engine.core.registry import ruleset
from services.wire.actions import action_to_message
from tests.fixtures.stack import Stack, running_stack
from tests.leakcheck.pairs import Pair
from tests.leakcheck.push import TOKEN, Phone, closed_apps

Record: TypeAlias = list[tuple[str, bytes]]
"""What reached the viewer, in order: what it was an answer to, and its bytes."""

PLY_MS: Final = 1_000
_WAIT_S: Final = 60.0
_RULES: Final = "/oddsocks.rules.v1.RulesService/"
_MATCHMAKING: Final = "/oddsocks.matchmaking.v1.MatchmakingService/"
_AI: Final = "/oddsocks.ai.v1.AiService/"
_INBOX: Final = "/oddsocks.matchmaking.v1.InboxService/"
_PUSH: Final = "/oddsocks.matchmaking.v1.PushService/"
_LONG_MS: Final = 19 * 3_600_000
"""With a day for a turn, time is short once this has passed."""
_HOUR_S: Final = 3_600.0
# What services do every now and then is done when the test says so, or does not matter here:
# nothing of it happens by chance while the clock jumps.
_AT_REST: Final = {
    "matchmaking": dict.fromkeys(("push_seconds", "sweep_seconds", "pairing_seconds"), _HOUR_S),
    "ai": {"poll_seconds": _HOUR_S},
}
# What a log line says of this run and not of the match.
_OF_THE_RUN: Final = ("port", "internal_port", "seconds", "milliseconds")


@dataclass(slots=True)
class Viewer:
    """Calls as the app would, and keeps every byte that comes back."""

    channels: Mapping[str, grpc.aio.Channel]
    metadata: tuple[tuple[str, str], ...]
    record: Record = field(default_factory=list)
    # Apart from the answers: which of the two comes first is a matter of chance.
    watched: Record = field(default_factory=list)

    async def ask(self, method: str, request: Any) -> bytes:
        """A call of rules, or of another service by its whole path; refusals are kept as well."""
        path = method if method.startswith("/") else f"{_RULES}{method}"
        unary: Any = self._channel(path).unary_unary(path)
        try:
            answer: bytes = await unary(
                request.SerializeToString(), metadata=self.metadata, timeout=_WAIT_S
            )
        except grpc.aio.AioRpcError as error:
            answer = _as_bytes(error)
        self.record.append((path, answer))
        return answer

    def listen(self, path: str, request: Any) -> Any:
        """A stream of raw messages."""
        stream: Any = self._channel(path).unary_stream(path)
        return stream(request.SerializeToString(), metadata=self.metadata)

    def _channel(self, path: str) -> grpc.aio.Channel:
        if path.startswith(_AI):
            return self.channels["ai"]
        return self.channels["rules" if path.startswith(_RULES) else "matchmaking"]


@dataclass(slots=True)
class Follower:
    """The viewer's stream of the match, from its start on."""

    viewer: Viewer
    match_id: str
    reached: int = -1
    _moved: asyncio.Event = field(default_factory=asyncio.Event)
    reading: asyncio.Task[None] = field(init=False)

    def __post_init__(self) -> None:
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        """Read until cancelled; signs of life come when they like and are left out."""
        stream = self.viewer.listen(
            f"{_RULES}WatchMatch", pb.WatchMatchRequest(match_id=self.match_id)
        )
        async for message in stream:
            update = pb.WatchMatchResponse.FromString(message)
            if update.HasField("heartbeat"):
                continue
            self.viewer.watched.append(("WatchMatch", message))
            if update.HasField("match"):
                self.reached = update.match.revision
                self._moved.set()

    async def until(self, revision: int) -> None:
        """Wait until the stream has shown the match at a revision."""
        async with asyncio.timeout(_WAIT_S):
            while self.reached < revision:
                self._moved.clear()
                moved = asyncio.create_task(self._moved.wait())
                await asyncio.wait((moved, self.reading), return_when=asyncio.FIRST_COMPLETED)
                if self.reading.done():
                    self.reading.result()
                    raise AssertionError("the stream ended although the match goes on")


@dataclass(slots=True)
class StillClock:
    """The services' time, which stands unless it is moved."""

    now_ms: int

    def __call__(self) -> int:
        """Milliseconds since 1970 UTC."""
        return self.now_ms


@dataclass(slots=True)
class People:
    """All who sit at the table, and the spectator who opened it where the viewer has no seat."""

    stack: Stack
    channels: Mapping[str, grpc.aio.Channel]
    tokens: list[str] = field(default_factory=list)
    refresh_tokens: list[str] = field(default_factory=list)

    async def sign_in(self, name: str) -> None:
        """One more guest."""
        request = matchmaking_service_pb2.SignInGuestRequest(
            request_id=f"the-sign-in-of-{name}", display_name=name
        )
        answer = await self._tables.SignInGuest(request, timeout=_WAIT_S)
        self.tokens.append(answer.tokens.access_token)
        self.refresh_tokens.append(answer.tokens.refresh_token)

    async def renew(self) -> None:
        """Fresh tokens for all."""
        for guest, old in enumerate(self.refresh_tokens):
            request = matchmaking_service_pb2.RefreshTokenRequest(refresh_token=old)
            tokens = (await self._tables.RefreshToken(request, timeout=_WAIT_S)).tokens
            self.tokens[guest] = tokens.access_token
            self.refresh_tokens[guest] = tokens.refresh_token

    async def sit_down(self, pair: Pair) -> str:
        """Open the table and join it; gives the match's id. The first guest opens it."""
        rules = play_pb2.TableRules(spectators=True)
        if _over_days(pair):
            rules.pace, rules.turn_days = play_pb2.PACE_DAYS, 1
        request = matchmaking_service_pb2.OpenTableRequest(
            request_id="the-table", game=pair.variant.game, rules=rules, listed=True
        )
        for name, value in pair.options.items():
            request.options.values[name].CopyFrom(_option(value))
        for seat in range(pair.seats):
            who = request.seats.add()
            (who.open if seat else who.self).SetInParent()
        table = (await self._tables.OpenTable(request, metadata=self.proof(0))).table
        for seat in range(1, pair.seats):
            joining = matchmaking_service_pb2.JoinTableRequest(
                request_id="joining", invitation_code=table.invitation_code
            )
            table = (await self._tables.JoinTable(joining, metadata=self.proof(seat))).table
        return str(table.match_id)

    def proof(self, guest: int) -> tuple[tuple[str, str], ...]:
        """The metadata with a guest's token."""
        return (("authorization", f"Bearer {self.tokens[guest]}"),)

    async def act(self, method: str, guest: int, request: Any) -> bool:
        """A call of rules by somebody who is not watched; False when it is refused."""
        stub = RulesServiceStub(self.channels["rules"])
        try:
            await getattr(stub, method)(request, metadata=self.proof(guest), timeout=_WAIT_S)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                raise
            return False
        return True

    @property
    def _tables(self) -> Any:
        return MatchmakingServiceStub(self.channels["matchmaking"])


async def play(
    pair: Pair, history: Sequence[str], folder: Path, keys: Path, start_ms: int
) -> Record:
    """Play one history and give all that reached the viewer, then all that was logged.

    `folder` is for databases; keys and the time of the start are those of both matches of a pair.
    """
    shutil.copytree(keys, folder / "keys")
    clock = StillClock(start_ms)
    with (
        _same_ids(pair),
        _draws_as_in(pair, history),
        closed_apps(clock) as phone,
        mock.patch("services.ai.service.system_clock", clock),
        # On a busy machine, by chance: lists leave out what rules does not tell in time, and a
        # process that stood still gives everybody that time back.
        mock.patch("services.matchmaking.neighbours.QUICK_S", _WAIT_S),
        mock.patch("services.rules.uptime.AWAY_MS", 1_000 * _LONG_MS),
        mock.patch.object(Children, "ask", _tell_all),
        structlog.testing.capture_logs() as logs,
    ):
        async with (
            running_stack(folder, clock=clock, own=_AT_REST) as stack,
            _channels(stack) as channels,
        ):
            record = await _play(pair, history, People(stack, channels), clock, phone)
    return record + phone.record + [("log", line) for line in sorted(map(_log_line, logs))]


async def _play(
    pair: Pair, history: Sequence[str], people: People, clock: StillClock, phone: Phone
) -> Record:
    for guest in range(pair.seats + 1):
        await people.sign_in(f"guest {guest}")
    match_id = await people.sit_down(pair)
    seated = pair.viewer != SPECTATOR
    viewer = Viewer(people.channels, people.proof(pair.viewer if seated else pair.seats))
    await viewer.ask(
        f"{_PUSH}RegisterDevice",
        push_service_pb2.RegisterDeviceRequest(push_token=TOKEN, time_zone="Europe/Berlin"),
    )
    follower = Follower(viewer, match_id)
    try:
        await follower.until(0)
        turns = _Turns(pair, match_id, people, viewer, follower, clock, phone)
        for number, (actor, word) in enumerate(pair.steps(history)):
            if actor != CHANCE:
                await turns.take(actor, word, Random(number))
        await turns.look_back()
        if turns.mine:
            assert phone.record, "called to none of its turns"
    finally:
        await end(follower.reading)
    return viewer.record + viewer.watched


@dataclass(slots=True)
class _Turns:
    """Playing on, and looking at the match from everywhere after each action."""

    pair: Pair
    match_id: str
    people: People
    viewer: Viewer
    follower: Follower
    clock: StillClock
    phone: Phone
    acted: int = 0
    mine: int = 0
    before: int = CHANCE

    async def take(self, seat: int, word: str, rng: Random) -> None:
        """Let a seat act; now and then it takes that back at once, where it may, and acts again."""
        if seat == self.pair.viewer != self.before:  # each turn calls once
            self.mine += 1
            await self.phone.ring()
            if self.mine == 2 and _over_days(self.pair):
                await self._think_long()
        self.before = seat
        await self._act(seat, word)
        if rng.random() < 0.3:
            undo = pb.UndoActionRequest(
                match_id=self.match_id,
                seat=seat,
                request_id=f"undo {self.acted}",
                expected_revision=self.follower.reached,
            )
            before = self.follower.reached
            if await self._call("UndoAction", seat, undo):
                await self.follower.until(before + 1)
                await self._act(seat, word)
        await self._look(rng)

    async def look_back(self) -> None:
        """What only the end of the match is asked for."""
        await self.viewer.ask("ExportMatch", pb.ExportMatchRequest(match_id=self.match_id))
        for revision in range(self.follower.reached + 1):
            await self._ply(revision)
        await self._events(3)
        seen = matchmaking_service_pb2.SeenMatch(match_id=self.match_id, revision=0)
        mine = matchmaking_service_pb2.ListMyMatchesRequest(seen=[seen])
        await self.viewer.ask(f"{_MATCHMAKING}ListMyMatches", mine)
        inbox = inbox_service_pb2.WatchInboxRequest(seen=[seen])
        async for message in self.viewer.listen(f"{_INBOX}WatchInbox", inbox):
            self.viewer.record.append(("WatchInbox", message))
            if inbox_service_pb2.WatchInboxResponse.FromString(message).HasField("caught_up"):
                break

    async def _think_long(self) -> None:
        """Until the viewer is told that time is short."""
        self.clock.now_ms += _LONG_MS
        await self.people.renew()
        self.viewer.metadata = self.people.proof(self.pair.viewer)
        told = len(self.phone.record)
        await self.phone.ring()
        assert len(self.phone.record) > told

    async def _act(self, seat: int, word: str) -> None:
        self.acted += 1
        self.clock.now_ms += PLY_MS
        before = self.follower.reached
        assert await self._call("SubmitAction", seat, self._submit(seat, word, before))
        await self.follower.until(before + 1)

    async def _call(self, method: str, seat: int, request: Any) -> bool:
        """Whether it was done; the viewer's own calls are recorded."""
        if seat != self.pair.viewer:
            return await self.people.act(method, seat, request)
        await self.viewer.ask(method, request)
        return not self.viewer.record[-1][1].startswith(_REFUSED)

    def _submit(self, seat: int, word: str, revision: int) -> pb.SubmitActionRequest:
        return pb.SubmitActionRequest(
            match_id=self.match_id,
            seat=seat,
            request_id=f"{seat} {word} {self.acted}",
            expected_revision=revision,
            action=play_pb2.Action(text=word),
        )

    async def _look(self, rng: Random) -> None:
        """Everything a curious seat may try, refusals included."""
        ask, revision = self.viewer.ask, self.follower.reached
        await ask("GetMatch", pb.GetMatchRequest(match_id=self.match_id))
        await self._ply(rng.randint(0, revision))
        for seat in range(self.pair.seats):
            await ask(
                "ListLegalActions", pb.ListLegalActionsRequest(match_id=self.match_id, seat=seat)
            )
        # No action of any game is legal at all times: out of turn, stale, illegal, or of nobody.
        wrong = rng.choice(_WRONG[self.pair.variant.game])
        mine = max(self.pair.viewer, 0)
        for at in (revision, rng.randint(0, revision) - 1):
            probe = self._submit(mine, wrong, at)
            probe.request_id = f"probe {self.acted} {at}"
            await ask("SubmitAction", probe)
        if rng.random() < 0.3:
            await self._advice(rng.randrange(self.pair.seats), revision)
        if rng.random() < 0.2:
            await self._events(rng.randint(2, 9))

    async def _advice(self, other: int, revision: int) -> None:
        """A hint wherever it may be had, and where not; a review, for which it is too early."""
        for seat in {max(self.pair.viewer, 0), other}:
            hint = ai_service_pb2.SuggestActionRequest(
                match_id=self.match_id, seat=seat, revision=revision
            )
            await self.viewer.ask(f"{_AI}SuggestAction", hint)
        review = ai_service_pb2.ReviewMatchRequest(match_id=self.match_id, seat=other)
        try:
            await anext(aiter(self.viewer.listen(f"{_AI}ReviewMatch", review)))
        except grpc.aio.AioRpcError as error:
            self.viewer.record.append(("ReviewMatch", _as_bytes(error)))
        else:
            raise AssertionError("a match under way was looked through")

    async def _ply(self, revision: int) -> None:
        await self.viewer.ask("GetPly", pb.GetPlyRequest(match_id=self.match_id, revision=revision))

    async def _events(self, page_size: int) -> None:
        token = ""
        while True:
            request = pb.ListEventsRequest(
                match_id=self.match_id, page_size=page_size, page_token=token
            )
            answer = await self.viewer.ask("ListEvents", request)
            token = pb.ListEventsResponse.FromString(answer).next_page_token
            if not token:
                return


def _over_days(pair: Pair) -> bool:
    """Half of the matches."""
    return Random(f"pace {pair.variant.name} {pair.one}").random() < 0.5


_REFUSED: Final = b"refused "
# Chance's own, which no seat may ever do: whatever a refusal says, it is about the position.
_WRONG: Final = {
    "sock_monsters": ("deal:rc", "eye:open", "draw:red"),
    "hide_and_seek": ("deal:AA", "deal:*"),
}


@contextmanager
def _same_ids(pair: Pair) -> Iterator[None]:
    """All that the services draw by lot is the same in both matches of a pair."""
    rng = Random(f"{pair.variant.name} {pair.one}")

    def new_uuid() -> uuid.UUID:
        return uuid.UUID(int=rng.getrandbits(128), version=4)

    def new_text(size: int = 32) -> str:
        return rng.randbytes(size).hex()

    with (
        mock.patch("uuid.uuid4", new_uuid),
        mock.patch("secrets.token_bytes", rng.randbytes),
        mock.patch("secrets.token_hex", new_text),
        mock.patch("secrets.token_urlsafe", new_text),
        mock.patch("services.matchmaking.tables.new_code", return_value="XHJG5H"),
    ):
        yield


@contextmanager
def _draws_as_in(pair: Pair, history: Sequence[str]) -> Iterator[None]:
    """Chance does what the history says, in place of what would follow from the seed."""
    parse = ruleset(pair.variant.game).parse_action
    drawn = [parse(word) for actor, word in pair.steps(history) if actor == CHANCE]

    def draw(_draws: Draws, number: int, outcomes: Sequence[WeightedAction]) -> Action:
        assert drawn[number] in [outcome.action for outcome in outcomes]
        return drawn[number]

    with mock.patch.object(Draws, "__call__", draw):
        yield


@asynccontextmanager
async def _channels(stack: Stack) -> AsyncIterator[dict[str, grpc.aio.Channel]]:
    async with contextlib.AsyncExitStack() as opened:
        yield {
            name: await opened.enter_async_context(grpc.aio.insecure_channel(address))
            for name, address in stack.addresses.items()
        }


async def _tell_all(
    _children: Children, asked: Mapping[str, Any], _limit_s: float
) -> dict[str, Any]:
    """A hint that depends on each letter of what is known, and on nothing else."""
    known = asked["hint"]
    rules = ruleset(known["game"])
    information = rules.parse_information(known["information"])
    legal = rules.legal_actions(rules.determinize(information, Random(0)))
    number = zlib.crc32(known["information"].encode())
    action = action_to_message(rules, legal[number % len(legal)])
    return MessageToDict(advice_pb2.Hint(action=action, expected_permille=number % 1_001))


def _option(value: OptionValue) -> play_pb2.OptionValue:
    if isinstance(value, bool):
        return play_pb2.OptionValue(flag=value)
    if isinstance(value, int):
        return play_pb2.OptionValue(number=value)
    return play_pb2.OptionValue(choice=value)


def _as_bytes(error: grpc.aio.AioRpcError) -> bytes:
    trailing = sorted((key, value) for key, value in error.trailing_metadata() or ())
    return _REFUSED + repr((error.code(), error.details(), trailing)).encode()


def _log_line(line: Mapping[str, Any]) -> bytes:
    kept = {key: value for key, value in line.items() if key not in _OF_THE_RUN}
    return json.dumps(kept, sort_keys=True, default=str).encode()
