"""Whether the adapter says what our rules say, by OpenSpiel's own tests and by ours.

Each problem is a text. To be imported only where open-spiel is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any, Final

from services.engine.core import CHANCE, Action
from services.engine.core.chance import draw
from services.engine.core.registry import ruleset
from tests.peers.versus.adapter import OPEN, SEATS, Game, Position, held, load, pyspiel
from tests.peers.versus.bots import Peer, Rollouts
from tests.peers.versus.pairings import Effort
from tools.reports import Report

_SIMULATIONS: Final = 20
_DECISIONS: Final = 12
_WINS: Final = 4
_WORLDS: Final = 4
_PLAYED: Final = 60


def check(report: Report, games: tuple[str, ...]) -> bool:
    """Add the problems of each game, none allowed, to `report`; whether there are none."""
    fine = True
    for name in games:
        problems = [*problems_of(name)]
        fine &= report.equals(f"adapter.{name}", "; ".join(problems), "")
    return fine


def problems_of(name: str) -> Iterator[str]:
    """What is wrong with the adapter of a game."""
    game = load(name)
    try:  # OpenSpiel's own test; some of what it finds ends the process, with its message
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=False)
    except pyspiel.SpielError as error:
        yield f"random_sim_test: {error}"
    yield from _a_match(game, Random(f"check {name}"))
    yield from _decisions(name, Random(f"decide {name}"))
    yield from _open_wins(name)
    yield from _rollouts(name)


def _a_match(game: Game, rng: Random) -> Iterator[str]:
    """A random match in both: the same actors, actions, chances and end, and a history that
    leads there."""
    theirs = game.new_initial_state()
    first = ours = held(theirs)
    rules, seen = ours.rules, 0
    while (actor := rules.actor(ours.state)) is not None:
        legal = rules.legal_actions(ours.state)
        if theirs.is_terminal() or theirs.current_player() != actor:
            yield f"{seen}: another actor than {actor}"
        if tuple(theirs.legal_actions()) != legal:
            yield f"{seen}: other actions than {legal}"
        if actor == CHANCE:
            action = draw(rules, ours.state, rng)
            yield from _chances(theirs, ours, seen)
        else:
            action = rng.choice(legal)
        theirs.apply_action(action)
        ours, seen = ours.after(action), seen + 1
        if theirs.clone().information_state_string(seen % 2) != ours.key(seen % 2):
            yield f"{seen}: knows something else"
    outcome = rules.outcome(ours.state)
    assert outcome is not None
    wins: dict[tuple[int, ...], list[int]] = {(0,): [1, -1], (1,): [-1, 1]}
    if not theirs.is_terminal() or theirs.returns() != wins.get(outcome.winners, [0, 0]):
        yield f"at the end: {theirs.returns()} for {outcome.winners}"
    again = first.state
    for action in theirs.history():
        again = rules.apply(again, Action(action))
    if again != ours.state:
        yield "its history leads elsewhere"


def _chances(theirs: Any, ours: Position, seen: int) -> Iterator[str]:
    outcomes = ours.rules.chance_outcomes(ours.state)
    total = sum(each.weight for each in outcomes)
    if [*theirs.chance_outcomes()] != [(each.action, each.weight / total) for each in outcomes]:
        yield f"{seen}: other chances than {outcomes}"


def _decisions(name: str, rng: Random) -> Iterator[str]:
    """Decisions of a random match: sampled worlds look the same, and the bots do what is legal,
    with as many simulations as they were given."""
    game = load(name)
    position, seen = held(game.new_initial_state()), 0
    peer = Peer(name, Effort(simulations=_SIMULATIONS), 1)
    while seen < _DECISIONS:
        rules, state = position.rules, position.state
        actor = rules.actor(state)
        if actor is None:
            return
        legal = rules.legal_actions(state)
        if actor == CHANCE or len(legal) == 1:
            action = draw(rules, state, rng) if actor == CHANCE else legal[0]
            position = position.after(action)
            continue
        seen += 1
        world = game.state_of(position.resampled(actor, rng))
        if world.information_state_string() != position.key(actor):
            yield f"decision {seen}: a sampled world looks different"
            return  # IS-MCTS would not have it
        action, simulations = peer.choose(position)
        if action not in legal:
            yield f"decision {seen}: {action} is not legal"
        if simulations != _SIMULATIONS and name not in OPEN:  # a proof ends MCTS earlier
            yield f"decision {seen}: {simulations} simulations"
        position = position.after(rng.choice(legal))


def _open_wins(name: str) -> Iterator[str]:
    """Wins that lie open, nearly all of which a sound bot takes, and one that takes losses for wins
    does not."""
    taken = 0
    for number, (position, wins) in enumerate(islice(_won(name), _WINS)):
        action, _ = Peer(name, Effort(simulations=100), number).choose(position)
        taken += action in wins
    if taken < _WINS - 1:
        yield f"only {taken} of {_WINS} open wins taken"


def _won(name: str) -> Iterator[tuple[Position, list[Action]]]:
    """Positions near the ends of random matches with the actions, not all, that win at once in
    whatever worlds the actor may be."""
    rules = ruleset(name)
    for seed in count():
        rng, state, before = Random(seed), rules.initial({}, SEATS), list[Any]()
        while (actor := rules.actor(state)) is not None:
            legal = rules.legal_actions(state)
            if actor != CHANCE and len(legal) > 1:
                before.append(state)
            action = draw(rules, state, rng) if actor == CHANCE else rng.choice(legal)
            state = rules.apply(state, action)
        for state in before[-3:]:
            position, legal = Position(name, state), rules.legal_actions(state)
            worlds = [position.resampled(position.player, rng) for _ in range(_WORLDS)]
            wins = [a for a in legal if all(_wins(world, a) for world in worlds)]
            if 0 < len(wins) < len(legal):
                yield position, wins
                break


def _rollouts(name: str) -> Iterator[str]:
    """Near the end of a match random play on the kernels has the results that it has by the rules,
    action by action, but for what chance does in sixty matches."""
    game, evaluator, rng = load(name), Rollouts(name, 1), Random(1)
    for position, _ in islice(_won(name), 2):
        state = game.state_of(position)
        kernel = sum(evaluator.evaluate(state)[0] for _ in range(_PLAYED)) / _PLAYED
        slow = sum(_played_out(position, rng) for _ in range(_PLAYED)) / _PLAYED
        if abs(kernel - slow) > 0.5:  # 2.7 standard deviations of the widest, and seeds are fixed
            yield f"random play gives seat 0 {kernel} on the kernel, {slow} by the rules"


def _played_out(position: Position, rng: Random) -> float:
    """The return of seat 0 after random play by the rules."""
    rules, state = position.rules, position.state
    while (actor := rules.actor(state)) is not None:
        legal = rules.legal_actions(state)
        action = draw(rules, state, rng) if actor == CHANCE else rng.choice(legal)
        state = rules.apply(state, action)
    return Position(position.game, state).returns[0]


def _wins(position: Position, action: Action) -> bool:
    after = position.after(action)
    return after.returns[position.player] == 1.0
