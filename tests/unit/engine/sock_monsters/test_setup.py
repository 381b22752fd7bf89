"""RULINGS 1.1 to 1.4 and 1.23: dice, setup, first turn, number of players."""

from __future__ import annotations

import pytest

from services.engine.core import CHANCE, InvalidOption
from services.engine.games.sock_monsters import RULESET
from tests.unit.engine.sock_monsters.table import (
    fresh,
    legal,
    phase,
    play,
    position,
    section,
    tile,
    weights,
)

COLOURED = ("red", "yellow", "green", "blue", "violet")


# --- 1.1 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.1")
def test_the_colour_die_has_four_single_and_two_four_colour_faces() -> None:
    rolls = weights(position("roll"))
    assert rolls == {
        "roll:red": 1,
        "roll:yellow": 1,
        "roll:green": 1,
        "roll:blue": 1,
        "roll:any": 2,
    }


@pytest.mark.ruling("1.1")
def test_half_of_the_eyes_are_open_by_default() -> None:
    assert weights(position("eye red 1")) == {"eye:closed": 3, "eye:open": 3}


@pytest.mark.ruling("1.1")
@pytest.mark.parametrize("faces", [1, 2, 4, 5])
def test_the_table_may_choose_the_open_faces(faces: int) -> None:
    state = position("eye red 1", options=f"eye_open_faces={faces}")
    assert weights(state) == {"eye:closed": 6 - faces, "eye:open": faces}


@pytest.mark.ruling("1.1")
@pytest.mark.parametrize("faces", [0, 6])
def test_an_eye_die_has_both_kinds_of_faces(faces: int) -> None:
    with pytest.raises(InvalidOption, match="eye_open_faces"):
        RULESET.initial({"eye_open_faces": faces}, 2)


# --- 1.2 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.2")
def test_the_first_turn_has_no_monster_phase() -> None:
    state = play(fresh(), "first:1", "draw:red", "draw:green", "place:c3", "place:d4")
    assert (phase(state), section(state, "turn")) == ("pawn", "1 1 1")
    assert RULESET.actor(state) == 1


@pytest.mark.ruling("1.2")
def test_every_later_turn_begins_with_the_colour_die() -> None:
    state = play(fresh(), "first:1", "draw:red", "draw:green", "place:c3", "place:d4")
    state = play(state, "pawn:c3", "pass")
    assert (phase(state), section(state, "turn")) == ("roll", "1 0 1")
    state = play(state, "roll:red", "move:a2", "eye:closed", "pawn:d4", "pass")
    assert (phase(state), section(state, "turn")) == ("roll", "2 1 1")
    assert RULESET.actor(state) == CHANCE


@pytest.mark.ruling("1.2")
def test_after_the_monster_comes_the_pawn_of_the_same_player() -> None:
    state = play(position("roll", turn="2 1 0"), "roll:red", "move:a2", "eye:closed")
    assert (phase(state), RULESET.actor(state)) == ("pawn", 1)


# --- 1.3 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_player_is_drawn_among_the_seats_in_play(seats: int) -> None:
    assert weights(fresh(seats=seats)) == {f"first:{seat}": 1 for seat in range(seats)}


@pytest.mark.ruling("1.3")
def test_everybody_draws_one_sock_before_the_pawns_go_clockwise() -> None:
    state = play(fresh(seats=3), "first:2")
    assert phase(state) == "draw 2 1 start"
    assert weights(state) == {f"draw:{name}": 8 for name in COLOURED}
    state = play(state, "draw:red")
    assert phase(state) == "draw 0 1 start"
    assert weights(state)["draw:red"] == 7
    state = play(state, "draw:green", "draw:red")
    assert (phase(state), section(state, "socks")) == ("place 2", "g r r")
    assert RULESET.actor(state) == 2
    assert legal(state, "place") == {"c3", "c4", "d3", "d4"}
    state = play(state, "place:c4")
    assert (phase(state), RULESET.actor(state)) == ("place 0", 0)
    assert legal(state, "place") == {"c3", "d3", "d4"}
    state = play(state, "place:c3", "place:d3")
    assert section(state, "pawns") == "c3 d3 c4"
    assert (phase(state), RULESET.actor(state)) == ("pawn", 2)


@pytest.mark.ruling("1.3")
def test_two_starting_socks_are_one_gain() -> None:
    state = play(fresh({"start_socks": "2"}), "first:0", "draw:red")
    assert (phase(state), section(state, "socks")) == ("draw 0 1 start", "r -")
    state = play(state, "draw:red")
    assert (section(state, "socks"), section(state, "pairs")) == ("- -", "rr -")
    assert phase(state) == "draw 1 2 start"


@pytest.mark.ruling("1.3")
def test_rainbows_are_paired_before_the_pawns_are_placed() -> None:
    state = fresh({"start_socks": "2", "silly_socks": True})
    state = play(state, "first:0", "draw:rainbow", "draw:green")
    assert (phase(state), RULESET.actor(state)) == ("rainbow 0 start", 0)
    assert legal(state) == {"pair:green", "keep"}
    kept = play(state, "keep")
    assert (phase(kept), section(kept, "socks")) == ("draw 1 2 start", "gw -")
    state = play(state, "pair:green", "draw:red", "draw:yellow")
    assert (phase(state), section(state, "pairs")) == ("place 0", "gw -")


@pytest.mark.ruling("1.3")
def test_no_starting_socks() -> None:
    state = play(fresh({"start_socks": "0"}), "first:1")
    assert (phase(state), section(state, "socks")) == ("place 1", "- -")


# --- 1.4 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_tiles_and_monsters_stay(seats: int) -> None:
    state = RULESET.initial({}, seats)
    assert len(weights(state)) == 16
    assert set(weights(state).values()) == {2}
    state = fresh(seats=seats)
    assert phase(state) == "first"
    assert section(state, "monsters") == "a1 f1 f6 a6"


@pytest.mark.ruling("1.4")
def test_a_tile_of_an_absent_colour_goes_back_down() -> None:
    state = play(position("act 0", pawns="c3 d4", tiles={"c3": "gc"}), "lift")
    assert tile(state, "c3") == "gc*"
    assert phase(state) == "roll"


@pytest.mark.ruling("1.4")
def test_a_monster_of_an_absent_colour_moves_and_steals_for_its_lair() -> None:
    state = position("roll", monsters="a1 f1 c5 a6", pawns="c3 d4", socks="- r", turn="2 0 0")
    state = play(state, "roll:green", "move:c4", "eye:open", "steal:1:red")
    assert section(state, "lairs") == "- - r -"


# --- 1.23 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.23")
def test_the_german_edition_starts_without_socks() -> None:
    state = play(fresh({"edition": "german"}), "first:0")
    assert (phase(state), section(state, "socks")) == ("place 0", "- -")


@pytest.mark.ruling("1.23")
@pytest.mark.parametrize("socks", [1, 2])
def test_the_german_edition_may_start_with_socks(socks: int) -> None:
    state = play(fresh({"edition": "german", "start_socks": str(socks)}), "first:0")
    assert phase(state) == f"draw 0 {socks} start"


@pytest.mark.ruling("1.23")
@pytest.mark.parametrize("edition", ["international", "german"])
def test_no_more_than_two_starting_socks(edition: str) -> None:
    with pytest.raises(InvalidOption, match="start_socks=3"):
        RULESET.initial({"edition": edition, "start_socks": "3"}, 2)


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(InvalidOption, match="seats"):
        RULESET.initial({}, seats)
