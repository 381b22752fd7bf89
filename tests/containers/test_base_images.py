"""Which images the stack is built on, told apart by what an engine in between was asked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy import images
from deploy.engine import DeployError

SCRIPT = """#!/bin/sh
echo "$*" >> {calls}
case "$1" in
    images) if grep -qx "$3" {here}; then echo 0123456789ab; fi ;;
    pull) {pull} ;;
    build) sleep 0.2; echo $3 >> {here} ;;
esac
"""
ANSWERS = "echo 'Pulling from library'"
REFUSES = "exit 1"
STAYS_SILENT = "exec sleep 60"

Engine = Callable[..., Callable[[], list[str]]]


@pytest.fixture
def fake_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Put a docker on the PATH that has some images and a registry of some kind; the function it
    gives tells what it was asked."""
    calls = tmp_path / "calls"
    calls.touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for image in images.ALL:
        monkeypatch.delenv(image.variable, raising=False)

    here = tmp_path / "here"

    def put(*present: str, pull: str = REFUSES) -> Callable[[], list[str]]:
        script = tmp_path / "docker"
        here.write_text("".join(f"{name}\n" for name in present))
        script.write_text(SCRIPT.format(calls=calls, here=here, pull=pull))
        script.chmod(0o755)
        return lambda: calls.read_text().splitlines()

    return put


def stand_ins() -> list[str]:
    return [image.stand_in for image in images.ALL]


def publics() -> list[str]:
    return [image.public for image in images.ALL]


def test_public_images_are_pulled_where_a_registry_answers(fake_docker: Engine) -> None:
    calls = fake_docker(pull=ANSWERS)
    assert images.resolve() == {image.variable: image.public for image in images.ALL}
    assert [call for call in calls() if call.startswith("pull")] == [f"pull {n}" for n in publics()]


def test_what_is_here_is_used_without_asking_a_registry(fake_docker: Engine) -> None:
    calls = fake_docker(*stand_ins(), images.REDIS.public)
    resolved = images.resolve()
    assert resolved[images.REDIS.variable] == images.REDIS.public, "the public one comes first"
    assert resolved[images.NGINX.variable] == images.NGINX.stand_in
    assert not any(call.startswith("pull") for call in calls())


def test_an_image_named_by_the_user_is_taken_as_it_is(
    fake_docker: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_docker()
    monkeypatch.setenv("ODDSOCKS_REDIS_IMAGE", "mirror.example/redis:7")
    assert images.resolve(images.REDIS) == {"ODDSOCKS_REDIS_IMAGE": "mirror.example/redis:7"}
    assert calls() == []


def test_stand_ins_are_made_after_asking_once(fake_docker: Engine) -> None:
    calls = fake_docker(images.PYTHON.stand_in)
    assert images.resolve() == {image.variable: image.stand_in for image in images.ALL}
    asked = calls()
    assert sum(call.startswith("pull") for call in asked) == 1
    built = {call.split()[2] for call in asked if call.startswith("build ")}
    assert built == {*stand_ins()} - {images.PYTHON.stand_in}
    assert all(
        f"BASE_IMAGE={images.PYTHON.stand_in}" in call
        for call in asked
        if call.startswith("build ")
    )


def test_two_at_once_make_each_stand_in_once(fake_docker: Engine) -> None:
    calls = fake_docker(images.PYTHON.stand_in)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(images.resolve) for _ in range(2)]
        assert both[0].result() == both[1].result()
    built = [call.split()[2] for call in calls() if call.startswith("build ")]
    assert sorted(built) == sorted({*stand_ins()} - {images.PYTHON.stand_in})


def test_a_registry_that_says_nothing_is_given_up(
    fake_docker: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "SILENCE_SECONDS", 0.2)
    fake_docker(images.PYTHON.stand_in, pull=STAYS_SILENT)
    began = time.monotonic()
    assert images.resolve(images.REDIS) == {images.REDIS.variable: images.REDIS.stand_in}
    assert time.monotonic() - began < 30


def test_without_registry_and_root_it_says_what_to_do(
    fake_docker: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_docker()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(DeployError, match=r"as root, or set ODDSOCKS_PYTHON_IMAGE$"):
        images.resolve()
