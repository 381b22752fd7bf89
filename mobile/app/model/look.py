"""Whose eyes the screen shows a match with, when several people share this device.

Free of Kivy. A game's part of the match screen gets a `Look` and nothing else: the view of one
seat, never a second one that the person who holds the device must not see.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.model.values import Act, Match, MatchStatus, UnknownView, View


@dataclass(frozen=True, slots=True)
class Look:
    """A match as one seat of this device sees it."""

    match: Match
    """Its `views` hold the one of `seat` alone."""
    seat: int
    """Whose eyes these are."""
    seats: tuple[int, ...]
    """All seats of this device, sorted."""
    names: tuple[str, ...]
    """What each seat is called on the screen, by seat."""
    waits: bool = False
    """Whether an action of this device is on its way: nothing is legal until there is an answer."""

    @property
    def view(self) -> View:
        """What the seat sees."""
        return self.match.views[0].view if self.match.views else UnknownView()

    @property
    def legal(self) -> tuple[Act, ...]:
        """What the seat may do now; empty unless it is to act."""
        return self.match.views[0].legal if self.match.views else ()

    @property
    def running(self) -> bool:
        """Whether the match goes on."""
        return self.match.status is MatchStatus.RUNNING


def look_of(match: Match, seat: int, names: tuple[str, ...], *, waits: bool = False) -> Look:
    """`match` with the eyes of `seat`; the views of all other seats are left out. `waits` as in
    `Look`."""
    own = tuple(view for view in match.views if view.seat == seat)
    if waits:
        own = tuple(replace(view, legal=()) for view in own)
    return Look(replace(match, views=own), seat, seats_here(match), names, waits)


def seats_here(match: Match) -> tuple[int, ...]:
    """The seats of this device, sorted."""
    return tuple(sorted(view.seat for view in match.views))


@dataclass(frozen=True, slots=True)
class Holding:
    """Whose view may be on show, and to whom the device is to be handed before the match goes on.

    `seat` is None while nobody may look, and `hand_to` while nobody has to be waited for.
    """

    seat: int | None
    hand_to: int | None = None


class Holder:
    """Follows who holds the device. With `secret` off nobody has to be asked."""

    def __init__(self, *, secret: bool) -> None:
        self._secret = secret
        self._seat: int | None = None

    def take(self, match: Match) -> Holding:
        """What follows from how the match stands."""
        here = seats_here(match)
        if not here:
            return Holding(None)
        acting = match.acting_view if match.status is MatchStatus.RUNNING else None
        if self._seat not in here:
            self._seat = None
        if not self._must_ask(here, match):
            self._seat = acting.seat if acting else self._known(here)
            return Holding(self._seat)
        if acting is None or acting.seat == self._seat:
            return Holding(self._seat)
        return Holding(self._seat, hand_to=acting.seat)

    def handed_to(self, seat: int) -> None:
        """The person of `seat` said that the device is in their hands."""
        self._seat = seat

    def let_go(self) -> None:
        """The device may be in anybody's hands: ask again."""
        self._seat = None

    def _must_ask(self, here: tuple[int, ...], match: Match) -> bool:
        return self._secret and len(here) > 1 and match.status is not MatchStatus.FINISHED

    def _known(self, here: tuple[int, ...]) -> int:
        return here[0] if self._seat is None else self._seat
