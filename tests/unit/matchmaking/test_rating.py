"""Ratings after a match: who rises, who falls, and by whose place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.core import Outcome
from services.matchmaking.ratings.skill import Rating, places, rated


def test_everybody_starts_in_the_same_place() -> None:
    start = Rating()
    assert (start.skill, start.points, start.matches) == (1_500, 0, 0)


@pytest.mark.parametrize(
    ("winners", "scores", "expected"),
    [
        ((1,), (0, 1), [1, 0]),
        ((0,), (1, 3), [0, 1]),  # whatever the scores say, winning counts
        ((), (2, 2), [0, 0]),
        ((), (), [0, 0]),
        ((2,), (1, 2, 3, 2), [2, 1, 0, 1]),
        ((0, 2), (3, 1, 3, 0), [0, 1, 0, 2]),
        ((1,), (), [1, 0, 1]),
    ],
)
def test_places_follow_winning_then_scores(
    winners: tuple[int, ...], scores: tuple[int, ...], expected: list[int]
) -> None:
    found = places(Outcome("over", winners, scores), range(len(expected)))
    assert found == dict(enumerate(expected))


def test_the_winner_rises_and_the_loser_falls() -> None:
    after = rated({"a": Rating(), "b": Rating()}, [("a", 1), ("b", 0)])
    assert after["b"].mu > Rating().mu > after["a"].mu
    assert after["a"].sigma == pytest.approx(after["b"].sigma)
    assert after["a"].sigma < Rating().sigma
    assert after["a"].matches == after["b"].matches == 1


def test_a_draw_of_equals_changes_no_skill() -> None:
    after = rated({"a": Rating(), "b": Rating()}, [("a", 0), ("b", 0)])
    assert after["a"].mu == pytest.approx(Rating().mu)
    assert after["b"].mu == pytest.approx(Rating().mu)


def test_a_surprise_counts_more_than_what_was_to_be_expected() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(15.0, 3.0)
    expected = rated({"s": strong, "w": weak}, [("s", 0), ("w", 1)])
    surprise = rated({"s": strong, "w": weak}, [("s", 1), ("w", 0)])
    assert surprise["w"].mu - weak.mu > expected["s"].mu - strong.mu > 0


@given(st.lists(st.integers(0, 3), min_size=2, max_size=4))
def test_the_better_place_never_gains_less(finish: list[int]) -> None:
    players = [f"p{n}" for n in range(len(finish))]
    after = rated(dict.fromkeys(players, Rating()), list(zip(players, finish, strict=True)))
    gains = sorted(
        (place, -after[player].mu) for player, place in zip(players, finish, strict=True)
    )
    assert [mu for _, mu in gains] == sorted(mu for _, mu in gains)


def test_points_are_whole_and_never_negative() -> None:
    assert Rating(0.0, 8.0).points == 0
    assert Rating(40.0, 2.0).points == 60 * 34
