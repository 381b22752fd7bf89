"""A few numbers about a finished match, for its result: counted from what everybody could see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.i18n import tr
from app.model.hide_and_seek import HideAndSeekAct, HideAndSeekView
from app.model.hide_and_seek import Kind as SeekKind
from app.model.sock_monsters import Kind as HouseKind
from app.model.sock_monsters import SockMonstersAct
from app.model.socker import Kind as SockerKind
from app.model.socker import SockerAct
from app.model.terms import Said
from app.model.values import Act, Event, Match


@dataclass(frozen=True, slots=True)
class Row:
    """One number for each seat."""

    label: str
    values: tuple[int, ...]


def rows(match: Match, events: Sequence[Event]) -> tuple[Row, ...]:
    """What to tell about a match of any game; nothing for a game this app does not know."""
    seats = len(match.seats)
    counting: Callable[[int, Match, Sequence[Event]], tuple[Row, ...]] | None = {
        "socker": _socker,
        "sock_monsters": _sock_monsters,
        "hide_and_seek": _hide_and_seek,
    }.get(match.game)
    return counting(seats, match, standing(events)) if counting is not None else ()


def standing(events: Iterable[Event]) -> tuple[Event, ...]:
    """The actions of a match that were not undone or taken back."""
    actions: list[Event] = []
    for event in events:
        if event.said is None:
            actions.append(event)
        elif event.to_revision is not None and event.said in (Said.UNDO, Said.TAKEBACK):
            while actions and actions[-1].revision >= event.to_revision:
                actions.pop()
    return tuple(actions)


def _counted(seats: int, events: Iterable[Event], wanted: Callable[[Act], int]) -> tuple[int, ...]:
    counts = [0] * seats
    for event in events:
        if 0 <= event.actor < seats:
            counts[event.actor] += wanted(event.act)
    return tuple(counts)


def _socker(seats: int, _match: Match, events: Sequence[Event]) -> tuple[Row, ...]:
    def of(kind: SockerKind) -> Callable[[Act], int]:
        return lambda act: int(isinstance(act, SockerAct) and act.kind is kind)

    return (
        Row(tr("Kicks"), _counted(seats, events, of(SockerKind.KICK))),
        Row(tr("Steps"), _counted(seats, events, of(SockerKind.MOVE))),
        Row(tr("Laid to sleep"), _counted(seats, events, of(SockerKind.SOCK))),
    )


def _sock_monsters(seats: int, _match: Match, events: Sequence[Event]) -> tuple[Row, ...]:
    def of(*kinds: HouseKind) -> Callable[[Act], int]:
        return lambda act: int(isinstance(act, SockMonstersAct) and act.kind in kinds)

    return (
        Row(tr("Rooms searched"), _counted(seats, events, of(HouseKind.LIFT))),
        Row(tr("Socks stolen"), _counted(seats, events, of(HouseKind.STEAL, HouseKind.TAKE))),
        Row(tr("Open eyes in a row"), _luck(seats, events)),
    )


def _luck(seats: int, events: Iterable[Event]) -> tuple[int, ...]:
    """The luckiest die: how often in a row somebody's monster opened its eye."""
    best, run, mover = [0] * seats, [0] * seats, 0
    for event in events:
        if 0 <= event.actor < seats:
            mover = event.actor
        elif isinstance(event.act, SockMonstersAct) and event.act.kind is HouseKind.EYE:
            run[mover] = run[mover] + 1 if event.act.eye_open else 0
            best[mover] = max(best[mover], run[mover])
    return tuple(best)


def _hide_and_seek(seats: int, match: Match, events: Sequence[Event]) -> tuple[Row, ...]:
    def turned(act: Act) -> int:
        return len(act.flips) if isinstance(act, HideAndSeekAct) else 0

    def candies(act: Act) -> int:
        return int(isinstance(act, HideAndSeekAct) and act.kind is SeekKind.CANDY)

    found = [0] * seats
    view = match.views[0].view if match.views else None
    if isinstance(view, HideAndSeekView):
        for pile in view.piles:
            found[pile.seat] = len(pile.monsters) // 2
    return (
        Row(tr("Pairs"), tuple(found)),
        Row(tr("Candies"), _counted(seats, events, candies)),
        Row(tr("Cards turned"), _counted(seats, events, turned)),
    )
