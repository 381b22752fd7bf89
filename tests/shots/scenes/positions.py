"""Positions that more than one scene stands at."""

from __future__ import annotations

from tests.mobile.test_sock_monsters_touch import position as house_position

FOUR = """monsters b3 b2 f6 a6 | pawns b1 c3 e5 f4 | tokens cwdb cwb wdb cwdb | socks rg rgv y gb |
    pairs bb - yy,vv - | lairs rv y - g | turn 7 0 0 | shown - | phase open yellow 1"""
GERMAN = """monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb wdb | socks r gb | pairs - bb |
    lairs r - gv - | turn 2 0 0 | shown - | phase pawn"""
LAST = """monsters a1 f1 f6 a6 | pawns b1 c5 | tokens cwdb cwdb | socks r b | pairs bb,vv gg |
    lairs r - - - | turn 2 0 0 | shown - | phase act 0"""
LIFTED = """monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r b | pairs - - |
    lairs - - - - | turn 2 1 0 | shown - | phase act 0"""
TEN = "Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc"
"""Cards of Hide and Seek."""


def house(rest: str, seats: int = 2, options: str = "") -> str:
    """A position of Sock Monsters with the tiles that the tests use."""
    return " ".join(house_position(rest, seats, options).split())


def seek(cards: str, piles: str, first: int) -> str:
    """A position of Hide and Seek of two, three kinds and ten cards; seat `first` acts."""
    return f"hide_and_seek/1 2 types=3 | {cards} | piles {piles} | turns 6 | idle 0 | first {first}"
