"""What can be agreed at a table with people elsewhere, in words: pace, absence, who may come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.i18n import tr, trn
from app.model.terms import USUAL, Absence, Pace, Terms
from app.model.values import Agent
from app.model.words import portrait


@dataclass(frozen=True, slots=True)
class TermChoice:
    """One value of a knob: what it changes."""

    label: str
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TermKnob:
    """Something to agree on, with a line that explains it. Its first choice is the usual one."""

    key: str
    title: str
    about: str
    choices: tuple[TermChoice, ...]


HINTS = "hints"
"""The knob of what is agreed on this device, too."""
LISTED = "listed"
"""The knob of whether strangers find the table: not one of the terms themselves."""


def term_knobs(pace: Pace, agents: Iterable[Agent]) -> tuple[TermKnob, ...]:
    """All knobs at a pace; `agents` are those who could play for somebody absent."""
    knobs = [_pace()]
    knobs += [_days(), _vacation()] if pace is Pace.DAYS else [_seconds(), _reserve()]
    knobs += [_absence(), _sitter(agents), _takeback(), hints_knob(), _spectators(), _listed()]
    return tuple(knob for knob in knobs if len(knob.choices) > 1)


def agreed(chosen: Mapping[str, int], agents: Iterable[Agent]) -> tuple[Terms, bool]:
    """The terms for the choice of each knob by its number, and whether the table is listed."""
    pace = Pace.DAYS if chosen.get("pace", 0) == 1 else Pace.LIVE
    terms, listed = USUAL, False
    for knob in term_knobs(pace, agents):
        index = min(chosen.get(knob.key, 0), len(knob.choices) - 1)
        changes = knob.choices[index].changes
        if knob.key == LISTED:
            listed = bool(changes.get(LISTED))
        else:
            terms = replace(terms, **changes)
    return terms, listed


def agreed_here(chosen: Mapping[str, int]) -> Terms:
    """The terms of a table at which nobody sits elsewhere."""
    return replace(USUAL, hints=not chosen.get(HINTS, 0))


def terms_words(terms: Terms) -> str:
    """What was agreed, in a line or two."""
    hints = "" if terms.hints else tr("There are no hints.")
    return " ".join(part for part in (_pace_words(terms), absence_words(terms), hints) if part)


def _pace_words(terms: Terms) -> str:
    if terms.pace is Pace.DAYS:
        days = terms.turn_days or 3
        return trn("{count} day for each turn.", "{count} days for each turn.", days)
    seconds = terms.turn_seconds or 120
    reserve = 300 if terms.reserve_seconds is None else terms.reserve_seconds
    turn = _length(seconds)
    if not reserve:
        return tr("{time} for each turn.", time=turn)
    return tr(
        "{time} for each turn, and {reserve} in reserve.", time=turn, reserve=_length(reserve)
    )


def absence_words(terms: Terms) -> str:
    """What happens to whoever is away too long."""
    match terms.absence:
        case Absence.PASS:
            return tr("Whoever is too late misses the turn.")
        case Absence.FORFEIT:
            return tr("Whoever is too late loses the match.")
    if not terms.sitter:
        return tr("A stand-in plays on for whoever is away.")
    name = portrait(Agent(terms.sitter, "", 1)).name
    return tr("{name} plays on for whoever is away.", name=name)


def _length(seconds: int) -> str:
    if seconds % 60:
        return trn("{count} second", "{count} seconds", seconds)
    return trn("{count} minute", "{count} minutes", seconds // 60)


def _pace() -> TermKnob:
    choices = (
        TermChoice(tr("All at once"), {"pace": Pace.LIVE}),
        TermChoice(tr("Over days"), {"pace": Pace.DAYS}),
    )
    about = tr("Everybody at the table now, or a turn whenever you find the time.")
    return TermKnob("pace", tr("Pace"), about, choices)


def _seconds() -> TermKnob:
    choices = tuple(
        TermChoice(_length(seconds), {"turn_seconds": seconds}) for seconds in (120, 30, 60, 300)
    )
    return TermKnob("turn_seconds", tr("Time for a turn"), tr("It begins anew each turn."), choices)


def _reserve() -> TermKnob:
    choices = (
        TermChoice(_length(300), {"reserve_seconds": 300}),
        TermChoice(tr("None"), {"reserve_seconds": 0}),
        TermChoice(_length(900), {"reserve_seconds": 900}),
    )
    about = tr("For the whole match, to be used up where a turn takes longer.")
    return TermKnob("reserve_seconds", tr("Extra time"), about, choices)


def _days() -> TermKnob:
    choices = tuple(
        TermChoice(trn("{count} day", "{count} days", days), {"turn_days": days})
        for days in (3, 1, 7, 14)
    )
    return TermKnob("turn_days", tr("Time for a turn"), tr("It begins anew each turn."), choices)


def _vacation() -> TermKnob:
    choices = (
        TermChoice(trn("{count} day", "{count} days", 14), {"vacation_days": 14}),
        TermChoice(tr("None"), {"vacation_days": 0}),
        TermChoice(trn("{count} day", "{count} days", 28), {"vacation_days": 28}),
    )
    about = tr("How long each may pause in the whole match.")
    return TermKnob("vacation_days", tr("Holidays"), about, choices)


def _absence() -> TermKnob:
    choices = (
        TermChoice(tr("Stand-in"), {"absence": Absence.SITTER}),
        TermChoice(tr("Turn missed"), {"absence": Absence.PASS}),
        TermChoice(tr("Match lost"), {"absence": Absence.FORFEIT}),
    )
    about = tr("A stand-in plays until you are back, so nobody has to wait.")
    return TermKnob("absence", tr("Whoever is too late"), about, choices)


def _sitter(agents: Iterable[Agent]) -> TermKnob:
    choices = tuple(
        TermChoice(portrait(agent).name, {"sitter": "" if not number else agent.name})
        for number, agent in enumerate(sorted(agents, key=lambda one: one.level))
    )
    return TermKnob("sitter", tr("Stand-in"), tr("Who plays for somebody who is away."), choices)


def _takeback() -> TermKnob:
    choices = (
        TermChoice(tr("Yes"), {"takeback": True}),
        TermChoice(tr("No"), {"takeback": False}),
    )
    about = tr("A move may be taken back where everybody says yes.")
    return TermKnob("takeback", tr("Taking back"), about, choices)


def hints_knob() -> TermKnob:
    """Whether a person may ask for a hint: one who sits at this device, too."""
    choices = (
        TermChoice(tr("Yes"), {"hints": True}),
        TermChoice(tr("No"), {"hints": False}),
    )
    about = tr("Whoever is stuck may ask what the cleverest monster would do.")
    return TermKnob(HINTS, tr("Hints"), about, choices)


def _spectators() -> TermKnob:
    choices = (
        TermChoice(tr("No"), {"spectators": False}),
        TermChoice(tr("Yes"), {"spectators": True}),
    )
    about = tr("Whether others may watch. They see nothing that is hidden.")
    return TermKnob("spectators", tr("Watching"), about, choices)


def _listed() -> TermKnob:
    choices = (
        TermChoice(tr("With the code"), {LISTED: False}),
        TermChoice(tr("Anybody"), {LISTED: True}),
    )
    about = tr("Anybody finds the table on the open list.")
    return TermKnob(LISTED, tr("Who may come"), about, choices)
