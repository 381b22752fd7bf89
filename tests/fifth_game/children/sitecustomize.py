"""Imported by every Python that starts with this folder on its path: Odd One Out is on its shelf.

So pytest, the command line and the service's child processes know the game as they are.
"""

from services.engine.core.registry import register

register("odd_one_out", "tests.fifth_game.odd_one_out")
