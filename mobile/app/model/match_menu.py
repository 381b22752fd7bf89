"""What can be done in a match beside its game, as it stands. Free of Kivy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from app.i18n import tr
from app.model.terms import (
    Answer,
    AskTakeback,
    OfferEnd,
    Pace,
    Said,
    SeatState,
    TakeSeatBack,
    Undo,
    Vacation,
    Wish,
)
from app.model.times import DAY_MS
from app.model.values import Match, MatchStatus, Occupant
from app.model.words import names_at, occupant_name


class More(Enum):
    """What needs another question first."""

    HINT = "hint"
    RESIGN = "resign"
    END = "end"
    HOME = "home"
    HOLIDAY = "holiday"
    PHRASES = "phrases"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to do: at once (`wish`), or after another question (`more`)."""

    key: str
    text: str
    icon: str
    wish: Wish | None = None
    more: More | None = None
    whom: Occupant | None = None
    """For a block."""


def entries(match: Match, seat: int, now_ms: int | None) -> tuple[Entry, ...]:
    """All that `seat` may do now, the most likely first; a negative seat only watches."""
    if seat < 0:
        return (_home(), *_blocks(match, set()))
    mine = {view.seat for view in match.views}
    running = match.status is MatchStatus.RUNNING
    found = [*_answers(match, mine)] if running else []
    if running:
        found += _seat(match, seat, now_ms)
        found += _wishes(match, seat, mine)
    if _others(match, mine):
        found.append(Entry("phrases", tr("Say something"), "talk", more=More.PHRASES))
    if running and match.seats[seat].state is not SeatState.GIVEN_UP:
        found += _ends(match, mine)
    return (*found, _home(), *_blocks(match, mine))


def _home() -> Entry:
    """The menu has taken the place of the way back."""
    return Entry("leave", tr("Home"), "home", more=More.HOME)


def question(match: Match, mine: set[int]) -> bool:
    """Whether something is asked of a person on this device."""
    return match.ask is not None and bool(mine & set(match.ask.waiting))


def ask_words(said: Said, name: str) -> str:
    """What is asked, for who is to answer."""
    if said is Said.ASK_TAKEBACK:
        return tr("{name} would like to take a move back. Is that all right?", name=name)
    return tr("{name} would like to stop here, without a winner. Is that all right?", name=name)


def said_words(said: Said, name: str) -> str:
    """What has happened beside the game, in a short line; "" where nothing needs to be said."""
    return {
        Said.UNDO: tr("{name} undid a move.", name=name),
        Said.ASK_TAKEBACK: tr("{name} asks to take a move back.", name=name),
        Said.OFFER_END: tr("{name} offers to stop here.", name=name),
        Said.DECLINE: tr("{name} would rather not.", name=name),
        Said.TAKEBACK: tr("All agreed: the move is taken back."),
        Said.END: tr("All agreed to stop here."),
        Said.RESIGN: tr("{name} gave up.", name=name),
        Said.SIT: tr("{name} is away. Somebody plays on for them.", name=name),
        Said.RETURN: tr("{name} is back.", name=name),
        Said.FORFEIT: tr("{name}'s time was up.", name=name),
        Said.VACATION: tr("{name}'s holiday has changed.", name=name),
    }.get(said, "")


def holiday_days(match: Match, seat: int) -> tuple[int, ...]:
    """For how many days the seat may go on holiday: a few to choose from."""
    clock = match.clock
    own = next((one for one in clock.seats if one.seat == seat), None) if clock else None
    left = own.vacation_left_ms // DAY_MS if own else 0
    return tuple(days for days in (1, 2, 3, 7, 14, 28) if days <= left)


def _answers(match: Match, mine: set[int]) -> Iterator[Entry]:
    ask = match.ask
    if ask is None:
        return
    if ask.seat in mine:
        text = tr("I take my question back")
        yield Entry("unask", text, "rub", Answer(ask.revision, agree=False))
    elif mine & set(ask.waiting):
        yield Entry("yes", tr("Yes, all right"), "end", Answer(ask.revision, agree=True))
        yield Entry("no", tr("No, rather not"), "cross", Answer(ask.revision, agree=False))


def may_ask(match: Match, seat: int) -> bool:
    """Whether the person of `seat` may have a hint now."""
    away = match.seats[seat].state in (SeatState.SITTER, SeatState.RETURNING, SeatState.GIVEN_UP)
    own = match.acting_view is not None and match.acting_view.seat == seat
    running = match.status is MatchStatus.RUNNING
    return match.terms.hints and running and own and not away


def _seat(match: Match, seat: int, now_ms: int | None) -> Iterator[Entry]:
    if match.seats[seat].state is SeatState.SITTER:
        yield Entry("back", tr("I am back"), "person", TakeSeatBack())
    clock = match.clock
    if match.terms.pace is not Pace.DAYS or clock is None:
        return
    own = next((one for one in clock.seats if one.seat == seat), None)
    now = clock.now_ms if now_ms is None else now_ms
    if own and own.vacation_until_ms is not None and own.vacation_until_ms > now:
        yield Entry("home", tr("Back from my holiday"), "sun", Vacation(0))
    elif holiday_days(match, seat):
        yield Entry("holiday", tr("Take a holiday"), "sun", more=More.HOLIDAY)


def _wishes(match: Match, seat: int, mine: set[int]) -> Iterator[Entry]:
    view = next((one for one in match.views if one.seat == seat), None)
    if view is not None and view.may_undo and match.terms.undo:
        yield Entry("undo", tr("Undo my move"), "again", Undo(match.revision))
    if may_ask(match, seat):
        yield Entry("hint", tr("A hint"), "bulb", more=More.HINT)
    if match.ask is not None or not _others(match, mine):
        return
    if match.terms.takeback and match.revision > 0:
        text = tr("Ask to take my move back")
        yield Entry("takeback", text, "again", AskTakeback(match.revision))
    yield Entry("offer_end", tr("Offer to stop here"), "friends", OfferEnd())


def _ends(match: Match, mine: set[int]) -> Iterator[Entry]:
    """The ways out of a match before its end. (Offering one to others is a wish of its own.)"""
    alone = not _others(match, mine)
    if alone:
        yield Entry("end", tr("End the match"), "cross", more=More.END)
    left = [one for one in mine if match.seats[one].state is not SeatState.GIVEN_UP]
    # With computers alone at the table nobody would be left for whom somebody could win.
    if not (alone and len(left) == 1 and len(match.seats) > 2):
        yield Entry("resign", tr("Give up"), "flag", more=More.RESIGN)


def name_of(match: Match, who: Occupant) -> str:
    """What somebody is called, who was at the table when the menu was opened."""
    there = zip(match.seats, names_at(match.seats, match.game), strict=True)
    found = (name for one, name in there if one.player_id == who.player_id)
    return next(found, occupant_name(who, match.game))


def _others(match: Match, mine: set[int]) -> list[Occupant]:
    """The people elsewhere, each once."""
    found: dict[str, Occupant] = {}
    own = {match.seats[seat].player_id for seat in mine if seat >= 0}
    for who in match.seats:
        if who.player_id and who.player_id not in own:
            found.setdefault(who.player_id, who)
    return list(found.values())


def _blocks(match: Match, mine: set[int]) -> Iterator[Entry]:
    for who in _others(match, mine):
        name = name_of(match, who)
        text = tr("Block {name}", name=name)
        yield Entry(f"block {who.player_id}", text, "cross", more=More.BLOCK, whom=who)
