"""Every text goes through translation, and every sign of it is in the fonts (row 35)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from fontTools.ttLib import TTFont

from app.i18n import LANGUAGES, SOURCE, tr, trn, use_language
from app.model.gateway import Offline, Refused
from app.model.match_menu import entries
from app.model.names import guest_name
from app.model.troubles import trouble
from app.model.values import (
    Agent,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Outcome,
    SeatView,
    Table,
    TableStatus,
    UnknownView,
)
from app.model.words import (
    cut_at,
    match_state,
    names_at,
    opponents,
    outcome_reason,
    outcome_title,
    portrait,
    seat_names,
    seat_names_at,
    winners_title,
)
from app.net.convert import shown_name
from tools import words

APP = Path(__file__).parents[2] / "mobile" / "app"
FONTS = APP / "assets" / "fonts"
_KV_TEXT = re.compile(r"tr\('((?:[^'\\]|\\.)*)'\)")
_LITERAL = re.compile(r"^\s*(?:text|title|hint_text):\s*'([^']*[A-Za-z]{2}[^']*)'", re.MULTILINE)


def texts() -> Iterator[str]:
    """Every text that the app can show, from its source."""
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "trn"):
                for argument in node.args[:2]:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield argument.value
    for path in APP.rglob("*.kv"):
        yield from _KV_TEXT.findall(path.read_text("utf-8"))


@cache
def signs(face: str) -> set[int]:
    """What a font can write."""
    return set(TTFont(FONTS / f"NotoSansCJKkr-{face}.subset.otf").getBestCmap())


def test_there_are_texts() -> None:
    assert len(set(texts())) > 80


@pytest.mark.field(35)
@pytest.mark.parametrize("face", ["Regular", "Bold"])
def test_every_text_can_be_written(face: str) -> None:
    missing = {sign for text in texts() for sign in text if ord(sign) not in signs(face)}
    assert missing == set()


@pytest.mark.field(35)
@pytest.mark.parametrize("face", ["Regular", "Bold"])
@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != SOURCE])
def test_every_translation_can_be_written(language: str, face: str) -> None:
    said = "".join(form for message in words.read(language) for form in words.forms(message.string))
    assert len(said) > 5000
    assert {sign for sign in said if sign != "\n" and ord(sign) not in signs(face)} == set()


@pytest.mark.field(35)
def test_names_in_german_and_korean_can_be_written() -> None:
    known = signs("Regular")
    assert {ord(sign) for sign in "ÄÖÜäöüß„“…·éèçñøåÅ"} <= known
    assert set(range(0xAC00, 0xD7A4)) <= known
    assert ord(shown_name("x" * 40)[-1]) in known


@pytest.mark.field(35)
@pytest.mark.parametrize("face", ["Regular", "Bold"])
def test_a_sign_in_no_font_shows_a_box(face: str) -> None:
    font = TTFont(FONTS / f"NotoSansCJKkr-{face}.subset.otf")
    glyph = font["CFF "].cff.topDictIndex[0].CharStrings[".notdef"]
    glyph.decompile()
    assert len(glyph.program) > 10  # an outline, not just a width


def test_the_fonts_carry_their_licence() -> None:
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text("utf-8")


def test_no_kv_file_shows_a_text_untranslated() -> None:
    bare = {
        (path.name, text)
        for path in APP.rglob("*.kv")
        for text in _LITERAL.findall(path.read_text("utf-8"))
    }
    assert bare == {("home.kv", "Oddsocks"), ("about.kv", "Oddsocks")}  # a name


def test_no_error_shouts() -> None:
    assert [text for text in texts() if "!" in text] == []


def mine(**changes: object) -> MyMatch:
    seats = (Occupant(player_id="me", display_name="Ada"), Occupant(agent="random"))
    table = Table("t", "", "socker", seats, TableStatus.STARTED, "m", 0)
    values = {
        "table": table,
        "my_seats": (0,),
        "revision": 3,
        "status": MatchStatus.RUNNING,
        "actor": 0,
        "outcome": None,
    }
    return MyMatch(**(values | changes))  # type: ignore[arg-type]  # of many types


def test_a_match_in_a_list_says_where_it_stands() -> None:
    assert match_state(mine()) == "Your turn"
    assert match_state(mine(actor=1)) == "Their turn"
    won = Outcome("goals", (0,), (1, 0))
    assert match_state(mine(status=MatchStatus.FINISHED, outcome=won)) == "You won"
    waiting = Table("t", "7KQ4WX", "socker", (), TableStatus.OPEN, "", 0)
    assert match_state(mine(table=waiting)) == "Waiting for a friend, code 7KQ4WX"
    assert opponents(mine()) == "Pip"
    assert opponents(mine(my_seats=(0, 1))) == "Ada, Pip"
    assert opponents(mine(my_seats=(0, 1)), "Ada") == "Pip"
    assert match_state(mine(my_seats=(0, 1))) == "Ada is to play"
    assert match_state(mine(my_seats=(0, 1)), "Ada") == "Your turn"


ADA, MINNA = Occupant(player_id="me", display_name="Ada"), Occupant(agent="minna")


@pytest.mark.parametrize("spoken", ["en", "de", "ko"])
def test_of_one_kind_at_one_table_nobody_has_anothers_name(spoken: str) -> None:
    use_language(spoken)
    minna = portrait(Agent("minna", "sock_monsters", 2)).name
    named = names_at((MINNA, ADA, MINNA, MINNA), "sock_monsters")
    assert named == (minna, "Ada", f"{minna} 2", f"{minna} 3")


def test_a_number_is_nobodys_own_name() -> None:
    called = Occupant(player_id="x", display_name="Minna 2")
    assert names_at((MINNA, MINNA, called), "socker") == ("Minna", "Minna 3", "Minna 2")
    guest = Occupant(player_id="g")
    assert names_at((guest, guest), "socker") == ("Guest", "Guest 2")
    # For people who are not there yet there is nothing to tell apart.
    assert names_at((ADA, Occupant(), Occupant()), "socker") == ("Ada", "A friend", "A friend")


def test_two_of_one_name_are_told_apart_in_every_list() -> None:
    seats = (ADA, MINNA, MINNA)
    table = Table("t", "", "sock_monsters", seats, TableStatus.STARTED, "m", 0)
    assert opponents(mine(table=table)) == "Minna, Minna 2"
    assert seat_names_at(table) == "Ada, Minna, Minna 2"
    view = SeatView(0, UnknownView(), ())
    match = Match("m", "sock_monsters", seats, 0, MatchStatus.RUNNING, 0, (view,), None)
    assert seat_names(match) == ("You", "Minna", "Minna 2")
    eyes = replace(match, views=(view, SeatView(1, UnknownView(), ())))
    assert seat_names(eyes) == ("Ada", "Minna", "Minna 2")
    guests = (replace(ADA, display_name=""), Occupant("a"), Occupant("b"))
    blocks = [one.text for one in entries(replace(match, seats=guests), 0, 0) if one.whom]
    assert blocks == ["Block Guest 2", "Block Guest 3"]
    family = replace(table, seats=(ADA, ADA))
    assert match_state(mine(table=family, my_seats=(0, 1), actor=1)) == "Ada 2 is to play"


def test_a_name_that_is_too_long_keeps_its_number() -> None:
    assert (cut_at("Minna 2"), cut_at("Minna")) == ("center", "right")


def test_the_end_is_told_from_here() -> None:
    lost = Outcome("sudden_death", (1,), (0, 1))
    assert outcome_title(lost, (0,)) == "You lost"
    assert winners_title(lost, ("Ada", "Mia")) == "Mia has won"
    both = Outcome("round_cap", (0, 1), (2, 2))
    assert winners_title(both, ("Ada", "Mia")) == "Ada, Mia have won"
    assert winners_title(Outcome("draw", (), (0, 0)), ("Ada", "Mia")) == "A draw"
    assert outcome_reason(lost) == "The golden goal fell."
    assert outcome_title(Outcome("draw", (), (0, 0)), (0,)) == "A draw"
    shared = Outcome("all_found", (0, 2), (4, 0, 4))
    assert [outcome_title(shared, (seat,)) for seat in (0, 1)] == ["You won together", "You lost"]
    assert outcome_reason(Outcome("of next year", (), ())) == ""


def test_an_agent_of_next_year_has_its_own_name() -> None:
    words = portrait(Agent("deep_sock", "socker", 7))
    assert (words.name, words.about) == ("Deep Sock", "Level 7")


def test_trouble_is_one_line_that_blames_nobody() -> None:
    assert trouble(Offline("x")) == "The server doesn't answer."
    assert trouble(Refused("TABLE_FULL", "x", {})) == "That table is full."
    assert trouble(Refused("OF_NEXT_YEAR", "the server's words", {})) == "the server's words"
    assert trouble(KeyError("secret")) == "Something went wrong here."


def test_every_text_of_the_app_is_translated_and_the_phone_reads_the_same() -> None:
    assert words.problems() == []


def test_the_phone_finds_texts_and_plurals() -> None:
    use_language("de")
    assert tr("Play now") == "Jetzt spielen"
    assert tr("Level {level}", level=3) == "Stufe 3"
    assert trn("{count} action left", "{count} actions left", 1) == "Noch 1 Aktion"
    assert trn("{count} action left", "{count} actions left", 2) == "Noch 2 Aktionen"
    use_language("ko")  # which has one form for all counts
    assert trn("{count} action left", "{count} actions left", 1) == "행동 1번 남음"
    assert trn("{count} action left", "{count} actions left", 2) == "행동 2번 남음"
    use_language("fr")  # which the app does not speak
    assert tr("Play now") == "Play now"


def test_texts_are_found_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('x = tr("one {thing}", thing=1)\ny = trn("a cat", "cats", 2)\n')
    kv = (
        "#:import tr app.i18n.tr\n<Some>:\n    text: tr('two') if self.on else tr('it\\'s three')\n"
    )
    (tmp_path / "b.kv").write_text(kv)
    (tmp_path / "c.toml").write_text('[[page]]\ntitle = "four"\nposition = "five"\n')
    found = {message.id for message in words.template(tmp_path) if message.id}
    assert found == {"one {thing}", ("a cat", "cats"), "two", "it's three", "four"}


@pytest.mark.parametrize(
    ("original", "translation", "fault"),
    [
        ("You", "", "not translated"),
        ("Hi {name}", "Hallo {nmae}", "placeholders differ: Hallo {nmae}"),
        ("Hi {name}", "Hallo", "placeholders differ: Hallo"),
        ("Hi", "Hallo ", "stray spaces: Hallo "),
        (("{count} cat", "{count} cats"), ("Eine Katze", ""), "not translated"),
        (("{count} cat", "{count} cats"), ("Eine Katze", "{n} Katzen"), "placeholders differ"),
        (("{count} cat", "{count} cats"), ("Eine Katze", "{count} Katzen"), ""),
        ("Hi {name}", "Hallo {name}", ""),
    ],
)
def test_a_bad_translation_is_named(original: str, translation: str, fault: str) -> None:
    found = list(words.faults(Message(original, translation)))
    assert [one[: len(fault)] for one in found] == ([fault] if fault else [])


def test_guests_are_called_in_the_language_of_the_device() -> None:
    english = guest_name("abc")
    use_language("de")
    assert guest_name("abc") != english
    assert "-" in guest_name("abc")
    for language in LANGUAGES:
        use_language(language)
        assert max(len(guest_name(str(i))) for i in range(500)) <= 24
