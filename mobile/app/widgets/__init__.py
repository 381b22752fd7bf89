"""Small pieces that every screen is made of; importing this makes them known to kv."""

from __future__ import annotations

from pathlib import Path

from kivy.lang import Builder

from app.widgets.buttons import Chip, FeltButton, IconButton
from app.widgets.card import Card, Ground
from app.widgets.game_pictures import GamePicture
from app.widgets.pictures import Avatar, Hero, IconPicture, Pips
from app.widgets.toast import Banner, Toast
from app.widgets.typed import TypedText

__all__ = [
    "Avatar",
    "Banner",
    "Card",
    "Chip",
    "FeltButton",
    "GamePicture",
    "Ground",
    "Hero",
    "IconButton",
    "IconPicture",
    "Pips",
    "Toast",
    "TypedText",
]

Builder.load_file(str(Path(__file__).with_name("widgets.kv")))
