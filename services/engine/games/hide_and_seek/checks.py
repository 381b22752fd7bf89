"""Whether a position that was typed in can be: every card once, and what its phase needs."""

from __future__ import annotations

from services.engine.core import InvalidNotation
from services.engine.games.hide_and_seek import deals, kernel, notation
from services.engine.games.hide_and_seek import layout as at


def check_view(buffer: list[int], *, text: str, complete: bool) -> None:
    """Raise `InvalidNotation` unless the cards, known ones or all, can lie so.

    `complete` says that hidden faces are all there (a position), so that the phase can be checked
    as well.
    """
    _check_cards(buffer, text=text, complete=complete)
    _check_phase(buffer, text=text)
    if complete:
        _check_deadlock(buffer, text=text)


def _check_cards(buffer: list[int], *, text: str, complete: bool) -> None:
    body = text.partition("|")[2].strip()
    types = buffer[at.TYPES]
    faces = [buffer[at.SHOWN + cell] for cell in range(at.CELLS)]
    undealt = faces.count(at.UNDEALT)
    columns, rows = at.GRIDS[types]
    order = [row * at.COLUMNS + column for row in range(rows) for column in range(columns)]
    if any(faces[cell] == at.UNDEALT for cell in order[: len(order) - undealt]):
        raise InvalidNotation("cells are dealt from a1 on", part=body, text=text)
    if (undealt > 0) != (buffer[at.PHASE] == at.P_DEAL):
        raise InvalidNotation("'deal' goes with cells not dealt yet", part=body, text=text)
    candies = faces.count(at.CANDY) + sum(
        buffer[at.PILE + seat * at.KINDS + at.CANDY_KIND] for seat in range(4)
    )
    if candies > types - 2 or (not undealt and candies != types - 2):
        raise InvalidNotation(f"{candies} candies instead of {types - 2}", part=body, text=text)
    known = [*buffer]
    if complete:
        for cell in range(at.CELLS):
            known[at.KNOWN + cell] = 1
    left = deals.unseen_kinds(tuple(known))
    for kind, copies in enumerate(left):
        card = notation.LETTERS[at.LOW_OF[kind]] + notation.LETTERS[at.HIGH_OF[kind]]
        if copies < 0:
            raise InvalidNotation(f"too many cards {card}", part=body, text=text)
        if complete and copies > 0 and not undealt:
            raise InvalidNotation(f"{copies} cards {card} are missing", part=body, text=text)
    gaps = faces.count(at.GAP)
    collected = sum(buffer[at.PILE : at.PILE + 4 * at.KINDS])
    if gaps != collected or (undealt and gaps):
        raise InvalidNotation(f"{gaps} gaps for {collected} collected cards", part=body, text=text)
    if not complete and not deals.is_possible(tuple(buffer)):
        raise InvalidNotation("no deal of the cards looks so", part=body, text=text)


def _check_phase(buffer: list[int], *, text: str) -> None:
    phase, monsters = buffer[at.PHASE], buffer[at.MONSTERS]
    section = text.rpartition("|")[2].strip()
    if phase == at.P_DEAL and (buffer[at.TURNS] or buffer[at.IDLE]):
        raise InvalidNotation("no turns before the deal is done", part=section, text=text)
    if buffer[at.IDLE] > buffer[at.TURNS]:
        raise InvalidNotation("more idle turns than turns", part=section, text=text)
    least = {at.P_FIRST: 3, at.P_SECOND: 3, at.P_AGAIN: 2, at.P_PAIRED: 2}.get(phase, 0)
    if monsters < least:
        raise InvalidNotation(f"needs at least {least} monsters", part=section, text=text)
    flipped = buffer[at.FLIPPED]
    if flipped >= 0 and (buffer[at.SHOWN + flipped] >= at.CANDY):
        raise InvalidNotation("no card was flipped there", part=section, text=text)
    if flipped >= 0 and not buffer[at.KNOWN + flipped] and buffer[at.HIDDEN + flipped] >= 0:
        raise InvalidNotation(
            "the flipped card has been seen from both sides", part=section, text=text
        )
    capped = (
        buffer[at.IDLE] >= kernel.idle_cap(kernel.buffer(buffer))
        or buffer[at.TURNS] >= buffer[at.TURN_CAP]
    )
    over = phase == at.P_OVER
    if capped and not over and phase != at.P_DEAL:
        raise InvalidNotation("a cap is reached: the game is over", part=section, text=text)
    reason = buffer[at.REASON]
    if over and ((reason == at.R_NORMAL) != (monsters <= 2) or (reason == at.R_CAP and not capped)):
        raise InvalidNotation("does not fit the position", part=section, text=text)


def _check_deadlock(buffer: list[int], *, text: str) -> None:
    section = text.rpartition("|")[2].strip()
    stuck = bool(buffer[at.END_ON_DEADLOCK]) and kernel.is_deadlock(kernel.buffer(buffer))
    over = buffer[at.PHASE] == at.P_OVER
    deadlock = over and buffer[at.REASON] == at.R_DEADLOCK
    if stuck != deadlock and buffer[at.PHASE] != at.P_DEAL:
        problem = "no match is possible: over deadlock" if stuck else "a match is possible"
        raise InvalidNotation(problem, part=section, text=text)
