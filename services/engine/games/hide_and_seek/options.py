"""The table options of Monster Hide and Seek and where they stand in the flat state."""

from __future__ import annotations

from typing import Final

from services.engine.core import InvalidOption, Options, OptionSpec, OptionValue
from services.engine.games.hide_and_seek import layout as at

SPECS: Final = (
    OptionSpec("types", 5, "How many kinds of monsters: 5, 4 or 3 (shorter)", 3, 5),
    OptionSpec("monster_stars", 1, "Stars on a monster card", 0, 9),
    OptionSpec("candy_stars", 2, "Stars on a candy", 0, 9),
    OptionSpec("flip_together", False, "Name both cards before either is seen"),
    OptionSpec("may_stop_after_match", False, "After a match you may stop (fairer, for experts)"),
    OptionSpec("end_on_deadlock", True, "End at once when no match can ever happen"),
    OptionSpec("idle_cap", 0, "Turns without a collected card; 0: 8 for each kind", 0, 999),
    OptionSpec("turn_cap", 200, "Most turns of all seats together", 1, 999),
    OptionSpec("first_seat", 0, "Who starts; the youngest should", 0, 3),
    OptionSpec("memory_aid", False, "The app may show again what was seen"),
)

_SLOTS: Final = {
    "types": at.TYPES,
    "monster_stars": at.MONSTER_STARS,
    "candy_stars": at.CANDY_STARS,
    "flip_together": at.TOGETHER,
    "may_stop_after_match": at.MAY_STOP,
    "end_on_deadlock": at.END_ON_DEADLOCK,
    "idle_cap": at.IDLE_CAP,
    "turn_cap": at.TURN_CAP,
    "first_seat": at.FIRST_SEAT,
    "memory_aid": at.MEMORY,
}


def write(buffer: list[int], options: Options, seats: int) -> None:
    """Put complete options into a buffer; raises `InvalidOption` for a first seat nobody has."""
    if int(options["first_seat"]) >= seats:
        raise InvalidOption(
            f"must be below {seats}, the number of seats",
            name="first_seat",
            value=str(options["first_seat"]),
        )
    buffer[at.SEATS] = seats
    for name, slot in _SLOTS.items():
        buffer[slot] = int(options[name])


def read(buffer: tuple[int, ...]) -> dict[str, OptionValue]:
    """The options a buffer is played with."""
    return {
        spec.name: bool(buffer[_SLOTS[spec.name]])
        if isinstance(spec.default, bool)
        else buffer[_SLOTS[spec.name]]
        for spec in SPECS
    }
