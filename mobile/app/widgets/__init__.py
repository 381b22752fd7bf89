"""Small pieces that every screen is made of; importing this makes them known to kv."""

from __future__ import annotations

from pathlib import Path

from kivy.lang import Builder

from app.widgets.badge import Badge
from app.widgets.buttons import Chip, FeltButton, IconButton, QuietLine
from app.widgets.card import Card, Ground
from app.widgets.choice_row import ChoiceRow
from app.widgets.code_pad import CodePad
from app.widgets.dialog import Dialog
from app.widgets.fitted import Fitted, Words
from app.widgets.game_pictures import GamePicture
from app.widgets.pictures import Avatar, Hero, IconPicture, Pips
from app.widgets.qr import QrPicture
from app.widgets.toast import Banner, Toast
from app.widgets.typed import TypedText

__all__ = [
    "Avatar",
    "Badge",
    "Banner",
    "Card",
    "Chip",
    "ChoiceRow",
    "CodePad",
    "Dialog",
    "FeltButton",
    "Fitted",
    "GamePicture",
    "Ground",
    "Hero",
    "IconButton",
    "IconPicture",
    "Pips",
    "QrPicture",
    "QuietLine",
    "Toast",
    "TypedText",
    "Words",
]

Builder.load_file(str(Path(__file__).with_name("widgets.kv")))
