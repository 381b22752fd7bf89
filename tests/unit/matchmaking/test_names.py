"""What people type: names, codes, ids."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.common.errors import RefusedError
from services.matchmaking.names import (
    CODE_ALPHABET,
    CODE_LENGTH,
    MAX_NAME,
    link_for,
    new_code,
    read_code,
    read_id,
    read_name,
)


def refused(text: str) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        read_name(text, "display_name", "Guest")
    assert caught.value.details == {"field": "display_name"}
    assert len(caught.value.message) < 200
    return caught.value


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Anna", "Anna"),
        ("", "Guest"),
        (" \u3000 ", "Guest"),
        (" Anna \u00a0 Lena ", "Anna Lena"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("e\u0301" * 24, "\u00e9" * 24),
        ("한글", "한글"),
        ("ไทย", "ไทย"),
        ("🧦👹", "🧦👹"),
        ("O'Neill-Łukasz 3.", "O'Neill-Łukasz 3."),
        ("[b]x[/b] <i>&", "[b]x[/b] <i>&"),
    ],
)
def test_names_are_kept_as_they_are_but_for_spaces(typed: str, name: str) -> None:
    assert read_name(typed, "display_name", "Guest") == name


@pytest.mark.parametrize("length", [25, 96, 97, 10_000, 1_000_000])
def test_a_long_name_is_refused_with_its_length_not_cut(length: int) -> None:
    assert f"this has {length}" in refused("x" * length).message


@pytest.mark.parametrize(
    "text",
    ["a\nb", "\t", "a\x00b", "\x7f", "a\u200bb", "a\u200db", "\u202eanna", "\ufeff", "\u2028",
     "\ue000", "\u00ad", "\U000e0041"],
)  # fmt: skip  # one character a line is no easier to read
def test_what_can_hide_or_reorder_text_is_refused(text: str) -> None:
    assert "invisible" in refused(text).message


@pytest.mark.parametrize("text", ["\u0301", "\u0301\u0302 \u0303", "\ufe0f"])
def test_a_name_of_marks_alone_is_refused(text: str) -> None:
    assert "seen" in refused(text).message


@given(st.text(max_size=120))
def test_every_name_that_is_taken_is_fit_to_show(text: str) -> None:
    try:
        name = read_name(text, "display_name", "Guest")
    except RefusedError:
        return
    assert 1 <= len(name) <= MAX_NAME
    assert unicodedata.is_normalized("NFC", name)
    assert not any(unicodedata.category(c)[0] == "C" and c.isprintable() for c in name)
    assert name == name.strip()
    assert "  " not in name
    assert read_name(name, "display_name", "Guest") == name


def test_codes_are_random_and_hold_no_look_alikes() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) == 500
    letters = set("".join(codes))
    assert letters == set(CODE_ALPHABET)
    assert not letters & set("01OILSZBUAE")
    assert {len(code) for code in codes} == {CODE_LENGTH}


@given(st.text(CODE_ALPHABET, min_size=CODE_LENGTH, max_size=CODE_LENGTH))
def test_a_code_is_read_however_it_is_typed(code: str) -> None:
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]}\n", f"{code[:2]}-{code[2:]}"):
        assert read_code(typed) == code
    assert read_code(code.translate(str.maketrans("852", "BSZ"))) == code
    for link in (link_for(code), f" {link_for(code).upper()}/"):
        assert read_code(link) == code


@pytest.mark.parametrize("typed", ["", "CCCCC", "CCCCCCC", "CCCCC0", "CCCCCO", "CCCCCÄ", "ß" * 3])
def test_what_can_be_no_code_is_refused(typed: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_code(typed)
    assert caught.value.details == {"field": "invitation_code"}


@given(st.text(max_size=300) | st.text("bsz852cC -", max_size=12))
def test_anything_typed_is_a_code_or_refused(typed: str) -> None:
    try:
        code = read_code(typed)
    except RefusedError as error:
        found = error.details
    else:
        assert len(code) == CODE_LENGTH
        assert set(code) <= set(CODE_ALPHABET)
        return
    assert found == {"field": "invitation_code"}


def test_ids_are_printable_and_of_a_fair_length() -> None:
    for text in ("a", "x" * 100, "Ä-1_2.3"):
        assert read_id(text, "request_id") == text
    for text in ("", "x" * 101, "a\0", "a\nb"):
        with pytest.raises(RefusedError) as caught:
            read_id(text, "request_id")
        assert caught.value.details == {"field": "request_id"}
    with pytest.raises(RefusedError, match="16 to 100"):
        read_id("x" * 15, "request_id", shortest=16)
