"""Odd One Out once more, naively: socks by name, changed in place, for the cross-check."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from services.engine.core import OptionValue
from tests.crosscheck.variants import Variant


class NaiveOddOneOut:
    """Like every naive game it speaks notation only."""

    def __init__(self, options: Mapping[str, OptionValue], _seats: int) -> None:
        self.peeks = int(options["peeks"])
        self.odd = 0
        self.pointed = 0
        self.mover = 0
        self.seen: list[set[int]] = [set(), set()]

    def actor(self) -> int | None:
        if self.pointed:
            return None
        return self.mover if self.odd else -1

    def legal(self) -> list[str]:
        if self.pointed:
            return []
        if not self.odd:
            return ["deal:1", "deal:2", "deal:3"]
        seen = self.seen[self.mover]
        peeks = [f"peek:{n}" for n in (1, 2, 3) if n not in seen] if len(seen) < self.peeks else []
        return [*peeks, "point:1", "point:2", "point:3"]

    def weights(self) -> list[int]:
        return [1, 1, 1]

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        if not self.pointed:
            return None
        scores = (len(self.seen[0]), len(self.seen[1]))
        if self.pointed == self.odd:
            return "found", (self.mover,), scores
        return "missed", ({0: 1, 1: 0}[self.mover],), scores

    def text(self) -> str:
        socks = ["p", "p", "p"] if self.odd else ["-", "-", "-"]
        if self.odd:
            socks[self.odd - 1] = "o"
        seen = ["".join(str(n) for n in sorted(places)) or "-" for places in self.seen]
        end = [f"point:{self.pointed}"] if self.pointed else []
        return " ".join(["".join(socks), *seen, *end])

    def apply(self, text: str) -> None:
        verb, number = text.split(":")
        if verb == "deal":
            self.odd = int(number)
        elif verb == "point":
            self.pointed = int(number)
        else:
            self.seen[self.mover].add(int(number))
            self.mover = {0: 1, 1: 0}[self.mover]

    def begin_rare(self, rng: Random) -> None:
        """Both have peeked as often as they may, at any places."""
        self.odd = rng.choice([1, 2, 3])
        self.seen = [set(rng.sample([1, 2, 3], self.peeks)) for _ in (0, 1)]

    def reach(self, text: str, legal: list[str]) -> list[str]:
        """Pointing at a sock that one has seen: wise or silly."""
        del legal
        verb, number = text.split(":")
        known = verb == "point" and int(number) in self.seen[self.mover]
        case = "pointed at what it knew" if int(number) == self.odd else "pointed against it"
        self.apply(text)
        return [case] if known else []


VARIANT = Variant(
    "odd_one_out",
    "odd_one_out",
    NaiveOddOneOut,
    lambda rng, _seats: {"peeks": rng.randint(0, 2)},
    (2,),
    frozenset({"pointed at what it knew", "pointed against it"}),
    leans_to="point",
)
