"""The list of everything the player takes part in, as it is shown: what waits comes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.i18n import tr
from app.model.games import game_title, offer_of
from app.model.inbox import is_my_turn
from app.model.places import is_here
from app.model.times import turn_left
from app.model.values import Invitation, MatchStatus, MyMatch, TableStatus
from app.model.words import match_state, opponents


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list, and where it leads: an invitation, a match, or a table that waits."""

    title: str
    state: str
    key: str
    """The offer whose picture is shown; "" for a game this app does not know."""
    mine: bool
    """Whether it waits for this player."""
    over: bool
    news: bool
    match_id: str
    table_id: str
    code: str
    invited: bool = False


def rows(
    matches: Iterable[MyMatch],
    invitations: Iterable[Invitation],
    news: set[str],
    me: str,
    now_ms: int | None,
) -> list[Row]:
    """The list. `news` are the matches in which something happened since they were last on show;
    `me` is what the owner of this device is called; `now_ms` is by the server's clock."""
    asked = sorted(invitations, key=lambda one: -one.invited_at_ms)
    found = [_invited(one) for one in asked]
    return found + [_row(one, news, me, now_ms) for one in sorted(matches, key=_order)]


def waits(match: MyMatch) -> bool:
    """Whether a match goes on as soon as it is opened. On this device opponents wait, too."""
    if match.status is not MatchStatus.RUNNING:
        return False
    return is_my_turn(match) or is_here(match.table.match_id)


def next_one(matches: Iterable[MyMatch]) -> MyMatch | None:
    """The match to go on with: whose time is up first, else the newest."""
    return min(filter(waits, matches), key=_order, default=None)


_NEVER = 1 << 62


def _order(match: MyMatch) -> tuple[int, int, int]:
    newest = -match.table.opened_at_ms
    if is_my_turn(match):
        return (0, _NEVER if match.deadline_ms is None else match.deadline_ms, newest)
    if match.status is MatchStatus.RUNNING or match.table.status is TableStatus.OPEN:
        return (1, 0, newest)
    return (2, 0, newest)


def _invited(invitation: Invitation) -> Row:
    table = invitation.table
    one = offer_of(table.game, table.options)
    return Row(
        title=tr("{name} invites you", name=invitation.inviter.display_name),
        state=game_title(table.game, table.options),
        key=one.key if one else "",
        mine=True,
        over=False,
        news=not invitation.seen,
        match_id="",
        table_id=table.table_id,
        code="",
        invited=True,
    )


def _row(match: MyMatch, news: set[str], me: str, now_ms: int | None) -> Row:
    table = match.table
    one = offer_of(table.game, table.options)
    names = opponents(match, me)
    running = match.status is MatchStatus.RUNNING
    parts = [match_state(match, me)]
    if running:
        parts.append(turn_left(match.deadline_ms, now_ms))
    parts.append(game_title(table.game, table.options))
    return Row(
        title=names[:1].upper() + names[1:],
        state=" · ".join(part for part in parts if part),
        key=one.key if one else "",
        mine=is_my_turn(match),
        over=match.status is MatchStatus.FINISHED,
        news=table.match_id in news,
        match_id=table.match_id,
        table_id=table.table_id,
        code=table.invitation_code,
    )
