"""What the games are called on pages that are made of measurements."""

from __future__ import annotations

from typing import Final

TITLES: Final = {
    "socker": "Socker",
    "sock_monsters": "Sock Monsters",
    "hide_and_seek": "Monster Hide and Seek",
}
