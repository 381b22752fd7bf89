"""Monster Hide and Seek by the rulings: every numbered one and every worked case (RULINGS 3)."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from services.engine.core import CHANCE, SPECTATOR, Action, InvalidNotation, InvalidOption
from services.engine.games.hide_and_seek import RULESET
from services.engine.games.hide_and_seek.values import State

ruling = pytest.mark.ruling

# Nine cards of three types: doubles AA BB CC, two each of AB AC BC, one candy; 5 x 2 cells.
FULL = "Ab,Ba,Ac,Ca,Bc/Cb,Aa,Bb,Cc,*"


def position(
    board: str, rest: str = "first 0", *, head: str = "2 types=3", piles: str = ""
) -> State:
    """A position of three types; piles default to what the board lacks, all in the first pile."""
    seats = int(head.split()[0])
    words = piles or _rest_of_deck(board, seats)
    text = f"hide_and_seek/1 {head} | {board} | piles {words} | turns 4 | idle 1 | {rest}"
    return RULESET.parse_state(text)


def _rest_of_deck(board: str, seats: int) -> str:
    deck = Counter(["AA", "BB", "CC", *["AB", "AC", "BC"] * 2, "*"])
    for cell in board.replace("/", ",").split(","):
        if cell != "..":
            deck["".join(sorted(cell.upper()))] -= 1
    cards = [
        card
        for card in sorted(deck, key=lambda card: (card == "*", card))
        for _ in range(deck[card])
    ]
    return " ".join([",".join(cards) or "-", *["-"] * (seats - 1)])


def act(state: State, *texts: str) -> State:
    """Apply actions by their notation, each checked to be legal."""
    for text in texts:
        state = RULESET.apply(state, RULESET.check(state, RULESET.parse_action(text)))
    return state


def names(state: State) -> set[str]:
    return {RULESET.format_action(action) for action in RULESET.legal_actions(state)}


def board(state: State) -> str:
    return RULESET.format_state(state).split(" | ")[1]


def phase(state: State) -> str:
    return RULESET.format_state(state).rsplit(" | ", 1)[1]


def deal_all(state: State, rng: Random) -> State:
    while RULESET.actor(state) == CHANCE:
        outcomes = RULESET.chance_outcomes(state)
        weights = [outcome.weight for outcome in outcomes]
        state = RULESET.apply(state, rng.choices(outcomes, weights)[0].action)
    return state


@ruling("3.1")
@pytest.mark.parametrize(
    ("types", "cells", "monsters", "candies"), [(5, 28, 25, 3), (4, 18, 16, 2), (3, 10, 9, 1)]
)
def test_the_deck_splits_into_doubles_and_two_of_each_mixed_pair(
    types: int, cells: int, monsters: int, candies: int
) -> None:
    state = deal_all(RULESET.initial({"types": types}, 2), Random(1))
    cards = board(state).replace("/", ",").split(",")
    assert len(cards) == cells
    assert cards.count("*") == candies
    kinds = Counter("".join(sorted(card.upper())) for card in cards if card != "*")
    assert sum(kinds.values()) == monsters
    letters = "ABCDE"[:types]
    assert kinds == {a + b: 1 if a == b else 2 for a in letters for b in letters if a <= b}


@ruling("3.1")
def test_the_deal_weighs_labelled_cards_with_their_two_sides() -> None:
    start = RULESET.initial({"types": 3}, 2)
    weights = {
        RULESET.format_action(outcome.action): outcome.weight
        for outcome in RULESET.chance_outcomes(start)
    }
    assert weights["deal:AB"] == weights["deal:BA"] == 2  # two cards, this side up
    assert weights["deal:AA"] == 2  # one card, either side up
    assert weights["deal:*"] == 2
    assert sum(weights.values()) == 2 * 10  # ten cards with two sides


@ruling("3.1")
def test_gaps_stay_gaps() -> None:
    state = act(position(FULL), "flip:b2", "flip:c1")  # a against b: not a match
    assert board(state).startswith("Ab,AB,")
    state = act(position("Ab,Ac,Ba,Ca,Bc/Cb,Aa,Bb,Cc,*"), "flip:c2", "flip:b1")  # A and A
    assert board(state) == "Ab,Ac,..,Ca,Bc/Cb,..,Bb,Cc,*"
    with pytest.raises(ValueError, match="not legal"):
        act(state, "flip:c2")


@ruling("3.2")
@pytest.mark.parametrize(
    ("options", "stars"), [("", 3 + 2), (" monster_stars=2", 6 + 2), (" candy_stars=0", 3)]
)
def test_stars(options: str, stars: int) -> None:
    state = position(
        "..,..,Ac,Ca,Bc/Cb,..,Bb,Cc,..", head=f"2 types=3{options}", piles="AA,AB,AB,* -"
    )
    assert RULESET.scores(state) == (stars, 0)


@ruling("3.2")
def test_piles_are_open_with_both_sides_of_their_cards() -> None:
    state = position("..,..,Ac,Ca,Bc/Cb,..,Bb,Cc,..", piles="AA,AB * ".replace(" * ", " AB,*"))
    for seat in (0, 1, SPECTATOR):
        assert "piles AA,AB AB,*" in RULESET.format_observation(RULESET.observe(state, seat))


@ruling("3.3")
def test_one_card_then_a_card_in_another_cell() -> None:
    state = act(position(FULL), "flip:a2")
    assert phase(state) == "second 0 a2"
    assert board(state).startswith("BA,")  # flipped, and now seen from both sides
    assert "flip:a2" not in names(state)
    assert names(state) == {f"flip:{c}{r}" for c in "abcde" for r in "12"} - {"flip:a2", "flip:e1"}


@ruling("3.3")
def test_only_the_two_newly_visible_faces_count() -> None:
    # A third card shows B already.
    state = act(position("Ab,Ca,Ac,Ba,Bc/Bc,Aa,Bb,Cc,*"), "flip:a2", "flip:c2")
    assert board(state).startswith("BA,Ca,CA,Ba,Bc")
    assert phase(state) == "first 1"
    assert RULESET.scores(state) == (0, 0)


@ruling("3.3")
def test_a_double_looks_unchanged_and_counts_as_seen_from_both_sides() -> None:
    state = act(position(FULL), "flip:b1")
    assert board(state) == "Ab,Ba,Ac,Ca,Bc/Cb,AA,Bb,Cc,*"


@ruling("3.3")
def test_flip_together_names_both_before_either_is_seen() -> None:
    state = position(FULL, head="2 types=3 flip_together=true")
    assert "flip:a2" not in names(state)
    assert "flip:a1+a2" in names(state)
    with pytest.raises(InvalidNotation, match="a2\\+a1"):
        RULESET.parse_action("flip:a2+a1")
    state = act(state, "flip:b1+b2")  # A again, and A
    assert phase(state) == "again 0"


@ruling("3.4")
def test_a_match_is_collected_and_the_turn_goes_on_without_candy() -> None:
    # Worked case: A/B and C/B flipped -> B and B: 2 stars, must go on, candy illegal.
    state = act(position("Ab,Cb,Ac,Ca,Bc/Ba,Aa,Bb,Cc,*"), "flip:a2", "flip:b2")
    assert phase(state) == "again 0"
    assert RULESET.scores(state) == (2, 0)
    assert "candy:e1" not in names(state)
    assert "stop" not in names(state)
    with pytest.raises(ValueError, match="not legal"):
        act(state, "candy:e1")


@ruling("3.4")
def test_the_turn_may_stop_after_a_match_where_the_table_allows_it() -> None:
    state = position("Ab,Cb,Ac,Ca,Bc/Ba,Aa,Bb,Cc,*", head="2 types=3 may_stop_after_match=true")
    assert "stop" not in names(state)
    state = act(state, "flip:a2")
    assert "stop" not in names(state)
    state = act(state, "flip:b2")
    assert "stop" in names(state)
    assert phase(act(state, "flip:c2")) == "paired 0 c2"
    assert "stop" not in names(act(state, "flip:c2"))
    assert phase(act(state, "stop")) == "first 1"


@ruling("3.4")
def test_fewer_than_two_monsters_left_end_the_turn() -> None:
    state = position("Ab,Cb,..,..,../..,..,..,Cc,..", "again 1")
    state = act(state, "flip:a2", "flip:b2")
    assert RULESET.outcome(state) is not None
    assert phase(state) == "over normal"


@ruling("3.5")
def test_no_match_leaves_both_as_they_lie_for_the_next() -> None:
    # Worked case: A/B and A/C flipped -> B/A and C/A stay; the next flips both: collected.
    state = act(position("Ab,Ac,Ba,Ca,Bc/Cb,Aa,Bb,Cc,*"), "flip:a2", "flip:b2")
    assert board(state).startswith("BA,CA,")
    assert phase(state) == "first 1"
    state = act(state, "flip:a2", "flip:b2")
    assert board(state).startswith("..,..,")
    assert phase(state) == "again 1"
    assert RULESET.scores(state) == (0, 2)


@ruling("3.6")
def test_a_candy_flips_the_closest_monster_in_each_direction() -> None:
    # On c1 with a gap at d1 and a second row above; nothing is collected but the candy.
    state = position("Ab,Ba,Ac,Ca,Bc/Cb,Aa,*,..,Bb", piles="CC -")
    assert "candy:c1" in names(state)
    state = act(state, "candy:c1")
    assert board(state) == "Ab,Ba,CA,Ca,Bc/Cb,AA,..,..,BB"
    assert phase(state) == "first 1"
    assert RULESET.scores(state) == (1 + 2, 0)


@ruling("3.6")
def test_a_candy_flips_past_other_candies() -> None:
    text = (
        "hide_and_seek/1 2 types=4 | Ab,Ba,Ac,Ca,Ad,Da/Bc,Cb,Bd,Db,Cd,Dc/*,*,Aa,Bb,Cc,Dd"
        " | piles - - | turns 0 | idle 0 | first 0"
    )
    state = act(RULESET.parse_state(text), "candy:a1")
    assert board(state) == "Ab,Ba,Ac,Ca,Ad,Da/CB,Cb,Bd,Db,Cd,Dc/..,*,AA,Bb,Cc,Dd"


@ruling("3.6")
def test_a_candy_alone_on_its_lines_may_still_be_taken() -> None:
    after = act(position("..,Ba,Ac,Ca,../..,..,..,..,*"), "candy:e1")
    assert board(after) == "..,Ba,Ac,Ca,../..,..,..,..,.."
    assert phase(after) == "first 1"


@ruling("3.6")
def test_a_candy_is_only_the_first_decision_of_a_turn() -> None:
    assert "candy:e1" in names(position(FULL))
    assert "candy:e1" not in names(act(position(FULL), "flip:a1"))


@ruling("3.7")
def test_four_left_a_match_leaves_two_and_they_are_flipped() -> None:
    # Worked case: match -> 0 left, no match -> 2 left; normal either way.
    text = (
        "hide_and_seek/1 2 types=4 | Ab,Cb,Ad,{0},..,../..,..,..,..,..,../..,..,..,..,..,..,"
    ).rstrip(",")
    deck = Counter(["AA", "BB", "CC", "DD", *["AB", "AC", "AD", "BC", "BD", "CD"] * 2])
    for last, left in (("Bd", 0), ("Cb", 2)):
        cards = deck.copy()
        cards.subtract(["AB", "BC", "AD", "".join(sorted(last.upper()))])
        pile = ",".join([*sorted(cards.elements()), "*", "*"])
        state = RULESET.parse_state(
            text.format(last) + f" | piles {pile} - | turns 9 | idle 0 | first 1"
        )
        state = act(state, "flip:a3", "flip:b3")
        assert phase(state) == "again 1"
        state = act(state, "flip:c3", "flip:d3")
        assert phase(state) == "over normal"
        assert (
            sum(cell not in ("..", "*") for cell in board(state).replace("/", ",").split(","))
            == left
        )


@ruling("3.7")
def test_deadlock_ends_at_once_in_mid_turn_and_candies_are_lost() -> None:
    # After this match AA, BB and CC are left: no two share a type.
    state = position("Ab,Cb,..,..,../Aa,..,Bb,Cc,*", "first 1")
    state = act(state, "flip:a2", "flip:b2")
    assert phase(state) == "over deadlock"
    assert "turns 4 | idle 1" in RULESET.format_state(state)  # mid-turn: not counted
    outcome = RULESET.outcome(state)
    assert outcome is not None
    assert outcome.reason == "deadlock"
    assert outcome.scores == (4, 2)


@ruling("3.7")
def test_deadlock_can_be_switched_off() -> None:
    state = position(
        "Ab,Cb,..,..,../Aa,..,Bb,Cc,*", "first 1", head="2 types=3 end_on_deadlock=false"
    )
    assert phase(act(state, "flip:a2", "flip:b2")) == "again 1"


@ruling("3.7")
@pytest.mark.parametrize(
    ("idle", "turns", "over"), [(22, 50, False), (23, 50, True), (0, 199, True)]
)
def test_the_caps_are_looked_at_between_turns(idle: int, turns: int, over: bool) -> None:
    text = f"hide_and_seek/1 2 types=3 | {FULL} | piles - - | turns {turns} | idle {idle} | first 0"
    state = act(RULESET.parse_state(text), "flip:a2")
    assert RULESET.outcome(state) is None
    state = act(state, "flip:d1")  # b against c
    assert (RULESET.outcome(state) is not None) == over
    if over:
        assert phase(state) == "over cap"


@ruling("3.7")
def test_a_candy_is_a_collected_card_for_the_idle_cap() -> None:
    text = f"hide_and_seek/1 2 types=3 | {FULL} | piles - - | turns 50 | idle 23 | first 0"
    state = act(RULESET.parse_state(text), "candy:e1")
    assert "idle 0 | first 1" in RULESET.format_state(state)


@ruling("3.8")
def test_equal_stars_share_the_win() -> None:
    # Worked case: 5 stars to 5.
    state = position(
        "Ab,..,..,..,../..,..,..,..,..",
        "over normal",
        head="2 types=3 candy_stars=2 monster_stars=1",
        piles="AA,AB,AC,AC,BB BC,BC,CC,*",
    )
    outcome = RULESET.outcome(state)
    assert outcome is not None
    assert outcome.scores == (5, 5)
    assert outcome.winners == (0, 1)


@ruling("3.8")
def test_most_stars_win_and_the_table_says_who_starts() -> None:
    state = deal_all(RULESET.initial({"types": 3, "first_seat": 2}, 3), Random(3))
    assert RULESET.actor(state) == 2
    with pytest.raises(InvalidOption, match="first_seat=3"):
        RULESET.initial({"first_seat": 3}, 3)


def _assignments(state: State) -> Counter[str]:
    """Every board that agrees with what is known, by brute force over cells and hidden faces."""
    known = RULESET.format_information(RULESET.information(state, 0))
    cells = [i for i, char in enumerate(known) if char == "?"]
    found: Counter[str] = Counter()
    for faces in itertools.product("abc", repeat=len(cells)):
        text = list(known.replace("known | ", "", 1))
        shift = len("known | ")
        for place, face in zip(cells, faces, strict=True):
            text[place - shift] = face
        try:
            found[board(RULESET.parse_state("".join(text)))] += 1
        except InvalidNotation:
            continue
    return found


@ruling("3.9")
@pytest.mark.parametrize(
    "cards", ["Ab,Ba,Ac,..,../..,Aa,Bb,..,*", "Ab,AC,Bc,Ca,../Cb,..,Bb,Cc,..", FULL]
)
def test_hidden_faces_are_sampled_uniformly_over_all_assignments(cards: str) -> None:
    state = position(cards)
    possible = _assignments(state)
    assert len(possible) > 1
    rng, samples = Random(11), 40 * len(possible)
    info = RULESET.information(state, 0)
    drawn = Counter(board(RULESET.determinize(info, rng)) for _ in range(samples))
    assert set(drawn) <= set(possible)
    expected = samples / len(possible)
    chi_square = sum((drawn[cards] - expected) ** 2 / expected for cards in possible)
    freedom = len(possible) - 1
    # Five standard deviations of the chi-square distribution above its mean.
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


@ruling("3.9")
@pytest.mark.parametrize("types", [3, 4, 5])
def test_a_lone_card_hides_each_type_with_equal_chance(types: int) -> None:
    # Over whole deals: the card on a1, given the face it shows.
    start = RULESET.initial({"types": types}, 2)
    weights: Counter[tuple[str, str]] = Counter()
    for outcome in RULESET.chance_outcomes(start):
        text = RULESET.format_action(outcome.action)
        if text != "deal:*":
            weights[text[5], text[6]] += outcome.weight
    for shown in "ABCDE"[:types]:
        whole = sum(weight for (face, _), weight in weights.items() if face == shown)
        for hidden in "ABCDE"[:types]:
            assert Fraction(weights[shown, hidden], whole) == Fraction(1, types)


@ruling("3.9")
@pytest.mark.parametrize(
    ("types", "blind", "same", "different"),
    [
        (5, Fraction(11, 60), Fraction(1, 11), Fraction(10, 49)),
        (4, Fraction(9, 40), Fraction(1, 9), Fraction(8, 31)),
        (3, Fraction(7, 24), Fraction(1, 7), Fraction(6, 17)),
    ],
)
def test_the_worked_chances_of_two_blind_flips(
    types: int, blind: Fraction, same: Fraction, different: Fraction
) -> None:
    """Worked case, from the deal's own weights: the first two cells, given two monsters."""
    pairs: dict[tuple[str, str], int] = Counter()
    start = RULESET.initial({"types": types}, 2)
    for first in RULESET.chance_outcomes(start):
        after = RULESET.apply(start, first.action)
        for second in RULESET.chance_outcomes(after):
            texts = RULESET.format_action(first.action), RULESET.format_action(second.action)
            if "deal:*" not in texts:
                pairs[texts[0][5:], texts[1][5:]] += first.weight * second.weight

    def chance(cards: dict[tuple[str, str], int]) -> Fraction:
        hits = sum(weight for (a, b), weight in cards.items() if a[1] == b[1])
        return Fraction(hits, sum(cards.values()))

    assert chance(pairs) == blind
    assert chance({k: w for k, w in pairs.items() if k[0][0] == k[1][0]}) == same
    assert chance({k: w for k, w in pairs.items() if k[0][0] != k[1][0]}) == different


@ruling("3.9")
def test_what_was_seen_from_both_sides_is_known_to_all() -> None:
    state = act(position(FULL), "flip:a2", "flip:d1")
    for seat in (0, 1, SPECTATOR):
        text = RULESET.format_information(RULESET.information(state, seat))
        assert "BA,B?,A?,C?,B?/C?,A?,B?,CC,*" in text


@ruling("3.10")
def test_an_earlier_face_is_never_shown_without_memory_aid() -> None:
    state = act(position(FULL), "flip:a2", "flip:d1")
    seen = RULESET.format_observation(RULESET.observe(state, 0))
    assert "B?,B?,A?,C?,B?/C?,A?,B?,C?,*" in seen
    state = act(position(FULL, head="2 types=3 memory_aid=true"), "flip:a2", "flip:d1")
    seen = RULESET.format_observation(RULESET.observe(state, 0))
    assert "BA,B?,A?,C?,B?/C?,A?,B?,CC,*" in seen


@ruling("3.10")
def test_a_dealt_card_is_seen_with_its_upper_face_only() -> None:
    start = RULESET.initial({"types": 3}, 2)
    for seat in (0, 1, SPECTATOR):
        assert RULESET.visible_action(start, RULESET.parse_action("deal:AB"), seat) == "deal:A?"
        assert RULESET.visible_action(start, RULESET.parse_action("deal:*"), seat) == "deal:*"


@ruling("3.10")
def test_the_log_names_cells_but_no_monsters() -> None:
    flips = [RULESET.format_action(Action(number)) for number in range(26, RULESET.action_count)]
    assert not any(letter in text for text in flips for letter in "ABCDE")
