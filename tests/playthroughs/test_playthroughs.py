"""Recorded random games, with every answer of the engine along the way.

Each `.txt` file, here or in `playthroughs/` beside a game, begins with a line
`GAME SEATS SEED [OPTION=VALUE …]`; the rest is recorded. To add a playthrough write that line
alone, run with UPDATE_SNAPSHOTS=1 and read what came out. Every game needs at least one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.engine.core import CHANCE, SPECTATOR
from services.engine.core.chance import draw
from services.engine.core.registry import AnyRuleset, game_names, ruleset
from tests.fixtures.recordings import recordings
from tests.fixtures.snapshots import compare

FILES = recordings(Path(__file__).parent, "*.txt")
SHOWN = 24
"""Actions whose positions are shown in full; afterwards every fiftieth, and the last one."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("\n", 1)[0]
    compare(path, "\n".join([head, *record(head)]) + "\n")


def test_every_game_has_a_playthrough() -> None:
    recorded = {path.read_text(encoding="utf-8").split(maxsplit=1)[0] for path in FILES}
    assert recorded == set(game_names())


def record(head: str) -> Iterator[str]:
    game, seats, seed, *words = head.split()
    rules = ruleset(game)
    specs = {spec.name: spec for spec in rules.option_specs}
    chosen = dict(word.split("=", 1) for word in words)
    options = {name: specs[name].parse(value) for name, value in chosen.items()}
    rng = Random(int(seed))
    state = rules.initial(options, int(seats))
    number = 0
    while (actor := rules.actor(state)) is not None:
        if actor == CHANCE:
            action = draw(rules, state, rng)
        else:
            action = rng.choice(rules.legal_actions(state))
        if number < SHOWN or number % 50 == 0:
            yield from position(rules, state, number)
        by = "chance" if actor == CHANCE else f"seat {actor}"
        yield f"{number} {by}: {rules.format_action(action)}{told(rules, state, action)}"
        state = rules.apply(state, action)
        number += 1
    yield from position(rules, state, number)
    yield f"outcome: {rules.outcome(state)}"


def told(rules: AnyRuleset, state: Any, action: Any) -> str:
    """How others see the action, where they see something else."""
    own = rules.format_action(action)
    seen = {
        seat: rules.visible_action(state, action, seat)
        for seat in (*range(rules.seats(state)), SPECTATOR)
    }
    return "".join(f" (seat {seat} sees {text})" for seat, text in seen.items() if text != own)


def position(rules: AnyRuleset, state: Any, number: int) -> Iterator[str]:
    yield ""
    yield f"position {number}: {rules.format_state(state)}"
    yield f"actor: {rules.actor(state)}, scores: {rules.scores(state)}"
    legal = " ".join(rules.format_action(action) for action in rules.legal_actions(state))
    yield f"legal: {legal}"
    weights = [outcome.weight for outcome in rules.chance_outcomes(state)]
    if len(set(weights)) > 1:
        yield f"weights: {' '.join(map(str, weights))}"
    for seat in (SPECTATOR, *range(rules.seats(state))):
        observation = rules.format_observation(rules.observe(state, seat))
        if observation != rules.format_state(state):
            yield f"observed by {seat}: {observation}"
        information = rules.format_information(rules.information(state, seat))
        if information not in (observation, rules.format_state(state)):
            yield f"known to {seat}: {information}"
    yield from rules.draw(rules.observe(state, SPECTATOR)).splitlines()
