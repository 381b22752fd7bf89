"""Pictures for the rules: the real boards, standing at a position, with nothing to be touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from app.boards.hide_and_seek import HideAndSeekBoard
from app.boards.sock_monsters import SockMonstersBoard
from app.boards.socker import SockerBoard
from app.model import hide_and_seek_touch, sock_monsters_touch, socker_touch
from app.model.hide_and_seek import HideAndSeekAct, HideAndSeekView, Prices
from app.model.lessons import Page
from app.model.look import Look, look_of
from app.model.sock_monsters import SockMonstersAct, SockMonstersView
from app.model.socker import Side, SockerAct, SockerView
from app.model.values import Act
from app.model.words import seat_names
from app.net.lesson import position_seen
from app.screens.match import hide_and_seek
from app.screens.match.hide_and_seek_piles import SeekerPlacard
from app.screens.match.sock_monsters_placard import ElfPlacard

PLACARDS_DP = 108
GAP_DP = 6


class BoardPicture(BoxLayout):
    """A board as `look` sees it, after touches on the cells of `touch`. Touches go past it. `key`
    says how its cards look."""

    def __init__(
        self,
        look: Look,
        *,
        key: str,
        touch: Sequence[str] = (),
        placarded: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing=dp(GAP_DP), **kwargs)
        board, placards = _board(look, key, touch)
        self.board = board
        self.add_widget(board)
        if placarded:
            row = BoxLayout(size_hint_y=None, height=dp(PLACARDS_DP), spacing=dp(GAP_DP))
            for placard in placards:
                row.add_widget(placard)
            self.add_widget(row)

    def propose(self, act: Act) -> None:
        """Light up an action, where it could be done."""
        match self.board, act:
            case (SockMonstersBoard(), SockMonstersAct()):
                self.board.propose(act)
            case (SockerBoard(), SockerAct()):
                self.board.propose(act)
            case (HideAndSeekBoard(), HideAndSeekAct()):
                self.board.propose(act)

    def on_touch_down(self, _touch: Any) -> bool:
        return False


class Still(BoardPicture):
    """The picture of a page."""

    def __init__(self, game: str, page: Page, **kwargs: Any) -> None:
        match = position_seen(game, page.position, page.seat)
        look = look_of(match, page.seat, seat_names(match))
        super().__init__(look, key=page.title, touch=page.touch, placarded=page.placards, **kwargs)

    def wanted(self, width: float) -> float:
        """How high it likes to be at a width, pixels."""
        below = dp(PLACARDS_DP + GAP_DP) if len(self.children) > 1 else 0
        return width * _SHAPES[type(self.board)] + below


_SHAPES: dict[type, float] = {SockMonstersBoard: 1.0, SockerBoard: 11 / 9, HideAndSeekBoard: 0.66}
"""The height of each board for its width."""


def _board(look: Look, key: str, touch: Sequence[str]) -> tuple[Widget, list[Widget]]:
    match look.view:
        case SockMonstersView():
            return _house(look, look.view, touch)
        case SockerView():
            return _pitch(look, look.view, touch), []
        case HideAndSeekView():
            return _grid(look, look.view, key, touch)
    raise TypeError(f"no picture of {type(look.view).__name__}")


def _house(look: Look, view: SockMonstersView, touch: Sequence[str]) -> tuple[Widget, list[Widget]]:
    board = SockMonstersBoard()
    legal = tuple(act for act in look.legal if isinstance(act, SockMonstersAct))
    german = look.match.options.get("edition") == "german"
    hand = sock_monsters_touch.Hand(view, legal, look.seat, german)
    for name in touch:
        hand = hand.touch(_cell(name)).hand
    board.push(hand)
    placards: list[Widget] = []
    for one in view.elves:
        placard = ElfPlacard()
        placard.show(one, look.names[one.seat], acting=view.acting == one.seat)
        placards.append(placard)
    return board, placards


def _pitch(look: Look, view: SockerView, touch: Sequence[str]) -> Widget:
    board = SockerBoard()
    legal = tuple(act for act in look.legal if isinstance(act, SockerAct))
    hand = socker_touch.Hand(view, legal, Side(look.seat))
    for name in touch:
        hand = socker_touch.Hand(view, legal, Side(look.seat), hand.touch(_cell(name)).picked)
    board.push(hand)
    return board


def _grid(
    look: Look, view: HideAndSeekView, key: str, touch: Sequence[str]
) -> tuple[Widget, list[Widget]]:
    board = HideAndSeekBoard()
    board.reset(key)
    legal = tuple(act for act in look.legal if isinstance(act, HideAndSeekAct))
    hand = hide_and_seek_touch.Hand(view, legal, look.seat)
    for name in touch:
        hand = hand.touch(_cell(name)).hand
    board.push(hand)
    placards: list[Widget] = []
    for pile in view.piles:
        placard = SeekerPlacard()
        stars = Prices().stars(pile)
        placard.show(pile, stars, look.names[pile.seat], acting=view.turn == pile.seat)
        placards.append(placard)
    return board, placards


__all__ = ["Still", "hide_and_seek"]  # The latter brings the .kv rules of the placards.


def _cell(name: str) -> tuple[int, int]:
    """`e4` as (column, row)."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)
