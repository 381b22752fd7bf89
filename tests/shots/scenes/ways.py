"""The players of the scenes, and what many ways to a scene have in common."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock

from app.model.values import Occupant
from tests.mobile.positions import SEATS
from tests.mobile.ui import Hands

ADA, BEN = SEATS
CHRIS = Occupant(player_id="p-chris", display_name="Chris")
PIP = Occupant(agent="random", display_name="random")


async def rested(hands: Hands) -> None:
    """Until a screen has what it asked for."""
    await hands.until(lambda: not hands.screen.busy or hands.screen.name in ("table", "match"))
    await frames(hands)


async def frames(hands: Hands, count: int = 3) -> None:
    """Let so many frames pass, in which layouts settle."""
    end = Clock.frames + count
    await hands.until(lambda: Clock.frames >= end)


async def match(
    hands: Hands, game: str, position: str, seats: tuple[Occupant, ...], **options: Any
) -> str:
    """A match that stands at `position`, at rest; its id."""
    match_id = hands.gateway.start(game, seats, options, " ".join(position.split()))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    await at_rest(hands)
    return match_id


async def at_rest(hands: Hands) -> None:
    """Nothing moves any more; motions are cut short."""
    for _ in range(3):
        hands.part.skip()
        await frames(hands, 2)
    await hands.until(lambda: hands.part.resting)


async def over(hands: Hands) -> None:
    """Until the result is there; what moves before it is cut short."""

    def there() -> bool:
        hands.part.skip()
        return bool(hands.screen.over)

    await hands.until(there)
    await frames(hands, 4)


def play_out(hands: Hands, match_id: str) -> None:
    """Actions drawn by chance until the match is over."""
    playing = hands.gateway.matches[match_id]
    while playing.actor is not None:
        legal = playing.rules.legal_actions(playing.state)
        text = playing.rules.format_action(hands.gateway.rng.choice(legal))
        hands.gateway.play_as(match_id, text)
