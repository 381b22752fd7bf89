"""Sock Monsters, both editions, written a second time as plainly as possible.

Written from section 1 of docs/rules/RULINGS.md and from docs/notation/sock_monsters.md alone, by an
author who has not read the kernel; what it is worth lies in that. Numbers such as 1.5 point into
the rulings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from services.engine.core import OptionValue
from tests.crosscheck.naive_sock_monsters_table import (
    ALL_WAYS,
    CELLS,
    CENTRE,
    COLOURS,
    KINDS,
    LAIRS,
    ROOMS,
    STRAIGHT,
    Phase,
    Player,
    Table,
    Tile,
    around,
    kinds,
)

MOST_MOVES = 100
PAIRS_TO_WIN = 3


class NaiveSockMonsters:
    """One game, changed in place."""

    def __init__(self, options: Mapping[str, OptionValue], seats: int) -> None:
        self.german = options["edition"] == "german"
        self.stolen_goes_to_lair = not self.german or options["lair_source"] == "lair"
        self.bag_needs_used_tokens = options["bag_sock_when"] == "tokens_used"
        self.steal_ways = ALL_WAYS if options["steal_adjacency"] == "eight" else STRAIGHT
        self.steal_from_self = bool(options["steal_from_self"]) and not self.german
        self.round_cap = int(options["round_cap"])
        self.open_faces = int(options["eye_open_faces"])
        if options["start_socks"] == "edition":
            self.start_socks = 0 if self.german else 1
        else:
            self.start_socks = int(options["start_socks"])
        self.table = Table(seats, silly_socks=bool(options["silly_socks"]))

    def actor(self) -> int | None:
        """The seat to act, -1 for chance, None at the end."""
        phase = self.table.phase
        if phase.name == "over":
            return None
        if phase.name in ("deal", "first", "draw", "roll", "eye", "throw"):
            return -1
        if phase.name in ("place", "gift", "rainbow"):
            return phase.seat
        return self.table.turn

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        """(reason, winners, pairs of each seat) at the end."""
        table = self.table
        if table.phase.name != "over":
            return None
        pairs = [len(player.pairs) for player in table.players]
        assert table.phase.then is not None
        reason = table.phase.then.name
        if reason == "three_pairs":
            winners = [seat for seat in range(table.seats) if pairs[seat] >= PAIRS_TO_WIN]
        else:
            ranks = [(len(player.pairs), player.socks.total()) for player in table.players]
            winners = [seat for seat in range(table.seats) if ranks[seat] == max(ranks)]
        return reason, tuple(winners), tuple(pairs)

    def text(self) -> str:
        """The body of the position, canonical."""
        return self.table.text()

    # What is legal -------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """Notation of all legal actions, in the order of the notation's table."""
        return self._legal_but_pairing() + self._legal_pairing()

    def _legal_but_pairing(self) -> list[str]:
        table, phase = self.table, self.table.phase
        match phase.name:
            case "deal":
                dealt = Counter(tile.kind for tile in table.tiles.values())
                return [f"deal:{kind}" for kind in KINDS if dealt[kind] < 2]
            case "first":
                return [f"first:{seat}" for seat in range(table.seats)]
            case "draw":
                return [f"draw:{sock}" for sock in kinds(table.bag)]
            case "roll" | "throw":
                return [f"roll:{face}" for face in (*COLOURS, "any")]
            case "eye":
                return ["eye:closed", "eye:open"]
            case "place":
                return [f"place:{cell}" for cell in CENTRE if table.is_free(cell)]
            case "pick":
                return [f"monster:{colour}" for colour in COLOURS if table.can_move(colour)]
            case "move":
                ends = table.monster_ends(phase.colour, straight=self.german)
                return [f"move:{cell}" for cell in CELLS if cell in ends]
            case "open":
                return self._monster_deeds() + (["pass"] if self.german else [])
            case "pawn":
                ends = table.pawn_ends(self._mover().pawn)
                return [f"pawn:{cell}" for cell in CELLS if cell in ends]
            case "act":
                return self._pawn_deeds()
            case "take":
                victim = table.players[phase.seat]
                return [f"take:{sock}" for sock in kinds(victim.socks)]
            case "gift":
                # The smelly sock that was just delivered is no gift (1.17).
                gifts = table.lairs[phase.colour] - Counter(["smelly"])
                return [f"gift:{sock}" for sock in kinds(gifts)]
            case "rainbow":
                return []
        assert phase.name == "over"
        return []

    def _legal_pairing(self) -> list[str]:
        """Rainbows pair after a gain, and at any decision of their owner's turn (1.16)."""
        seat, phase = self.actor(), self.table.phase
        if seat is None or seat == -1 or phase.name == "place":
            return []
        if phase.name != "rainbow" and seat != self.table.turn:
            return []
        pairings = [f"pair:{sock}" for sock in self.table.players[seat].rainbow_partners()]
        return pairings + (["keep"] if phase.name == "rainbow" else [])

    def _monster_deeds(self) -> list[str]:
        """Peeks, steals and going on of the monster that is awake (1.13-1.15)."""
        table, colour = self.table, self.table.phase.colour
        monster = table.monsters[colour]
        peeks = [
            f"peek:{cell}"
            for cell in ROOMS
            if cell in around(monster, STRAIGHT)
            and table.is_free(cell)
            and not table.tiles[cell].face_up
        ]
        steals = []
        for seat, player in enumerate(table.players):
            is_near = player.pawn in around(monster, self.steal_ways)
            if is_near and (seat != table.turn or self.steal_from_self):
                socks = ["smelly"] if player.socks["smelly"] else kinds(player.socks)
                steals += [f"steal:{seat}:{sock}" for sock in socks]
        goes_on = table.phase.count < MOST_MOVES and table.can_move(colour)
        return peeks + steals + (["go"] if goes_on else [])

    def _pawn_deeds(self) -> list[str]:
        """Throws, and what may be done once with the tile or beside a lair (1.7, 1.18, 1.22)."""
        table, player = self.table, self._mover()
        throws, lairs, bag = [], [], []
        if table.phase.count > 0:
            throws = [f"throw:{seat}" for seat in table.throw_targets()]
        beside = around(player.pawn, STRAIGHT)
        near_lairs = [colour for colour in COLOURS if LAIRS[colour] in beside]
        if self.stolen_goes_to_lair:
            lairs = [
                f"lair:{lair}:{sock}" for lair in near_lairs for sock in kinds(table.lairs[lair])
            ]
        elif (
            near_lairs and table.bag.total() and not (self.bag_needs_used_tokens and player.tokens)
        ):
            bag = ["bag"]
        may_do_nothing = [] if self.german else ["pass"]
        return [*throws, "lift", *lairs, *bag, *may_do_nothing]

    def weights(self) -> list[int]:
        """While chance acts, how often each of the legal outcomes comes up, in their order."""
        if self.actor() != -1:
            return []
        return [self._weight(*text.split(":")) for text in self._legal_but_pairing()]

    def _weight(self, verb: str, what: str) -> int:
        match verb:
            case "deal":
                return 2 - sum(tile.kind == what for tile in self.table.tiles.values())
            case "draw":
                return self.table.bag[what]
            case "eye":
                return self.open_faces if what == "open" else 6 - self.open_faces
            case "roll":
                return 2 if what == "any" else 1
        assert verb == "first"
        return 1

    # What actions do -----------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        """Carry out a legal action."""
        table, phase = self.table, self.table.phase
        if self.actor() != -1:
            table.shown = "-"
        match text.split(":"):
            case ["deal", kind]:
                cell = next(cell for cell in ROOMS if cell not in table.tiles)
                table.tiles[cell] = Tile(kind)
                if len(table.tiles) == len(ROOMS):
                    table.phase = Phase("first")
            case ["first", seat]:
                table.first = int(seat)
                self._draw(table.first, self.start_socks, Phase("start"))
            case ["draw", sock]:
                self._drawn(sock)
            case ["roll", face] if phase.name == "throw":
                missed = Phase("act", count=phase.count)
                hit = Phase("take", seat=phase.seat, count=phase.count)
                table.phase = hit if face == "any" else missed
            case ["roll", "any"]:
                can_one = any(table.can_move(colour) for colour in COLOURS)
                table.phase = Phase("pick") if can_one else Phase("pawn")
            case ["roll", colour]:
                move = Phase("move", colour=colour, count=0)
                table.phase = move if table.can_move(colour) else Phase("pawn")
            case ["place", cell]:
                self._placed(cell)
            case ["monster", colour]:
                table.phase = Phase("move", colour=colour, count=0)
            case ["move", cell]:
                table.monsters[phase.colour] = cell
                table.phase = Phase("eye", colour=phase.colour, count=phase.count + 1)
            case ["eye", eye]:
                table.phase = Phase("open", colour=phase.colour, count=phase.count)
                if eye == "closed" or not self._monster_deeds():
                    table.phase = Phase("pawn")
            case ["peek", cell]:
                table.tiles[cell].peekers.add(table.turn)
                table.shown = f"{cell} {table.turn}"
                table.phase = Phase("pawn")
            case ["steal", victim, sock]:
                self._steal(int(victim), sock)
            case ["go"]:
                table.phase = Phase("move", colour=phase.colour, count=phase.count)
            case ["pawn", cell]:
                self._mover().pawn = cell
                table.phase = Phase("act", count=self._mover().socks["boomerang"])
            case ["throw", target]:
                table.phase = Phase("throw", seat=int(target), count=phase.count - 1)
            case ["take", sock]:
                victim_seat, left = phase.seat, phase.count
                table.players[victim_seat].socks[sock] -= 1
                self._gain(table.turn, sock, Phase("boomerang", seat=victim_seat, count=left))
            case ["gift", sock]:
                table.lairs[phase.colour][sock] -= 1
                self._gain(phase.seat, sock, Phase("pawn"))
            case ["lift"]:
                self._lift()
            case ["lair", colour, sock]:
                table.lairs[colour][sock] -= 1
                self._gain(table.turn, sock, Phase("end"))
            case ["bag"]:
                self._draw(table.turn, 1, Phase("end"))
            case ["pass"] if phase.name == "open":
                table.phase = Phase("pawn")
            case ["pass"]:
                self._end_turn()
            case ["pair", sock]:
                self._pair(sock)
            case ["keep"]:
                self._go_on(phase.seat, phase.then)
            case _:
                raise ValueError(f"not an action: {text!r}")

    def _placed(self, cell: str) -> None:
        table, seat = self.table, self.table.phase.seat
        table.players[seat].pawn = cell
        if table.clockwise(seat) != table.first:
            table.phase = Phase("place", seat=table.clockwise(seat))
            return
        table.round, table.turn = 1, table.first
        # International: the very first turn has no monster phase (1.2, German 1.19).
        table.phase = Phase("roll") if self.german else Phase("pawn")

    def _steal(self, victim: int, sock: str) -> None:
        table, colour, pawn_part = self.table, self.table.phase.colour, Phase("pawn")
        table.players[victim].socks[sock] -= 1
        if not self.stolen_goes_to_lair:
            # Whether the bag has a gift is seen after the thief's gain (1.20).
            then = Phase("gift", seat=victim) if sock == "smelly" else pawn_part
            self._gain(table.turn, sock, then)
            return
        table.lairs[colour][sock] += 1
        if sock != "smelly":
            table.phase = pawn_part
        elif table.lairs[colour].total() > 1:
            table.phase = Phase("gift", colour=colour, seat=victim)
        else:
            self._draw(victim, 1, pawn_part)

    def _lift(self) -> None:
        """Lift the tile below the pawn (1.8, German 1.21)."""
        table, player, seat = self.table, self._mover(), self.table.turn
        tile = table.tiles[player.pawn]
        table.shown = player.pawn
        was_face_up, tile.lifted = tile.face_up, True
        colour, motif = tile.kind[0], tile.kind[1]
        if was_face_up or colour != COLOURS[seat][0]:
            self._end_turn()
        elif motif in player.tokens:
            tile.face_up = True
            player.tokens.remove(motif)
            self._draw(seat, 1 if self.german else 2, Phase("end"))
        else:
            tile.face_up = not self.german
            self._end_turn()

    def _pair(self, partner: str) -> None:
        table, phase, seat = self.table, self.table.phase, self.actor()
        assert seat is not None
        player = table.players[seat]
        player.pair_rainbow(partner)
        if len(player.pairs) >= PAIRS_TO_WIN:
            self._over("three_pairs")
        elif phase.name == "rainbow" and not player.rainbow_partners():
            self._go_on(seat, phase.then)
        elif phase.name == "open" and not self._monster_deeds():
            # After 100 moves the paired sock may have been all there was to steal (1.13).
            table.phase = Phase("pawn")

    # Gains, and how the game goes on after them --------------------------------------------------

    def _draw(self, seat: int, count: int, then: Phase | None) -> None:
        """Let a seat draw socks in one gain, as far as the bag has them (1.9)."""
        count = min(count, self.table.bag.total())
        if count:
            self.table.phase = Phase("draw", seat=seat, count=count, then=then)
        else:
            self._go_on(seat, then)

    def _drawn(self, sock: str) -> None:
        table, phase = self.table, self.table.phase
        seat, left = phase.seat, phase.count - 1
        table.bag[sock] -= 1
        if left:
            table.players[seat].socks[sock] += 1
            table.phase = Phase("draw", seat=seat, count=left, then=phase.then)
        else:
            self._gain(seat, sock, phase.then)

    def _gain(self, seat: int, sock: str, then: Phase | None) -> None:
        """Give a seat the last sock of a gain: pairs, end and rainbow choice (1.10, 1.16)."""
        player = self.table.players[seat]
        player.socks[sock] += 1
        player.pair_equal_colours()
        if len(player.pairs) >= PAIRS_TO_WIN:
            self._over("three_pairs")
        elif player.rainbow_partners():
            self.table.phase = Phase("rainbow", seat=seat, then=then)
        else:
            self._go_on(seat, then)

    def _go_on(self, gainer: int, then: Phase | None) -> None:
        table = self.table
        assert then is not None
        match then.name:
            case "start":
                following = table.clockwise(gainer)
                if self.start_socks and following != table.first:
                    self._draw(following, self.start_socks, then)
                else:
                    table.phase = Phase("place", seat=table.first)
            case "end":
                self._end_turn()
            case "gift":
                self._draw(then.seat, 1, Phase("pawn"))
            case "boomerang":
                self._mover().socks["boomerang"] -= 1
                self._gain(then.seat, "boomerang", Phase("act", count=then.count))
            case _:
                table.phase = then

    def _end_turn(self) -> None:
        table = self.table
        following = table.clockwise(table.turn)
        if following == table.first and table.round == self.round_cap:
            self._over("round_cap")
            return
        table.turn = following
        table.round += 1 if following == table.first else 0
        table.phase = Phase("roll")

    def _over(self, reason: str) -> None:
        self.table.phase = Phase("over", then=Phase(reason))

    def _mover(self) -> Player:
        return self.table.players[self.table.turn]
