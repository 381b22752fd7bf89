"""The servers that tests run against: containers, or processes where no engine answers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest
import redis
from testcontainers.community.redis import RedisContainer
from testcontainers.core.container import DockerContainer

from deploy import images
from deploy.engine import docker, labelled, remove_stale_tests
from tests.fixtures import containers, local

STARTS = 50
AT_ONCE = 2

RunRedis = Callable[..., AbstractContextManager[str]]


@pytest.fixture
def run_redis() -> RunRedis:
    return containers.run_redis if containers.engine_answers() else local.run_redis


@pytest.mark.field(37)
def test_fifty_starts_all_answer(run_redis: RunRedis) -> None:
    def start(number: int) -> int:
        with run_redis() as url, redis.Redis.from_url(url) as client:
            client.set("number", number)
            return int(client.get("number") or -1)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert list(pool.map(start, range(STARTS))) == list(range(STARTS))


@pytest.mark.field(37)
def test_the_ready_made_redis_container_starts_as_well(engine: None) -> None:
    container = RedisContainer(containers.image(images.REDIS), password="only-for-tests")

    def ping(_: DockerContainer) -> None:
        local.ping_redis(f"redis://:only-for-tests@{containers.place(container)}/0")

    with containers.started(container, containers.Ready(ping)):
        assert labelled("container", containers.own_stack())


@pytest.mark.field(38)
def test_a_server_that_ends_at_once_fails_soon_and_says_why(run_redis: RunRedis) -> None:
    began = time.monotonic()
    with (
        pytest.raises(local.ServerStartError, match="no-such-option"),
        run_redis("--no-such-option", "yes"),
    ):
        pass
    assert time.monotonic() - began < 10


@pytest.mark.field(39)
def test_a_server_that_never_gets_ready_leaves_no_container(engine: None) -> None:
    def refuse(_: DockerContainer) -> None:
        raise ConnectionRefusedError

    stack = containers.own_stack()
    before = labelled("container", stack)
    silent = DockerContainer(containers.image(images.REDIS))
    with (
        pytest.raises(local.ServerStartError, match="Ready to accept connections"),
        containers.started(silent, containers.Ready(refuse, seconds=1)),
    ):
        pass
    assert labelled("container", stack) == before


@pytest.mark.field(39)
def test_what_a_killed_run_has_left_is_removed_by_the_next(engine: None) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", _START_AND_DIE], text=True, capture_output=True, check=False
    )
    assert killed.returncode == -9, killed.stderr
    stack = killed.stdout.strip()
    assert len(labelled("container", stack)) == 1
    remove_stale_tests()
    assert labelled("container", stack) == []


_START_AND_DIE = """
import os, signal
from tests.fixtures import containers
with containers.run_redis():
    print(containers.own_stack(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_servers_listen_on_loopback_only(engine: None, redis_url: str, postgres_url: str) -> None:
    label = f"label=oddsocks={containers.own_stack()}"
    ports = docker("ps", "--filter", label, "--format", "{{.Ports}}").splitlines()
    published = [part for line in ports for part in line.split(", ") if "->" in part]
    assert len(published) == 2, (redis_url, postgres_url, ports)
    assert all(part.startswith("127.0.0.1:") for part in published)


def test_each_test_gets_an_empty_database(
    redis_url: str, postgres_url: str, request: pytest.FixtureRequest
) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.set("left", "over")
        assert request.getfixturevalue("fresh_redis_url") == redis_url
        assert client.dbsize() == 0
    with local.empty_database(postgres_url) as one, local.empty_database(postgres_url) as other:
        local.run_sql(one, "CREATE TABLE same (id int)")
        local.run_sql(other, "CREATE TABLE same (id int)")
