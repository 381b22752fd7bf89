"""What was to be seen between two positions, against what the engine's cards really showed."""

from __future__ import annotations

import itertools
import random
from typing import Any, NamedTuple

import pytest

from app.model.hide_and_seek import Cell, Face, HideAndSeekAct, Kind
from app.model.hide_and_seek_story import Beat, tell
from services.engine.core.types import CHANCE
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.values import number_of
from tests.mobile.seekers import RULES, TABLES, act, cell, playout, view

FACES = "ABCDE"


class Move(NamedTuple):
    """A state, who acts in it and how, and the state it leads to."""

    before: Any
    actor: int
    act: HideAndSeekAct
    after: Any


def moves(seats: int, options: dict[str, Any], seed: int) -> list[Move]:
    """The decisions of a match."""
    steps = list(playout(seats, options, seed))
    found = []
    for (before, _), (after, action) in itertools.pairwise(steps):
        actor = RULES.actor(before)
        if actor is not None and actor != CHANCE:
            found.append(Move(before, actor, act(action), after))
    return found


def sides(state: Any, where: Cell) -> tuple[str, str]:
    """What the card on a cell shows and hides."""
    number = number_of(where)
    return FACES[state.buffer[at.SHOWN + number]], FACES[state.buffer[at.HIDDEN + number]]


def check(move: Move, beat: Beat) -> int:
    """Compare a beat with the truth; how many faces are unknown."""
    missing = 0
    assert beat.actor == move.actor
    for turned in beat.turned:
        shown, hidden = sides(move.before, turned.cell)
        for said, true in ((turned.before, shown), (turned.after, hidden)):
            if said is None:
                missing += 1
            else:
                assert said.value == true, (RULES.format_state(move.before), move.act.notation)
    gone = {card.cell for card in view(move.before).cards}
    gone -= {card.cell for card in view(move.after).cards}
    assert set(beat.taken) == gone
    if move.act.kind in (Kind.FLIP, Kind.BOTH):
        assert {turned.cell for turned in beat.turned} == set(move.act.flips)
        ended = view(move.after).flipped is None
        assert bool(beat.missed) == (ended and not gone)
    return missing


def test_of_a_single_action_everything_is_seen() -> None:
    kinds = set()
    for seats, options in TABLES:
        for seed in range(2):
            for move in moves(seats, options, seed):
                beats = tell(view(move.before), [(move.actor, move.act)], view(move.after))
                kinds.add(move.act.kind)
                if move.act.kind is Kind.STOP:
                    assert beats == ()
                    continue
                assert len(beats) == 1
                assert check(move, beats[0]) == 0
    assert kinds == set(Kind) - {Kind.DEAL}


def test_of_many_actions_at_once_nothing_is_said_that_was_not_so() -> None:
    known = unknown = 0
    for number, (seats, options) in enumerate(TABLES):
        for seed in range(2):
            rng = random.Random(100 * number + seed)
            left = moves(seats, options, seed)
            while left:
                count = rng.randint(2, 9)
                batch, left = left[:count], left[count:]
                told = [(move.actor, move.act) for move in batch]
                beats = tell(view(batch[0].before), told, view(batch[-1].after))
                shown = [move for move in batch if move.act.kind is not Kind.STOP]
                assert len(beats) == len(shown)
                for move, beat in zip(shown, beats, strict=True):
                    missing = check(move, beat)
                    unknown += missing
                    known += 2 * len(beat.turned) - missing
    # Half of the faces lie there beforehand; most of the others follow.
    assert known > 5 * unknown > 0


@pytest.mark.ruling("3.3")
def test_a_double_turns_over_too() -> None:
    text = "hide_and_seek/1 2 types=3 | Ab,Ba,Bb,*,Ca/Aa,Ac,Bc,Cb,Cc | piles - - | turns 6 | idle 0"
    before = RULES.parse_state(f"{text} | first 0")
    flip = HideAndSeekAct(Kind.FLIP, cell("c2"))
    after = RULES.apply(before, RULES.parse_action(flip.notation))
    (beat,) = tell(view(before), [(0, flip)], view(after))
    (turned,) = beat.turned
    assert (turned.before, turned.after) == (Face.B, Face.B)


def test_actions_that_lead_elsewhere_tell_nothing() -> None:
    for move in moves(2, {}, 5):
        told = (move.actor, move.act)
        before, after = view(move.before), view(move.after)
        # Refused, or in both positions already.
        assert tell(before, [told], before) == ()
        assert tell(after, [told], after) == ()
        assert tell(before, [told, told], after) == ()
        assert tell(before, [], after) == ()
