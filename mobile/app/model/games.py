"""The games as they are offered: what they are called, and which of their options people choose.

The engine knows all options; here are those that a family would want to change, in their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.i18n import tr
from services.engine.core.options import OptionValue

Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Offer:
    """One card of the chooser: a game, in an edition."""

    key: str
    game: str
    title: str
    about: str
    most: int
    """How many can play."""
    options: Options = field(default_factory=dict)
    """What sets the edition apart."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a knob: the options it stands for."""

    label: str
    options: Options


@dataclass(frozen=True, slots=True)
class Knob:
    """Something to choose, with a line that explains it. Its first choice is the usual one."""

    key: str
    title: str
    about: str
    choices: tuple[Choice, ...]


def offers() -> tuple[Offer, ...]:
    """All games, in the order in which they are offered."""
    return (
        Offer(
            "sock_monsters",
            "sock_monsters",
            tr("Sock Monsters"),
            tr("Find three pairs before anybody else."),
            4,
        ),
        Offer(
            "sock_monsters_german",
            "sock_monsters",
            tr("Sock Monsters, German edition"),
            tr("Another set of rules for the same house."),
            4,
            {"edition": "german"},
        ),
        Offer(
            "socker",
            "socker",
            tr("Socker"),
            tr("Felt players, a woollen ball, and room to think."),
            2,
        ),
        Offer(
            "hide_and_seek",
            "hide_and_seek",
            tr("Monster Hide and Seek"),
            tr("Who remembers where the monsters hide?"),
            4,
        ),
    )


def offer(key: str) -> Offer:
    """The offer of a key; the first one for a key this app does not know."""
    return next((one for one in offers() if one.key == key), offers()[0])


def offer_of(game: str, options: Options) -> Offer | None:
    """The offer that a match was started from; None for a game this app does not know."""
    fitting = [one for one in offers() if one.game == game]
    exact = [one for one in fitting if one.options and one.options.items() <= options.items()]
    return next(iter(exact + fitting), None)


def game_title(game: str, options: Options) -> str:
    """What a game is called; its plain name for one this app does not know."""
    found = offer_of(game, options)
    return found.title if found else game.replace("_", " ").title()


def knobs(key: str) -> tuple[Knob, ...]:
    """What can be chosen for an offer, the most useful first."""
    return {
        "sock_monsters": _silly() + _eye() + _steal() + _memory(),
        "sock_monsters_german": _silly() + _bag() + _memory(),
        "socker": _length() + _into_goal(),
        "hide_and_seek": _types() + _seen() + _together() + _stars() + _cap() + _stop(),
    }.get(key, ())


def _switch(key: str, title: str, about: str) -> tuple[Knob, ...]:
    choices = (Choice(tr("No"), {key: False}), Choice(tr("Yes"), {key: True}))
    return (Knob(key, title, about, choices),)


def _silly() -> tuple[Knob, ...]:
    return _switch(
        "silly_socks", tr("Silly socks"), tr("Rainbow, smelly and boomerang socks join the bag.")
    )


def _memory() -> tuple[Knob, ...]:
    return _switch(
        "memory_aid", tr("Memory help"), tr("Rooms you have looked into stay visible to you.")
    )


def _eye() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("As often as not"), {"eye_open_faces": 3}),
        Choice(tr("Often"), {"eye_open_faces": 4}),
        Choice(tr("Rarely"), {"eye_open_faces": 2}),
    )
    about = tr("How often the monster opens its eye and may peek or steal.")
    return (Knob("eye", tr("Open eyes"), about, choices),)


def _steal() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("All around"), {"steal_adjacency": "eight"}),
        Choice(tr("Straight only"), {"steal_adjacency": "four"}),
    )
    about = tr("From which cells around it a monster can steal.")
    return (Knob("steal", tr("Stealing"), about, choices),)


def _bag() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("At any time"), {"bag_sock_when": "always"}),
        Choice(tr("Tokens first"), {"bag_sock_when": "tokens_used"}),
    )
    about = tr("When a sock may be drawn beside a lair.")
    return (Knob("bag", tr("Socks from the bag"), about, choices),)


def _length() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("First goal"), {}),
        Choice(tr("Three goals"), {"goals_to_win": 3}),
        # As prominent as goals, since cautious players need long for a first one (RULINGS 2.10).
        Choice(tr("15 turns"), {"turn_limit": 15}),
    )
    return (Knob("length", tr("How long?"), tr("What ends the match."), choices),)


def _into_goal() -> tuple[Knob, ...]:
    return _switch(
        "recentre_into_goal",
        tr("Ball back into a goal row"),
        tr("After going out, the ball may come back in front of a goal."),
    )


def _types() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("5 kinds"), {"types": 5}),
        Choice(tr("4 kinds"), {"types": 4}),
        Choice(tr("3 kinds"), {"types": 3}),
    )
    # RULINGS 3.8 wants it said at the table.
    about = tr("Fewer kinds make a shorter match. Three are unfair to the last of four players.")
    return (Knob("types", tr("Monsters"), about, choices),)


def _seen() -> tuple[Knob, ...]:
    about = tr("The other side of a card that was turned peeps out at its corner.")
    return _switch("memory_aid", tr("Memory help"), about)


def _together() -> tuple[Knob, ...]:
    return _switch(
        "flip_together", tr("Both at once"), tr("Name two cards before either is turned.")
    )


def _stars() -> tuple[Knob, ...]:
    choices = (
        Choice(tr("1 and 2"), {"monster_stars": 1, "candy_stars": 2}),
        Choice(tr("1 and 1"), {"monster_stars": 1, "candy_stars": 1}),
        Choice(tr("1 and 3"), {"monster_stars": 1, "candy_stars": 3}),
        Choice(tr("2 and 1"), {"monster_stars": 2, "candy_stars": 1}),
    )
    about = tr("How many stars a monster card counts, and how many a candy.")
    return (Knob("stars", tr("Stars"), about, choices),)


def _cap() -> tuple[Knob, ...]:
    longest = (
        Choice(tr("200 turns"), {"turn_cap": 200}),
        Choice(tr("100 turns"), {"turn_cap": 100}),
        Choice(tr("40 turns"), {"turn_cap": 40}),
    )
    patient = (
        Choice(tr("Patient"), {"idle_cap": 0}),
        Choice(tr("20 turns"), {"idle_cap": 20}),
        Choice(tr("10 turns"), {"idle_cap": 10}),
    )
    about = tr("After so many turns, of all together, whoever has most stars wins.")
    idle = tr("After so many turns in which nobody finds anything the match ends.")
    return (
        Knob("turn_cap", tr("Longest match"), about, longest),
        Knob("idle_cap", tr("Nothing found"), idle, patient),
    )


def _stop() -> tuple[Knob, ...]:
    return _switch(
        "may_stop_after_match",
        tr("Stopping"),
        tr("After a match you may stop instead of going on. For experts."),
    )
