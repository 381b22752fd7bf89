"""A hint: asked for, thought about, lit on the board, and dropped when the match goes on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty

from app.boards.shapes import Drawn
from app.i18n import tr
from app.model.advice import Hint
from app.model.advice_words import hint_words, used_words
from app.model.match_menu import may_ask
from app.model.troubles import trouble
from app.screens.base import load_kv
from app.theme import faded, theme
from app.widgets.card import patch
from app.widgets.icons import icon
from app.widgets.toast import Banner

if TYPE_CHECKING:
    from app.screens.match.match import MatchScreen

LOOK_EVERY_S = 0.05


class HintNote(Banner):
    """Why something is suggested, or that it is being thought about; touches go through it."""

    thinks = BooleanProperty(False)

    def backdrop(self) -> Drawn:
        """The patch and the lamp."""
        drawn = patch(self, theme.accent, radius=dp(16), seam=faded(theme.accent_ink, 0.28))
        colour = theme.accent_ink
        return drawn + icon("bulb", self.x + dp(26), self.center_y, dp(26), colour)


class Hinting:
    """The hints of one match screen: one at a time, for one decision. Nothing is played by it."""

    def __init__(self, screen: MatchScreen) -> None:
        self._screen = screen
        self._about: tuple[int, int] | None = None
        """Seat and revision of what is thought about, or was suggested."""

    @property
    def offered(self) -> bool:
        """Whether the person who holds the device may have a hint now."""
        screen = self._screen
        look, live = screen.look, screen.live
        if look is None or live is None or live.match is None or screen.ids.curtain.closed:
            return False
        actor = live.match.actor
        mine = actor is not None and actor == look.seat and may_ask(live.match, actor)
        return bool(mine and live.may_act)

    def ask(self) -> None:
        """Think about the decision at hand. Whoever plays on meanwhile needs no answer."""
        if not self.offered:
            return
        match = self._screen.live.match
        self.drop()
        self._about = (match.actor, match.revision)
        self._say(tr("One moment, I am thinking…"), thinks=True)
        self._screen.app.tasks.spawn(self._ask(*self._about), owner=self)

    async def _ask(self, seat: int, revision: int) -> None:
        screen = self._screen
        try:
            gateway = screen.app.session.at(screen.match_id)
            hint = await gateway.suggest(screen.match_id, seat, revision)
        except Exception as error:
            self.drop()
            screen.app.toast(trouble(error))
            screen.app.report(error)
            return
        if self._light((seat, revision), hint):
            wait = partial(self._light, (seat, revision), hint)
            Clock.schedule_interval(lambda _: wait(), LOOK_EVERY_S)

    def _light(self, about: tuple[int, int], hint: Hint) -> bool:
        """Show a hint, unless it is of no use any more; whether to look again, since what moves is
        to be seen first."""
        if self._about != about:
            return False
        if not self._screen.part.resting:
            return True
        if self.offered:
            self._show(hint)
        else:
            self.drop()
        return False

    def _show(self, hint: Hint) -> None:
        self._screen.part.propose(hint.act)
        self._say(f"{hint_words(hint)}\n{used_words(hint.used)}")

    def moved(self, revision: int) -> None:
        """The match stands at `revision` now: a hint about another one is of no use."""
        if self._about is not None and self._about[1] != revision:
            self.drop()

    def touched(self) -> None:
        """Something was touched: what was said has been read."""
        if not self._screen.ids.hint.thinks:
            self._screen.ids.hint.on = False

    def drop(self) -> None:
        """No hint, and no thinking about one."""
        self._about = None
        self._screen.ids.hint.on = self._screen.ids.hint.thinks = False
        self._screen.app.tasks.cancel(self)

    def _say(self, text: str, *, thinks: bool = False) -> None:
        note = self._screen.ids.hint
        note.text, note.on, note.thinks = text, True, thinks


load_kv(__file__)
