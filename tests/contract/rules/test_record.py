"""Chance that can be checked, finished matches as documents, and every ply as it was seen."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.engine.core import SPECTATOR
from services.engine.core.record import read_record, verify
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.rules import Client, Rules, new_match_request, refused

ROOT = Path(__file__).parents[3]


async def create(
    rules: Rules, request_id: str, game: str, *seats: str, nonces: tuple[bytes, ...] = ()
) -> str:
    request = new_match_request(request_id, *seats)
    request.game = game
    request.nonces.extend(nonces)
    answer = await rules.service("matchmaking").call("CreateMatch", request)
    return str(answer.match_id)


async def promise(rules: Rules, request_id: str) -> bytes:
    request = internal_pb2.PromiseSeedRequest(request_id=request_id)
    answer = await rules.service("matchmaking").call("PromiseSeed", request)
    return bytes(answer.seed_sha256)


async def play_on(
    client: Client, match_id: str, plies: int, rng: random.Random, *, undo: bool = True
) -> play_pb2.Match:
    """A match on one device goes on at random. Now and then something is undone where that may
    be, and once taken back: nobody objects.
    """
    for ply in range(plies):
        match = await client.match(match_id)
        if match.status == play_pb2.MATCH_STATUS_FINISHED:
            break
        at, seat = match.revision, match.actor
        view = next(view for view in match.views if view.seat == seat)
        if undo and ply == 30:
            events = await client.events(match_id)
            acted = next(event.actor for event in events[::-1] if event.actor >= 0)
            await client.wish("AskTakeback", match_id, acted, f"ask {at}", expected_revision=at)
            continue
        if undo and ply % 3 == 0 and view.may_undo:
            await client.wish("UndoAction", match_id, seat, f"undo {at}", expected_revision=at)
            continue
        game = ruleset(match.game)
        action = game.format_action(action_from_message(game, rng.choice(view.legal_actions)))
        await client.submit(match_id, seat, str(at), at, action)
    return await client.match(match_id)


async def export(client: Client, match_id: str) -> str:
    stream = client.rules.ExportMatch(
        rules_pb2.ExportMatchRequest(match_id=match_id), metadata=client.metadata
    )
    return "".join([answer.part async for answer in stream])


def command(*words: str) -> tuple[int, str]:
    """`python -m services.engine verify …`: exit status and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "services.engine", "verify", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.strip()


async def test_a_seed_is_promised_before_anybody_adds_to_it(rules: Rules, tmp_path: Path) -> None:
    (promised,) = set(await asyncio.gather(*(promise(rules, "table") for _ in range(8))))
    assert await promise(rules, "table") == promised
    assert await promise(rules, "another") != promised
    nonces = (bytes(range(16)), b"", bytes(range(32)))
    players = ("anna", "ai:random", "anna")
    match_id = await create(rules, "table", "hide_and_seek", *players, nonces=nonces)
    assert await create(rules, "table", "hide_and_seek", *players, nonces=nonces) == match_id
    with refused("REQUEST_ID_REUSED"):
        await create(rules, "table", "hide_and_seek", *players)
    assert await promise(rules, "table") == promised
    anna = rules.player("anna")
    shown = (await anna.match(match_id)).fairness
    assert shown == play_pb2.Fairness(scheme="oddsocks-draw/2", seed_sha256=promised, nonces=nonces)
    await anna.wish("Resign", match_id, 0, "1")
    await anna.wish("Resign", match_id, 2, "2")
    shown = (await anna.match(match_id)).fairness
    assert hashlib.sha256(shown.seed).digest() == promised
    document = read_record(await export(anna, match_id))
    assert verify(document, promised) is None
    assert [bytes.fromhex(seat["nonce"]) for seat in document["seats"]] == list(nonces)
    # With another nonce the cards would have been dealt otherwise.
    file = tmp_path / "match.json"
    document["seats"][0]["nonce"] = "ff" * 16
    file.write_text(json.dumps(document))
    status, printed = command(str(file))
    assert status == 1
    assert printed.endswith("kind=shuffle")


async def test_nonces_have_their_bounds_and_need_a_promise(sqlite_rules: Rules) -> None:
    good = bytes(16)
    with refused("INVALID_FIELD") as details:
        await create(sqlite_rules, "1", "socker", nonces=(good, good))
    assert details["field"] == "nonces"
    await promise(sqlite_rules, "1")
    for nonces, field in (
        ((good,), "nonces"),
        ((good, bytes(15)), "nonces[1]"),
        ((bytes(33), b""), "nonces[0]"),
    ):
        with refused("INVALID_FIELD") as details:
            await create(sqlite_rules, "1", "socker", nonces=nonces)
        assert details["field"] == field
    match_id = await create(sqlite_rules, "1", "socker", nonces=(b"", b""))
    assert (await sqlite_rules.player("anna").match(match_id)).fairness.scheme == "oddsocks-draw/1"
    with refused("INVALID_FIELD"):
        await promise(sqlite_rules, "")


@pytest.mark.parametrize("game", ["socker", "sock_monsters", "hide_and_seek"])
async def test_a_finished_match_is_exported_and_holds(
    rules: Rules, game: str, tmp_path: Path
) -> None:
    anna = rules.player("anna")
    match_id = await create(rules, uuid.uuid4().hex, game, "anna", "anna")
    published = (await anna.match(match_id)).fairness.seed_sha256
    rng = random.Random(game)
    match = await play_on(anna, match_id, 100, rng)
    if match.status != play_pb2.MATCH_STATUS_FINISHED:
        with refused("MATCH_RUNNING"):
            await export(anna, match_id)
        assert match.fairness.seed == b""
        await anna.wish("Resign", match_id, 1, "enough")
    with refused("MATCH_NOT_FOUND"):
        await export(rules.player("dora"), match_id)
    text = await export(anna, match_id)
    document = json.loads(text)
    events = await anna.events(match_id)
    assert [e["revision"] for e in document["history"]] == [e.revision for e in events]
    assert [e["actor"] for e in document["history"]] == [e.actor for e in events]
    kinds = {event["kind"] for event in document["history"]}
    if game != "hide_and_seek":  # where nearly everything shows something
        assert {"action", "undo"} <= kinds
    assert {"ask_takeback", "takeback"} <= kinds
    assert "anna" not in {seat.get("player_id") for seat in document["seats"]}
    file = tmp_path / "match.json"
    file.write_text(text)
    assert command(str(file), "--sha256", published.hex())[0] == 0
    chance = next(event for event in document["history"][::-1] if event.get("draw") is not None)
    chance["draw"] += 1
    file.write_text(json.dumps(document))
    status, printed = command(str(file))
    assert status == 1
    assert printed.startswith(f"ply={chance['revision']} kind=")


async def test_a_long_match_is_exported_in_parts(rules: Rules) -> None:
    anna = rules.player("anna")
    match_id = await create(rules, "long", "socker", "anna", "anna")
    await play_on(anna, match_id, 600, random.Random(7), undo=False)
    if (await anna.match(match_id)).status == play_pb2.MATCH_STATUS_RUNNING:
        await anna.wish("OfferEnd", match_id, 0, "end")
    document = read_record(await export(anna, match_id))
    assert len(document["history"]) == (await anna.match(match_id)).revision
    assert verify(document) is None


def game_of(match: play_pb2.Match) -> play_pb2.Match:
    """The game alone, as GetPly shows it."""
    plain = play_pb2.Match()
    plain.CopyFrom(match)
    for part in ("seats", "rules", "fairness", "clock", "ask", "watchers"):
        plain.ClearField(part)
    for view in plain.views:
        view.may_undo = False
    return plain


@pytest.mark.parametrize("game", ["sock_monsters", "hide_and_seek"])
async def test_every_ply_is_shown_as_the_seat_saw_it_then(rules: Rules, game: str) -> None:
    match_id = await create(rules, uuid.uuid4().hex, game, "anna", "ben")
    clients = rules.player("anna"), rules.player("ben")
    rng, seen = random.Random(game), {}
    for ply in range(70):
        for seat, client in enumerate(clients):
            match = await client.match(match_id)
            seen[seat, match.revision] = game_of(match)
        if match.status == play_pb2.MATCH_STATUS_FINISHED:
            break
        view = seen[match.actor, match.revision].views[0]
        mover = clients[match.actor]
        if (await mover.match(match_id)).views[0].may_undo and ply % 5 == 0:
            await mover.wish(
                "UndoAction", match_id, match.actor, f"{ply}", expected_revision=match.revision
            )
            continue
        rules_of = ruleset(game)
        action = rules_of.format_action(
            action_from_message(rules_of, rng.choice(view.legal_actions))
        )
        await mover.submit(match_id, match.actor, str(ply), match.revision, action)

    async def ply_of(client: Client, revision: int, *seats: int) -> play_pb2.Match:
        request = rules_pb2.GetPlyRequest(match_id=match_id, seats=seats, revision=revision)
        match: play_pb2.Match = (await client.call("GetPly", request)).match
        return match

    order = list(seen)
    rng.shuffle(order)
    for again in range(2):  # from nothing, and from what was kept of it
        for seat, revision in order[:: 1 + again]:
            assert await ply_of(clients[seat], revision) == seen[seat, revision]
    reached = (await clients[0].match(match_id)).revision
    for seat, client in enumerate(clients):
        with refused("NOT_YOUR_SEAT"):
            await ply_of(client, 3, 1 - seat)
        for wrong in (-1, reached + 1):
            with refused("INVALID_FIELD") as details:
                await ply_of(client, wrong)
            assert details["field"] == "revision"
        assert (await ply_of(client, 0)).actor == -1, "before anything was dealt"
    with refused("MATCH_NOT_FOUND"):
        await ply_of(rules.player("dora"), 0)
    # After the end one sees no more of the past than before.
    ended = (await clients[0].match(match_id)).status == play_pb2.MATCH_STATUS_FINISHED
    if not ended:  # by itself, as a short match may be
        await clients[0].wish("Resign", match_id, 0, "enough")
    some = [key for key in order[:20] if key[1] <= reached]
    for seat, revision in some:
        assert await ply_of(clients[seat], revision) == seen[seat, revision]
    last = await ply_of(clients[0], reached if ended else reached + 1)
    assert last.outcome.reason
    assert ended or last.outcome.reason == "resigned"
    assert SPECTATOR not in {view.seat for view in last.views}
