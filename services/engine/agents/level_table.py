"""The levels of all games: nothing but data (docs/levels.md says what was measured).

A level is weaker by less search and shorter memory, never by a wish to lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Words:
    """One text in the languages of the rules."""

    en: str
    de: str
    ko: str


@dataclass(frozen=True, slots=True)
class Monster:
    """Who plays at a level, in every game."""

    name: Words
    character: Words


@dataclass(frozen=True, slots=True)
class Level:
    """How well a monster plays one game.

    `number`: 1, the kindest, upwards. `iterations`: the most lines of play, or positions of Socker,
    looked at for one decision, so that strength does not depend on the machine. `seconds`: the most
    time for it, which a machine that is fast enough does not need. `attention`: with this chance
    each action that makes sense comes to mind, one always does, and only these are searched; at 1
    the search itself says what is worth a try. `fade`: with this chance what was seen is forgotten,
    in each turn after it.
    """

    game: str
    number: int
    monster: str
    iterations: int
    seconds: float
    attention: float = 1.0
    fade: float = 0.0

    @property
    def agent(self) -> str:
        """The name of the agent that plays it."""
        return self.monster


MONSTERS: Final[dict[str, Monster]] = {
    "pip": Monster(
        Words("Pip", "Pip", "핍"),
        Words(
            "Six years old and mostly thinking about biscuits.",
            "Sechs Jahre alt und in Gedanken meist bei den Keksen.",
            "여섯 살. 머릿속은 온통 과자 생각뿐이에요.",
        ),
    ),
    "minna": Monster(
        Words("Minna", "Minna", "미나"),
        Words(
            "Has a plan, until a moth flies past.",
            "Hat einen Plan, bis eine Motte vorbeifliegt.",
            "계획은 있어요. 나방이 날아오기 전까지는요.",
        ),
    ),
    "otto": Monster(
        Words("Otto", "Otto", "오토"),
        Words(
            "Counts everything twice, socks too.",
            "Zählt alles zweimal, auch die Socken.",
            "양말도 뭐든지 두 번씩 세어 봐요.",
        ),
    ),
    "hilda": Monster(
        Words("Hilda", "Hilda", "힐다"),
        Words(
            "Thinks her whole turn through before she moves a claw.",
            "Denkt den ganzen Zug zu Ende, bevor sie eine Kralle rührt.",
            "발톱을 움직이기 전에 차례를 끝까지 생각해요.",
        ),
    ),
    "balduin": Monster(
        Words("Balduin", "Balduin", "발두인"),
        Words(
            "Three hundred years under beds, and he remembers all of them.",
            "Dreihundert Jahre unter Betten, und er weiß noch jedes.",
            "침대 밑에서 삼백 년. 그 침대들을 다 기억해요.",
        ),
    ),
}
"""By the names of their agents, kindest first."""

LEVELS: Final[dict[str, tuple[Level, ...]]] = {
    "socker": (
        Level("socker", 1, "pip", 20, 1.5, attention=0.0),
        Level("socker", 2, "minna", 60, 1.5, attention=0.1),
        Level("socker", 3, "otto", 400, 1.5, attention=0.5),
        Level("socker", 4, "hilda", 3_000, 1.5),
    ),
    "sock_monsters": (
        Level("sock_monsters", 1, "pip", 4, 1.5, attention=0.0, fade=0.5),
        Level("sock_monsters", 2, "minna", 40, 1.5, attention=0.9, fade=0.4),
        Level("sock_monsters", 3, "otto", 40, 1.5, fade=0.3),
        Level("sock_monsters", 4, "hilda", 4_000, 1.5),
    ),
    "hide_and_seek": (
        Level("hide_and_seek", 1, "pip", 4, 1.5, fade=0.88),
        Level("hide_and_seek", 2, "minna", 8, 1.5, fade=0.65),
        Level("hide_and_seek", 3, "otto", 60, 1.5, fade=0.33),
        Level("hide_and_seek", 4, "hilda", 200, 1.5, fade=0.13),
        Level("hide_and_seek", 5, "balduin", 1_500, 2.0),
    ),
}
"""By game, kindest first, numbered from 1 without gaps."""
