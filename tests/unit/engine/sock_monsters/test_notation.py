"""The notation page: its example, the words of phases and actions, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.engine.core import Action, InvalidNotation
from services.engine.core.notation import MAX_LENGTH
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.actions import decode, encode
from tests.unit.engine.sock_monsters.table import ALL_TILES, Things, legal, position, text

PAGE = Path(__file__).parents[4] / "docs" / "notation" / "sock_monsters.md"
SILLY = "silly_socks=true"
GERMAN = "edition=german"


def test_the_example_of_the_page_is_a_position() -> None:
    page = PAGE.read_text(encoding="utf-8")
    example = re.search(r"^    sock_monsters/1 2 round_cap.*?(?=\n\n)", page, re.M | re.S)
    assert example is not None
    written = " ".join(example.group().split())
    assert RULESET.format_state(RULESET.parse_state(written)) == written


def test_ids_and_texts_of_actions_are_those_of_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? \| `([^`]+)`(.*?) \|", page, re.M)
    assert int(rows[0][0]) == 0
    following = 0
    for first, last, begin, rest in rows:
        assert int(first) == following
        following = int(last or first) + 1
        assert RULESET.parse_action(begin) == int(first)
        named = re.findall(r"`([^`]+)`", rest)
        if named and ":" in named[-1]:
            assert RULESET.parse_action(named[-1]) == following - 1
    assert following == RULESET.action_count


def test_typed_actions_come_back() -> None:
    assert [encode(decode(Action(n))) for n in range(RULESET.action_count)] == list(
        range(RULESET.action_count)
    )


CASES: list[tuple[str, Things]] = [
    ("draw 1 2 start", {"options": "start_socks=2", "turn": "0 - 0", "pawns": "- -"}),
    ("place 1", {"turn": "0 - 0", "pawns": "d3 -"}),
    ("place 0", {"turn": "0 - 1", "pawns": "- c4 d4"}),
    ("roll", {}),
    ("pick", {}),
    ("move blue 99", {}),
    ("eye red 100", {}),
    ("open yellow 1", {}),
    ("gift red 0", {"options": SILLY, "lairs": "rs - - -"}),
    (
        "gift red 1",
        {"options": f"{GERMAN} start_socks=1 {SILLY} lair_source=lair", "lairs": "rs - - -"},
    ),
    ("pawn", {"shown": "c4 1", "tiles": {"c4": "gd01"}}),
    ("act 3", {"options": SILLY, "socks": "ooo -"}),
    ("throw 1 0", {"options": SILLY, "socks": "o r", "pawns": "c3 c6"}),
    ("take 1 1", {"options": SILLY, "socks": "oo s", "pawns": "c3 f3"}),
    ("draw 0 2 end", {}),
    (
        "draw 0 1 end",
        {"socks": "rr -", "shown": "c3", "tiles": {"c3": "rc+"}, "tokens": "wdb cwdb"},
    ),
    ("draw 1 1 pawn", {"options": SILLY}),
    (
        "rainbow 1 start",
        {"options": f"start_socks=2 {SILLY}", "turn": "0 - 1", "pawns": "- -", "socks": "- rw"},
    ),
    ("rainbow 1 pawn", {"options": SILLY, "socks": "- ww"}),
    ("rainbow 0 end", {"options": SILLY, "socks": "gbw -"}),
    ("rainbow 0 gift 1", {"options": f"{GERMAN} {SILLY}", "socks": "rws -"}),
    ("rainbow 0 boomerang 1 1", {"options": SILLY, "socks": "rwoo -"}),
    ("rainbow 1 act 2", {"options": SILLY, "socks": "oo rwo"}),
    ("over three_pairs", {"pairs": "- rr,gg,vv"}),
    ("over round_cap", {"turn": "60 1 0"}),
]


@pytest.mark.parametrize(("phase", "things"), CASES, ids=[case[0] for case in CASES])
def test_every_phase_can_be_written_down(phase: str, things: Things) -> None:
    written = text(phase, **things)
    state = RULESET.parse_state(written)
    assert RULESET.format_state(state) == written
    assert RULESET.actor(state) is None or legal(state)


def test_the_insides_of_setup_can_be_written_down() -> None:
    state = RULESET.initial({}, 3)
    for index, tile in enumerate(ALL_TILES):
        written = RULESET.format_state(state)
        assert written.count("..") == 32 - index
        assert RULESET.parse_state(written) == state
        state = RULESET.apply(state, RULESET.parse_action(f"deal:{tile}"))
    assert RULESET.format_state(state).endswith("| turn 0 - - | shown - | phase first")


def test_white_space_does_not_matter() -> None:
    written = text("roll")
    loose = "  " + written.replace(" | ", "|").replace(" ", "   ").replace("|", "\n|  ")
    assert RULESET.parse_state(loose) == RULESET.parse_state(written)


ENCLOSED: Things = {"monsters": "a1 a2 f6 a6", "pawns": "b1 e5", "socks": "rw -"}
ALL_ENCLOSED: Things = {"monsters": "a1 b1 a2 b2", "pawns": "c1 c2 a3 b3", "socks": "rw - - -"}

# What is refused: the phase, what is different from a game just begun, the part at fault.
REFUSED: list[tuple[str, Things, str]] = [
    # Forty-one socks, or more than there are of a kind.
    ("roll", {"lairs": "rrrrrrrrr - - -"}, "rrrrrrrrr"),
    ("roll", {"socks": "r v", "pairs": "rr -", "lairs": "rrrrr r - -"}, "r"),
    ("roll", {"pairs": "- vv,vv", "lairs": "vvvv v - -"}, "v"),
    ("roll", {"socks": "w -"}, "w"),
    ("roll", {"options": SILLY, "lairs": "wwww - w -"}, "w"),
    ("roll", {"options": SILLY, "pairs": "rw,ww -", "lairs": "ww - - -"}, "ww"),
    # Figures.
    ("roll", {"pawns": "c3 c3"}, "c3"),
    ("roll", {"monsters": "a1 f1 c4 c4"}, "c4"),
    ("roll", {"monsters": "a1 f1 f6 d4"}, "d4"),
    ("roll", {"pawns": "c3 a1", "monsters": "a2 f1 f6 a6"}, "a1"),
    ("roll", {"pawns": "c3 g4"}, "g4"),
    ("roll", {"pawns": "c3 c7"}, "c7"),
    ("roll", {"pawns": "c3 c03"}, "c03"),
    ("roll", {"pawns": "c3 -"}, "-"),
    ("place 0", {"turn": "0 - 0", "pawns": "- d3"}, "d3"),
    # A monster that can't move, whatever its player might pair meanwhile.
    ("move red 0", {"options": SILLY, **ENCLOSED}, "phase move red 0"),
    ("pick", {"options": SILLY, **ALL_ENCLOSED}, "phase pick"),
    ("place 1", {"turn": "0 - 0", "pawns": "c2 -"}, "c2"),
    # Tiles.
    ("roll", {"tiles": {"c3": "vc"}}, "vc"),
    ("roll", {"tiles": {"c3": "rx"}}, "rx"),
    ("roll", {"tiles": {"c3": "??"}}, "??"),
    ("roll", {"tiles": {"c3": "rc2"}}, "rc2"),
    ("roll", {"tiles": {"c3": "rc10"}}, "rc10"),
    ("roll", {"tiles": {"c3": "rc00"}}, "rc00"),
    ("roll", {"tiles": {"c3": "rc+*"}}, "rc+*"),
    ("roll", {"tiles": {"c3": "rc+0"}}, "rc+0"),
    # Tokens, socks and pairs.
    ("roll", {"tokens": "cwdb cwdx"}, "cwdx"),
    ("roll", {"tokens": "ccwd cwdb"}, "ccwd"),
    ("roll", {"tokens": "bdwc cwdb"}, "bdwc"),
    ("roll", {"socks": "vr -"}, "vr"),
    ("roll", {"socks": "q -"}, "q"),
    ("roll", {"socks": "rr -"}, "rr"),
    ("draw 0 1 end", {"socks": "- rr"}, "rr"),
    ("roll", {"pairs": "rg -"}, "rg"),
    ("roll", {"pairs": "rr,,gg -"}, ""),
    ("roll", {"options": SILLY, "pairs": "wr -"}, "wr"),
    ("roll", {"options": SILLY, "pairs": "ss -"}, "ss"),
    ("roll", {"pairs": "gg,rr -"}, "gg,rr"),
    ("roll", {"pairs": "- rr,gg,bb"}, "rr,gg,bb"),
    ("over three_pairs", {"pairs": "rr,gg -"}, "phase over three_pairs"),
    # Turn and what was shown.
    ("roll", {"turn": "0 0 0"}, "turn 0 0 0"),
    ("roll", {"turn": "61 0 0"}, "turn 61 0 0"),
    ("roll", {"turn": "2 2 0"}, "2"),
    ("roll", {"turn": "2 - 0"}, "turn 2 - 0"),
    ("roll", {"turn": "2 0 -"}, "turn 2 0 -"),
    ("roll", {"turn": "x 0 0"}, "x"),
    ("place 0", {"turn": "1 0 0", "pawns": "- -"}, "turn 1 0 0"),
    ("roll", {"shown": "c4", "tiles": {"c4": "rc0"}}, "shown c4"),
    ("roll", {"shown": "c4 1", "tiles": {"c4": "rc0"}}, "shown c4 1"),
    ("roll", {"shown": "a1"}, "shown a1"),
    ("roll", {"shown": "c4 0 0"}, "shown c4 0 0"),
    # Phases.
    ("rol", {}, "phase rol"),
    ("over", {}, "phase over"),
    ("roll 1", {}, "phase roll 1"),
    ("move violet 0", {}, "violet"),
    ("move red 100", {}, "phase move red 100"),
    ("move red 101", {}, "101"),
    ("move red 0", {"pawns": "b1 a2"}, "phase move red 0"),
    ("pick", {"monsters": "a1 b1 a2 b2", "pawns": "c1 c2 a3 b3"}, "phase pick"),
    ("eye red 0", {}, "phase eye red 0"),
    ("open red 0", {}, "phase open red 0"),
    ("open red 100", {"tiles": {"b1": "rc+", "a2": "rd+"}}, "phase open red 100"),
    ("deal", {"turn": "0 - -", "pawns": "- -"}, "phase deal"),
    ("first", {"turn": "0 - 0", "pawns": "- -"}, "turn 0 - 0"),
    ("gift red 1", {"options": SILLY, "lairs": "rg - - -"}, "phase gift red 1"),
    ("gift red 1", {"options": SILLY, "lairs": "s - - -"}, "phase gift red 1"),
    ("gift red 1", {"options": f"{GERMAN} {SILLY}", "lairs": "rs - - -"}, "phase gift red 1"),
    (
        "gift red 0",
        {"options": f"steal_from_self=false {SILLY}", "lairs": "rs - - -"},
        "phase gift red 0",
    ),
    ("act 1", {"options": SILLY}, "phase act 1"),
    ("act 2", {"options": SILLY, "socks": "o o"}, "phase act 2"),
    ("act 5", {"options": SILLY}, "5"),
    ("throw 0 0", {"options": SILLY, "socks": "ro g"}, "phase throw 0 0"),
    ("throw 1 1", {"options": SILLY, "socks": "o g", "pawns": "c3 c4"}, "phase throw 1 1"),
    ("throw 1 0", {"options": SILLY, "socks": "o g", "pawns": "c3 d4"}, "phase throw 1 0"),
    ("take 1 0", {"options": SILLY, "socks": "o -", "pawns": "c3 c4"}, "phase take 1 0"),
    ("draw 0 3 end", {}, "phase draw 0 3 end"),
    ("draw 0 0 end", {}, "phase draw 0 0 end"),
    ("draw 1 1 end", {}, "phase draw 1 1 end"),
    ("draw 0 2 end", {"options": GERMAN}, "phase draw 0 2 end"),
    ("draw 0 1 pawn", {}, "phase draw 0 1 pawn"),
    ("draw 0 1 gift 1", {"options": f"{GERMAN} {SILLY}"}, "phase draw 0 1 gift 1"),
    (
        "draw 0 1 start",
        {"options": GERMAN, "turn": "0 - 0", "pawns": "- -"},
        "phase draw 0 1 start",
    ),
    (
        "draw 0 1 end",
        {"lairs": "rrrrrrrr yyyyyyyy gggggggg bbbbbbbbvvvvvvvv"},
        "phase draw 0 1 end",
    ),
    ("rainbow 0 end", {"options": SILLY, "socks": "ws -"}, "phase rainbow 0 end"),
    ("rainbow 1 end", {"options": SILLY, "socks": "- rw"}, "phase rainbow 1 end"),
    ("rainbow 0 gift 1", {"options": SILLY, "socks": "rw -"}, "phase rainbow 0 gift 1"),
    (
        "rainbow 0 boomerang 1 0",
        {"options": SILLY, "socks": "rw -"},
        "phase rainbow 0 boomerang 1 0",
    ),
    (
        "rainbow 0 boomerang 0 0",
        {"options": SILLY, "socks": "rwo -"},
        "phase rainbow 0 boomerang 0 0",
    ),
    ("rainbow 1 act 1", {"options": SILLY, "socks": "r rw"}, "phase rainbow 1 act 1"),
    # Options.
    ("roll", {"options": "edition=dutch"}, "edition=dutch"),
    ("roll", {"options": "round_cap=1000"}, "round_cap=1000"),
    ("roll", {"options": "start_socks=3"}, "start_socks=3"),
    ("roll", {"options": "silly_socks=yes"}, "silly_socks=yes"),
    ("roll", {"options": "silly_socks=true silly_socks=true"}, "silly_socks=true"),
    ("roll", {"options": "wild_socks=true"}, "wild_socks=true"),
]


@pytest.mark.parametrize(
    ("phase", "things", "part"), REFUSED, ids=[f"{case[0]}: {case[2]}" for case in REFUSED]
)
def test_faults_are_named(phase: str, things: Things, part: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_state(text(phase, **things))
    assert caught.value.part == part


def edited(old: str, new: str) -> str:
    written = text("roll")
    assert old in written
    return written.replace(old, new, 1)


@pytest.mark.parametrize(
    ("written", "part"),
    [
        (edited(" | monsters a1 f1 f6 a6", ""), "pawns c3 d4"),
        (edited("| pawns c3 d4", "| pawns c3 d4 e5"), "pawns c3 d4 e5"),
        (edited("| pawns c3 d4", "| pawns c3"), "pawns c3"),
        (edited("| phase roll", "| phase roll | phase roll"), "phase roll"),
        (edited("| phase roll", ""), "shown -"),
        (edited("| monsters", "| monster"), "monster a1 f1 f6 a6"),
        (edited("sock_monsters/1", "sock_monsters/2"), "sock_monsters/2"),
        (edited("/1 2", "/1 5"), "5"),
        (edited("tiles #", "tiles rc"), "rc,bb,bb,bc,bc,#"),
        (edited(",# bd", ",#,bd bd"), "#,bb,bb,bc,bc,#,bd"),
        (edited("bd,bd", ".."), "..,bw,bw,gb,gb"),
        (edited("bd,bd", "..,bd"), "bd"),
        (edited("bd,bd", "bc,bd"), "bc"),
    ],
)
def test_broken_frames_are_named(written: str, part: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_state(written)
    assert caught.value.part == part


def test_a_megabyte_is_refused_without_being_read() -> None:
    with pytest.raises(InvalidNotation, match="longer than") as caught:
        RULESET.parse_state(text("roll") + " " * 1_000_000)
    assert len(str(caught.value)) < 400
    assert MAX_LENGTH < 1_000_000


@pytest.mark.parametrize(
    "word", ["e4-e5", "move:", "move:a7", "move:A1", "steal:4:red", "pair:smelly", "", "lift lift"]
)
def test_no_such_action(word: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_action(word)
    assert caught.value.part == word


# --- views ------------------------------------------------------------------------------------


def test_views_say_who_sees_and_what_they_can_not_tell() -> None:
    state = position(
        "pawn",
        tiles={"b1": "rc+", "c1": "yc*", "d1": "gc0", "e1": "bc01", "b6": "rw1"},
        shown="b6 1",
        turn="2 1 0",
        tokens="wdb cwdb",
    )

    def row(written: str, number: int) -> str:
        return written.split(" | ")[2].removeprefix("tiles ").split()[6 - number]

    knows = {v: RULESET.format_information(RULESET.information(state, v)) for v in (0, 1, -2)}
    assert [knows[v].split(" | ")[1] for v in (0, 1, -2)] == [
        "knows 0",
        "knows 1",
        "knows spectator",
    ]
    assert row(knows[0], 1) == "#,rc+,yc*,gc0,bc01,#"
    assert row(knows[1], 1) == "#,rc+,yc*,??0,bc01,#"
    assert row(knows[-2], 1) == "#,rc+,yc*,??0,??01,#"
    assert row(knows[0], 6).startswith("#,??1,??,")
    sees = {v: RULESET.format_observation(RULESET.observe(state, v)) for v in (0, 1, -2)}
    assert sees[-2].split(" | ")[1] == "sees spectator"
    assert {row(sees[v], 1) for v in sees} == {"#,rc+,??,??,??,#"}
    assert [row(sees[v], 6)[:4] for v in (0, 1, -2)] == ["#,??", "#,rw", "#,??"]


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("knows 0", "knows 2", "2"),
        ("knows 0 | ", "", "tiles"),
        ("rc0", "??0", "??0"),
        ("??1", "rc1", "rc1"),
        ("??+", "??+", "??+"),
    ],
)
def test_information_that_can_not_be_is_refused(old: str, new: str, part: str) -> None:
    tiles = {"c1": "rc0", "d1": "rd1", "e1": "rb+"}
    written = RULESET.format_information(RULESET.information(position("roll", tiles=tiles), 0))
    if old == "??+":
        written = written.replace("rb+", "??+")
    else:
        assert old in written
        written = written.replace(old, new, 1)
    with pytest.raises(InvalidNotation) as caught:
        RULESET.parse_information(written)
    assert caught.value.part.startswith(part)


def test_observations_that_can_not_be_are_refused() -> None:
    written = RULESET.format_observation(RULESET.observe(position("roll"), 0))
    for new in ("rc", "??0", "??*", "??+"):
        with pytest.raises(InvalidNotation) as caught:
            RULESET.parse_observation(written.replace("??", new, 1))
        assert caught.value.part == new
