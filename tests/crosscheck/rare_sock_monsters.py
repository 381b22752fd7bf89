"""Positions of Sock Monsters that random play hardly ever comes to, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.crosscheck.naive_sock_monsters import MOST_MOVES, NaiveSockMonsters
from tests.crosscheck.naive_sock_monsters_table import (
    ALL_WAYS,
    CELLS,
    COLOURS,
    KINDS,
    LETTERS,
    MOTIFS,
    PAIRABLE,
    ROOMS,
    SILLY,
    STRAIGHT,
    Phase,
    Tile,
    around,
)

_COMMON = frozenset(
    (
        *("monster phase skipped", "more than five moves of a monster", "last move of a monster"),
        *("awake monster can do nothing", "enclosed pawn", "enclosed pawn crosses figures"),
        *("lift with an empty bag", "over three_pairs", "over round_cap"),
        *("shared win",),
    )
)
_INTERNATIONAL = frozenset(
    ("lift with one sock in the bag", "two pairs at once", "steal from oneself")
)
_GERMAN = frozenset(("bag", "lair of the German edition", "declined"))
_SILLY = frozenset(
    (
        *(
            "throw",
            "take",
            "boomerang leads to a rainbow",
            "two rainbows paired",
            "rainbow kept",
            "won on another's turn",
        ),
        *("gift from a lair", "gift from the bag", "no gift in lair or bag"),
        *("lift with throws left", "throw missed with throws left"),
    )
)


def cases(edition: str, silly: bool) -> frozenset[str]:
    """What `RareSockMonsters.reach` can name in this edition."""
    own = _GERMAN if edition == "german" else _INTERNATIONAL
    one = "gift after a rainbow" if edition == "german" else "pairing leaves nothing to steal"
    return _COMMON | own | (_SILLY | {one} if silly else frozenset())


class RareSockMonsters(NaiveSockMonsters):
    """The naive game, begun from rare positions and watched for rare cases."""

    def begin_rare(self, rng: Random) -> None:
        """Put a position in mid-game in place of the deal: a crowd, and socks to trip over."""
        table = self.table
        self._lay_tiles(rng)
        self._crowd(rng)
        table.round = rng.choice([self.round_cap, rng.randint(1, self.round_cap)])
        table.turn, table.first = rng.randrange(table.seats), rng.randrange(table.seats)
        self._deal_socks(rng)
        if rng.random() < 0.2:
            self._tempt_to_lift()
        if rng.random() < 0.15:
            self._exhaust_a_monster(rng)
        elif rng.random() < 0.15:
            self._rob_a_smelly_sock(rng)
        else:
            table.phase = rng.choice(rng.choice([some for some in self._phases(rng) if some]))
        if rng.random() < 0.1:
            self._show_a_tile(rng)

    def _lay_tiles(self, rng: Random) -> None:
        seats = range(self.table.seats)
        for cell, kind in zip(ROOMS, rng.sample(KINDS * 2, len(ROOMS)), strict=True):
            tile = self.table.tiles[cell] = Tile(kind)
            match rng.randrange(5):
                case 0:
                    tile.peekers = {seat for seat in seats if rng.random() < 0.5}
                case 1:
                    tile.lifted = True
                case 2:
                    tile.face_up = True

    def _crowd(self, rng: Random) -> None:
        """All figures about one cell, more or less close."""
        centre, spread = rng.choice(CELLS), rng.choice([0.5, 3.0])

        def closeness(cell: str) -> float:
            column, row = ord(cell[0]) - ord(centre[0]), int(cell[1]) - int(centre[1])
            return max(abs(column), abs(row)) + rng.random() * spread

        near = sorted(CELLS, key=closeness)
        for player in self.table.players:
            player.pawn = next(cell for cell in near if cell in ROOMS)
            near.remove(player.pawn)
        self.table.monsters = dict(zip(rng.sample(COLOURS, 4), near, strict=False))

    def _deal_socks(self, rng: Random) -> None:
        """Loose socks, up to two pairs a seat, lairs, and more often than not a short bag."""
        table = self.table

        def take(sock: str, count: int) -> int:
            taken = min(count, table.bag[sock])
            table.bag[sock] -= taken
            return taken

        for player in table.players:
            player.tokens = {motif for motif in MOTIFS if rng.random() < 0.5}
            for sock in PAIRABLE:
                player.socks[sock] += take(sock, rng.randint(0, 1))
            for sock in SILLY:
                player.socks[sock] += take(sock, rng.choice([0, 0, 1, 2]))
            for _ in range(rng.randint(0, 2)):
                colour = rng.choice(PAIRABLE)
                if table.bag[colour] >= 2:
                    take(colour, 2)
                    player.pairs.append(LETTERS[colour] * 2)
        rest = rng.sample(sorted(table.bag.elements()), table.bag.total())
        kept = rng.choice([0, 0, 1, 1, 2, 5, 30])
        lairs = rng.choice([COLOURS, rng.sample(COLOURS, 1)])
        for sock in rest[kept:]:
            table.lairs[rng.choice(lairs)][sock] += 1
        table.bag = Counter(rest[:kept])

    def _exhaust_a_monster(self, rng: Random) -> None:
        """A monster beside the mover's pawn alone, its hundred moves made, little left to do."""
        table, mover = self.table, self._mover()
        colour = rng.choice(COLOURS)
        spots = [cell for cell in around(mover.pawn, self.steal_ways) if table.is_free(cell)]
        if spots:
            table.monsters[colour] = rng.choice(spots)
        near = around(table.monsters[colour], ALL_WAYS)
        for cell in around(table.monsters[colour], STRAIGHT):
            if cell in ROOMS:
                table.tiles[cell].face_up = rng.random() < 0.9
        for player in table.players:
            if player is not mover and player.pawn in near:
                away = [cell for cell in ROOMS if table.is_free(cell) and cell not in near]
                player.pawn = rng.choice(away)
        table.bag += mover.socks
        mover.socks = Counter([sock for sock in PAIRABLE if table.bag[sock]][:1])
        mover.socks["rainbow"] += min(1, table.bag["rainbow"])
        table.bag -= mover.socks
        table.phase = Phase("open", colour=colour, count=MOST_MOVES)
        if not self._monster_deeds() or rng.random() < 0.3:
            table.phase = Phase("eye", colour=colour, count=MOST_MOVES)

    def _rob_a_smelly_sock(self, rng: Random) -> None:
        """An awake monster beside someone, if possible with a smelly sock, and often no gift."""
        table, colour = self.table, rng.choice(COLOURS)
        others = [player for player in table.players if player is not self._mover()]
        victims = [player for player in others if player.socks["smelly"]]
        victim = rng.choice(victims or others)
        spots = [cell for cell in around(victim.pawn, STRAIGHT) if table.is_free(cell)]
        if spots:
            table.monsters[colour] = rng.choice(spots)
        if rng.random() < 0.5:
            full = COLOURS[COLOURS.index(colour) - 1]
            table.lairs[full] += table.lairs[colour] + table.bag
            table.lairs[colour], table.bag = Counter(), Counter()
        table.phase = Phase("open", colour=colour, count=1)
        if not self._monster_deeds():
            table.phase = Phase("pawn")

    def _tempt_to_lift(self) -> None:
        """The mover stands on a tile with the token of its motif still up."""
        table, mover = self.table, self._mover()
        own = COLOURS[table.turn][0]
        cells = [cell for cell, tile in table.tiles.items() if tile.kind[0] == own]
        cell = next((cell for cell in cells if table.is_free(cell)), mover.pawn)
        mover.pawn = cell
        table.tiles[cell].face_up = False
        mover.tokens.add(table.tiles[cell].kind[1])

    def _show_a_tile(self, rng: Random) -> None:
        cell = rng.choice(ROOMS)
        tile = self.table.tiles[cell]
        if tile.lifted or tile.face_up:
            self.table.shown = cell

    def _phases(self, rng: Random) -> Iterator[list[Phase]]:
        """By their names, all phases that the rest of the position allows."""
        table, mover = self.table, self.table.turn
        others = [seat for seat in range(table.seats) if seat != mover]
        held = self._mover().socks["boomerang"]
        movable = [colour for colour in COLOURS if table.can_move(colour)]
        moves = rng.choice([1, 2, 5, MOST_MOVES - 1, MOST_MOVES])
        yield [Phase("roll")]
        yield [Phase("pawn")]
        yield [Phase("act", count=throws) for throws in range(held + 1)]
        yield [Phase("pick")] if movable else []
        yield [Phase("move", colour=colour, count=moves - 1) for colour in movable]
        yield [Phase("eye", colour=colour, count=moves) for colour in COLOURS]
        yield [*self._open_phases(moves)]
        thrown = [(seat, throws) for seat in table.throw_targets() for throws in range(held)]
        yield [Phase("throw", seat=seat, count=throws) for seat, throws in thrown]
        yield [Phase("take", seat=seat, count=throws) for seat, throws in thrown]
        victims = [*others, mover] if self.steal_from_self else others
        yield [*self._gift_phases(victims)]
        yield [*self._draw_phases(victims)]
        yield [*self._rainbow_phases(others, held)]

    def _open_phases(self, moves: int) -> Iterator[Phase]:
        for colour in COLOURS:
            self.table.phase = Phase("open", colour=colour, count=moves)
            if self._monster_deeds():
                yield self.table.phase

    def _gift_phases(self, victims: list[int]) -> Iterator[Phase]:
        for colour, lair in self.table.lairs.items():
            if self.stolen_goes_to_lair and lair["smelly"] and lair.total() > 1:
                yield from (Phase("gift", colour=colour, seat=seat) for seat in victims)

    def _draw_phases(self, victims: list[int]) -> Iterator[Phase]:
        table = self.table
        most = min(1 if self.german else 2, table.bag.total())
        for count in range(1, most + 1):
            yield Phase("draw", seat=table.turn, count=count, then=Phase("end"))
        if most and self._silly():
            yield from (Phase("draw", seat=s, count=1, then=Phase("pawn")) for s in victims)

    def _rainbow_phases(self, others: list[int], held: int) -> Iterator[Phase]:
        table = self.table
        own = [Phase("end"), Phase("pawn")]
        if not self.stolen_goes_to_lair:
            own += [Phase("gift", seat=seat) for seat in others]
        own += [Phase("boomerang", seat=s, count=n) for s in others for n in range(held)]
        for seat, player in enumerate(table.players):
            if player.rainbow_partners():
                theirs = [Phase("pawn"), *(Phase("act", count=n) for n in range(held + 1))]
                for then in own if seat == table.turn else theirs:
                    yield Phase("rainbow", seat=seat, then=then)

    def _silly(self) -> bool:
        """Whether there are silly socks, wherever they are."""
        table = self.table
        places = [table.bag, *table.lairs.values(), *(player.socks for player in table.players)]
        return any(place[sock] for place in places for sock in SILLY)

    # Rare cases ----------------------------------------------------------------------------------

    def reach(self, text: str, legal: list[str]) -> list[str]:
        """Carry out one of the legal actions; returns the names of the rare cases that it met."""
        assert text in legal
        table, phase, mover = self.table, self.table.phase, self.table.turn
        found = [*self._cases_before(phase, text)]
        bag, pairs = table.bag.total(), [len(player.pairs) for player in table.players]
        self.apply(text)
        found += self._cases_of_step(phase, text, table.phase, bag)
        end = self.outcome()
        if end is not None:
            reason, winners, scores = end
            found.append(f"over {reason}")
            found += ["shared win"] if len(winners) > 1 else []
            found += (
                ["won on another's turn"]
                if reason == "three_pairs" and mover not in winners
                else []
            )
            gained = [after - before for before, after in zip(pairs, scores, strict=True)]
            found += ["two pairs at once"] if max(gained) > 1 else []
        return found

    def _cases_before(self, phase: Phase, text: str) -> Iterator[str]:
        match phase.name, text.split(":"):
            case "pawn", ["pawn", cell] if self.table.is_enclosed(self._mover().pawn):
                yield "enclosed pawn"
                if cell != self._mover().pawn:
                    yield "enclosed pawn crosses figures"
            case "open", ["steal", victim, _] if int(victim) == self.table.turn:
                yield "steal from oneself"
            case "act", ["throw", _]:
                yield "throw"
            case "act", ["lift"] if phase.count > 0:
                yield "lift with throws left"
            case "take", ["take", _]:
                yield "take"
            case _, ["pair", "rainbow"]:
                yield "two rainbows paired"
            case _, ["keep"]:
                yield "rainbow kept"
            case _, ["gift", _]:
                yield "gift from a lair"
            case _, ["bag"]:
                yield "bag"
            case _, ["lair", _, _] if self.german:
                yield "lair of the German edition"
            case "open", ["pass"]:
                yield "declined"

    def _cases_of_step(self, phase: Phase, text: str, after: Phase, bag: int) -> Iterator[str]:
        match phase.name, text.split(":"), after.name:
            case "roll", _, "pawn":
                yield "monster phase skipped"
            case "eye", ["eye", "open"], "pawn":
                yield "awake monster can do nothing"
            case "move", _, "eye" if after.count > 5:
                yield "more than five moves of a monster"
                if after.count == MOST_MOVES:
                    yield "last move of a monster"
            case "act", ["lift"], "draw" if bag == 1 and not self.german:
                yield "lift with one sock in the bag"
            case "act", ["lift"], _ if bag == 0:
                yield "lift with an empty bag"
            case "open", ["steal", _, "smelly"], "draw":
                yield "gift from the bag"
            case "open", ["steal", _, "smelly"], "pawn" if bag == 0:
                yield "no gift in lair or bag"
            case "open", ["pair", _], "pawn":
                yield "pairing leaves nothing to steal"
            case "throw", _, "act" if after.count > 0:
                yield "throw missed with throws left"
            case "take", _, "rainbow":
                yield "boomerang leads to a rainbow"
            case "open", _, "rainbow" if after.then and after.then.name == "gift":
                yield "gift after a rainbow"
