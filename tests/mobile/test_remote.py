"""The gateway over gRPC against real servers: paging, deadlines, tokens, reconnects, TLS."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from app.model.account import MemoryAccount, StoredAccount
from app.model.advice import Progress, Reason, Review
from app.model.follow import Connection, follow
from app.model.gateway import Offline, Refused, Untrusted
from app.model.reviewing import MOST_TRIES, reviewed
from app.model.socker import Kind, SockerAct
from app.model.store import Store
from app.model.troubles import trouble
from app.model.values import Event, Finished, Match, MatchStatus
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.play.v1 import socker_pb2 as pb
from tests.mobile.servers import Certified, Script, serving, start

MOVE = SockerAct(Kind.MOVE, (4, 3), (4, 4))


def events(count: int) -> list[play.Event]:
    end = play.Action(socker=pb.SockerAction(end_turn=pb.SockerEndTurn()))
    return [play.Event(revision=i, actor=i % 2, action=end) for i in range(count)]


@asynccontextmanager
async def gateway(script: Script, **settings: float) -> AsyncGenerator[RemoteGateway]:
    async with serving(script) as port:
        made = RemoteGateway(
            parse_address(f"127.0.0.1:{port}", plaintext=True),
            **settings,  # type: ignore[arg-type]  # all of the others are numbers
        )
        try:
            yield made
        finally:
            await made.close()


def test_the_network_half_needs_no_kivy() -> None:
    code = "import app.net.remote, sys; sys.exit(any(m.startswith('kivy') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_a_guest_signs_in_once_on_first_use() -> None:
    script = Script()
    async with gateway(script) as made:
        answers = await asyncio.gather(*(made.list_agents("socker") for _ in range(5)))
        assert {agents[0].name for agents in answers} == {"random"}
        assert (await made.sign_in()).player_id == "p1"
        assert len(script.sign_ins) == 1


async def test_expired_tokens_are_refreshed_once_and_kept(tmp_path: Path) -> None:
    script = Script()
    async with serving(script) as port:
        address = parse_address(f"127.0.0.1:{port}", plaintext=True)
        account = StoredAccount(Store(tmp_path), str(address))
        made = RemoteGateway(address, account)
        await made.sign_in()
        script.good_tokens.clear()
        await asyncio.gather(*(made.list_my_matches() for _ in range(5)))
        assert len(script.refreshes) == 1
        await made.close()
        again = RemoteGateway(address, StoredAccount(Store(tmp_path), str(address)))
        await again.list_my_matches()
        assert (len(script.sign_ins), len(script.refreshes)) == (1, 1)
        await again.close()


async def test_with_the_refresh_token_gone_a_new_guest_plays_on() -> None:
    script = Script()
    async with gateway(script) as made:
        await made.sign_in()
        script.good_tokens.clear()
        script.refresh_works = False
        assert len(await made.list_my_matches()) == 1
        assert len(set(script.sign_ins)) == 2


async def test_who_is_called_otherwise_before_the_first_answer_can_still_sign_in() -> None:
    script, account = Script(), MemoryAccount()
    # The server has counted a sign-in whose answer was lost; then the player took another name.
    script.names[account.sign_in_id()] = "Brave Otter"
    async with serving(script) as port:
        address = parse_address(f"127.0.0.1:{port}", plaintext=True)
        made = RemoteGateway(address, account, display_name="Ada")
        assert (await made.sign_in()).player_id == "p1"
        assert list(script.names.values()) == ["Brave Otter", "Ada"]
        await made.close()


async def test_a_refresh_under_way_takes_nothing_from_who_comes_with_a_code() -> None:
    script, account = Script(), MemoryAccount()
    async with serving(script) as port:
        address = parse_address(f"127.0.0.1:{port}", plaintext=True)
        made, other = RemoteGateway(address, account), RemoteGateway(address)
        await made.sign_in()
        script.good_tokens.clear()
        script.refreshing = asyncio.Event()
        listing = asyncio.create_task(made.list_my_matches())
        async with asyncio.timeout(10):
            while not script.refreshes:  # noqa: ASYNC110  # the server's side
                await asyncio.sleep(0.01)
            becoming = asyncio.create_task(made.recover("code"))
            # A connection and a round trip: the code would be answered if nothing held it back.
            await other.sign_in()
            script.refreshing.set()
            await asyncio.gather(listing, becoming)
        assert account.player is not None
        assert account.tokens is not None
        assert (account.player.player_id, account.tokens.access) == ("p-ada", script.recovered)
        await made.close()
        await other.close()


async def test_a_stream_refused_for_its_token_goes_on_with_a_fresh_one() -> None:
    script = Script(events=events(2))
    async with gateway(script) as made:
        await made.sign_in()
        script.good_tokens.clear()
        updates = [update async for update in follow(made, "m1", sleep=asyncio.sleep)]
        assert isinstance(updates[-1], Finished)
        assert len(script.refreshes) == 1


@pytest.mark.field(25)
async def test_a_history_of_2000_plies_comes_in_pages() -> None:
    script = Script(events=events(2000))
    async with gateway(script) as made:
        history = await made.list_events("m1")
    assert [event.revision for event in history] == list(range(2000))


async def test_a_list_without_end_is_given_up() -> None:
    script = Script(events=events(1000), page=1)
    async with gateway(script) as made:
        with pytest.raises(Refused, match="pages of events"):
            await made.list_events("m1")


@pytest.mark.parametrize(("pages", "listed"), [(1, 1), (2, 2), (1000, 3)])
async def test_the_newest_matches_are_listed_page_by_page(pages: int, listed: int) -> None:
    async with gateway(Script(match_pages=pages)) as made:
        matches = await made.list_my_matches()
    assert [match.table.table_id for match in matches] == [f"t{i}" for i in range(listed)]


async def test_every_call_has_a_deadline() -> None:
    script = Script()
    async with gateway(script) as made:
        await made.get_match("m1")
        await made.list_my_matches()
        _ = [update async for update in made.watch_match("m1", 0)]
    assert len(script.deadlines_s) == 3
    assert all(deadline is not None and deadline < 3601 for deadline in script.deadlines_s)


async def test_a_frozen_server_is_offline_and_works_again_when_it_thaws() -> None:
    script = Script()
    async with gateway(script, call_timeout_s=0.3) as made:
        await made.sign_in()
        script.frozen = True
        with pytest.raises(Offline):
            await made.get_match("m1")
        script.frozen = False
        assert (await made.get_match("m1")).match_id == "m1"


async def test_a_stream_that_falls_silent_is_taken_for_dead() -> None:
    script = Script(events=events(1), silent=True)
    async with gateway(script, silence_s=0.3) as made:
        heard: list[object] = []
        with pytest.raises(Offline):
            await _listen(made, heard)
        assert [type(update) for update in heard] == [Event, Match]


async def _listen(made: RemoteGateway, heard: list[object]) -> None:
    async for update in made.watch_match("m1", 0):
        heard.append(update)  # noqa: PERF401  # what was heard before the error counts


async def test_no_server_is_offline() -> None:
    script = Script()
    server, port = await start(script)
    await server.stop(0)
    made = RemoteGateway(parse_address(f"127.0.0.1:{port}", plaintext=True))
    with pytest.raises(Offline):
        await made.sign_in()
    await made.close()


@pytest.mark.field(6)
async def test_a_server_restarted_in_mid_stream_is_followed_on_from_the_last_revision() -> None:
    script = Script(events=events(3), silent=True)
    server, port = await start(script)
    made = RemoteGateway(parse_address(f"127.0.0.1:{port}", plaintext=True))
    seen: list[int] = []
    async for update in follow(made, "m1"):
        if isinstance(update, Event):
            seen.append(update.revision)
        if isinstance(update, Match) and len(seen) == 3:
            await server.stop(0)  # with GOAWAY, on which grpclib ends every call
            script.events = events(5)
            script.silent = False
            server, _ = await start(script, port)
    assert seen == [0, 1, 2, 3, 4]
    assert script.watched == [0, 3]
    await made.close()
    await server.stop(0)


@pytest.mark.field(2)
async def test_a_stale_action_says_so_with_the_current_revision() -> None:
    script = Script(submit_error=(grpc.StatusCode.ABORTED, "STALE_REVISION"))
    async with gateway(script) as made:
        with pytest.raises(Refused) as caught:
            await made.submit_action("m1", 0, "r1", 3, MOVE)
    assert (caught.value.reason, caught.value.details) == ("STALE_REVISION", {"revision": "7"})


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION", Refused),
        (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT", Refused),
        (grpc.StatusCode.INTERNAL, "INTERNAL", Refused),
        (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", Offline),
        (grpc.StatusCode.INVALID_ARGUMENT, "REASON_OF_NEXT_YEAR", Refused),
    ],
)
async def test_every_answer_is_one_of_three_errors(
    code: grpc.StatusCode, reason: str, kind: type[Exception]
) -> None:
    script = Script(submit_error=(code, reason))
    async with gateway(script) as made:
        with pytest.raises(kind):
            await made.submit_action("m1", 0, "r1", 3, MOVE)
        script.submit_error = None
        applied = await made.submit_action("m1", 0, "r1", 3, MOVE)
    assert (applied.applied_revision, applied.revision) == (4, 5)
    assert [request.request_id for request in script.submits] == ["r1", "r1"]


async def test_a_method_the_server_does_not_have_is_refused() -> None:
    async with gateway(Script()) as made:
        with pytest.raises(Refused):
            await made.get_table("t1")


@pytest.mark.field(28)
async def test_a_match_of_a_newer_server_is_unknown_not_an_error() -> None:
    async with gateway(Script()) as made:
        assert (await made.get_match("m1")).status is MatchStatus.UNKNOWN


@pytest.mark.field(22)
async def test_fifty_screens_opened_and_closed_leave_no_stream() -> None:
    script = Script(silent=True)
    async with serving(script) as port:
        made = RemoteGateway(parse_address(f"127.0.0.1:{port}", plaintext=True))
        for _ in range(50):
            stream = made.watch_match("m1", 0)
            assert isinstance(await anext(stream), Match)
            await stream.aclose()
        assert len(script.watched) == 50
        async with asyncio.timeout(10):
            while script.open_streams:  # noqa: ASYNC110  # the server's side ends a little later
                await asyncio.sleep(0.01)
        await made.close()


@pytest.mark.field(36)
async def test_tls_with_our_own_authority_works(tmp_path: Path) -> None:
    certified = Certified(tmp_path)
    async with serving(Script(), certified.credentials) as port:
        made = RemoteGateway(parse_address(f"127.0.0.1:{port}", ca_file=certified.ca_file))
        assert (await made.sign_in()).player_id == "p1"
        await made.close()


@pytest.mark.field(36)
async def test_a_certificate_nobody_vouches_for_is_refused_in_clear_words(tmp_path: Path) -> None:
    script = Script()
    async with serving(script, Certified(tmp_path).credentials) as port:
        made = RemoteGateway(parse_address(f"127.0.0.1:{port}"), MemoryAccount())
        with pytest.raises(Untrusted) as caught:
            await made.sign_in()
        assert trouble(caught.value) == (
            "This server could not prove who it is, so nothing was sent to it."
        )
        assert script.sign_ins == []
        await made.close()


# --- advice -----------------------------------------------------------------------------------


async def test_a_hint_is_asked_for_one_decision_and_given_the_time_it_takes() -> None:
    script = Script()
    async with gateway(script, call_timeout_s=2) as made:
        hint = await made.suggest("m", 1, 7)
        asked = script.hints[0]
        assert (asked.match_id, asked.seat, asked.revision) == ("m", 1, 7)
        assert hint.act == SockerAct(Kind.END_TURN)
        assert (hint.reasons, hint.used, hint.expected) == ((Reason.LOOKS,), 2, 620)
        # The service may take up to 12 s, however short other calls are.
        assert (script.deadlines_s[-1] or 0) > 12
        script.hint_error = (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_FORBIDS")
        with pytest.raises(Refused) as refused:
            await made.suggest("m", 1, 7)
        assert refused.value.reason == "TABLE_FORBIDS"


async def test_a_review_is_followed_through_streams_that_end_early() -> None:
    script = Script(cut_reviews=2)
    async with gateway(script) as made:

        async def at_once(_seconds: float) -> None:
            await asyncio.sleep(0)

        steps = [step async for step in reviewed(made, "m", 1, sleep=at_once)]
        assert steps[:-1] == [Progress(3, 9)] * 3
        review = steps[-1]
        assert isinstance(review, Review)
        assert (review.seat, review.agent) == (1, "hilda")
        assert {(one.match_id, one.seat) for one in script.reviews} == {("m", 1)}
        assert len(script.reviews) == 3


async def test_a_review_that_nobody_answers_is_given_up_and_said() -> None:
    async def at_once(_seconds: float) -> None:
        await asyncio.sleep(0)

    made = RemoteGateway(parse_address("127.0.0.1:1", plaintext=True))
    steps: list[object] = []

    async def follow_it() -> None:
        async for step in reviewed(made, "m", 0, sleep=at_once):
            steps.append(step)  # noqa: PERF401  # what came before the end counts

    with pytest.raises(Offline):
        await follow_it()
    assert steps == [Connection(False)] * (MOST_TRIES - 1)
    await made.close()
