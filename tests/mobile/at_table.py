"""A person at the table of a game with a board of its own kind, for tests that touch it."""

from __future__ import annotations

from typing import Any, ClassVar

from app.model.values import Occupant
from app.net.fake import ME
from tests.mobile.ui import Hands

ADA = Occupant(player_id=ME.player_id, display_name="Ada")
BEN = Occupant(player_id="p-friend", display_name="Ben")
BEN_HERE = Occupant(player_id=ME.player_id, display_name="Ben")
CHRIS = Occupant(player_id="p-other", display_name="Chris")
PIP = Occupant(agent="random", display_name="random")


class AtTable:
    """Sits down in the app on the screen."""

    game: ClassVar[str]

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.match_id = ""

    @property
    def board(self) -> Any:
        """The board on show."""
        return self.hands.part.board

    @property
    def events(self) -> list[Any]:
        """What the server has counted."""
        return self.hands.gateway.matches[self.match_id].events

    @property
    def words(self) -> str:
        """The line that says what to do, or why a touch meant nothing."""
        return str(self.hands.part.ids.prompt.text)

    async def sit(
        self, text: str, seats: tuple[Occupant, ...] = (ADA, BEN), **options: Any
    ) -> None:
        """Open a match that stands at a position, or at its beginning."""
        text = " ".join(text.split())
        self.match_id = self.hands.gateway.start(self.game, seats, options, text)
        self.hands.app.navigator.go("match", match_id=self.match_id)
        await self.hands.on("match")
        await self.rest()
        await self.hands.settle()

    async def rest(self) -> None:
        """Wait until the board shows what the server has."""
        position = self.hands.position
        await self.hands.until(
            lambda: self.board.hand.view.position == position(self.match_id) and self.board.resting
        )
