"""What Monster Hide and Seek says: the one thing to do now, and what others do."""

from __future__ import annotations

from collections.abc import Sequence

from app.i18n import tr, trn
from app.model.hide_and_seek import HideAndSeekView, Phase
from app.model.hide_and_seek_touch import Hand


def prompt(hand: Hand, names: Sequence[str], *, shared: bool) -> str:
    """What the player of `hand` is to do now, in one line, by name where several people `shared`
    this device; else what somebody else is doing."""
    words = _to_do(hand)
    if not words:
        # Whose own action is on its way is not told of as somebody else is.
        return "" if hand.view.turn == hand.seat else others(hand.view, names)
    return tr("{name}: {words}", name=_name(names, hand.seat), words=words) if shared else words


def _to_do(hand: Hand) -> str:
    if not hand.may_act:
        return ""
    if hand.aimed in hand.candies:
        if hand.found:
            return tr("Touch again to take it. The lit cards turn over.")
        return tr("Touch again to take it.")
    if hand.together:
        return _pair(hand)
    match hand.view.phase:
        case Phase.FIRST if hand.candies:
            return tr("Turn a card, or take a candy.")
        case Phase.FIRST:
            return tr("Turn a card.")
        case Phase.AGAIN if hand.stop is not None:
            return tr("A pair. Turn another card, or stop?")
        case Phase.AGAIN:
            return tr("A pair. Go on: turn a card.")
        case Phase.SECOND | Phase.PAIRED:
            return tr("And who looks the same?")
        case _:
            return tr("Your turn")


def _pair(hand: Hand) -> str:
    if hand.aimed is not None:
        return tr("And the other one?")
    if hand.view.phase is Phase.AGAIN:
        if hand.stop is not None:
            return tr("A pair. Choose two more cards, or stop?")
        return tr("A pair. Go on: choose two cards.")
    if hand.candies:
        return tr("Choose two cards, or take a candy.")
    return tr("Choose two cards.")


def others(view: HideAndSeekView, names: Sequence[str]) -> str:
    """What whoever is to act does; "" when nobody is."""
    if view.turn is None:
        return ""
    name = _name(names, view.turn)
    match view.phase:
        case Phase.SECOND | Phase.PAIRED:
            return tr("{name} looks for the other one.", name=name)
        case Phase.AGAIN:
            return tr("{name} has found a pair and goes on.", name=name)
        case _:
            return tr("{name} looks for a pair.", name=name)


def stars_line(scores: Sequence[int], seat: int) -> str:
    """The stars of a finished match, those of `seat` first."""
    own = [scores[seat]] if seat < len(scores) else []
    return " : ".join(map(str, [*own, *(n for i, n in enumerate(scores) if i != seat)]))


def pile_title(name: str, stars: int) -> str:
    """Whose pile it is, and what it is worth."""
    return trn("{name}: {count} star", "{name}: {count} stars", stars, name=name)


def empty_pile(name: str) -> str:
    """Nothing has been collected yet."""
    return tr("{name} has found nobody yet.", name=name)


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else ""
