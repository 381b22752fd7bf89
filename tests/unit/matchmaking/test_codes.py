"""Codes made for people, and what they type of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.common.errors import RefusedError
from services.matchmaking.names import CODE_ALPHABET, read_typed
from services.matchmaking.people.codes import (
    FRIEND_LENGTH,
    LINK_LENGTH,
    RECOVERY_LENGTH,
    digest,
    grouped,
    new_code,
)
from services.matchmaking.people.model import LANGUAGES, PICTURES, read_choice

CODES = st.text(CODE_ALPHABET, min_size=RECOVERY_LENGTH, max_size=RECOVERY_LENGTH)


def test_codes_are_random_and_of_the_alphabet() -> None:
    for length in (LINK_LENGTH, FRIEND_LENGTH, RECOVERY_LENGTH):
        codes = {new_code(length) for _ in range(200)}
        assert len(codes) == 200
        assert all(len(code) == length and set(code) <= set(CODE_ALPHABET) for code in codes)
    assert new_code(3, choose=lambda letters: letters[0]) == CODE_ALPHABET[0] * 3
    assert len(CODE_ALPHABET) ** RECOVERY_LENGTH > 2**92
    assert not set("01OILSZBUEA") & set(CODE_ALPHABET)


@given(code=CODES, spaces=st.lists(st.integers(0, RECOVERY_LENGTH), max_size=6))
def test_what_was_printed_can_be_typed_in_many_ways(code: str, spaces: list[int]) -> None:
    printed = grouped(code)
    assert re.fullmatch(r"(\w{5}-){3}\w{5}", printed)
    typed = code.lower()
    for place in sorted(spaces, reverse=True):
        typed = f"{typed[:place]} {typed[place:]}"
    for text in (printed, printed.lower(), typed, code.translate(str.maketrans("852", "BSZ"))):
        assert read_typed(text, "code", RECOVERY_LENGTH) == code


@pytest.mark.parametrize("text", ["", "2222222", "222222222", "2222222O", "2222222\0", "x" * 101])
def test_what_can_be_no_code_is_refused_without_repeating_it_whole(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_typed(text, "link_code", LINK_LENGTH)
    assert caught.value.details == {"field": "link_code"}
    assert len(text) < 2 or text not in caught.value.message


def test_a_digest_tells_codes_apart_and_does_not_hold_them() -> None:
    assert digest("22222222") != digest("22222223")
    assert "22222222" not in digest("22222222")


def test_choices_are_names_fit_for_files_and_buttons() -> None:
    assert len(set(PICTURES)) == len(PICTURES) >= 20
    assert all(re.fullmatch(r"[a-z]{3,12}", name) for name in PICTURES)
    for choices in (PICTURES, LANGUAGES):
        assert read_choice(choices[0], "it", choices) == choices[0]
        assert read_choice("", "it", choices) == ""
        with pytest.raises(RefusedError, match="one of"):
            read_choice("nonsense", "it", choices)
