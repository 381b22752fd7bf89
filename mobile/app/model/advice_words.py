"""What hints and reviews say, in words that a child can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.i18n import tr, trn
from app.model.advice import Decision, Hint, Luck, Reason, Review
from app.model.hide_and_seek import HideAndSeekAct
from app.model.hide_and_seek import Kind as SeekKind
from app.model.sock_monsters import Kind as HouseKind
from app.model.sock_monsters import SockMonstersAct
from app.model.socker import Kind as SockerKind
from app.model.socker import SockerAct
from app.model.values import Act, UnknownAct

MUCH, SOME = 250, 100
"""Thousandths of a win that are said to be much, and some."""
PERMILLE_IN_PERCENT: Final = 10


def reason_words(reason: Reason) -> str:
    """Why something is suggested, in a short sentence."""
    return {
        Reason.ONLY_ACTION: tr("There is nothing else you can do."),
        Reason.WINS: tr("With this you win."),
        Reason.MAY_WIN: tr("With a little luck you win."),
        Reason.SCORES: tr("It gets you something at once."),
        Reason.MAY_SCORE: tr("With a little luck it gets you something."),
        Reason.LOOKS: tr("It shows you something hidden."),
        Reason.MUCH_BETTER: tr("Everything else is much worse."),
        Reason.AS_GOOD: tr("Something else would be just as good."),
        Reason.BEST_ON_AVERAGE: tr("It works out best most of the time."),
        Reason.UNSPECIFIED: tr("It looks good."),
    }[reason]


def hint_words(hint: Hint) -> str:
    """Why, in one short line: the most telling reason that this app has words for."""
    known = (reason for reason in hint.reasons if reason is not Reason.UNSPECIFIED)
    return reason_words(next(known, Reason.UNSPECIFIED))


def used_words(used: int) -> str:
    """How many hints a person has had."""
    return trn("{count} hint so far.", "{count} hints so far.", used)


# --- looking back ---------------------------------------------------------------------------------


def luck_words(review: Review) -> str:
    """How much of the result was luck, for the seat that looks back."""
    luck = _own(review)
    if not review.lucky:
        return tr("Luck had no part in this match.")
    if abs(luck.amount) <= max(luck.error, PERMILLE_IN_PERCENT):
        return tr("You had about as much good luck as bad luck.")
    if luck.amount > 0:
        return tr("Luck helped you a lot.") if luck.amount >= MUCH else tr("Luck helped you a bit.")
    if luck.amount <= -MUCH:
        return tr("You had a lot of bad luck.")
    return tr("You had a bit of bad luck.")


def luck_numbers(review: Review) -> str:
    """The same in numbers, never without how sure they are; "" where there was no luck."""
    luck = _own(review)
    if not review.lucky:
        return ""
    signed = round(luck.amount / PERMILLE_IN_PERCENT)
    text = f"+{signed}" if signed > 0 else str(signed).replace("-", "\u2212")
    error = round(luck.error / PERMILLE_IN_PERCENT)
    return tr("Luck and your chances: {luck} %, give or take {error} %.", luck=text, error=error)


def _own(review: Review) -> Luck:
    return review.luck[review.seat] if review.seat < len(review.luck) else Luck()


def loss_words(decision: Decision) -> str:
    """What a decision cost."""
    if decision.loss >= MUCH:
        return tr("That cost you a lot.")
    if decision.loss >= SOME:
        return tr("That cost you something.")
    return tr("That cost you a little.")


def move_words(decision: Decision) -> str:
    """Which decision it was."""
    return tr("Your move {number}", number=decision.number)


def played_words(decision: Decision) -> str:
    """What was done."""
    return tr("You: {what}", what=act_words(decision.played))


def best_words(decision: Decision) -> str:
    """What would have been better."""
    done, better = act_words(decision.played), act_words(decision.best)
    if done == better:
        return tr("Better: {what}, but differently", what=better)
    return tr("Better: {what}", what=better)


def hints_words(counts: Sequence[int], names: Sequence[str]) -> str:
    """Who had how many hints; "" where nobody had any."""
    had = [f"{name} {count}" for name, count in zip(names, counts, strict=False) if count]
    return tr("Hints: {counts}", counts=", ".join(had)) if had else ""


def act_words(act: Act) -> str:
    """What an action does, in a word or three; where, the board shows."""
    match act:
        case SockerAct():
            found = _socker().get(act.kind, "")
        case SockMonstersAct():
            found = _sock_monsters().get(act.kind, "")
        case HideAndSeekAct():
            found = _hide_and_seek().get(act.kind, "")
        case UnknownAct():
            found = ""
    return found or tr("something new")


def _socker() -> dict[SockerKind, str]:
    return {
        SockerKind.PLACE: tr("place a socker"),
        SockerKind.MOVE: tr("take a step"),
        SockerKind.KICK: tr("kick the ball"),
        SockerKind.SOCK: tr("sock one of theirs"),
        SockerKind.RECENTRE: tr("choose where the ball goes"),
        SockerKind.END_TURN: tr("end the turn"),
        SockerKind.PASS: tr("pass"),
    }


def _sock_monsters() -> dict[HouseKind, str]:
    return {
        HouseKind.PLACE: tr("choose where to start"),
        HouseKind.PICK: tr("choose a monster"),
        HouseKind.MOVE: tr("move the monster"),
        HouseKind.PEEK: tr("peek under a tile"),
        HouseKind.STEAL: tr("steal a sock"),
        HouseKind.GO_ON: tr("go on"),
        HouseKind.PAWN: tr("walk"),
        HouseKind.THROW: tr("throw the boomerang"),
        HouseKind.TAKE: tr("take a sock"),
        HouseKind.GIFT: tr("choose a sock"),
        HouseKind.LIFT: tr("lift the tile"),
        HouseKind.LAIR: tr("take a sock from the lair"),
        HouseKind.BAG: tr("draw a sock from the bag"),
        HouseKind.PASS: tr("do nothing more"),
        HouseKind.PAIR: tr("pair the rainbow sock"),
        HouseKind.KEEP: tr("keep the rainbow sock"),
    }


def _hide_and_seek() -> dict[SeekKind, str]:
    return {
        SeekKind.FLIP: tr("turn a card"),
        SeekKind.BOTH: tr("turn two cards"),
        SeekKind.CANDY: tr("take a candy"),
        SeekKind.STOP: tr("stop"),
    }
