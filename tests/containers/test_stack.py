"""The stack of docker-compose.yml as its users meet it: started, played on, hurt, taken down."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
import time
import uuid
from pathlib import Path

import grpc
import pytest

from deploy.compose import PARTS
from deploy.engine import ROOT, compose_command, docker, labelled
from oddsocks.ai.v1 import ai_service_pb2, ai_service_pb2_grpc
from oddsocks.matchmaking.v1 import matchmaking_service_pb2, matchmaking_service_pb2_grpc
from tests.fixtures.compose import ComposeStack

SIGN_IN = "/oddsocks.matchmaking.v1.MatchmakingService/SignInGuest"
LIST_AGENTS = "/oddsocks.ai.v1.AiService/ListAgents"


def call(
    channel: grpc.Channel,
    method: str,
    request: bytes = b"",
    metadata: tuple[tuple[str, str], ...] = (),
) -> grpc.StatusCode:
    """The status of one raw call."""
    unary: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
    return unary.future(request, metadata=metadata, timeout=10).code()


def sign_in(channel: grpc.Channel) -> str:
    """A fresh guest's access token."""
    stub = matchmaking_service_pb2_grpc.MatchmakingServiceStub(channel)
    request = matchmaking_service_pb2.SignInGuestRequest(
        request_id=uuid.uuid4().hex, display_name="Ada"
    )
    return str(stub.SignInGuest(request, timeout=10).tokens.access_token)


def list_agents(channel: grpc.Channel, token: str) -> list[str]:
    """The names of the agents that the ai service offers."""
    stub = ai_service_pb2_grpc.AiServiceStub(channel)
    metadata = (("authorization", f"Bearer {token}"),)
    answer = stub.ListAgents(ai_service_pb2.ListAgentsRequest(), metadata=metadata, timeout=10)
    return [agent.name for agent in answer.agents]


@pytest.mark.field(40)
def test_it_starts_with_whichever_compose_is_installed(stack: ComposeStack) -> None:
    assert {part.name for part in stack.parts()} == set(PARTS)
    assert all(part.health == "healthy" for part in stack.parts())
    listed = stack.command("ps")
    assert listed.returncode == 0
    assert all(name in listed.stdout for name in PARTS)


def test_everything_it_makes_carries_the_label(stack: ComposeStack) -> None:
    for kind, count in (("container", len(PARTS)), ("network", 2), ("volume", 1)):
        # What compose says belongs to the project, by its own labels.
        project = f"label=com.docker.compose.project={stack.name}"
        everything = ["--all"] if kind == "container" else []
        made = docker(kind, "ls", *everything, "--quiet", "--filter", project).split()
        assert len(made) == count
        assert sorted(labelled(kind, stack.name)) == sorted(made)


def test_only_the_edge_is_reachable_and_only_on_loopback(stack: ComposeStack) -> None:
    published = {}
    for part in stack.parts():
        [container] = json.loads(docker("inspect", part.id))
        bindings = container["NetworkSettings"]["Ports"] or {}
        published[part.name] = [b["HostIp"] for ports in bindings.values() for b in ports or ()]
    assert published.pop("edge") == ["127.0.0.1"]
    assert not any(published.values())


def test_a_guest_signs_in_and_sees_agents_through_the_edge(edge: grpc.Channel) -> None:
    assert list_agents(edge, sign_in(edge))


def test_who_does_not_know_the_authority_refuses_to_connect(stack: ComposeStack) -> None:
    host, port = stack.state.edge().address.split(":")
    with pytest.raises(ssl.SSLCertVerificationError):
        ssl.get_server_certificate(
            (host, int(port)), ca_certs=ssl.get_default_verify_paths().cafile
        )


@pytest.mark.parametrize(
    "method",
    [
        "/oddsocks.rules.v1.RulesInternalService/CreateMatch",
        "/oddsocks.rules.v1.RulesInternalService/GetInformationState",
        "/oddsocks.rules.v1.RulesInternalService/ListWaitingSeats",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/grpc.health.v1.Health/Check",
        "/oddsocks.rules.v1.RulesService/NoSuchMethod",
        "/oddsocks.rules.v1.RulesService",
        "/status/unavailable",
        "/alive",
        "/",
    ],
)
def test_what_is_not_public_does_not_exist(edge: grpc.Channel, method: str) -> None:
    assert call(edge, method) is grpc.StatusCode.UNIMPLEMENTED


def test_detours_do_not_lead_to_internal_calls(edge: grpc.Channel) -> None:
    internal = "oddsocks.rules.v1.RulesInternalService/CreateMatch"
    public = "/oddsocks.rules.v1.RulesService"
    for path in (f"{public}/../{internal}", f"{public}/%2e%2e/{internal}", f"/{internal}/.."):
        assert call(edge, path) is grpc.StatusCode.UNIMPLEMENTED, path
    assert call(edge, f"{public}/../../{internal}") is grpc.StatusCode.INTERNAL


def test_large_requests_are_refused_with_a_status(edge: grpc.Channel) -> None:
    over_the_services_limit = b"\x0a" + b"x" * 300_000
    over_the_edges_limit = b"\x0a" + b"x" * 5_000_000
    for request in (over_the_services_limit, over_the_edges_limit):
        assert call(edge, SIGN_IN, request) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert sign_in(edge)


def test_large_metadata_end_one_call_and_not_the_connection(edge: grpc.Channel) -> None:
    large = (("x-large", "y" * 30_000),)
    assert call(edge, LIST_AGENTS, metadata=large) not in (
        grpc.StatusCode.OK,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
    )


def test_a_service_that_is_away_is_unavailable_and_comes_back(
    stack: ComposeStack, edge: grpc.Channel
) -> None:
    token = sign_in(edge)
    ai = stack.part("ai").id
    docker("stop", ai)
    try:
        assert call(edge, LIST_AGENTS) is grpc.StatusCode.UNAVAILABLE
        assert sign_in(edge), "the others go on"
    finally:
        docker("start", ai)
        stack.wait_until_healthy()
    assert list_agents(edge, token)


def test_a_killed_part_is_started_again(stack: ComposeStack) -> None:
    before = stack.part("ai")
    started = restarts(before.id)
    assert stack.command("kill", "ai").returncode == 0
    deadline = time.monotonic() + 60
    while restarts(before.id) == started:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    stack.wait_until_healthy()
    assert stack.part("ai").id == before.id


def test_a_match_is_played_through_the_edge(stack: ComposeStack) -> None:
    demo = [sys.executable, "-m", "services.standalone", "demo", "--stack", "compose"]
    played = subprocess.run(
        [*demo, "--format", "json"],
        env=stack.variables(),
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=180,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    result = json.loads(played.stdout.splitlines()[-1])
    assert result["plies"] > 0
    assert result["outcome"]["reason"]


def test_a_backup_brings_back_what_was_and_play_goes_on(
    stack: ComposeStack, edge: grpc.Channel, tmp_path: Path
) -> None:
    file = tmp_path / "oddsocks.backup"
    host = matchmaking_service_pb2_grpc.MatchmakingServiceStub(edge)
    mine = (("authorization", f"Bearer {sign_in(edge)}"),)

    def open_table() -> matchmaking_service_pb2.Table:
        request = matchmaking_service_pb2.OpenTableRequest(
            request_id=uuid.uuid4().hex, game="socker"
        )
        request.seats.add().self.SetInParent()
        request.seats.add().open.SetInParent()
        return host.OpenTable(request, metadata=mine, timeout=10).table

    def tables() -> set[str]:
        request = matchmaking_service_pb2.ListMyMatchesRequest()
        listed = host.ListMyMatches(request, metadata=mine, timeout=10).matches
        return {match.table.table_id for match in listed}

    kept = open_table()
    made = stack.command("backup", str(file))
    assert made.returncode == 0, made.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    lost = open_table()
    assert tables() == {kept.table_id, lost.table_id}
    file.with_name("torn").write_bytes(file.read_bytes()[:2_000])
    assert stack.command("restore", str(file.with_name("torn"))).returncode == 1
    assert len(tables()) == 2

    restored = stack.command("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert tables() == {kept.table_id}
    join = matchmaking_service_pb2.JoinTableRequest(
        request_id=uuid.uuid4().hex, invitation_code=kept.invitation_code
    )
    friend = (("authorization", f"Bearer {sign_in(edge)}"),)
    assert host.JoinTable(join, metadata=friend, timeout=10).table.match_id


@pytest.mark.field(41)
def test_fresh_volumes_then_a_restart_are_healthy_within_a_minute(
    stack: ComposeStack, edge: grpc.Channel
) -> None:
    """The volumes were fresh when the fixture started the stack. That nobody had to be started
    twice shows that no service was let loose on a database that was not ready."""
    for name in ("postgres", "rules", "matchmaking"):
        assert restarts(stack.part(name).id) == 0, name
    token = sign_in(edge)

    environment = {**stack.variables(), **stack.state.passwords()}
    compose = [*compose_command(), "--project-name", stack.name, "restart"]
    subprocess.run(compose, cwd=ROOT, env=environment, capture_output=True, check=True)
    stack.wait_until_healthy(seconds=60)

    assert not any(restarts(part.id) for part in stack.parts())
    assert list_agents(edge, token), "who was signed in still is"


def restarts(container: str) -> int:
    """How often the engine had to start a container again by itself since somebody last did."""
    return int(docker("inspect", "--format", "{{.RestartCount}}", container))
