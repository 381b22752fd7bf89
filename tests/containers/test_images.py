"""Every image of the stack: holds what it needs, and starts."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network

from deploy import images
from deploy.engine import LABEL, docker
from services.ai.celery_app import ACT, LIVE_QUEUE, publisher
from services.ai.plan import Mode
from services.common.clock import system_clock
from tests.fixtures import containers, local
from tests.fixtures.compose import ComposeStack

Run = Callable[..., str]


@pytest.fixture
def run(services_image: str) -> Run:
    """Run a command in the image of the services and workers, cut off and read-only."""
    walls = ("--network", "none", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL")
    return lambda *command: docker("run", "--rm", *walls, services_image, *command)


@pytest.mark.field(28)
def test_all_stubs_import_in_the_services_image(run: Run) -> None:
    """Both kinds of stubs of every package, under the runtime that the image has."""
    stubs = run("python", "-W", "error", "-c", _IMPORT_STUBS).split()
    packages = {name.rpartition(".")[0] for name in stubs}
    assert packages == {f"oddsocks.{name}.v1" for name in ("ai", "matchmaking", "play", "rules")}
    assert {"oddsocks.rules.v1.rules_service_pb2", "oddsocks.rules.v1.rules_service_pb2_grpc"} <= {
        *stubs
    }


_IMPORT_STUBS = """
import importlib, pathlib
root = pathlib.Path("/app/proto/gen")
for path in sorted(root.rglob("*_pb2*.py")):
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    importlib.import_module(name)
    print(name)
"""


@pytest.mark.field(28)
@pytest.mark.parametrize("program", ["rules", "matchmaking", "ai", "ai.worker"])
def test_every_program_of_the_services_image_starts(run: Run, program: str) -> None:
    assert "usage:" in run("python", "-m", f"services.{program}", "--help")


@pytest.fixture
def network(engine: None) -> Iterator[Network]:
    """A network of this test's own."""
    labels = {LABEL: containers.own_stack()}
    with Network(docker_network_kw={"labels": labels}) as network:
        yield network


def test_the_worker_of_the_image_takes_jobs_from_its_queue(
    services_image: str, network: Network, tmp_path: Path
) -> None:
    """It gets ready, takes a job from its queue, and asks rules, who is not here, about it."""
    secret = tmp_path / "service.secret"
    secret.write_text("only-for-tests-" * 3)
    redis = DockerContainer(
        containers.image(images.REDIS), ports=[6379], network=network, network_aliases=["redis"]
    )
    worker = DockerContainer(services_image, network=network)
    worker.with_command(["python", "-m", "services.ai.worker", "--concurrency", "1"])
    worker.with_volume_mapping(secret, "/run/secrets/service.secret")
    worker.with_envs(
        ODDSOCKS_REDIS_URL="redis://redis:6379/0",
        ODDSOCKS_RULES_ADDRESS="rules:50052",
        ODDSOCKS_SERVICE_SECRET_FILE="/run/secrets/service.secret",
        ODDSOCKS_WORKER_PULSE_FILE="/tmp/pulse",
    )

    def beats(container: DockerContainer) -> None:
        probe = ["python", "/app/deploy/services/probe.py", "pulse", "/tmp/pulse", "5"]
        if container.exec(probe).exit_code != 0:
            raise ConnectionRefusedError

    def answers(container: DockerContainer) -> None:
        local.ping_redis(f"redis://{containers.place(container)}/0")

    with (
        containers.started(redis, containers.Ready(answers)),
        containers.started(worker, containers.Ready(beats, seconds=60)),
    ):
        match_id = uuid4().hex
        queue = publisher(f"redis://{containers.place(redis)}/0")
        now_ms = system_clock()
        job = [match_id, 0, 1, Mode.AGENT.value, now_ms, now_ms + 10_000]
        queue.send_task(ACT, args=job, queue=LIVE_QUEUE)
        deadline = time.monotonic() + 30
        while match_id.encode() not in b"".join(worker.get_logs()):
            assert time.monotonic() < deadline, worker.get_logs()
            time.sleep(0.1)
        queue.close()


def test_a_program_without_its_settings_says_which_in_one_line(services_image: str) -> None:
    for program in ("rules", "ai.worker"):
        ended = subprocess.run(
            ["docker", "run", "--rm", services_image, "python", "-m", f"services.{program}"],
            text=True,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 1
        [line] = ended.stderr.splitlines()
        assert "ODDSOCKS_" in line


def test_what_only_building_needs_is_not_in_the_services_image(run: Run) -> None:
    found = run("sh", "-c", "ls /app /app/build; find / -xdev -name 'host-ca.crt'; id -u")
    app, _, rest = found.partition("/app/build:")
    assert app.split() == ["/app:", "build", "deploy", "proto", "services"]
    assert rest.split() == ["compiled", "10001"]


def test_every_container_has_few_rights(stack: ComposeStack) -> None:
    for part in stack.parts():
        [container] = json.loads(docker("inspect", part.id))
        host, config = container["HostConfig"], container["Config"]
        assert host["CapDrop"] == ["ALL"], part.name
        assert "no-new-privileges:true" in host["SecurityOpt"], part.name
        assert not host["Privileged"], part.name
        assert config["User"] not in ("", "0", "root"), part.name
        # The database writes to its volume; everybody else's image stays as it was built.
        assert host["ReadonlyRootfs"] or part.name == "postgres", part.name


def test_workers_know_no_database_and_no_player_key(stack: ComposeStack) -> None:
    for name in ("worker", "worker-slow"):
        [container] = json.loads(docker("inspect", stack.part(name).id))
        assert not any("DATABASE" in line for line in container["Config"]["Env"])
        secrets = [mount["Destination"] for mount in container["Mounts"]]
        assert secrets == ["/run/secrets/service.secret"]


def test_a_service_can_not_enter_the_database_of_another(stack: ComposeStack) -> None:
    postgres = stack.part("postgres").id
    enter = "PGPASSWORD=$ODDSOCKS_DB_PASSWORD_RULES psql -qtA -h 127.0.0.1 -U oddsocks_rules"

    def select(database: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["docker", "exec", postgres, "sh", "-c", f"{enter} -c 'SELECT 1' {database}"],
            text=True,
            capture_output=True,
            check=False,
        )

    assert select("oddsocks_rules").stdout == "1\n"
    for other in ("oddsocks_matchmaking", "oddsocks_ai"):
        assert "permission denied for database" in select(other).stderr
