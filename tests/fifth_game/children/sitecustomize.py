"""Imported by every Python that starts with this folder on its path: Odd One Out is on its shelf.

So pytest, the command line and the service's child processes know the game as they are.
"""

from contextlib import ExitStack

from services.engine.core.registry import also_on_the_shelf

_UNTIL_THE_PROCESS_ENDS = ExitStack()
_UNTIL_THE_PROCESS_ENDS.enter_context(
    also_on_the_shelf("odd_one_out", "tests.fifth_game.odd_one_out")
)
