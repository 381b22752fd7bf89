"""Odd One Out: the smallest whole game, made as docs/adding-a-game.md says.

Three socks lie face down in places 1 to 3: a pair, and an odd one that chance has put somewhere.
Two seats take turns. Who is to act peeks at a sock, which nobody else sees, as often as the option
`peeks` allows it; or points at a sock, once: whoever points at the odd one wins, else the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Final

from services.engine.core import (
    CHANCE,
    SPECTATOR,
    Action,
    InvalidNotation,
    InvalidOption,
    Options,
    OptionSpec,
    Outcome,
    Ruleset,
    Seat,
    WeightedAction,
)
from services.engine.core.notation import check_length, read_frame, write_frame
from services.engine.core.options import resolve

PLACES: Final = "123"
VERBS: Final = ("deal", "peek", "point")
"""In the order of the action ids: each verb has one for each place."""

UNDEALT: Final = "---"
DEALS: Final = ("opp", "pop", "ppo")
"""All that three socks can be: `o` is the odd one, `p` one of the pair."""

SIGHTS: Final = frozenset(
    "".join(sight) for deal in DEALS for sight in product(*(("?", sock) for sock in deal))
)
"""All that a seat can see of them."""


@dataclass(frozen=True, slots=True)
class Table:
    """The socks, the places each seat has peeked at, and the one that was pointed at.

    A state knows all socks. What a seat sees is the same with `?` for those it has not seen.
    """

    peeks: int
    socks: str = UNDEALT
    peeked: tuple[str, str] = ("", "")
    pointed: str = ""

    @property
    def turn(self) -> Seat:
        """The seat that is to act, or did so last when the game is over."""
        return len("".join(self.peeked)) % 2


class OddOneOut(Ruleset[Table, Table, Table]):
    """Nobody forgets what they have peeked at, so what a seat sees is also what it knows."""

    game = "odd_one_out"
    version = 1
    min_seats = 2
    max_seats = 2
    option_specs = (OptionSpec("peeks", 1, "How often each seat may peek", minimum=0, maximum=2),)
    action_count = len(VERBS) * len(PLACES)

    # --- the rules ---

    def initial(self, options: Options, seats: int) -> Table:
        if seats != 2:
            raise InvalidOption("Odd One Out is for 2 seats", name="seats", value=str(seats))
        return Table(int(resolve(self.option_specs, options)["peeks"]))

    def options(self, state: Table) -> Options:
        return {"peeks": state.peeks}

    def seats(self, state: Table) -> int:
        del state
        return 2

    def actor(self, state: Table) -> Seat | None:
        if state.pointed:
            return None
        return CHANCE if state.socks == UNDEALT else state.turn

    def legal_actions(self, state: Table) -> tuple[Action, ...]:
        actor = self.actor(state)
        if actor is None:
            return ()
        if actor == CHANCE:
            return tuple(_action("deal", place) for place in PLACES)
        mine = state.peeked[actor]
        new = [place for place in PLACES if place not in mine and len(mine) < state.peeks]
        peeks = [_action("peek", place) for place in new]
        return (*peeks, *(_action("point", place) for place in PLACES))

    def is_legal(self, state: Table, action: Action) -> bool:
        return action in self.legal_actions(state)

    def chance_outcomes(self, state: Table) -> tuple[WeightedAction, ...]:
        if self.actor(state) != CHANCE:
            return ()
        return tuple(WeightedAction(action, 1) for action in self.legal_actions(state))

    def apply(self, state: Table, action: Action) -> Table:
        verb, place = _words(action)
        if verb == "deal":
            return replace(state, socks=DEALS[PLACES.index(place)])
        if verb == "point":
            return replace(state, pointed=place)
        peeked = list(state.peeked)
        peeked[state.turn] = "".join(sorted(peeked[state.turn] + place))
        return replace(state, peeked=(peeked[0], peeked[1]))

    def outcome(self, state: Table) -> Outcome | None:
        if not state.pointed:
            return None
        found = state.socks[PLACES.index(state.pointed)] == "o"
        winner = state.turn if found else 1 - state.turn
        return Outcome("found" if found else "missed", (winner,), self.scores(state))

    def scores(self, state: Table) -> tuple[int, ...]:
        """How often each seat has peeked."""
        return tuple(len(places) for places in state.peeked)

    # --- who knows what ---

    def observe(self, state: Table, seat: Seat) -> Table:
        if state.pointed or state.socks == UNDEALT:
            return state
        mine = "" if seat == SPECTATOR else state.peeked[seat]
        seen = zip(PLACES, state.socks, strict=True)
        return replace(state, socks="".join(s if place in mine else "?" for place, s in seen))

    def information(self, state: Table, seat: Seat) -> Table:
        return self.observe(state, seat)

    def determinize(self, information: Table, rng: Random) -> Table:
        return replace(information, socks=rng.choice(_possible(information.socks)))

    def visible_action(self, state: Table, action: Action, seat: Seat) -> str:
        del state, seat
        text = self.format_action(action)
        return "?" if text.startswith("deal") else text

    # --- notation ---

    def format_state(self, state: Table) -> str:
        words = [state.socks, *(places or "-" for places in state.peeked)]
        words += [f"point:{state.pointed}"] if state.pointed else []
        return write_frame(self, 2, {"peeks": state.peeks}, " ".join(words))

    def parse_state(self, text: str) -> Table:
        return self._read(text, {UNDEALT, *DEALS})

    def format_observation(self, observation: Table) -> str:
        return self.format_state(observation)

    def parse_observation(self, text: str) -> Table:
        return self._read(text, {UNDEALT, *SIGHTS})

    def format_information(self, information: Table) -> str:
        return self.format_observation(information)

    def parse_information(self, text: str) -> Table:
        return self.parse_observation(text)

    def format_action(self, action: Action) -> str:
        return ":".join(_words(action))

    def parse_action(self, text: str) -> Action:
        verb, _, place = check_length(text).partition(":")
        if verb not in VERBS or place not in set(PLACES):
            raise InvalidNotation("expected deal, peek or point, and a place", part=text, text=text)
        return _action(verb, place)

    def draw(self, observation: Table) -> str:
        return f"{' '.join(observation.socks)}\n{' '.join(PLACES)}"

    def _read(self, text: str, allowed: set[str]) -> Table:
        frame = read_frame(self, text)
        peeks, words = int(frame.options["peeks"]), frame.body.split()
        if not 3 <= len(words) <= 4:
            raise InvalidNotation("expected socks and two peeks", part=frame.body, text=text)
        if words[0] not in allowed:
            raise InvalidNotation("no such socks", part=words[0], text=text)
        first, second = (_read_peeked(word, peeks, text) for word in words[1:3])
        if len(first) - len(second) not in (0, 1):
            raise InvalidNotation("seats peek in turns", part=frame.body, text=text)
        pointed = words[3].removeprefix("point:") if len(words) == 4 else ""
        if len(words) == 4 and words[3] not in {f"point:{place}" for place in PLACES}:
            raise InvalidNotation("expected point: and a place", part=words[3], text=text)
        if words[0] == UNDEALT and (first or pointed):
            raise InvalidNotation("nothing is dealt yet", part=frame.body, text=text)
        if pointed and "?" in words[0]:
            raise InvalidNotation("all is seen at the end", part=words[0], text=text)
        return Table(peeks, words[0], (first, second), pointed)


def _action(verb: str, place: str) -> Action:
    return Action(VERBS.index(verb) * len(PLACES) + PLACES.index(place))


def _words(action: Action) -> tuple[str, str]:
    return VERBS[action // len(PLACES)], PLACES[action % len(PLACES)]


def _possible(seen: str) -> list[str]:
    """The deals that show what was seen; before the deal that alone."""
    if seen == UNDEALT:
        return [seen]
    return [
        deal
        for deal in DEALS
        if all(mine in ("?", sock) for mine, sock in zip(seen, deal, strict=True))
    ]


def _read_peeked(word: str, peeks: int, text: str) -> str:
    places = "" if word == "-" else word
    in_order = "".join(place for place in PLACES if place in places)
    if (not places and word != "-") or places != in_order or len(places) > peeks:
        raise InvalidNotation(f"expected at most {peeks} places in order", part=word, text=text)
    return places


RULESET: Final = OddOneOut()
