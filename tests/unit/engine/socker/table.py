"""Socker positions in the words of the rule book, for tests.

`turn("south", S="e4", n="d7 e8", ball="e6")`: S and N stand, s and n lie, the rest is empty.
"""

from __future__ import annotations

from services.engine.core import Action
from services.engine.games.socker import RULESET
from services.engine.games.socker.state import State


def board(*, S: str = "", s: str = "", N: str = "", n: str = "", ball: str = "e6") -> str:  # noqa: N803  # the signs of the notation
    """The text of a board."""
    signs = {
        cell: sign
        for sign, cells in zip("SsNn", (S, s, N, n), strict=True)
        for cell in cells.split()
    }
    if ball:
        signs[ball] = "o"
    ranks = []
    for row in range(11, 0, -1):
        rank, gap = "", 0
        for column in "abcdefghi":
            sign = signs.pop(f"{column}{row}", "")
            if sign:
                rank += (str(gap) if gap else "") + sign
                gap = 0
            else:
                gap += 1
        ranks.append(rank + (str(gap) if gap else ""))
    assert not signs, f"not on the board: {signs}"
    return "/".join(ranks)


def parse(body: str, options: str = "") -> State:
    """The state with this body, `options` as in the notation."""
    return RULESET.parse_state(f"socker/1 2 {options}| {body}")


def turn(
    seat: str,
    progress: str = "0/3",
    extra: str = "",
    options: str = "",
    *,
    S: str = "",  # noqa: N803  # the signs of the notation
    s: str = "",
    N: str = "",  # noqa: N803  # the signs of the notation
    n: str = "",
    ball: str = "e6",
) -> State:
    """A turn of `seat`; `extra` holds further parts of the body."""
    where = board(S=S, s=s, N=N, n=n, ball=ball)
    return parse(f"{where} {seat}:{progress} {extra}".strip(), f"{options} " if options else "")


def legal(state: State) -> set[str]:
    """The texts of the legal actions."""
    return {RULESET.format_action(action) for action in RULESET.legal_actions(state)}


def allows(state: State, text: str) -> bool:
    """Whether an action is legal, by both ways of asking."""
    action = RULESET.parse_action(text)
    answer = RULESET.is_legal(state, action)
    assert answer == (text in legal(state))
    return answer


def play(state: State, *texts: str) -> State:
    """The state after these actions, each of which must be legal."""
    for text in texts:
        action: Action = RULESET.check(state, RULESET.parse_action(text))
        state = RULESET.apply(state, action)
    return state


def body(state: State) -> str:
    """The body of the position, without `seen=`."""
    text = RULESET.format_observation(RULESET.observe(state, 0))
    return text.partition("| ")[2]


def stage(state: State) -> str:
    """The second word of the body."""
    return body(state).split()[1]


def edge_limit(state: State) -> int | None:
    """The edge limit of the running turn."""
    return RULESET.observe(state, 0).edge_limit


SETUP = {
    "south": ("@e4", "@d3", "@f3", "@c2", "@g2"),
    "north": ("@e8", "@d9", "@f9", "@c10", "@g10"),
}
"""Legal places, one seat as good as the other."""


def set_up(state: State, first: str, count: int = 5) -> State:
    """Both seats place their sockers."""
    second = "north" if first == "south" else "south"
    return play(state, *SETUP[first][:count], *SETUP[second][:count])


def start(first: str = "south", **options: bool | int | str) -> State:
    """A match after its first setup."""
    return set_up(play(RULESET.initial(options, 2), f"toss:{first}"), first)


def goal_turn(state: State, scorer: str) -> State:
    """The same match on another board: it is `scorer`'s turn, one kick from a goal."""
    position = body(state).split()
    cells = {"S": "e9", "N": "a5"} if scorer == "south" else {"N": "e3", "S": "a7"}
    position[0] = board(ball="e10" if scorer == "south" else "e2", **cells)
    position[1] = f"{scorer}:0/3"
    head = RULESET.format_state(state).partition("|")[0]
    return RULESET.parse_state(f"{head}| {' '.join(position)}")


def shoot(state: State, scorer: str) -> State:
    """`scorer` kicks the ball of `goal_turn` in."""
    return play(goal_turn(state, scorer), "e9*e10" if scorer == "south" else "e3*e2")
