"""Playing by touch: how each game's actions are made on its board."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from kivy.uix.widget import Widget

from app.model import hide_and_seek as seek
from app.model import sock_monsters as house
from app.script import drawn, tap, tap_widget
from tests.two_apps.minds import among_cards, in_the_house
from tests.two_apps.waiting import Stuck, happened, signs


class Fingers(Protocol):
    """Somebody at the board of one game, whose part of the match screen is on show."""

    def legal(self) -> Sequence[Any]:
        """What may be done now, as the board has it; empty while it is not our turn."""
        ...

    def prefer(self, rng: random.Random) -> Any:
        """One of them."""
        ...

    async def make(self, act: Any) -> None:
        """Touch what makes it."""
        ...


class HouseFingers:
    """Sock Monsters: aim, then touch again."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def legal(self) -> Sequence[Any]:
        return tuple(self._part.board.hand.legal)

    def prefer(self, rng: random.Random) -> Any:
        hand = self._part.board.hand
        return in_the_house(hand.view, hand.legal, hand.seat, rng)

    async def make(self, act: Any) -> None:
        hand = self._part.board.hand
        group = next(group for group, acts in hand.groups.items() if act in acts)
        listed = [choice.act for choice in hand.choices]
        if act in listed and act.cell is None:
            await self._choose(act)
            await self._choose(act)
        elif isinstance(group, house.Kind) or len(hand.groups[group]) > 1:
            await self._choose(hand.groups[group][0])
            await self._choose(act)
            await self._choose(act)
        else:
            for _ in range(2):
                board = self._part.board
                tap(*board.to_window(*board.stage.layout.middle(group)))
                await drawn(1)

    async def _choose(self, act: Any) -> None:
        await drawn(2)
        for button in self._part.choices.children:
            if any(act.notation == other.notation for other in button.choice.acts[:1]):
                tap_widget(button)
                return
        raise LookupError(f"no choice for {act.notation}")


class SeekFingers:
    """Monster Hide and Seek: a card turns at once; what is named together, or a candy, is aimed
    at first."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def legal(self) -> Sequence[Any]:
        return tuple(self._part.board.hand.legal)

    def prefer(self, rng: random.Random) -> Any:
        return among_cards(self._part.board.hand.view, self.legal(), rng)

    async def make(self, act: Any) -> None:
        if act.kind is seek.Kind.STOP:
            await drawn(2)
            tap_widget(self._part.ids.stop)
            return
        self._touch(act.cell)
        if act.kind is not seek.Kind.FLIP:
            await drawn(1)
            self._touch(act.other or act.cell)

    def _touch(self, cell: Any) -> None:
        board = self._part.board
        tap(*board.to_window(*board.stage.layout.middle(cell)))


FINGERS: Final[Mapping[str, Callable[[Any], Fingers]]] = {
    "sock_monsters": HouseFingers,
    "hide_and_seek": SeekFingers,
}

MOST_IN_VAIN: Final = 20
"""So many touches in a row may lead to nothing: each came at a moment when nothing could be
touched, as when somebody else's turn ended in between."""


async def play(app: Any, rng: random.Random, ready: Callable[[], Awaitable[None]]) -> None:
    """Play the match on show, for all seats of this device, until its result is on show.

    `ready()` is called before each decision, and may wait. Raises `Stuck` when nothing happens any
    more.
    """
    vain = 0
    while True:
        screen = app.navigator.current
        await happened(app, partial(_wanted, screen), "our turn, or the end")
        if screen.over:
            return
        curtain = screen.ids.curtain
        if curtain.closed:
            await drawn()
            if curtain.closed and curtain.name:
                tap_widget(curtain.ids.ready)
                await drawn()
            vain = _in_vain(app, vain, "the curtain") if curtain.closed else 0
            continue
        await drawn()
        if not _may_act(screen):
            continue
        await ready()
        revision = screen.live.match.revision
        act = await _make(screen, rng)
        if screen.live.may_act and not _moved(screen, revision):
            vain = _in_vain(app, vain, f"'{act}'")
            continue
        vain = 0
        await happened(app, partial(_moved, screen, revision), f"an answer to '{act}'")


def _in_vain(app: Any, before: int, what: str) -> int:
    if before + 1 == MOST_IN_VAIN:
        raise Stuck(f"touched {MOST_IN_VAIN} times in vain for {what}: {signs(app)}")
    return before + 1


async def _make(screen: Any, rng: random.Random) -> str:
    """Touch what makes an action; which one, in the game's notation."""
    hands = FINGERS[screen.part.game](screen.part)
    act = hands.prefer(rng)
    with contextlib.suppress(LookupError):  # What was to be touched has gone: the match went on.
        await hands.make(act)
    await drawn()
    return str(act.notation)


def _wanted(screen: Any) -> bool:
    if screen.over:
        return True
    curtain = screen.ids.curtain
    if curtain.closed:
        return bool(curtain.name)
    if screen.part is not None and not screen.part.resting:
        hurry(screen.part)
    return _may_act(screen)


def hurry(part: Widget) -> None:
    """Somebody impatient touches beside everything while things move."""
    tap_widget(part.ids.prompt)


def _may_act(screen: Any) -> bool:
    return bool(
        screen.part is not None
        and screen.live is not None
        and screen.live.may_act
        and screen.part.resting
        and FINGERS[screen.part.game](screen.part).legal()
    )


def _moved(screen: Any, revision: int) -> bool:
    match = screen.live.match if screen.live else None
    return match is not None and match.revision > revision
