"""Random play on the kernel: fair, the same everywhere, and over at last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from services.engine.core import CHANCE, Action, OptionValue
from services.engine.core.chance import draw
from services.engine.core.generator import generator
from services.engine.games.sock_monsters import RULESET, kernel, playouts
from services.engine.games.sock_monsters.layout import ACTIONS
from services.engine.games.sock_monsters.model import Sock, Table
from services.engine.games.sock_monsters.state import State
from tests.unit.engine.sock_monsters.table import chi_square_bound, legal, position, weights

SILLY = "silly_socks=true"
EVERYTHING: dict[str, OptionValue] = {
    "edition": "german",
    "silly_socks": True,
    "start_socks": "2",
    "lair_source": "lair",
}
VARIANTS = [
    pytest.param(options, seats, id=f"{seats} {' '.join(options)}")
    for options, seats in (
        ({}, 2),
        ({}, 4),
        ({"silly_socks": True}, 3),
        ({"edition": "german"}, 3),
        ({"edition": "german", "silly_socks": True}, 4),
        (EVERYTHING, 2),
    )
]


def chi_square(found: Counter[str], expected: Mapping[str, float]) -> float:
    total, weight = sum(found.values()), sum(expected.values())
    assert set(found) <= set(expected)
    return sum(
        (found[action] - total * share / weight) ** 2 / (total * share / weight)
        for action, share in expected.items()
    )


@pytest.mark.parametrize("by_list", [False, True])
@pytest.mark.parametrize(
    "state",
    [
        pytest.param(position("move red 0", options=SILLY, socks="rgvww -"), id="move and pair"),
        pytest.param(position("pawn", options=SILLY, socks="rw -"), id="pawn and pair"),
        pytest.param(position("pawn", pawns="b1 c2 d2", monsters="a2 b2 f6 a6"), id="pawn"),
        pytest.param(position("open red 1", socks="rg -", pawns="b2 d4"), id="open"),
    ],
)
def test_all_actions_are_equally_likely(state: State, by_list: bool) -> None:
    pick = playouts.listed if by_list else playouts.drawn
    rng, out = generator(11), kernel.buffer([0] * ACTIONS)
    s = kernel.buffer(list(state.data))
    found = Counter(name(pick(s, rng, out)) for _ in range(6000))
    expected = dict.fromkeys(legal(state), 1.0)
    assert chi_square(found, expected) < chi_square_bound(len(expected) - 1)


def name(number: int) -> str:
    return RULESET.format_action(Action(number))


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(position("roll"), id="roll"),
        pytest.param(position("eye red 1", options="eye_open_faces=1"), id="eye"),
        pytest.param(position("draw 0 2 end", lairs="rrrrrr yyy g bbbbbbb"), id="draw"),
        pytest.param(RULESET.initial({}, 2), id="deal"),
    ],
)
def test_chance_has_its_weights(state: State) -> None:
    rng, out = generator(12), kernel.buffer([0] * ACTIONS)
    s = kernel.buffer(list(state.data))
    found = Counter(name(playouts.drawn(s, rng, out)) for _ in range(6000))
    expected = {action: float(weight) for action, weight in weights(state).items()}
    assert chi_square(found, expected) < chi_square_bound(len(expected) - 1)


@pytest.mark.parametrize(
    ("options", "seats", "by_list", "checksums"),
    [
        ({}, 2, False, [1723411531, 651868984, 502088274]),
        ({"silly_socks": True}, 4, False, [680200706, 1176803374, 1563006404]),
        ({"silly_socks": True}, 4, True, [328357624, 1300821555, 771903757]),
        ({"edition": "german"}, 3, False, [727728053, 1653475740, 1498880427]),
    ],
)
def test_playouts_are_the_same_everywhere(
    options: dict[str, OptionValue], seats: int, by_list: bool, checksums: list[int]
) -> None:
    """Compiled or not: numbers recorded from the uncompiled kernel."""
    rng, out = generator(2026), kernel.buffer([0] * ACTIONS)
    start = list(RULESET.initial(options, seats).data)
    found = [playouts.playout(kernel.buffer(start), rng, out, 10**6, by_list) for _ in checksums]
    assert found == checksums


def test_a_playout_stops_where_it_is_told_to() -> None:
    rng, out = generator(1), kernel.buffer([0] * ACTIONS)
    s = kernel.buffer(list(RULESET.initial({}, 2).data))
    playouts.playout(s, rng, out, 40, False)
    assert out[0] == 40
    assert RULESET.outcome(State(tuple(s))) is None


@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_playouts_end(options: dict[str, OptionValue], seats: int) -> None:
    rng, out = generator(5), kernel.buffer([0] * ACTIONS)
    start = list(RULESET.initial(options, seats).data)
    for _ in range(10):
        s = kernel.buffer(start)
        playouts.playout(s, rng, out, 10**6, False)
        state = State(tuple(s))
        outcome = RULESET.outcome(state)
        assert outcome is not None
        assert outcome.winners
        assert RULESET.parse_state(RULESET.format_state(state)) == state


# --- what never changes in a game --------------------------------------------------------------


@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_nothing_gets_lost(options: dict[str, OptionValue], seats: int) -> None:
    rng = Random(f"{seats} {options}")
    state = RULESET.initial(options, seats)
    before = RULESET.observe(state, -2).table
    while (actor := RULESET.actor(state)) is not None:
        if actor == CHANCE:
            action = draw(RULESET, state, rng)
        else:
            action = rng.choice(RULESET.legal_actions(state))
        state = RULESET.apply(state, action)
        table = RULESET.observe(state, -2).table
        check_step(before, table)
        assert table.actor == RULESET.actor(state)
        before = table
    known = RULESET.information(state, -2).tiles
    for tile in known:
        if tile.face_up:
            assert tile.type is not None
            assert tile.type.colour < seats
            assert tile.type.motif not in before.tokens[tile.type.colour]


def check_step(before: Table, table: Table) -> None:
    """All socks are somewhere, pairs and turned tokens stay, figures stand apart."""
    count = Counter(dict(zip(Sock, table.bag, strict=True)))
    for group in (*table.socks, *table.lairs, *(sum(pairs, ()) for pairs in table.pairs)):
        count.update(group)
    silly = 4 if dict(table.options)["silly_socks"] else 0
    assert count == Counter({sock: 8 if sock < Sock.RAINBOW else silly for sock in Sock})
    for seat in range(table.seats):
        assert not Counter(before.pairs[seat]) - Counter(table.pairs[seat])
        assert set(table.tokens[seat]) <= set(before.tokens[seat])
    figures = [*table.monsters, *(pawn for pawn in table.pawns if pawn is not None)]
    assert len(set(figures)) == len(figures)
    assert before.round <= table.round <= 60
