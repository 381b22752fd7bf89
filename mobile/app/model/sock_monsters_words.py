"""What Sock Monsters says: the one thing to do now, and what the choices are called."""

from __future__ import annotations

from collections.abc import Sequence

from app.i18n import tr, trn
from app.model.sock_monsters import (
    MOST_STEPS,
    OVER,
    Colour,
    Kind,
    Phase,
    Sock,
    SockMonstersAct,
    SockMonstersView,
)
from app.model.sock_monsters_touch import Choice, Hand


def prompt(hand: Hand, names: Sequence[str]) -> str:
    """What the player of `hand` is to do now, in one line; "" while it is not theirs to act."""
    if not hand.may_act:
        return ""
    if hand.aimed is not None:
        return _again(hand, hand.aimed)
    if hand.opened is not None:
        pairing = hand.opened is Kind.PAIR
        return tr("Pair the rainbow with which sock?") if pairing else tr("Choose a sock.")
    view, kinds = hand.view, frozenset(act.kind for act in hand.legal)
    match view.phase:
        case Phase.PLACE:
            return tr("Put your elf in the middle of the house.")
        case Phase.PICK:
            return tr("All four colours: choose a monster.")
        case Phase.MOVE:
            return _move(view.awaited.moves_made, hand.german)
        case Phase.OPEN:
            return _awake(Kind.PEEK in kinds, Kind.STEAL in kinds, Kind.GO_ON in kinds)
        case Phase.PAWN:
            return tr("Walk up to {count} steps, or stay.", count=MOST_STEPS)
        case Phase.ACT:
            return _act(kinds)
        case Phase.TAKE:
            return tr("A hit: take a sock from {name}.", name=_name(names, view.awaited.seat))
        case Phase.GIFT:
            return tr("It took the smelly one. Choose a sock from its lair.")
        case Phase.RAINBOW:
            return tr("Pair your rainbow sock, or keep it?")
        case _:
            return tr("Your turn")


def _move(moves_made: int, german: bool) -> str:
    if german:
        return tr("Move the monster up to {count} steps straight ahead.", count=MOST_STEPS)
    if moves_made:
        return tr("On it goes: up to {count} steps more.", count=MOST_STEPS)
    return tr("Move the monster up to {count} steps.", count=MOST_STEPS)


def _awake(peek: bool, steal: bool, go_on: bool) -> str:
    """All that an awake monster can do, in one question."""
    return {
        (True, True, True): tr("Your monster is awake. Peek, steal, or go on?"),
        (True, True, False): tr("Your monster is awake. Peek or steal?"),
        (True, False, True): tr("Your monster is awake. Peek, or go on?"),
        (False, True, True): tr("Your monster is awake. Steal, or go on?"),
        (True, False, False): tr("Your monster is awake. Peek under a tile."),
        (False, True, False): tr("Your monster is awake. Steal a sock."),
        (False, False, True): tr("Your monster is awake. On it goes."),
    }.get((peek, steal, go_on), tr("Your monster is awake."))


def _act(kinds: frozenset[Kind]) -> str:
    if Kind.THROW in kinds:
        return tr("Throw your boomerang, or lift your tile?")
    if Kind.LAIR in kinds:
        return tr("Lift your tile, or take a sock from the lair?")
    if Kind.BAG in kinds:
        return tr("Lift your tile, or draw a sock from the bag?")
    if Kind.PASS in kinds:
        return tr("Lift your tile?")
    return tr("Lift your tile.")


def _again(hand: Hand, act: SockMonstersAct) -> str:
    """What a second touch does."""
    match act.kind:
        case Kind.PLACE | Kind.MOVE:
            return tr("Touch again to go there.")
        case Kind.PAWN if hand.elf is not None and hand.elf.cell == act.cell:
            return tr("Touch again to stay where you are.")
        case Kind.PAWN:
            return tr("Touch again to walk there.")
        case Kind.PEEK:
            return tr("Touch again to peek under it.")
        case Kind.LIFT:
            return tr("Touch again to lift your tile.")
        case Kind.THROW:
            return tr("Touch again to throw.")
        case Kind.PASS:
            return tr("Touch again to end your turn.") if not hand.german else tr("Touch again.")
        case Kind.STEAL | Kind.TAKE | Kind.GIFT | Kind.LAIR | Kind.BAG:
            return tr("Touch again to get it.")
        case Kind.PAIR:
            return tr("Touch again to pair them.")
        case _:
            return tr("Touch again.")


def choice_label(hand: Hand, choice: Choice, names: Sequence[str]) -> str:
    """What a choice is called, in a word or two."""
    if not choice.acts:
        return tr("Back")
    act = choice.acts[0]
    if act.kind is Kind.PAIR and hand.opened is None and hand.view.phase is not Phase.RAINBOW:
        return tr("Pair")
    match act.kind:
        case Kind.PLACE | Kind.MOVE | Kind.PEEK | Kind.PAWN:
            return _board_label(hand, act)
        case Kind.PICK:
            return colour_name(act.colour)
        case Kind.STEAL if hand.opened is None:
            return _name(names, act.seat)
        case Kind.THROW:
            return _name(names, act.seat)
        case Kind.LAIR if hand.opened is None:
            return tr("Lair")
        case Kind.STEAL | Kind.LAIR | Kind.TAKE | Kind.GIFT:
            return sock_name(act.sock)
        case Kind.PAIR:
            return sock_name(act.sock)
        case Kind.GO_ON:
            return tr("Go on")
        case Kind.LIFT:
            return tr("Lift")
        case Kind.BAG:
            return tr("Bag")
        case Kind.KEEP:
            return tr("Keep")
        case _:
            return tr("Leave it") if hand.view.phase is Phase.OPEN else tr("Done")


def _board_label(hand: Hand, act: SockMonstersAct) -> str:
    if act.kind is Kind.PEEK:
        return tr("Peek")
    if act.kind is Kind.PAWN and hand.elf is not None and hand.elf.cell == act.cell:
        return tr("Stay")
    return tr("Go there")


def others(view: SockMonstersView, actor: int | None, names: Sequence[str]) -> str:
    """What somebody else is doing, in one line; "" when chance acts or it is over."""
    name = _name(names, actor)
    if view.phase in OVER or not name:
        return ""
    return {
        Phase.PLACE: tr("{name} looks for a place to start.", name=name),
        Phase.PICK: tr("{name} chooses a monster.", name=name),
        Phase.MOVE: tr("{name} moves a monster.", name=name),
        Phase.OPEN: tr("{name} woke a monster.", name=name),
        Phase.PAWN: tr("{name} walks.", name=name),
        Phase.ACT: tr("{name} searches for socks.", name=name),
        Phase.TAKE: tr("{name} takes a sock.", name=name),
        Phase.GIFT: tr("{name} takes a sock.", name=name),
        Phase.RAINBOW: tr("{name} looks at a rainbow sock.", name=name),
    }.get(view.phase, tr("{name} is thinking.", name=name))


def pairs_line(counts: Sequence[int], mine: int) -> str:
    """The pairs at the end, the own ones first."""
    others = [count for seat, count in enumerate(counts) if seat != mine]
    own = counts[mine] if mine < len(counts) else 0
    return " : ".join(map(str, (own, *others)))


def first_player(name: str, *, me: bool) -> str:
    """Who begins."""
    return tr("You begin.") if me else tr("{name} begins.", name=name)


def new_pair(name: str, pairs: int, *, me: bool) -> str:
    """Cheered when somebody has found a pair."""
    if me:
        return trn("A pair", "{count} pairs", pairs)
    return trn("A pair for {name}", "{count} pairs for {name}", pairs, name=name)


def colour_name(colour: Colour | None) -> str:
    """A colour of monsters."""
    return {
        Colour.RED: tr("Red"),
        Colour.YELLOW: tr("Yellow"),
        Colour.GREEN: tr("Green"),
        Colour.BLUE: tr("Blue"),
    }.get(colour or Colour.UNKNOWN, "")


def sock_name(sock: Sock | None) -> str:
    """A kind of sock."""
    return {
        Sock.RED: tr("Red"),
        Sock.YELLOW: tr("Yellow"),
        Sock.GREEN: tr("Green"),
        Sock.BLUE: tr("Blue"),
        Sock.VIOLET: tr("Violet"),
        Sock.RAINBOW: tr("Rainbow"),
        Sock.SMELLY: tr("Smelly"),
        Sock.BOOMERANG: tr("Boomerang"),
    }.get(sock or Sock.UNKNOWN, "")


def _name(names: Sequence[str], seat: int | None) -> str:
    return names[seat] if seat is not None and seat < len(names) else ""


def tokens_line() -> str:
    """What the round tokens on a placard are."""
    return tr("The round tokens: furniture still to be found. Each brings socks once.")
