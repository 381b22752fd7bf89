"""What agents, matches and refusals are called on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.i18n import language, tr, trn
from app.model.values import (
    Agent,
    Match,
    MatchStatus,
    MyMatch,
    Occupant,
    Outcome,
    Table,
    TableStatus,
)
from services.engine.agents import monster


@dataclass(frozen=True, slots=True)
class Portrait:
    """How a computer opponent is introduced."""

    name: str
    about: str


def portrait(agent: Agent) -> Portrait:
    """Name and character of an agent; its plain name for one this app does not know."""
    if agent.name == "random":
        return Portrait(tr("Pip"), tr("Does whatever comes to mind. A kind start."))
    who = monster(agent.name)
    if who is None:
        return Portrait(agent.name.replace("_", " ").title(), level_words(agent.level))
    spoken = language()
    return Portrait(getattr(who.name, spoken), getattr(who.character, spoken))


def level_words(level: int) -> str:
    """How strong a level is."""
    return tr("Level {level}", level=level)


def occupant_name(occupant: Occupant, game: str) -> str:
    """What to call whoever sits on a seat."""
    if occupant.is_open:
        return tr("A friend")
    if occupant.agent:
        return portrait(Agent(occupant.agent, game, 1)).name
    return occupant.display_name or tr("Guest")


def names_at(seats: Sequence[Occupant], game: str) -> tuple[str, ...]:
    """What to call everybody on `seats`, by seat. Of several with one name the later ones are
    numbered, in the order of their seats, so that it is the same wherever they are named."""
    given = [occupant_name(occupant, game) for occupant in seats]
    found: list[str] = []
    for occupant, name in zip(seats, given, strict=True):
        told, number = name, 1
        # Nor is anybody given a name that somebody else has chosen.
        while not occupant.is_open and (told in found or (number > 1 and told in given)):
            number += 1
            told = f"{name} {number}"
        found.append(told)
    return tuple(found)


def cut_at(name: str) -> str:
    """Where a name is cut that is too long for its place: not at the number that tells it apart."""
    return "center" if name[-1:].isdigit() else "right"


def seat_names(match: Match) -> tuple[str, ...]:
    """What each seat is called during the match: "You" where one person alone plays here."""
    mine = {view.seat for view in match.views}
    return tuple(
        tr("You") if mine == {seat} else name
        for seat, name in enumerate(names_at(match.seats, match.game))
    )


def opponents(match: MyMatch, me: str = "") -> str:
    """The names of everybody else at a table, within a sentence. `me` is what the owner of this
    device is called, where several people play on it."""
    mine = match.my_seats
    if len(mine) > 1:
        mine = tuple(seat for seat in mine if me and match.table.seats[seat].display_name == me)
    names = [
        tr("a friend") if match.table.seats[seat].is_open else name
        for seat, name in enumerate(names_at(match.table.seats, match.table.game))
        if seat not in mine[:1]
    ]
    return ", ".join(names)


def match_state(match: MyMatch, me: str = "") -> str:
    """One line on where a match stands, for a list; `me` as in `opponents`."""
    if match.table.status is TableStatus.OPEN:
        return tr("Waiting for a friend, code {code}", code=match.table.invitation_code)
    if match.table.status is TableStatus.CLOSED:
        return tr("Closed before it started")
    if match.status is MatchStatus.RUNNING:
        return _turn(match, me)
    if match.status is MatchStatus.FINISHED and match.outcome is not None:
        return outcome_title(match.outcome, match.my_seats)
    if match.table.status is TableStatus.UNKNOWN:
        return tr("Needs a newer app")
    return tr("Starting")


def _turn(match: MyMatch, me: str) -> str:
    if match.actor is not None and match.actor in match.my_seats and len(match.my_seats) > 1:
        name = names_at(match.table.seats, match.table.game)[match.actor]
        if match.table.seats[match.actor].display_name != me:
            return tr("{name} is to play", name=name)
    return tr("Your turn") if match.actor in match.my_seats else tr("Their turn")


def outcome_title(outcome: Outcome, my_seats: tuple[int, ...]) -> str:
    """Who won, seen from here."""
    if not outcome.winners:
        return tr("A draw")
    if len(my_seats) != 1:
        return tr("Finished")
    if not set(outcome.winners) & set(my_seats):
        return tr("You lost")
    return tr("You won") if len(outcome.winners) == 1 else tr("You won together")


def winners_title(outcome: Outcome, names: tuple[str, ...]) -> str:
    """Who won, for several people around one device."""
    if not outcome.winners:
        return tr("A draw")
    winners = ", ".join(names[seat] for seat in outcome.winners)
    return trn("{names} has won", "{names} have won", len(outcome.winners), names=winners)


def outcome_reason(outcome: Outcome) -> str:
    """Why the match ended, in a short sentence."""
    reasons = {
        "goals": tr("The goals are scored."),
        "turn_limit": tr("The turns are played."),
        "turn_cap": tr("The longest match is over."),
        "sudden_death": tr("The golden goal fell."),
        "draw": tr("Nobody found a way through."),
        "resigned": tr("One side gave up."),
        "agreed": tr("All agreed to stop here."),
        "abandoned": tr("Nobody was left at the table."),
        "forfeited": tr("Somebody's time was up."),
        "forfeit": tr("Somebody's time was up."),
        "three_pairs": tr("Three pairs of warm socks."),
        "round_cap": tr("The last round is played."),
        "normal": tr("All the pairs are found."),
        "deadlock": tr("No two of the monsters left could ever match."),
        "cap": tr("Nobody found anything any more."),
    }
    return reasons.get(outcome.reason, "")


def on_its_way() -> str:
    """Why nothing can be done while this device's own action has no answer yet."""
    return tr("One moment: your last move is still on its way.")


def actions_left(count: int) -> str:
    """How many actions a turn still has."""
    return trn("{count} action left", "{count} actions left", count)


def seat_names_at(table: Table) -> str:
    """Everybody who sits at a table already, for a line of words."""
    names = zip(table.seats, names_at(table.seats, table.game), strict=True)
    return ", ".join(name for seat, name in names if not seat.is_open)
