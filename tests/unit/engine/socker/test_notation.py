"""docs/notation/socker.md: what is written, what is read, what is refused with its part named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.engine.core import Action, InvalidNotation
from services.engine.games.socker import RULESET, actions
from tests.unit.engine.socker.table import board, parse, turn

PAGE = Path(__file__).parents[4] / "docs" / "notation" / "socker.md"
ALL = [Action(number) for number in range(RULESET.action_count)]
PLAIN = board(S="e4", N="e8")


def refused(body: str, part: str, options: str = "") -> str:
    """That the body is refused with this part named; returns the message."""
    with pytest.raises(InvalidNotation) as caught:
        parse(body, options)
    assert caught.value.part == part
    return str(caught.value)


def examples() -> list[str]:
    rows = re.findall(r"^\| `(\S+ [^`]+)` \| ", PAGE.read_text(encoding="utf-8"), re.M)
    return [row for row in rows if row.count("/") >= 10]


def test_the_page_has_examples() -> None:
    assert len(examples()) == 7


@pytest.mark.parametrize("body", examples())
def test_every_example_of_the_page_is_canonical(body: str) -> None:
    text = f"socker/1 2 | {body}"
    assert RULESET.format_state(RULESET.parse_state(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        f"socker/1 2 goals_to_win=3 | {PLAIN} south:0/3 goals=2-1 turns=10-9",
        f"socker/1 2 turn_limit=20 turn_cap=30 sudden_cap=5 | {board()} toss goals=1-1 sudden",
        f"socker/1 2 | {board(N='e8', s='e4', n='d9')} south:2/4",
        f"socker/1 2 recentre_into_goal=true | {board(S='g2', N='e2', ball='')} south:1/3 pick=e2",
        f"socker/1 2 | {PLAIN} south:0/4 seen=N:{board(n='e8', S='e4')},S:{board(s='a1', N='e8')}",
        f"socker/1 2 repetition_ignores_mover=true | {PLAIN} north:1/3 seen={board(s='a1')}",
        f"socker/1 2 | {board(s='a3', S='a4 a5 a6 b2')} south:1/3 edge=4",
        f"socker/1 2 | {board(S='e9', ball='i11')} over:sudden_death goals=4-3 turns=7-7 sudden",
    ],
)
def test_canonical_text_comes_back(text: str) -> None:
    state = RULESET.parse_state(text)
    assert RULESET.format_state(state) == text
    information = RULESET.information(state, 0)
    assert RULESET.parse_information(RULESET.format_information(information)) == information
    observation = RULESET.observe(state, 1)
    assert RULESET.parse_observation(RULESET.format_observation(observation)) == observation


def test_the_start_itself_may_be_named_among_the_seen() -> None:
    own = f"S:{PLAIN}"
    assert parse(f"{PLAIN} south:0/3 seen={own}") == parse(f"{PLAIN} south:0/3")
    assert parse(f"{PLAIN} south:1/3 seen={own}") != parse(f"{PLAIN} south:1/3")


def test_slots_do_not_show() -> None:
    first = turn("south", S="b2 e4", ball="e6")
    walked = RULESET.apply(first, RULESET.parse_action("b2-c3"))
    for text in ("c3-d4", "e4-d5"):
        walked = RULESET.apply(walked, RULESET.parse_action(text))
    direct = turn("north", "0/3", f"turns=1-0 seen=S:{board(S='b2 e4')}", S="d4 d5", ball="e6")
    assert walked == direct
    assert hash(walked) == hash(direct)


# --- refused ----------------------------------------------------------------------------------


def test_boards_that_break_the_form() -> None:
    refused("9/9/9 toss", "9/9/9")
    refused(board(N="e8").replace("4N4", "4N5") + " south:0/3", "4N5")
    refused(board(N="e8").replace("4N4", "4N3") + " south:0/3", "4N3")
    refused(board(N="e8").replace("4N4", "4N13") + " south:0/3", "4N13")
    refused(board(N="e8").replace("4N4", "4Q4") + " south:0/3", "4Q4")
    refused(board(N="e8").replace("4N4", "4N०3") + " south:0/3", "4N०3")
    refused(PLAIN + "/9 south:0/3", PLAIN + "/9")


def test_boards_that_break_the_rules() -> None:
    six = board(S="a1 b1 c1 d1 e1 f1")
    assert "South has 6 sockers" in refused(f"{six} south:0/3", six)
    three = board(N="a11 b11 c11")
    assert "North has 3 sockers" in refused(f"{three} north:0/3 sudden", three)
    two_balls = board().replace("4o4", "4oo3")
    assert "more than one ball" in refused(f"{two_balls} north:0/3", two_balls)
    none = board(ball="", S="e4")
    assert "no ball" in refused(f"{none} north:0/3", none)
    side = board(ball="a6")
    assert "can't rest on a6" in refused(f"{side} south:0/3", side)
    goal = board(ball="c11")
    assert "can't rest on c11" in refused(f"{goal} south:0/3", goal)
    others_lie = board(S="e4", n="e8")
    assert "stand" in refused(f"{others_lie} south:0/3", others_lie)


@pytest.mark.parametrize(
    "stage",
    [
        "west:0/3",
        "south",
        "south:",
        "south:3/3",
        "south:4/4",
        "south:0/5",
        "south:0/03",
        "south:-1/3",
        "over",
        "over:boredom",
        "setup",
        "TOSS",
        "0/3",
    ],
)
def test_stages_that_do_not_exist(stage: str) -> None:
    refused(f"{PLAIN} {stage}", stage)


@pytest.mark.parametrize(
    ("parts", "part"),
    [
        ("goals=1", "goals=1"),
        ("goals=01-0", "goals=01-0"),
        ("goals=0--1", "-1"),
        ("turns=3-2 goals=0-1", "goals=0-1"),
        ("goals=0-0 goals=0-0", "goals=0-0"),
        ("colour=red", "colour=red"),
        ("sudden=1", "sudden=1"),
        ("edge=2", "edge=2"),
        ("edge=4", "edge=4"),
        ("edge=none", "edge=none"),
        ("pick=e6", "south:0/3"),
        ("seen=", "seen="),
        ("seen=S:9/9", "9/9"),
        ("goals=1-0", "goals=1-0"),
        ("goals=1-1 sudden turns=2-2", "turns=2-2"),
        ("goals=1-0 sudden", "goals=1-0"),
        ("turns=200-201", "turns=200-201"),
        ("turns=100-100 sudden", "turns=100-100"),
    ],
)
def test_parts_that_do_not_fit(parts: str, part: str) -> None:
    body = f"{PLAIN} south:0/3 {parts}"
    with pytest.raises(InvalidNotation) as caught:
        parse(body)
    assert caught.value.part == part


@pytest.mark.parametrize(
    ("seen", "part"),
    [
        (PLAIN, PLAIN),
        (f"X:{PLAIN}", f"X:{PLAIN}"),
        (f"S:{board(n='e8')}", f"S:{board(n='e8')}"),
        (f"S:{board(ball='a5')}", board(ball="a5")),
        (f"S:{board(ball='')}", board(ball="")),
        (f"S:{board(S='a1 b1 c1 d1 e1 f1')}", board(S="a1 b1 c1 d1 e1 f1")),
    ],
)
def test_starts_that_never_were(seen: str, part: str) -> None:
    refused(f"{PLAIN} south:1/3 seen={seen}", part)


def test_a_start_named_twice() -> None:
    seen = f"seen=S:{board()},S:{board()}"
    refused(f"{PLAIN} south:1/3 {seen}", seen)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (f"{board(S='e4')} toss", board(S="e4")),
        (f"{board(ball='e5')} toss", board(ball="e5")),
        (f"{board()} toss turns=1-0", "turns=1-0"),
        (f"{board()} toss edge=4", "edge=4"),
        (f"{board(S='e6', ball='d4')} setup:south", board(S="e6", ball="d4")),
        (f"{board(S='e7')} setup:south", board(S="e7")),
        (f"{board(S='e5')} setup:south", board(S="e5")),
        (f"{board(S='a1 b1 c1 d1')} setup:south", board(S="a1 b1 c1 d1")),
        (f"{board(s='e4')} setup:south", board(s="e4")),
        (f"{board(N='e8')} setup:south", board(N="e8")),
        (f"{board(S='e4 e3', N='e8 e9')} setup:south sudden", "setup:south"),
    ],
)
def test_setups_that_can_not_be(body: str, part: str) -> None:
    refused(body, part)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (f"{PLAIN} over:goals", "over:goals"),
        (f"{PLAIN} over:goals goals=2-0", "over:goals"),
        (f"{PLAIN} over:draw turns=100-100", "over:draw"),
        (f"{PLAIN} over:draw turns=99-100 sudden", "over:draw"),
        (f"{PLAIN} over:sudden_death goals=2-0 sudden", "over:sudden_death"),
        (f"{PLAIN} over:turn_limit goals=1-0 turns=200-200", "over:turn_limit"),
        (f"{board(ball='a5')} over:goals goals=1-0", board(ball="a5")),
        (f"{board(ball='')} over:goals goals=1-0", board(ball="")),
    ],
)
def test_ends_that_can_not_be(body: str, part: str) -> None:
    refused(body, part)


@pytest.mark.parametrize(
    ("pick", "text"),
    [("d6", "e2 to e10"), ("e1", "e2 to e10"), ("e5", "nobody stands"), ("z9", "no such cell")],
)
def test_picks_that_can_not_be(pick: str, text: str) -> None:
    where = board(S="e4", N="e8", ball="")
    with pytest.raises(InvalidNotation, match=text):
        parse(f"{where} south:1/3 pick={pick}")


def test_options_in_the_header() -> None:
    refused(f"{PLAIN} south:0/3", "turn_limit=30", "turn_limit=30 turn_cap=20 ")
    refused(f"{PLAIN} south:0/3", "turn_cap=0", "turn_cap=0 ")
    refused(f"{PLAIN} south:0/3", "colour=red", "colour=red ")


# --- actions ----------------------------------------------------------------------------------


def test_every_action_has_a_text_of_its_own() -> None:
    texts = [RULESET.format_action(action) for action in ALL]
    assert len(set(texts)) == RULESET.action_count
    assert [RULESET.parse_action(text) for text in texts] == ALL
    for action in ALL:
        assert actions.encode(actions.decode(action)) == action


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("e4-e5", actions.Move((4, 3), (4, 4))),
        ("e5*e6", actions.Kick((4, 4), (4, 5))),
        ("d6xe7", actions.Sock((3, 5), (4, 6))),
        ("@e3", actions.Place((4, 2))),
        ("=d9", actions.Recentre((3, 8))),
        ("end", actions.End()),
        ("pass", actions.Pass()),
        ("toss:north", actions.Toss(1)),
    ],
)
def test_what_actions_mean(text: str, meaning: actions.SockerAction) -> None:
    assert actions.decode(RULESET.parse_action(text)) == meaning


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", ""),
        ("e4", "e4"),
        ("e4-", ""),
        ("e4-e6", "e4-e6"),
        ("e4-e4", "e4-e4"),
        ("e4-j4", "j4"),
        ("e4-e12", "e12"),
        ("e4-e05", "e05"),
        ("e4-e5-e6", "e5-e6"),
        ("@", ""),
        ("@e0", "e0"),
        ("=E4", "E4"),
        ("toss:west", "toss:west"),
        ("End", "End"),
        ("roll:red", "roll:red"),
    ],
)
def test_actions_that_do_not_exist(text: str, part: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_action(text)
    assert caught.value.part == part


@pytest.mark.parametrize("wrong", [actions.Move((0, 0), (2, 0)), actions.Place((9, 0))])
def test_typed_actions_off_the_board(wrong: actions.SockerAction) -> None:
    with pytest.raises(ValueError, match="no "):
        actions.encode(wrong)
