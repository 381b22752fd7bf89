"""What hints and reviews say: every code of the contract, every action, every kind of luck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app import i18n
from app.model import hide_and_seek, sock_monsters, socker
from app.model.advice import MOST_SHOWN, Decision, Luck, Progress, Reason, Review
from app.model.advice_words import (
    act_words,
    best_words,
    hint_words,
    hints_words,
    loss_words,
    luck_numbers,
    luck_words,
    played_words,
    reason_words,
    used_words,
)
from app.model.match_menu import entries
from app.model.term_knobs import agreed, agreed_here, terms_words
from app.model.terms import USUAL, SeatState
from app.model.values import Act, Match, MatchStatus, UnknownAct
from app.net import convert_advice
from app.net.fake import FakeGateway
from oddsocks.ai.v1 import advice_pb2 as pb
from oddsocks.ai.v1 import ai_service_pb2 as ai
from tests.mobile.positions import SEATS, TURN

CODES = [code for code in pb.HintReason.values() if code != pb.HINT_REASON_UNSPECIFIED]
STEP = socker.SockerAct(socker.Kind.MOVE, (3, 2), (2, 3))
KICK = socker.SockerAct(socker.Kind.KICK, (3, 2), (3, 3))
LUCKY = Review(0, "hilda", (), (), (Luck(), Luck()), (0, 0), lucky=4)


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever a test speaks, the next one speaks English."""
    yield
    i18n.use_language("en")


# --- why ----------------------------------------------------------------------------------------


def test_every_reason_of_the_contract_has_words_of_its_own_in_every_language() -> None:
    said: dict[str, list[str]] = {}
    for language in i18n.LANGUAGES:
        i18n.use_language(language)
        said[language] = [hint_words(convert_advice.hint(pb.Hint(reasons=[c]), 1)) for c in CODES]
        assert all(said[language])
        assert len(set(said[language])) == len(CODES)
        assert hint_words(convert_advice.hint(pb.Hint(), 1)) not in said[language]
    spoken = list(said.values())
    assert len({tuple(words) for words in spoken}) == len(spoken)


def test_a_reason_is_read_by_its_name() -> None:
    names = {pb.HintReason.Name(code).removeprefix("HINT_REASON_").lower(): code for code in CODES}
    for name, code in names.items():
        assert convert_advice.hint(pb.Hint(reasons=[code]), 1).reasons == (Reason(name),)


def test_a_reason_of_a_newer_server_gives_way_to_one_with_words() -> None:
    newer = convert_advice.hint(pb.Hint(reasons=[99, pb.HINT_REASON_LOOKS]), 1)  # type: ignore[list-item]  # of a newer contract
    assert hint_words(newer) == reason_words(Reason.LOOKS)
    alone = convert_advice.hint(pb.Hint(reasons=[99]), 1)  # type: ignore[list-item]  # likewise
    assert hint_words(alone) == reason_words(Reason.UNSPECIFIED)


def test_only_the_most_telling_reason_is_said() -> None:
    both = [pb.HINT_REASON_SCORES, pb.HINT_REASON_MUCH_BETTER]
    assert hint_words(convert_advice.hint(pb.Hint(reasons=both), 1)) == reason_words(Reason.SCORES)
    assert [used_words(count) for count in (1, 3)] == ["1 hint so far.", "3 hints so far."]


# --- who may ask --------------------------------------------------------------------------------


def match_at(position: str) -> Match:
    gateway = FakeGateway(agents_play=False)
    return gateway.seen(gateway.matches[gateway.start("socker", SEATS, {}, position)])


def offered(match: Match, seat: int = 0) -> bool:
    return "hint" in {entry.key for entry in entries(match, seat, None)}


def test_a_hint_is_offered_for_ones_own_decision_where_the_table_has_them() -> None:
    match = match_at(TURN)
    assert offered(match)
    assert not offered(replace(match, terms=replace(USUAL, hints=False)))
    assert not offered(match_at(TURN.replace("south:1/3", "north:0/3")))
    assert not offered(replace(match, status=MatchStatus.FINISHED, actor=None))
    assert not offered(match, seat=-1)
    for state in (SeatState.SITTER, SeatState.RETURNING, SeatState.GIVEN_UP):
        away = (replace(SEATS[0], state=state), SEATS[1])
        assert not offered(replace(match, seats=away))


def test_the_table_agrees_on_hints_with_people_elsewhere_and_alone() -> None:
    assert agreed({}, ())[0].hints
    assert agreed_here({}) == USUAL
    assert agreed({"hints": 1, "pace": 1}, ())[0].hints is False
    assert agreed_here({"hints": 1, "pace": 1}) == replace(USUAL, hints=False)
    assert "There are no hints." in terms_words(replace(USUAL, hints=False))
    assert "hint" not in terms_words(USUAL)


# --- looking back -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "error", "said"),
    [
        (300, 50, "Luck helped you a lot."),
        (120, 50, "Luck helped you a bit."),
        (40, 50, "You had about as much good luck as bad luck."),
        (-40, 50, "You had about as much good luck as bad luck."),
        (-120, 50, "You had a bit of bad luck."),
        (-300, 50, "You had a lot of bad luck."),
        (-300, 348, "You had about as much good luck as bad luck."),
    ],
)
def test_luck_is_said_no_surer_than_it_is(amount: int, error: int, said: str) -> None:
    review = replace(LUCKY, luck=(Luck(amount, error), Luck(-amount, error)))
    assert luck_words(review) == said
    assert f"{round(error / 10)} %" in luck_numbers(review)


def test_a_match_without_luck_says_so() -> None:
    none = replace(LUCKY, lucky=0)
    assert luck_words(none) == "Luck had no part in this match."
    assert luck_numbers(none) == ""


def test_the_decisions_that_cost_most_come_first_and_noise_does_not_come() -> None:
    losses = (5, 400, 19, 20, 90, 150, 30, 60)
    made = tuple(Decision(n, n, STEP, KICK, loss) for n, loss in enumerate(losses, 1))
    costly = replace(LUCKY, decisions=made).costly
    assert [one.loss for one in costly] == [400, 150, 90, 60, 30]
    assert len(costly) == MOST_SHOWN
    words = [loss_words(one) for one in costly]
    assert words == sorted(
        words,
        key=["That cost you a lot.", "That cost you something.", "That cost you a little."].index,
    )


def test_what_was_done_and_what_was_better_are_told_apart() -> None:
    one = Decision(3, 7, STEP, KICK, 300)
    assert (played_words(one), best_words(one)) == ("You: take a step", "Better: kick the ball")
    assert best_words(replace(one, best=STEP)) == "Better: take a step, but differently"
    assert hints_words((2, 0), ("Ada", "Ben")) == "Hints: Ada 2"
    assert hints_words((0, 0), ("Ada", "Ben")) == ""


def decided() -> Iterator[Act]:
    """An action of each kind that a seat may decide on, in every game."""
    for one in socker.Kind:
        if one is not socker.Kind.TOSS:
            yield socker.SockerAct(one)
    chance = ("deal", "first", "draw", "roll", "eye")
    for two in sock_monsters.Kind:
        if two.value not in chance:
            yield sock_monsters.SockMonstersAct(two)
    for three in hide_and_seek.Kind:
        if three.value not in chance:
            yield hide_and_seek.HideAndSeekAct(three)


def test_every_action_that_can_be_decided_on_has_words() -> None:
    newer = act_words(UnknownAct())
    for act in decided():
        assert act_words(act) != newer, act


def test_a_review_is_read_from_its_message() -> None:
    message = pb.Review(
        match_id="m",
        seat=1,
        agent="hilda",
        decisions=[pb.ReviewedDecision(revision=4, loss_permille=30)],
        chances=[pb.ReviewedChance(revision=2)],
        curve=[pb.ReviewedPoint(revision=2, expected_permille=[400, 600])],
        luck=[
            pb.ReviewedLuck(seat=1, luck_permille=-80, error_permille=10),
            pb.ReviewedLuck(seat=0, luck_permille=80, error_permille=10),
        ],
        hints_used=[0, 2],
    )
    review = convert_advice.update(ai.ReviewMatchResponse(review=message))
    assert isinstance(review, Review)
    assert review.luck == (Luck(80, 10), Luck(-80, 10))
    assert [(one.number, one.revision, one.loss) for one in review.decisions] == [(1, 4, 30)]
    assert review.curve[0].expected == (400, 600)
    assert (review.seat, review.hints_used, review.lucky) == (1, (0, 2), 1)
    assert convert_advice.update(ai.ReviewMatchResponse()) == Progress(0, 0)
