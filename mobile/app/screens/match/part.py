"""What a game brings to the match screen: its board, who plays, and what can be done."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import ClassVar

from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget, WidgetMetaclass

from app.model.live import Acted
from app.model.look import Look
from app.model.values import Act
from app.screens.base import load_kv
from app.widgets import IconButton


class PartMeta(WidgetMetaclass, ABCMeta):
    """Kivy's metaclass, and the one that lets nobody make a part with something missing."""


class CornerButton(IconButton):
    """The way back, or the menu of the match on `part`."""

    part = ObjectProperty(None, allownone=True)
    menu = BooleanProperty(False)


class GamePart(BoxLayout, metaclass=PartMeta):
    """One game on the match screen. It fills the screen and owns placards, board and buttons;
    the screen owns the match itself, its result, and who may look.

    Events: `on_act(act)` when the player has chosen an action; `on_hint(text)` with one short line
    to say; `on_cheer(text)` with a few words to show large for a moment; `on_menu` when more is
    wanted.

    A part puts a `CornerButton` (part.kv), called `back`, where it fits: the way back, or the menu
    of a match that has no strip with one. What a thumb reaches for lies on the side of `left`.
    """

    game: ClassVar[str]
    view_type: ClassVar[type]
    """What `Look.view` has to be for this part to show it; anything else is of a newer game."""
    secret: ClassVar[bool] = False
    """Whether seats see what others must not: then the device is handed over behind a curtain."""

    wide = BooleanProperty(False)
    """Whether the window is wider than high."""
    left = BooleanProperty(False)
    """Whether whoever plays is left-handed."""
    asks = BooleanProperty(False)
    """Whether something waits for an answer in the menu."""
    has_menu = BooleanProperty(False)
    """Whether the button of the corner opens the menu."""

    __events__ = ("on_act", "on_hint", "on_cheer", "on_menu")

    @property
    def corner_right(self) -> bool:
        """Whether an upright window has that button on the right, where the way back never is."""
        return bool(self.has_menu and not self.left)

    @abstractmethod
    def reset(self) -> None:
        """Forget everything: another match, or another person, is coming."""

    @abstractmethod
    def show(self, look: Look) -> None:
        """This is how the match stands; shown after everything that was told before."""

    @abstractmethod
    def acted(self, change: Acted) -> None:
        """Somebody acted; the position it led to follows. Nothing here may wait for a motion."""

    @abstractmethod
    def skip(self) -> None:
        """Jump to the present."""

    @abstractmethod
    def redraw(self) -> None:
        """Draw everything anew: the graphics context may be lost (kivy#3671)."""

    @abstractmethod
    def propose(self, act: Act) -> None:
        """Light `act` up as something to do; nothing where it can't be done now."""

    def takes_back(self) -> bool:
        """Whether a step back was for something over the board, which is gone now."""
        return False

    @property
    @abstractmethod
    def resting(self) -> bool:
        """Whether everything told so far is on show."""

    @abstractmethod
    def score(self, look: Look) -> str:
        """The score of a finished match in one short line, as `look.seat` reads it."""

    @abstractmethod
    def figure(self, *, won: bool) -> Widget:
        """A picture for the result of the match shown last."""

    def on_act(self, act: Act) -> None:
        """The player has chosen `act`."""

    def on_hint(self, text: str) -> None:
        """`text` is to be said."""

    def on_cheer(self, text: str) -> None:
        """`text` is to be cheered."""

    def on_menu(self) -> None:
        """More is wanted."""


load_kv(__file__)
