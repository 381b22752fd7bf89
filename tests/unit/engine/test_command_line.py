"""`python -m services.engine`: as people and programs use it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from services.engine.__main__ import main
from tests.fixtures.records import record

ROOT = Path(__file__).parents[3]
START = "socker/1 2 | 9/9/9/9/9/4o4/9/4S4/9/9/9 south:0/3"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that succeeds prints."""
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.strip()


def fail(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command complains in."""
    try:
        status = main(words)
    except SystemExit as stop:  # argparse leaves on its own
        status = stop.code  # type: ignore[assignment]  # argparse gives numbers
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert printed.err.count("\n") == 1
    return printed.err.strip()


def test_it_runs_as_a_module_from_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "services.engine", "apply", "-", "e4-e5", "e5*e6", "e5-e6"],
        input=START + "\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = "seen=S:9/9/9/9/9/4o4/9/4S4/9/9/9"
    expected = f"socker/1 2 | 9/9/9/9/4o4/4S4/9/9/9/9/9 north:0/3 turns=1-0 {seen}\n"
    assert done.stdout == expected


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m services.engine perft '{START}' 2 | true",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_games_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert "socker/1  2 seats" in run(capsys, "games")
    assert {"game": "socker", "version": 1, "min_seats": 2, "max_seats": 2} in json.loads(
        run(capsys, "games", "--json")
    )
    assert "turn_cap=200  (1 to 500)" in run(capsys, "options", "socker")
    names = [spec["name"] for spec in json.loads(run(capsys, "options", "socker", "--json"))]
    assert names[:2] == ["goals_to_win", "turn_limit"]


def test_new(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "socker") == "socker/1 2 | 9/9/9/9/9/4o4/9/9/9/9/9 toss"
    tossed = {run(capsys, "new", "socker", "--seed", str(seed)).split()[-1] for seed in range(9)}
    assert tossed == {"setup:south", "setup:north"}
    state = run(capsys, "new", "socker", "--option", "goals_to_win=3", "--json")
    assert json.loads(state) == {
        "position": "socker/1 2 goals_to_win=3 | 9/9/9/9/9/4o4/9/9/9/9/9 toss",
        "actor": "chance",
        "outcome": None,
    }


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "show", START).splitlines()
    assert lines[0].split() == list("abcdefghi")
    assert lines[6] == " 6  : . . . o . . . :  6"
    assert lines[8] == " 4  : . . . S . . . :  4"
    assert lines[-1] == "south to act, action 1 of 3"
    assert json.loads(run(capsys, "show", START, "--json"))["position"] == START


def test_legal(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["d3", "e3", "f3", "d4", "f4", "d5", "e5", "f5"]
    assert run(capsys, "legal", START).split() == [f"e4-{cell}" for cell in moves]
    answer = json.loads(run(capsys, "legal", START, "--json"))
    assert answer["actor"] == 0
    assert [entry["action"] for entry in answer["actions"]] == [f"e4-{cell}" for cell in moves]
    toss = json.loads(run(capsys, "legal", run(capsys, "new", "socker"), "--json"))
    assert [entry["weight"] for entry in toss["actions"]] == [1, 1]


def test_apply_and_observe(capsys: pytest.CaptureFixture[str]) -> None:
    over = run(capsys, "apply", "socker/1 2 | 9/1o7/2S6/9/9/9/9/9/9/9/9 south:0/3", "c9*b10")
    assert over == "socker/1 2 | o8/9/2S6/9/9/9/9/9/9/9/9 over:goals goals=1-0 turns=1-0"
    assert json.loads(run(capsys, "observe", over, "spectator", "--json"))["observation"] == over
    assert run(capsys, "observe", over, "1") == over
    assert run(capsys, "legal", over) == ""


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", START, "2").splitlines() == ["1 8", "2 72"]


def test_playouts_end_and_repeat(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("playout", "socker", "--seed", "4", "--option", "turn_cap=3", "--json")
    answer = json.loads(run(capsys, *words))
    assert answer == json.loads(run(capsys, *words))
    assert answer["position"].split(" | ")[1].split()[1] == f"over:{answer['outcome']['reason']}"
    start = run(capsys, "new", "socker", "--option", "turn_cap=3")
    assert run(capsys, "apply", start, *answer["actions"]) == answer["position"]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("legal", "socker/1 2 | 9/9"), ["9/9"]),
        (("legal", "no position"), ["no position"]),
        (("legal", "chess/1 2 | x"), ["chess"]),
        (("apply", START, "e4-e9"), ["'e4-e9'", START]),
        (("apply", START, "e4-e5", "e4-e5"), ["'e4-e5'", "south:1/3"]),
        (("apply", START, "rattle"), ["'rattle'", START]),
        (("observe", START, "2"), ["'2'", START]),
        (("show", START, "--seat", "north"), ["'north'", START]),
        (("new", "chess"), ["'chess'"]),
        (("new", "socker", "--option", "turn_cap=0"), ["'turn_cap=0'", "1 to 500"]),
        (("new", "socker", "--option", "turn_cap"), ["'turn_cap'"]),
        (("new", "socker", "--option", "colour=red"), ["'colour=red'"]),
        (("new", "socker", "--seats", "3"), ["'3'"]),
        (("perft", START, "0"), ["'0'"]),
        (("perft", START, "many"), ["'many'"]),
        (("perft", START, "000000001999"), ["'000000001999'"]),
        (("legal",), ["POSITION"]),
        (("juggle",), ["'juggle'"]),
        ((), ["COMMAND"]),
    ],
)
def test_faulty_input_is_named_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], parts: list[str]
) -> None:
    line = fail(capsys, *words)
    for part in parts:
        assert part in line


def test_a_megabyte_on_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("x" * 1_000_000))
    assert len(fail(capsys, "legal", "-")) < 300


def test_bytes_that_are_no_text_on_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"socker/1 \xff"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert "not text" in fail(capsys, "legal", "-")


def test_help_shows_how(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    printed = capsys.readouterr().out
    for command in ("games", "options", "new", "show", "legal", "apply", "observe", "perft"):
        assert command in printed


def test_a_record_is_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = record("socker", 2, plies=30)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(document))
    assert run(capsys, "verify", str(file)).startswith("holds: ")
    published = document["draws"]["seed_sha256"]
    assert run(capsys, "verify", str(file), "--sha256", published).startswith("holds: ")
    assert json.loads(run(capsys, "verify", "--json", str(file)))["draws"] == 1

    toss = document["history"][0]
    toss["action"] = {"toss:south": "toss:north", "toss:north": "toss:south"}[toss["action"]]
    file.write_text(json.dumps(document))
    assert main(["verify", str(file)]) == 1
    printed = capsys.readouterr()
    assert printed.out == "ply=0 kind=toss\n"
    assert "toss" in printed.err


def test_what_can_not_be_verified_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    assert "No such file" in fail(capsys, "verify", str(file))
    for content in (b"", b"\xff\xfe", b"[" * 100_000, b'{"format": "oddsocks-match/1"}'):
        file.write_bytes(content)
        fail(capsys, "verify", str(file))
    file.write_text(json.dumps(record("socker", 2, plies=30) | {"ruleset_version": 2}))
    assert "socker/2" in fail(capsys, "verify", str(file))
    assert "hexadecimal" in fail(capsys, "verify", str(file), "--sha256", "12")
