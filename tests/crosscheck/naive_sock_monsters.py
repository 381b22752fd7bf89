"""Sock Monsters again, from RULINGS 1 and docs/notation/sock_monsters.md alone: plain, slow and
independent. Written before its author had read the kernel's rules, but knowing its layout and its
random playouts.

Cells are (column, row) from 0; seats, monsters and lairs are 0 to 3: red, yellow, green, blue.
Phases are lists of words, as the notation has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Cell = tuple[int, int]

COLOURS = ("red", "yellow", "green", "blue")
SOCKS = ("red", "yellow", "green", "blue", "violet", "rainbow", "smelly", "boomerang")
COLOURED = SOCKS[:5]
LETTER = dict(zip(SOCKS, "rygbvwso", strict=True))
MOTIFS = "cwdb"
TYPES = [colour + motif for colour in "rygb" for motif in MOTIFS]
PAIRS = ["rr", "yy", "gg", "bb", "vv", "rw", "yw", "gw", "bw", "vw", "ww"]
LAIRS: list[Cell] = [(0, 0), (5, 0), (5, 5), (0, 5)]
CENTRE: list[Cell] = [(2, 2), (3, 2), (2, 3), (3, 3)]
ALL: list[Cell] = [(column, row) for row in range(6) for column in range(6)]
ROOMS = [cell for cell in ALL if cell not in LAIRS]


def name(cell: Cell) -> str:
    return "abcdef"[cell[0]] + str(cell[1] + 1)


def cell_named(text: str) -> Cell:
    return ("abcdef".index(text[0]), int(text[1:]) - 1)


def beside(cell: Cell) -> list[Cell]:
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
    return [c for dx, dy in steps if (c := (cell[0] + dx, cell[1] + dy)) in ALL]


def around(cell: Cell) -> list[Cell]:
    return [
        c
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0) and (c := (cell[0] + dx, cell[1] + dy)) in ALL
    ]


@dataclass
class Tile:
    """A room tile on the board."""

    type: str
    face_up: bool = False
    lifted: bool = False
    peeked: set[int] = field(default_factory=set)


class NaiveSockMonsters:
    """A game. `apply` changes it in place."""

    def __init__(self, options: Mapping[str, bool | int | str], seats: int) -> None:
        self.options, self.seats = options, seats
        self.german = options["edition"] == "german"
        self.tiles: dict[Cell, Tile] = {}
        self.monsters = list(LAIRS)
        self.pawns: list[Cell | None] = [None] * seats
        self.tokens = [set(MOTIFS) for _ in range(seats)]
        self.socks: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.pairs: list[list[str]] = [[] for _ in range(seats)]
        self.lairs: list[Counter[str]] = [Counter() for _ in range(4)]
        self.bag = Counter(dict.fromkeys(COLOURED, 8))
        if options["silly_socks"]:
            self.bag.update(dict.fromkeys(SOCKS[5:], 4))
        self.round, self.turn, self.first = 0, -1, -1
        self.shown: tuple[Cell, int | None] | None = None
        self.phase: list[str] = ["deal"]

    # --- asked from outside -----------------------------------------------------------------

    def actor(self) -> int | None:
        match self.phase:
            case ["over", _]:
                return None
            case ["deal" | "first" | "draw" | "roll" | "eye" | "throw", *_]:
                return -1
            case ["place" | "rainbow", seat, *_] | ["gift", _, seat]:
                return int(seat)
        return self.turn

    def legal(self) -> list[str]:
        return self.own_actions() + self.pairings() + (["keep"] * (self.phase[0] == "rainbow"))

    def outcome(self) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
        if self.phase[0] != "over":
            return None
        counts = tuple(len(pairs) for pairs in self.pairs)
        if self.phase[1] == "three_pairs":
            winners = [seat for seat in range(self.seats) if counts[seat] >= 3]
        else:
            ranks = [(counts[seat], self.socks[seat].total()) for seat in range(self.seats)]
            winners = [seat for seat in range(self.seats) if ranks[seat] == max(ranks)]
        return (self.phase[1], tuple(winners), counts)

    def apply(self, text: str) -> None:
        if self.actor() != -1:
            self.shown = None
        verb, *words = text.split(":")
        getattr(self, f"do_{verb}")(*words)

    # --- what is legal ----------------------------------------------------------------------

    def own_actions(self) -> list[str]:
        match self.phase:
            case ["deal"]:
                used = Counter(tile.type for tile in self.tiles.values())
                return [f"deal:{kind}" for kind in TYPES if used[kind] < 2]
            case ["first"]:
                return [f"first:{seat}" for seat in range(self.seats)]
            case ["draw", *_]:
                return [f"draw:{sock}" for sock in SOCKS if self.bag[sock]]
            case ["roll"] | ["throw", *_]:
                return [f"roll:{face}" for face in (*COLOURS, "any")]
            case ["eye", *_]:
                return ["eye:closed", "eye:open"]
            case ["place", _]:
                return [f"place:{name(cell)}" for cell in CENTRE if cell not in self.pawns]
            case ["pick"]:
                return [f"monster:{COLOURS[m]}" for m in range(4) if self.can_move(m)]
            case ["move", colour, _]:
                return [f"move:{name(cell)}" for cell in self.monster_ends(COLOURS.index(colour))]
            case ["open", colour, moves]:
                return self.awake(COLOURS.index(colour), int(moves))
            case ["pawn"]:
                return [f"pawn:{name(cell)}" for cell in self.pawn_ends()]
            case ["act", throws]:
                return self.acts(int(throws))
            case ["take", seat, _]:
                return [f"take:{sock}" for sock in SOCKS if self.socks[int(seat)][sock]]
            case ["gift", colour, _]:
                lair = self.lairs[COLOURS.index(colour)] - Counter(["smelly"])
                return [f"gift:{sock}" for sock in SOCKS if lair[sock]]
        return []

    def pairings(self) -> list[str]:
        if self.phase[0] == "rainbow":
            return self.pairings_of(int(self.phase[1]))
        if self.phase[0] in ("pick", "move", "open", "pawn", "act", "take", "gift"):
            return self.pairings_of(self.turn) if self.actor() == self.turn else []
        return []

    def pairings_of(self, seat: int) -> list[str]:
        own = self.socks[seat]
        if not own["rainbow"]:
            return []
        found = [f"pair:{sock}" for sock in COLOURED if own[sock]]
        return found + (["pair:rainbow"] if own["rainbow"] >= 2 else [])

    def figures(self) -> list[Cell]:
        return [*self.monsters, *(pawn for pawn in self.pawns if pawn is not None)]

    def can_move(self, monster: int) -> bool:
        return any(cell not in self.figures() for cell in beside(self.monsters[monster]))

    def monster_ends(self, monster: int) -> list[Cell]:
        start = self.monsters[monster]
        blocked = set(self.figures())
        found: set[Cell] = set()
        if self.german:
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                for steps in (1, 2, 3):
                    cell = (start[0] + steps * dx, start[1] + steps * dy)
                    if cell not in ALL or cell in blocked:
                        break
                    found.add(cell)
        else:
            edge = {start}
            for _ in range(3):
                edge = {c for cell in edge for c in beside(cell) if c not in blocked}
                found |= edge
        return [cell for cell in ALL if cell in found and cell != start]

    def pawn_ends(self) -> list[Cell]:
        start = self.pawns[self.turn]
        assert start is not None
        figures = set(self.figures()) - {start}
        enclosed = all(cell in figures or cell in LAIRS for cell in around(start))
        found, edge = {start}, {start}
        for _ in range(3):
            edge = {
                c
                for cell in edge
                for c in around(cell)
                if c not in LAIRS and (enclosed or c not in figures)
            }
            found |= edge
        return [cell for cell in ALL if cell in found and cell not in figures]

    def awake(self, monster: int, moves: int) -> list[str]:
        place = self.monsters[monster]
        found = [
            f"peek:{name(cell)}"
            for cell in ALL
            if cell in beside(place)
            and cell in self.tiles
            and not self.tiles[cell].face_up
            and cell not in self.figures()
        ]
        near = around(place) if self.options["steal_adjacency"] == "eight" else beside(place)
        for seat in range(self.seats):
            if self.pawns[seat] not in near:
                continue
            if seat == self.turn and (self.german or not self.options["steal_from_self"]):
                continue
            own = self.socks[seat]
            kinds = ["smelly"] if own["smelly"] else [sock for sock in SOCKS if own[sock]]
            found += [f"steal:{seat}:{sock}" for sock in kinds]
        if moves < 100 and self.can_move(monster):
            found.append("go")
        return found + (["pass"] if self.german and found else [])

    def acts(self, throws: int) -> list[str]:
        here = self.pawns[self.turn]
        assert here is not None
        found = []
        if throws:
            for seat in range(self.seats):
                there = self.pawns[seat]
                assert there is not None
                same_line = here[0] == there[0] or here[1] == there[1]
                if seat != self.turn and same_line and self.socks[seat].total():
                    found.append(f"throw:{seat}")
        found.append("lift")
        near = [lair for lair in range(4) if LAIRS[lair] in beside(here)]
        from_bag = self.german and self.options["lair_source"] == "bag"
        if not from_bag:
            found += [
                f"lair:{COLOURS[lair]}:{sock}"
                for lair in near
                for sock in SOCKS
                if self.lairs[lair][sock]
            ]
        elif near and self.bag.total():
            late = self.options["bag_sock_when"] == "tokens_used"
            if not (late and self.tokens[self.turn]):
                found.append("bag")
        return found if self.german else [*found, "pass"]

    # --- chance -----------------------------------------------------------------------------

    def do_deal(self, kind: str) -> None:
        self.tiles[next(cell for cell in ROOMS if cell not in self.tiles)] = Tile(kind)
        if len(self.tiles) == 32:
            self.phase = ["first"]

    def do_first(self, seat: str) -> None:
        self.first = int(seat)
        self.start_seat(self.first)

    def do_draw(self, sock: str) -> None:
        _, seat, left, *then = self.phase
        self.bag[sock] -= 1
        self.socks[int(seat)][sock] += 1
        if int(left) > 1:
            self.phase = ["draw", seat, str(int(left) - 1), *then]
        else:
            self.gained(int(seat), then)

    def do_roll(self, face: str) -> None:
        if self.phase[0] == "throw":
            _, seat, throws = self.phase
            self.phase = ["take", seat, throws] if face == "any" else ["act", throws]
        elif face == "any":
            self.phase = ["pick"] if any(self.can_move(m) for m in range(4)) else ["pawn"]
        else:
            self.phase = ["move", face, "0"] if self.can_move(COLOURS.index(face)) else ["pawn"]

    def do_eye(self, eye: str) -> None:
        _, colour, moves = self.phase
        self.phase = ["open", colour, moves]
        if eye == "closed" or not self.own_actions():
            self.phase = ["pawn"]

    # --- the monster ------------------------------------------------------------------------

    def do_monster(self, colour: str) -> None:
        self.phase = ["move", colour, "0"]

    def do_move(self, cell: str) -> None:
        _, colour, moves = self.phase
        self.monsters[COLOURS.index(colour)] = cell_named(cell)
        self.phase = ["eye", colour, str(int(moves) + 1)]

    def do_go(self) -> None:
        self.phase = ["move", *self.phase[1:]]

    def do_peek(self, cell: str) -> None:
        self.tiles[cell_named(cell)].peeked.add(self.turn)
        self.shown = (cell_named(cell), self.turn)
        self.phase = ["pawn"]

    def do_steal(self, victim: str, sock: str) -> None:
        colour = self.phase[1]
        self.socks[int(victim)][sock] -= 1
        if self.german and self.options["lair_source"] == "bag":
            self.socks[self.turn][sock] += 1
            self.gained(self.turn, ["gift", victim] if sock == "smelly" else ["pawn"])
            return
        lair = self.lairs[COLOURS.index(colour)]
        lair[sock] += 1
        if sock != "smelly":
            self.phase = ["pawn"]
        elif lair.total() > 1:
            self.phase = ["gift", colour, victim]
        else:
            self.go_on(int(victim), ["gift", victim])

    def do_gift(self, sock: str) -> None:
        _, colour, seat = self.phase
        self.lairs[COLOURS.index(colour)][sock] -= 1
        self.socks[int(seat)][sock] += 1
        self.gained(int(seat), ["pawn"])

    # --- the pawn ---------------------------------------------------------------------------

    def do_place(self, cell: str) -> None:
        seat = int(self.phase[1])
        self.pawns[seat] = cell_named(cell)
        following = (seat + 1) % self.seats
        if following != self.first:
            self.phase = ["place", str(following)]
            return
        self.round, self.turn = 1, self.first
        self.phase = ["roll"] if self.german else ["pawn"]

    def do_pawn(self, cell: str) -> None:
        self.pawns[self.turn] = cell_named(cell)
        self.phase = ["act", str(self.socks[self.turn]["boomerang"])]

    def do_throw(self, seat: str) -> None:
        self.phase = ["throw", seat, str(int(self.phase[1]) - 1)]

    def do_take(self, sock: str) -> None:
        _, seat, throws = self.phase
        self.socks[int(seat)][sock] -= 1
        self.socks[self.turn][sock] += 1
        self.gained(self.turn, ["boomerang", seat, throws])

    def do_lift(self) -> None:
        cell = self.pawns[self.turn]
        assert cell is not None
        self.shown = (cell, None)
        tile = self.tiles[cell]
        tile.lifted = True
        motif = tile.type[1]
        own = tile.type[0] == "rygb"[self.turn]
        if own and not tile.face_up and motif in self.tokens[self.turn]:
            tile.face_up = True
            self.tokens[self.turn].remove(motif)
            self.draw_up_to(1 if self.german else 2)
            return
        if own and not self.german:
            tile.face_up = True
        self.end_turn()

    def do_lair(self, colour: str, sock: str) -> None:
        self.lairs[COLOURS.index(colour)][sock] -= 1
        self.socks[self.turn][sock] += 1
        self.gained(self.turn, ["end"])

    def do_bag(self) -> None:
        self.draw_up_to(1)

    def do_pass(self) -> None:
        if self.phase[0] == "open":
            self.phase = ["pawn"]
        else:
            self.end_turn()

    def draw_up_to(self, wanted: int) -> None:
        count = min(wanted, self.bag.total())
        if count:
            self.phase = ["draw", str(self.turn), str(count), "end"]
        else:
            self.end_turn()

    # --- socks ------------------------------------------------------------------------------

    def do_pair(self, sock: str) -> None:
        rainbow = self.phase[0] == "rainbow"
        seat = int(self.phase[1]) if rainbow else self.turn
        self.socks[seat]["rainbow"] -= 1
        self.socks[seat][sock] -= 1
        self.pairs[seat].append(LETTER[sock] + "w")
        if len(self.pairs[seat]) >= 3:
            self.phase = ["over", "three_pairs"]
        elif rainbow and not self.pairings_of(seat):
            self.go_on(seat, self.phase[2:])
        elif self.phase[0] == "open" and not self.own_actions():
            self.phase = ["pawn"]

    def do_keep(self) -> None:
        self.go_on(int(self.phase[1]), self.phase[2:])

    def gained(self, seat: int, then: list[str]) -> None:
        own = self.socks[seat]
        for sock in COLOURED:
            while own[sock] >= 2:
                own[sock] -= 2
                self.pairs[seat].append(LETTER[sock] * 2)
        if len(self.pairs[seat]) >= 3:
            self.phase = ["over", "three_pairs"]
        elif self.pairings_of(seat):
            self.phase = ["rainbow", str(seat), *then]
        else:
            self.go_on(seat, then)

    def go_on(self, seat: int, then: list[str]) -> None:
        match then:
            case ["start"]:
                following = (seat + 1) % self.seats
                if following == self.first:
                    self.phase = ["place", str(self.first)]
                else:
                    self.start_seat(following)
            case ["end"]:
                self.end_turn()
            case ["gift", victim]:
                self.phase = ["draw", victim, "1", "pawn"] if self.bag.total() else ["pawn"]
            case ["boomerang", target, throws]:
                self.socks[self.turn]["boomerang"] -= 1
                self.socks[int(target)]["boomerang"] += 1
                self.gained(int(target), ["act", throws])
            case _:
                self.phase = list(then)

    def start_seat(self, seat: int) -> None:
        chosen = self.options["start_socks"]
        count = int(chosen) if chosen != "edition" else (0 if self.german else 1)
        if count:
            self.phase = ["draw", str(seat), str(count), "start"]
        else:
            self.phase = ["place", str(self.first)]

    def end_turn(self) -> None:
        following = (self.turn + 1) % self.seats
        if following == self.first:
            if self.round >= int(self.options["round_cap"]):
                self.phase = ["over", "round_cap"]
                return
            self.round += 1
        self.turn = following
        self.phase = ["roll"]

    # --- text -------------------------------------------------------------------------------

    def text(self) -> str:
        rows = [
            ",".join(self.tile_text((column, row)) for column in range(6))
            for row in range(5, -1, -1)
        ]
        tokens = ["".join(m for m in MOTIFS if m in own) or "-" for own in self.tokens]
        pairs = [",".join(sorted(own, key=PAIRS.index)) if own else "-" for own in self.pairs]
        turn = ["-" if seat < 0 else str(seat) for seat in (self.turn, self.first)]
        shown = ["-"]
        if self.shown is not None:
            cell, seat = self.shown
            shown = [name(cell)] + ([] if seat is None else [str(seat)])
        return " | ".join(
            " ".join(words)
            for words in (
                ["tiles", *rows],
                ["monsters", *map(name, self.monsters)],
                ["pawns", *("-" if pawn is None else name(pawn) for pawn in self.pawns)],
                ["tokens", *tokens],
                ["socks", *map(sock_text, self.socks)],
                ["pairs", *pairs],
                ["lairs", *map(sock_text, self.lairs)],
                ["turn", str(self.round), *turn],
                ["shown", *shown],
                ["phase", *self.phase],
            )
        )

    def tile_text(self, cell: Cell) -> str:
        if cell in LAIRS:
            return "#"
        tile = self.tiles.get(cell)
        if tile is None:
            return ".."
        if tile.face_up:
            return tile.type + "+"
        return tile.type + ("*" if tile.lifted else "".join(map(str, sorted(tile.peeked))))


def sock_text(socks: Iterable[str]) -> str:
    counted = Counter(socks) if not isinstance(socks, Counter) else socks
    return "".join(LETTER[sock] * counted[sock] for sock in SOCKS) or "-"
