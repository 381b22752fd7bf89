"""Monster Hide and Seek as a `Ruleset` (RULINGS 3)."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from services.engine.core import (
    CHANCE,
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
from services.engine.core.notation import (
    check_length,
    read_cell,
    read_frame,
    write_frame,
)
from services.engine.core.options import resolve
from services.engine.games.hide_and_seek import checks, deals, kernel, notation
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek import options as table
from services.engine.games.hide_and_seek.values import (
    Deal,
    Flip,
    FlipBoth,
    Information,
    Observation,
    State,
    Stop,
    TakeCandy,
    decode,
    encode,
    number_of,
)

_UNKNOWN = -1


class HideAndSeek(Ruleset[State, Observation, Information]):
    """Flip two, find a pair; cards stay as they fall."""

    game: ClassVar[str] = "hide_and_seek"
    version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 4
    option_specs: ClassVar[tuple[OptionSpec, ...]] = table.SPECS
    action_count: ClassVar[int] = at.ACTION_COUNT

    def initial(self, options: Options, seats: int) -> State:
        """The empty grid, before the deal."""
        if not self.min_seats <= seats <= self.max_seats:
            raise InvalidOption("must be 2 to 4", name="seats", value=str(seats))
        return State(tuple(notation.empty(resolve(self.option_specs, options), seats)))

    def options(self, state: State) -> Options:
        """See `Ruleset.options`."""
        return table.read(state.buffer)

    def seats(self, state: State) -> int:
        """See `Ruleset.seats`."""
        return state.buffer[at.SEATS]

    def actor(self, state: State) -> Seat | None:
        """See `Ruleset.actor`."""
        match state.buffer[at.PHASE]:
            case at.P_OVER:
                return None
            case at.P_DEAL:
                return CHANCE
        return state.buffer[at.MOVER]

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """See `Ruleset.legal_actions`."""
        out = kernel.buffer([0] * at.ACTION_COUNT)
        count = kernel.legal(kernel.buffer([*state.buffer]), out)
        return tuple(Action(out[i]) for i in range(count))

    def is_legal(self, state: State, action: Action) -> bool:
        """See `Ruleset.is_legal`."""
        return 0 <= action < at.ACTION_COUNT and kernel.is_legal(
            kernel.buffer([*state.buffer]), action
        )

    def chance_outcomes(self, state: State) -> tuple[WeightedAction, ...]:
        """The cards that may come next, by labelled copies and orientations (RULINGS 3.1)."""
        if state.buffer[at.PHASE] != at.P_DEAL:
            return ()
        buffer = kernel.buffer([*state.buffer])
        return tuple(
            WeightedAction(action, kernel.deal_weight(buffer, action))
            for action in self.legal_actions(state)
        )

    def apply(self, state: State, action: Action) -> State:
        """See `Ruleset.apply`."""
        buffer = kernel.buffer([*state.buffer])
        kernel.apply(buffer, action)
        return State(tuple(buffer))

    def scores(self, state: State) -> tuple[int, ...]:
        """Stars (RULINGS 3.2)."""
        buffer = state.buffer
        found = []
        for seat in range(buffer[at.SEATS]):
            pile = buffer[at.PILE + seat * at.KINDS : at.PILE + (seat + 1) * at.KINDS]
            candies = pile[at.CANDY_KIND]
            found.append(
                (sum(pile) - candies) * buffer[at.MONSTER_STARS] + candies * buffer[at.CANDY_STARS]
            )
        return tuple(found)

    def outcome(self, state: State) -> Outcome | None:
        """Most stars win, equals share (RULINGS 3.8)."""
        if state.buffer[at.PHASE] != at.P_OVER:
            return None
        scores = self.scores(state)
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        reasons = ("normal", "deadlock", "cap")
        return Outcome(reasons[state.buffer[at.REASON]], winners, scores)

    def observe(self, state: State, seat: Seat) -> Observation:
        """What lies there; the same for everybody (RULINGS 3.10)."""
        del seat
        buffer = state.buffer
        known = buffer[at.KNOWN : at.KNOWN + at.CELLS] if buffer[at.MEMORY] else ()
        return Observation(_view(buffer, known))

    def information(self, state: State, seat: Seat) -> Information:
        """What perfect memory holds; the same for everybody (RULINGS 3.9)."""
        del seat
        buffer = state.buffer
        return Information(_view(buffer, buffer[at.KNOWN : at.KNOWN + at.CELLS]))

    def determinize(self, information: Information, rng: Random) -> State:
        """Hidden faces as a fair shuffle could have them (RULINGS 3.9)."""
        buffer = [*information.buffer]
        for cell, face in deals.sample_hidden(information.buffer, rng).items():
            buffer[at.HIDDEN + cell] = face
        return State(tuple(buffer))

    def visible_action(self, state: State, action: Action, seat: Seat) -> str:
        """Of a card dealt only the face shown is seen."""
        del state, seat
        text = self.format_action(action)
        return f"{text[:-1]}?" if action < at.A_DEAL_CANDY else text

    def format_action(self, action: Action) -> str:
        """See docs/notation/hide_and_seek.md."""
        match decode(action):
            case Deal(int(shown), int(hidden)):
                return f"deal:{notation.LETTERS[shown]}{notation.LETTERS[hidden]}"
            case Deal():
                return "deal:*"
            case Flip(cell):
                return f"flip:{notation.name_of(number_of(cell))}"
            case TakeCandy(cell):
                return f"candy:{notation.name_of(number_of(cell))}"
            case FlipBoth(first, second):
                names = notation.name_of(number_of(first)), notation.name_of(number_of(second))
                return f"flip:{names[0]}+{names[1]}"
            case Stop():
                return "stop"

    def parse_action(self, text: str) -> Action:
        """The opposite of `format_action`; raises `InvalidNotation`."""
        word = check_length(text).strip()
        name, colon, rest = word.partition(":")
        if word == "stop":
            return encode(Stop())
        if word == "deal:*":
            return encode(Deal(None, None))
        if name == "deal" and len(rest) == 2 and all(letter in notation.LETTERS for letter in rest):
            return encode(Deal(*(notation.LETTERS.index(letter) for letter in rest)))
        if name == "candy":
            return encode(TakeCandy(read_cell(rest, at.COLUMNS, at.ROWS, text=text)))
        if name == "flip" and colon:
            cells = [read_cell(part, at.COLUMNS, at.ROWS, text=text) for part in rest.split("+", 2)]
            if len(cells) == 1:
                return encode(Flip(cells[0]))
            if len(cells) == 2 and number_of(cells[0]) < number_of(cells[1]):
                return encode(FlipBoth(*cells))
        raise InvalidNotation("no action of Monster Hide and Seek", part=word, text=text)

    def format_state(self, state: State) -> str:
        """See docs/notation/hide_and_seek.md."""
        return self._format(state.buffer, "")

    def parse_state(self, text: str) -> State:
        """The opposite of `format_state`; raises `InvalidNotation`."""
        frame = read_frame(self, text)
        return State(self._parse(frame.seats, frame.options, frame.body, text, complete=True))

    def format_observation(self, observation: Observation) -> str:
        """See docs/notation/hide_and_seek.md."""
        return self._format(observation.buffer, "seen | ")

    def parse_observation(self, text: str) -> Observation:
        """The opposite of `format_observation`; raises `InvalidNotation`."""
        return Observation(self._parse_view(text, "seen"))

    def format_information(self, information: Information) -> str:
        """See docs/notation/hide_and_seek.md."""
        return self._format(information.buffer, "known | ")

    def parse_information(self, text: str) -> Information:
        """The opposite of `format_information`; raises `InvalidNotation`."""
        return Information(self._parse_view(text, "known"))

    def draw(self, observation: Observation) -> str:
        """The grid with its column letters and row numbers, the piles below."""
        buffer = observation.buffer
        columns, rows = at.GRIDS[buffer[at.TYPES]]
        lines = []
        for row in reversed(range(rows)):
            faces = [buffer[at.SHOWN + row * at.COLUMNS + column] for column in range(columns)]
            cells = "".join(f" {(notation.LETTERS + '*. ')[face]}" for face in faces)
            lines.append(f"{row + 1} {cells}")
        lines.append("  " + "".join(f" {chr(ord('a') + column)}" for column in range(columns)))
        lines.append(notation.format_body(buffer).partition("| ")[2])
        return "\n".join(lines)

    def _format(self, buffer: tuple[int, ...], view: str) -> str:
        body = view + notation.format_body(buffer)
        return write_frame(self, buffer[at.SEATS], table.read(buffer), body)

    def _parse_view(self, text: str, view: str) -> tuple[int, ...]:
        frame = read_frame(self, text)
        name, _, body = frame.body.partition("|")
        if name.strip() != view:
            raise InvalidNotation(f"expected '{view}'", part=name.strip(), text=text)
        return self._parse(frame.seats, frame.options, body, text, complete=False)

    def _parse(
        self, seats: int, options: Options, body: str, text: str, *, complete: bool
    ) -> tuple[int, ...]:
        try:
            buffer = notation.empty(options, seats)
        except InvalidOption as error:
            raise InvalidNotation(
                error.problem, part=f"{error.name}={error.value}", text=text
            ) from error
        notation.read_body(body, buffer, text=text, secrets=complete)
        checks.check_view(buffer, text=text, complete=complete)
        return tuple(buffer)


def _view(buffer: tuple[int, ...], known: tuple[int, ...]) -> tuple[int, ...]:
    """Everything that lies open, and the hidden faces of the cards marked in `known`."""
    view = [0] * at.SIZE
    view[: at.HIDDEN] = buffer[: at.HIDDEN]  # options, progress and the faces shown
    view[at.PILE :] = buffer[at.PILE :]
    for cell in range(at.CELLS):
        shown = buffer[at.SHOWN + cell]
        if shown >= at.CANDY:  # both sides of what is no monster look alike
            view[at.HIDDEN + cell] = shown
            view[at.KNOWN + cell] = int(shown <= at.GAP)
        elif known and known[cell]:
            view[at.HIDDEN + cell] = buffer[at.HIDDEN + cell]
            view[at.KNOWN + cell] = 1
        else:
            view[at.HIDDEN + cell] = _UNKNOWN
    return tuple(view)


RULESET = HideAndSeek()
