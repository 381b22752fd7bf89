"""A fifth game in one folder: every suite, the command line and the services take it as it is.

No code outside this folder names it. What runs in a process of its own learns of it by
`children/sitecustomize.py`, what runs in this one by `also_on_the_shelf`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai.think import Question
from services.engine.__main__ import main
from services.engine.core.registry import game_names
from tests.contract.matchmaking.world import OPEN, SELF, Guest, agent, fresh_id
from tests.crosscheck.play import play_both
from tests.crosscheck.variants import ENOUGH_GAMES
from tests.fifth_game.naive_odd_one_out import VARIANT
from tests.fifth_game.odd_one_out import RULESET
from tests.fixtures.shelf import also_on_the_shelf
from tests.fixtures.stack import Stack, running_stack
from tests.stateful import test_secret_games_machine as machines
from tests.unit.engine.sock_monsters.table import chi_square_bound
from tools.reports import ROOT

GAME = RULESET.game
SAMPLES = 4000
CHILDREN = Path(__file__).parent / "children"

SUITES = {
    "tests/conformance/test_rules.py",
    "tests/conformance/test_knowledge.py",
    "tests/conformance/test_notation.py",
    "tests/perft/test_perft.py",
    "tests/playthroughs/test_playthroughs.py",
    "tests/unit/engine/agents/test_agents.py",
    "tests/unit/engine/test_record.py",
    "tests/unit/wire/test_actions.py",
    "tests/unit/wire/test_observations.py",
    "tests/unit/ai/test_think.py",
}


@pytest.fixture(autouse=True)
def fifth_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In this process and in all that it starts there is one game more."""
    paths = [str(CHILDREN), str(ROOT), str(ROOT / "proto/gen"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    with also_on_the_shelf(GAME, "tests.fifth_game.odd_one_out"):
        yield


def python(*words: str, asks: str = "") -> str:
    """What a Python process says that knows the game."""
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, input=asks, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def engine(*words: str) -> str:
    """What the engine's command line says."""
    return python("-m", "services.engine", *words)


def test_it_is_on_the_shelf_for_a_time_and_once() -> None:
    assert game_names()[-1] == GAME
    with pytest.raises(ValueError, match=GAME), also_on_the_shelf(GAME, "elsewhere"):
        pass
    assert game_names()[-1] == GAME
    with also_on_the_shelf("sixth", "elsewhere"):
        assert game_names()[-2:] == (GAME, "sixth")
    assert game_names()[-1] == GAME


def test_every_suite_takes_it_up() -> None:
    chosen = f"{GAME} or every_game_has"
    said = python("-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", chosen, *sorted(SUITES))
    passed = re.findall(rf"^(tests/\S+\.py)::\S*{GAME}\S* PASSED", said, re.M)
    assert set(passed) == SUITES
    assert "test_every_game_has_a_playthrough PASSED" in said
    assert not re.search("skipped|failed|error", said.splitlines()[-1])


@pytest.mark.parametrize(
    ("peeked", "possible"),
    [("-", {"opp", "pop", "ppo"}), ("2", {"opp", "ppo"}), ("12", {"ppo"})],
)
def test_what_a_seat_imagines_is_as_likely_as_it_is(peeked: str, possible: set[str]) -> None:
    """The odd sock is in place 3, and equally likely wherever seat 0 has not looked."""
    state = RULESET.parse_state(f"{GAME}/1 2 peeks=2 | ppo {peeked} {peeked}")
    known, rng = RULESET.information(state, 0), Random(1)
    found = Counter(RULESET.determinize(known, rng).socks for _ in range(SAMPLES))
    assert set(found) == possible
    even = SAMPLES / len(possible)
    chi_square = sum((count - even) ** 2 / even for count in found.values())
    assert len(possible) == 1 or chi_square < chi_square_bound(len(possible) - 1)


def test_the_cross_check_takes_it_up() -> None:
    tally = play_both(VARIANT, range(ENOUGH_GAMES))
    assert tally.refusals == []
    assert set(tally.reached) == VARIANT.cases


def test_the_state_machine_takes_it_up() -> None:
    machines.test_a_table_and_its_model_agree(VARIANT)


def test_the_command_line_takes_it_up() -> None:
    assert f"{GAME}/1  2 seats" in engine("games").splitlines()
    assert engine("options", GAME) == "peeks=1  (0 to 2)  How often each seat may peek"
    start = engine("new", GAME, "--option", "peeks=2")
    assert start == f"{GAME}/1 2 peeks=2 | --- - -"
    dealt = engine("apply", start, "deal:2", "peek:1")
    assert dealt == f"{GAME}/1 2 peeks=2 | pop 1 -"
    assert engine("observe", dealt, "0") == f"{GAME}/1 2 peeks=2 | p?? 1 -"
    assert engine("observe", dealt, "1") == f"{GAME}/1 2 peeks=2 | ??? 1 -"
    assert engine("show", dealt) == "? ? ?\n1 2 3"
    legal = "peek:1 peek:2 peek:3 point:1 point:2 point:3"
    assert engine("legal", dealt).split() == legal.split()
    assert engine("perft", dealt, "2") == "1 6\n2 15"
    end = json.loads(engine("playout", GAME, "--seed", "3", "--json"))
    assert end["outcome"]["reason"] in ("found", "missed")
    assert end["position"] == engine("apply", engine("new", GAME), *end["actions"])


def test_the_commands_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    \.venv/bin/python -m services\.engine (.*)$", page, re.M)
    assert len(commands) > 4
    for command in commands:
        assert main(shlex.split(command)) == 0, capsys.readouterr().err


# --- the services -------------------------------------------------------------------------------


@pytest.fixture
async def stack(tmp_path: Path) -> AsyncIterator[Stack]:
    async with running_stack(tmp_path) as stack:
        yield stack


@pytest.fixture
async def guests(stack: Stack) -> AsyncIterator[list[Guest]]:
    async with grpc.aio.insecure_channel(stack.addresses["matchmaking"]) as channel:
        stub = MatchmakingServiceStub(channel)
        found = []
        for name in ("Anna", "Ben"):
            request = pb.SignInGuestRequest(request_id=fresh_id(), display_name=name)
            answer = await stub.SignInGuest(request, timeout=20)
            found.append(Guest(stub, answer.player, answer.tokens))
        yield found


class Place:
    """A guest in a seat of a match, as an app sees it that knows no more than text."""

    def __init__(self, rules: Any, guest: Guest, match_id: str, seat: int) -> None:
        self.rules, self.guest, self.match_id, self.seat = rules, guest, match_id, seat
        self.metadata = (("authorization", f"Bearer {guest.tokens.access_token}"),)

    async def match(self) -> play_pb2.Match:
        request = rules_pb2.GetMatchRequest(match_id=self.match_id)
        answer = await self.rules.GetMatch(request, metadata=self.metadata, timeout=20)
        match: play_pb2.Match = answer.match
        return match

    async def see(self) -> str:
        """The body of what the seat sees."""
        (view,) = (await self.match()).views
        assert view.seat == self.seat
        assert view.observation.WhichOneof("observation") == "text"
        return view.observation.text.partition(" | ")[2]

    async def act(self, text: str) -> None:
        request = rules_pb2.SubmitActionRequest(
            match_id=self.match_id,
            seat=self.seat,
            request_id=fresh_id(),
            expected_revision=(await self.match()).revision,
            action=play_pb2.Action(text=text),
        )
        await self.rules.SubmitAction(request, metadata=self.metadata, timeout=20)


async def test_two_people_play_a_whole_match_in_text(stack: Stack, guests: list[Guest]) -> None:
    anna, ben = guests
    opened = await anna.open(SELF, OPEN, game=GAME)
    table = await ben.join(opened.invitation_code)
    async with grpc.aio.insecure_channel(stack.addresses["rules"]) as channel:
        rules = RulesServiceStub(channel)
        first, second = (Place(rules, who, table.match_id, n) for n, who in enumerate(guests))
        assert [await place.see() for place in (first, second)] == ["??? - -"] * 2
        await first.act("peek:1")
        seen = await first.see()
        assert seen in ("o?? 1 -", "p?? 1 -")
        assert await second.see() == "??? 1 -"
        await second.act("peek:3")
        assert await first.see() == seen.replace("1 -", "1 3")
        await first.act("point:1")
        ends = [await place.match() for place in (first, second)]
    found = seen.startswith("o")
    for match in ends:
        assert match.status == play_pb2.MATCH_STATUS_FINISHED
        assert match.outcome.reason == ("found" if found else "missed")
        assert list(match.outcome.winners) == [0 if found else 1]


async def test_a_random_agent_plays_its_seat(stack: Stack, guests: list[Guest]) -> None:
    anna = guests[0]
    table = await anna.open(SELF, agent("random"), game=GAME)
    async with grpc.aio.insecure_channel(stack.addresses["rules"]) as channel:
        place = Place(RulesServiceStub(channel), anna, table.match_id, 0)
        by_agent = []
        await place.act("peek:2")
        request = rules_pb2.WatchMatchRequest(match_id=table.match_id)
        async with asyncio.timeout(120):
            async for step in place.rules.WatchMatch(request, metadata=place.metadata):
                if step.WhichOneof("update") == "event" and step.event.origin:
                    by_agent.append(step.event)
                if step.WhichOneof("update") == "match" and step.match.views[0].legal_actions:
                    await place.act("point:2")
        assert (await place.match()).status == play_pb2.MATCH_STATUS_FINISHED
    (event,) = by_agent
    assert event.actor == 1
    # A machine that is too busy for a child process makes do with any legal action.
    assert event.origin in ("quick", "legal")
    assert re.fullmatch("(peek|point):[123]", event.action.text)


def test_a_process_of_the_ai_service_answers_for_the_random_agent() -> None:
    asked = Question(GAME, "random", f"{GAME}/1 2 | ??o 3 1", live=True)
    question = json.dumps({"act": asdict(asked)})
    answer = json.loads(python("-m", "services.ai.fallback", asks=question))
    assert re.fullmatch("point:[123]", answer["action"])
    assert answer["origin"] == "quick"
