"""The section for docs/peers.md says what the committed results say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.peers.exact import hide_and_seek, page, results
from tests.peers.exact.__main__ import main
from tests.peers.exact.regret import PARTS, UNIT, key_of


def test_the_section_has_the_values_that_were_found() -> None:
    solved, report = results.load_solved(), page.report()
    assert solved["source"] == hide_and_seek.source_hash()
    assert f"Solver {solved['source']}." in report
    for column in solved["columns"].values():
        states = sum(layer["states"] for layer in column["layers"])
        assert f"| {states:,} |" in report
        assert f"| {50 + 50 * column['start']['mean']:.2f} % |" in report


def test_the_section_has_every_level_that_was_asked() -> None:
    measured, report = results.load_regrets(), page.report()
    assert {each.part for each in measured} == {*PARTS}
    for game in {part.game for part in PARTS}:
        levels = dict.fromkeys(each.level for each in measured if each.part.game == game)
        for level in levels:
            of_level = [each for each in measured if (each.part.game, each.level) == (game, level)]
            matches = [r.regrets for each in of_level for r in each.matches.values()]
            decisions = sum(map(len, matches))
            assert decisions > 0
            assert f"| {sum(1 for each in matches if each)} | {decisions} |" in report


def test_the_check_is_satisfied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_a_summary_counts_by_hand() -> None:
    # Two matches: regrets of 0 and 10 hundredths, then 20; the mean is 10, by match 5 and 20.
    found = page.summary([[0, UNIT // 10], [UNIT // 5]])
    assert (found.matches, found.decisions) == (2, 3)
    assert found.mean == pytest.approx(10)
    assert found.reach == pytest.approx(1.96 * ((10**2 + 10**2) * 2) ** 0.5 / 3)
    assert found.high == pytest.approx(20)
    assert found.optimal == pytest.approx(1 / 3)


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "regrets.jsonl"
    path.write_text('{"key": "of nothing"}\n')
    with pytest.raises(results.BadResults, match=r"regrets\.jsonl:1"):
        results.load_regrets(path=path)


def test_results_of_other_code_are_marked(tmp_path: Path) -> None:
    path, part = tmp_path / "regrets.jsonl", PARTS[0]
    level = part.levels[0]
    words = {"game": part.game, "part": part.name, "match": 0, "level": level.agent}
    words |= {"kinds": ["second card"], "regrets": [1], "idle": 0}
    path.write_text(json.dumps({"key": "0" * 16, **words}) + "\n")
    assert results.load_regrets([part], path)[0].old
    with path.open("a") as file:
        file.write(json.dumps({"key": key_of(part, level), **words}) + "\n")
    assert not results.load_regrets([part], path)[0].old


def test_a_column_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["solve", "--columns", "7"])
    assert "no such column: 7" in capsys.readouterr().err
