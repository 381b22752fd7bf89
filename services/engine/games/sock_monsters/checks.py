"""Which positions the rules allow: what can only be judged once a whole position is read."""

from __future__ import annotations

from services.engine.core.notation import Frame
from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters import kernel, legality
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.model import (
    Information,
    KnownTile,
    Observation,
    PhaseKind,
    SeenTile,
    Sock,
    Table,
    Then,
)
from services.engine.games.sock_monsters.reach import any_can_move, can_move
from services.engine.games.sock_monsters.reader import Reader
from services.engine.games.sock_monsters.state import State, pack

_SETUP = (PhaseKind.DEAL, PhaseKind.FIRST, PhaseKind.PLACE)


def read_state(frame: Frame, text: str) -> State:
    """Read the body of a position; raises `InvalidNotation`."""
    reader = Reader(frame, text)
    tiles = []
    for cell, room in reader.rooms():
        tile = reader.known_tile(cell, room)
        if tile.type is None:
            reader.fail("a position names every tile", room)
        tiles.append(tile)
    return _checked(reader, reader.table(), tiles)


def read_information(frame: Frame, text: str) -> Information:
    """Read the body of an information state; raises `InvalidNotation`."""
    reader = Reader(frame, text, viewed="knows")
    viewer = reader.viewer("knows")
    tiles = []
    for cell, room in reader.rooms():
        tile = reader.known_tile(cell, room)
        if (tile.type is not None) != (tile.seen_by_all or viewer in tile.peekers):
            reader.fail("a tile's type is written if the viewer has seen it, else '??'", room)
        tiles.append(tile)
    table = reader.table()
    _checked(reader, table, tiles)
    return Information(viewer, table, tuple(tiles))


def read_observation(frame: Frame, text: str) -> Observation:
    """Read the body of an observation; raises `InvalidNotation`."""
    reader = Reader(frame, text, viewed="sees")
    viewer = reader.viewer("sees")
    table = reader.table()
    tiles = []
    for cell, room in reader.rooms():
        tile, mark = reader.tile(room)
        shown = table.shown is not None and table.shown.cell == cell
        to_viewer = table.shown is not None and shown and table.shown.peeker in (None, viewer)
        face_up = mark == "+"
        must_be_known = face_up or to_viewer
        if mark not in ("", "+") or (
            must_be_known != (tile is not None) and not (tile and frame.options["memory_aid"])
        ):
            reader.fail("not a tile as the viewer sees it now", room)
        tiles.append(SeenTile(cell, face_up, tile))
    peeker = () if table.shown is None or table.shown.peeker is None else (table.shown.peeker,)
    known = [
        KnownTile(tile.cell, tile.face_up, tile.face_up or not peeker, peeker, tile.type)
        for tile in tiles
    ]
    _checked(reader, table, known)
    return Observation(viewer, table, tuple(tiles))


def _checked(reader: Reader, table: Table, tiles: list[KnownTile]) -> State:
    """The state of these things, unknown tiles filled up; raises `InvalidNotation`."""
    reader.check_copies(tiles)
    _check_progress(reader, table, len(tiles))
    _check_pawns(reader, table)
    _check_socks(reader, table)
    _check_shown(reader, table, tiles)
    state = pack(table, tiles)
    problem = _phase_problem(list(state.data), table)
    if problem:
        reader.fail(problem, reader.sections["phase"])
    return state


def _in_setup(table: Table) -> bool:
    return table.phase.kind in _SETUP or table.phase.then is Then.START


def _check_progress(reader: Reader, table: Table, dealt: int) -> None:
    turn, kind = reader.sections["turn"], table.phase.kind
    if (dealt < k.ROOMS) != (kind is PhaseKind.DEAL):
        reader.fail(
            "'phase deal' goes with cells without a tile, and only with them",
            reader.sections["phase"],
        )
    if (table.first is None) != (kind in (PhaseKind.DEAL, PhaseKind.FIRST)):
        reader.fail("the first player is known from phase 'first' on", turn)
    if _in_setup(table):
        if table.round != 0 or table.turn is not None:
            reader.fail("there is no turn yet in this phase", turn)
    elif table.turn is None or not 1 <= table.round <= int(reader.frame.options["round_cap"]):
        reader.fail("expected a round up to round_cap, and the seat whose turn it is", turn)


def _check_pawns(reader: Reader, table: Table) -> None:
    """In setup, exactly the seats before the one that places have done so, in the centre."""
    phase, first = table.phase, table.first or 0
    placed = table.seats
    if phase.kind is PhaseKind.PLACE:
        assert phase.seat is not None
        placed = (phase.seat - first) % table.seats
    elif _in_setup(table):
        placed = 0
    centre = list(k.CENTRE_CELL)
    for seat, text in enumerate(reader.words("pawns", table.seats)):
        pawn = table.pawns[seat]
        if ((seat - first) % table.seats < placed) != (pawn is not None):
            reader.fail(f"the pawn of seat {seat} and the phase don't agree", text)
        if phase.kind is PhaseKind.PLACE and pawn is not None and pawn not in centre:
            reader.fail("pawns are placed on centre cells", text)


def _check_socks(reader: Reader, table: Table) -> None:
    won = False
    for seat in range(table.seats):
        socks, pairs = table.socks[seat], table.pairs[seat]
        coloured = [sock for sock in socks if sock < k.COLOURS]
        drawing = table.phase.kind is PhaseKind.DRAW and table.phase.seat == seat
        if len(set(coloured)) < len(coloured) and not drawing:
            reader.fail("equal colours pair at once", reader.words("socks", table.seats)[seat])
        if len(pairs) >= k.PAIRS_TO_WIN:
            won = True
            if table.phase.kind is not PhaseKind.THREE_PAIRS:
                reader.fail("three pairs end the game", reader.words("pairs", table.seats)[seat])
    if table.phase.kind is PhaseKind.THREE_PAIRS and not won:
        reader.fail("nobody has three pairs", reader.sections["phase"])


def _check_shown(reader: Reader, table: Table, tiles: list[KnownTile]) -> None:
    shown = table.shown
    if shown is None:
        return
    for tile in tiles:
        if tile.cell == shown.cell and (
            tile.seen_by_all or (shown.peeker is not None and shown.peeker in tile.peekers)
        ):
            return
    reader.fail("nobody has seen that tile", reader.sections["shown"])


def _phase_problem(words: list[int], table: Table) -> str:
    """Why the phase can't be, or nothing."""
    s = kernel.buffer(words)
    phase = table.phase
    kind = phase.kind
    if kind in (PhaseKind.THREE_PAIRS, PhaseKind.ROUND_CAP):
        return ""
    if kind is PhaseKind.DRAW and not 1 <= phase.count <= min(_most_drawn(table), s[k.BAG_TOTAL]):
        return "so many socks can't be drawn here"
    if kind in (PhaseKind.EYE, PhaseKind.OPEN) and phase.count == 0:
        return "the monster has not moved yet"
    if kind is PhaseKind.MOVE and phase.count == k.MOST_MOVES:
        return "the monster has made all its moves"
    if kind is PhaseKind.MOVE and not can_move(s, s[k.COLOUR]):
        return "that monster can't move"
    if kind is PhaseKind.PICK and not any_can_move(s):
        return "no monster can move"
    if kind is PhaseKind.OPEN and not legality.awake_can_act(s):
        return "the awake monster can do nothing"
    if kind is PhaseKind.GIFT and not _may_be_given(table):
        return "no gift is due"
    if kind is PhaseKind.RAINBOW and not legality.can_pair(s, s[k.WHO]):
        return "there is nothing to pair"
    problem = _throw_problem(s, table) or _then_problem(table)
    if problem:
        return problem
    out = kernel.buffer([0] * k.ACTIONS)
    return "" if legality.legal(s, out) > 0 else "nothing can be done"


def _steals_to_thief(table: Table) -> bool:
    options = dict(table.options)
    return options["edition"] == "german" and options["lair_source"] == "bag"


def _may_rob_self(table: Table) -> bool:
    options = dict(table.options)
    return options["edition"] == "international" and bool(options["steal_from_self"])


def _may_be_given(table: Table) -> bool:
    """Whether a smelly sock was just delivered to a lair that holds more."""
    phase = table.phase
    assert phase.monster is not None
    lair = table.lairs[phase.monster]
    own = phase.seat == table.turn and not _may_rob_self(table)
    return Sock.SMELLY in lair and len(lair) > 1 and not own and not _steals_to_thief(table)


def _most_drawn(table: Table) -> int:
    """The most socks of one gain that are still to be drawn."""
    options = dict(table.options)
    german = options["edition"] == "german"
    if table.phase.then is Then.START:
        chosen = options["start_socks"]
        return int(chosen) if chosen != "edition" else 0 if german else 1
    if table.phase.then is Then.PAWN:
        return 1 if options["silly_socks"] else 0
    return 1 if german else 2


def _boomerangs(table: Table) -> int:
    assert table.turn is not None
    return table.socks[table.turn].count(Sock.BOOMERANG)


def _throw_problem(s: vec[i64], table: Table) -> str:
    phase = table.phase
    if phase.kind is PhaseKind.ACT and phase.throws > _boomerangs(table):
        return "more throws than boomerangs held"
    if phase.kind in (PhaseKind.THROW, PhaseKind.TAKE):
        if phase.throws >= _boomerangs(table):
            return "more throws than boomerangs held"
        if not legality.in_range(s, s[k.WHO]):
            return "nobody to throw at there, or nothing to take"
    return ""


def _then_problem(table: Table) -> str:
    """What comes after a gain must fit whose gain it is (RULINGS 1.17, 1.18)."""
    phase = table.phase
    own = phase.seat == table.turn
    other = phase.then_seat != table.turn
    if phase.kind is PhaseKind.DRAW and phase.then in (Then.GIFT, Then.BOOMERANG, Then.ACT):
        fits = False
    elif phase.then is Then.END:
        fits = own
    elif phase.then is Then.PAWN and phase.kind is PhaseKind.DRAW:
        fits = not own or _may_rob_self(table)
    elif phase.then is Then.GIFT:
        fits = own and other and _steals_to_thief(table)
    elif phase.then is Then.BOOMERANG:
        fits = own and other and phase.throws < _boomerangs(table)
    elif phase.then is Then.ACT:
        fits = not own and phase.throws <= _boomerangs(table)
    else:
        fits = True
    return "" if fits else "the game can't go on like this after that gain"
