"""A game's part of the match screen has to be whole."""

from __future__ import annotations

from importlib import import_module

import pytest

from app.screens.match.part import GamePart
from app.screens.match.parts import PARTS


def test_a_part_with_something_missing_can_not_be_made() -> None:
    class Half(GamePart):
        game = "half"

        def reset(self) -> None:
            """The only thing it can."""

    with pytest.raises(TypeError, match="abstract"):
        Half()


@pytest.mark.parametrize("game", sorted(PARTS))
def test_every_part_is_whole(game: str) -> None:
    module, name = PARTS[game]
    assert getattr(import_module(module), name).__abstractmethods__ == frozenset()
