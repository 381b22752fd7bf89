"""Sock Monsters: monsters, pawns and three pairs of socks (RULINGS 1, both editions)."""

from typing import Final

from services.engine.games.sock_monsters.ruleset import SockMonsters

RULESET: Final = SockMonsters()
