"""The rules on the command line: `python -m services.engine --help`."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from services.engine.core import (
    CHANCE,
    SPECTATOR,
    EngineError,
    InvalidNotation,
    InvalidOption,
    OptionSpec,
    OptionValue,
    Seat,
)
from services.engine.core.chance import draw, settle
from services.engine.core.errors import clip
from services.engine.core.notation import game_of
from services.engine.core.options import format_value
from services.engine.core.record import read_record
from services.engine.core.record import verify as verify_record
from services.engine.core.registry import AnyRuleset, game_names, ruleset

_EPILOG = """\
A POSITION is text as docs/notation.md describes it, quoted as one argument, or - for standard
input. Faulty input is named in one line on standard error, with exit status 2. `verify` has exit
status 1 for a match that can't have happened so.

  python -m services.engine new socker --seed 1
  python -m services.engine legal 'socker/1 2 | 9/9/9/9/9/4o4/9/4S4/9/9/9 south:0/3'
  python -m services.engine new socker | python -m services.engine apply - toss:south @e3
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command has to say, for people and for programs."""

    text: str
    data: object
    status: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A position somebody named."""

    rules: AnyRuleset
    state: Any

    @property
    def text(self) -> str:
        return self.rules.format_state(self.state)


class Refused(Exception):
    """Input that is no engine error; the message is the line to show."""


# --- commands ---------------------------------------------------------------------------------


def games(_args: argparse.Namespace) -> Answer:
    """Name the games."""
    shelf = [ruleset(name) for name in game_names()]
    return Answer(
        "\n".join(f"{r.game}/{r.version}  {_seat_range(r)} seats" for r in shelf),
        [
            {
                "game": r.game,
                "version": r.version,
                "min_seats": r.min_seats,
                "max_seats": r.max_seats,
            }
            for r in shelf
        ],
    )


def options(args: argparse.Namespace) -> Answer:
    """List a game's options."""
    specs = ruleset(args.game).option_specs
    lines = [f"{s.name}={format_value(s.default)}  ({_range(s)})  {s.summary}" for s in specs]
    return Answer("\n".join(lines), [asdict(spec) for spec in specs])


def new(args: argparse.Namespace) -> Answer:
    """Start a game."""
    rules, state = _start(args)
    if args.seed is not None:
        state = settle(rules, state, Random(args.seed))
    return _position_answer(Position(rules, state))


def show(args: argparse.Namespace) -> Answer:
    """Draw a position."""
    at = _read_position(args.position)
    drawing = at.rules.draw(at.rules.observe(at.state, _read_seat(args.seat, at)))
    return Answer(drawing, {"position": at.text, "drawing": drawing})


def legal(args: argparse.Namespace) -> Answer:
    """List the legal actions."""
    at = _read_position(args.position)
    weights = {o.action: o.weight for o in at.rules.chance_outcomes(at.state)}
    lines, data = [], []
    for action in at.rules.legal_actions(at.state):
        text = at.rules.format_action(action)
        entry: dict[str, object] = {"id": int(action), "action": text}
        if weights:
            entry["weight"] = weights[action]
            text += f"  weight {weights[action]}"
        lines.append(text)
        data.append(entry)
    actor = _seat_name(at.rules.actor(at.state))
    return Answer("\n".join(lines), {"position": at.text, "actor": actor, "actions": data})


def apply(args: argparse.Namespace) -> Answer:
    """Take actions one after another."""
    at = _read_position(args.position)
    for text in args.action:
        try:
            action = at.rules.parse_action(text)
        except InvalidNotation as error:
            raise Refused(f"{error}, to be applied to '{clip(at.text, 400)}'") from error
        at.rules.check(at.state, action)
        at = Position(at.rules, at.rules.apply(at.state, action))
    return _position_answer(at)


def observe(args: argparse.Namespace) -> Answer:
    """Tell what a seat sees."""
    at = _read_position(args.position)
    seat = _read_seat(args.seat, at)
    text = at.rules.format_observation(at.rules.observe(at.state, seat))
    return Answer(text, {"seat": _seat_name(seat), "observation": text})


def perft(args: argparse.Namespace) -> Answer:
    """Count the lines of play."""
    at = _read_position(args.position)
    counts = [count_lines(at.rules, at.state, depth) for depth in range(1, args.depth + 1)]
    return Answer(
        "\n".join(f"{depth} {count}" for depth, count in enumerate(counts, 1)),
        {"position": at.text, "counts": counts},
    )


def playout(args: argparse.Namespace) -> Answer:
    """Play at random to the end."""
    rules, state = _start(args)
    rng = Random(args.seed or 0)
    words: list[str] = []
    while (actor := rules.actor(state)) is not None:
        action = (
            draw(rules, state, rng) if actor == CHANCE else rng.choice(rules.legal_actions(state))
        )
        words.append(rules.format_action(action))
        state = rules.apply(state, action)
    outcome = rules.outcome(state)
    assert outcome is not None
    end = Position(rules, state).text
    winners = ", ".join(str(seat) for seat in outcome.winners) or "nobody"
    return Answer(
        f"{' '.join(words)}\n{end}\n{outcome.reason}, won by {winners}",
        {"actions": words, "position": end, "outcome": asdict(outcome)},
    )


def verify(args: argparse.Namespace) -> Answer:
    """Replay an exported match and draw every die, tile and toss again."""
    try:
        content = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    except OSError as error:
        raise Refused(f"{clip(args.file)}: {error.strerror}") from error
    document = read_record(content)
    fault = verify_record(document, args.sha256)
    if fault is not None:
        print(fault.problem, file=sys.stderr)
        return Answer(f"ply={fault.ply} kind={fault.kind}", asdict(fault), status=1)
    plies = len(document["history"])
    draws = sum(event.get("draw") is not None for event in document["history"])
    text = f"holds: {plies} plies, {draws} of them drawn by {document['draws']['scheme']}"
    return Answer(text, {"plies": plies, "draws": draws, "outcome": document["outcome"]})


def count_lines(rules: AnyRuleset, state: Any, depth: int) -> int:
    """The number of action sequences of exactly this length; outcomes of chance count as such."""
    actions = rules.legal_actions(state)
    if depth <= 1:
        return len(actions) if depth == 1 else 1
    return sum(count_lines(rules, rules.apply(state, action), depth - 1) for action in actions)


# --- reading and writing ----------------------------------------------------------------------


def _start(args: argparse.Namespace) -> tuple[AnyRuleset, Any]:
    rules = ruleset(args.game)
    specs = {spec.name: spec for spec in rules.option_specs}
    chosen: dict[str, OptionValue] = {}
    for word in args.option:
        name, equals, value = word.partition("=")
        if not equals or name not in specs:
            known = ", ".join(specs) or "none"
            raise InvalidOption(f"expected NAME=VALUE with a name of: {known}", name=word)
        chosen[name] = specs[name].parse(value)
    seats = rules.min_seats if args.seats is None else args.seats
    if not rules.min_seats <= seats <= rules.max_seats:
        raise Refused(f"{rules.game} is for {_seat_range(rules)} seats, not '{seats}'")
    return rules, rules.initial(chosen, seats)


def _read_position(text: str) -> Position:
    if text == "-":
        try:
            text = sys.stdin.read().strip()
        except UnicodeDecodeError as error:
            raise Refused(f"standard input is not text: {error.reason}") from error
    rules = ruleset(game_of(text))
    return Position(rules, rules.parse_state(text))


def _read_seat(word: str, at: Position) -> Seat:
    seats = at.rules.seats(at.state)
    if word == "spectator":
        return SPECTATOR
    if word.isascii() and word.isdigit() and len(word) < 3 and int(word) < seats:
        return int(word)
    raise Refused(f"no seat '{clip(word)}': 0 to {seats - 1} or spectator, in '{clip(at.text)}'")


def _position_answer(at: Position) -> Answer:
    outcome = at.rules.outcome(at.state)
    return Answer(
        at.text,
        {
            "position": at.text,
            "actor": _seat_name(at.rules.actor(at.state)),
            "outcome": None if outcome is None else asdict(outcome),
        },
    )


def _seat_name(seat: Seat | None) -> Seat | str | None:
    names = {CHANCE: "chance", SPECTATOR: "spectator"}
    return None if seat is None else names.get(seat, seat)


def _seat_range(rules: AnyRuleset) -> str:
    if rules.min_seats == rules.max_seats:
        return str(rules.min_seats)
    return f"{rules.min_seats} to {rules.max_seats}"


def _range(spec: OptionSpec) -> str:
    if isinstance(spec.default, bool):
        return "true or false"
    if isinstance(spec.default, int):
        return f"{spec.minimum} to {spec.maximum}"
    return ", ".join(spec.choices)


class _Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (--help shows how)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m services.engine",
        description="The rules of the games: positions, actions, playouts.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Any, *words: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name,
            help=run.__doc__,
            description=run.__doc__,
            epilog=_EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument("--json", action="store_true", help="answer as JSON")
        command.set_defaults(run=run)
        for word in words:
            command.add_argument(word, metavar=word.upper(), help=_HELP[word])
        return command

    add("games", games)
    add("options", options, "game")
    for name, run in (("new", new), ("playout", playout)):
        command = add(name, run, "game")
        command.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="a table option"
        )
        command.add_argument("--seats", type=int, metavar="N", help="default: as few as possible")
        seed = "draws what chance does; without it, chance has not acted yet"
        if run is playout:
            seed = "of all that is random, default 0"
        command.add_argument("--seed", type=int, metavar="N", help=seed)
    command = add("show", show, "position")
    command.add_argument(
        "--seat", default="spectator", help="as this seat sees it; default: spectator"
    )
    add("legal", legal, "position")
    command = add("apply", apply, "position")
    command.add_argument(
        "action", nargs="+", metavar="ACTION", help="such as e4-e5; chance as well: toss:south"
    )
    add("observe", observe, "position", "seat")
    command = add("verify", verify, "file")
    command.add_argument(
        "--sha256",
        type=_sha256,
        metavar="HEX",
        help="of the seed, as it was published before the match; default: the file's own",
    )
    command = add("perft", perft, "position")
    command.add_argument("depth", type=_depth, metavar="N", help="longest line, in actions")
    return parser


_HELP = {
    "file": "as the app exports it (docs/export.md), or - for standard input",
    "game": "such as socker; `games` names all",
    "position": "text in notation, or - for standard input",
    "seat": "0, 1, … or spectator",
}


def _depth(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 3 and int(word) > 0):
        raise argparse.ArgumentTypeError(f"a number from 1 to 99, not '{clip(word)}'")
    return int(word)


def _sha256(word: str) -> bytes:
    try:
        digest = bytes.fromhex(word)
    except ValueError:
        digest = b""
    if len(digest) != hashlib.sha256().digest_size:
        raise argparse.ArgumentTypeError(f"64 hexadecimal digits, not '{clip(word)}'")
    return digest


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    args = _parser().parse_args(words)
    try:
        answer: Answer = args.run(args)
    except (EngineError, Refused) as error:
        print(" ".join(str(error).split("\n")), file=sys.stderr)
        return 2
    print(json.dumps(answer.data, ensure_ascii=False) if args.json else answer.text)
    return answer.status


if __name__ == "__main__":
    try:
        status = main()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stdout = None
        status = 0
    sys.exit(status)
