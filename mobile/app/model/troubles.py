"""What went wrong, in one line that blames nobody and that a child can read."""

from __future__ import annotations

from app.i18n import tr, trn
from app.model.gateway import Offline, Refused, Untrusted


class ForPeople(ValueError):
    """Something can't be, and the message says so to a person, in the language in use. What any
    other error says is for the log."""


def trouble(error: Exception) -> str:
    """One line about `error`."""
    if isinstance(error, Untrusted):
        return tr("This server could not prove who it is, so nothing was sent to it.")
    if isinstance(error, Offline):
        return tr("The server doesn't answer.")
    if isinstance(error, Refused):
        return _refusal(error)
    if isinstance(error, ForPeople):
        return str(error)
    return tr("Something went wrong here.")


def _refusal(error: Refused) -> str:
    if error.reason == "RATE_LIMITED":
        return _wait(error.details.get("retry_after_ms", ""))
    if error.reason == "INVALID_FIELD":
        return _fields().get(error.details.get("field", "")) or tr("That can't be right.")
    # Words of the services for a reason that this app does not know yet; of what stands between,
    # which gives none, nobody could read them.
    words = str(error) if error.reason else ""
    return _reasons().get(error.reason) or words or tr("The server said no.")


def _wait(retry_after_ms: str) -> str:
    if not retry_after_ms.isdecimal():
        return tr("That was too much at once. Wait a moment.")
    seconds = max(1, -(-int(retry_after_ms) // 1000))
    return trn(
        "That was too much at once. Try again in {count} second.",
        "That was too much at once. Try again in {count} seconds.",
        seconds,
    )


def _fields() -> dict[str, str]:
    return {
        "display_name": tr("A name has 1 to 24 letters."),
        "invitation_code": tr("That code can't be right."),
        "friend_code": tr("That code can't be right."),
        "recovery_code": tr("That code can't be right."),
        "link_code": tr("That code can't be right."),
        "picture": tr("That picture is not there any more."),
        "rules.sitter": tr("That stand-in does not know this game."),
        "persons": tr("There are not enough seats for all of you."),
        "seats": tr("This game needs another number of players."),
        "player_id": tr("That player is not there."),
    }


def _reasons() -> dict[str, str]:
    moved = tr("The match had moved on. This is how it stands.")
    again = tr("Something went wrong on the way. Try it once more.")
    newer = tr("This needs a newer app.")
    return {
        "TABLE_NOT_FOUND": tr("There is no table with that code."),
        "TABLE_FULL": tr("That table is full."),
        "TABLE_CLOSED": tr("That table is closed."),
        "TABLE_FORBIDS": tr("The rules of this table don't allow that."),
        "MATCH_NOT_FOUND": tr("That match is not here any more."),
        "MATCH_RUNNING": tr("That match still goes on."),
        "MATCH_FINISHED": tr("The match is over."),
        "STALE_REVISION": moved,
        "NOT_YOUR_TURN": moved,
        "ILLEGAL_ACTION": tr("That doesn't work here."),
        "INVALID_NOTATION": newer,
        "INVALID_OPTION": tr("The server does not know one of these rules."),
        "GAME_NOT_FOUND": tr("The server does not have this game."),
        "AGENT_NOT_FOUND": tr("That opponent is not there."),
        "NOT_YOUR_SEAT": tr("Somebody else sits there."),
        "PLAYER_NOT_FOUND": tr("That player is not there."),
        "PLAYER_BLOCKED": tr("You have blocked this player. Take the block back first."),
        "CODE_NOT_FOUND": tr("That code is not good, or not any more."),
        "LIST_FULL": tr("That list is full. Take somebody off it first."),
        "CANNOT_UNDO": tr("That can't be undone: somebody has seen something by it."),
        "ASK_PENDING": tr("Something is being asked already."),
        "ASK_LAPSED": tr("That is not being asked any more."),
        "SITTER_PLAYS": tr("Somebody plays for you just now. Take your seat back first."),
        "TICKET_NOT_FOUND": tr("Your place in the queue is gone. Try it once more."),
        "NOT_PROMISED": tr("The dice of this match were thrown without a promise."),
        "JOB_NOT_FOUND": again,
        "REQUEST_ID_REUSED": again,
        "INVALID_PAGE_TOKEN": again,
        "TOKEN_MISSING": again,
        "TOKEN_INVALID": again,
        "TOKEN_EXPIRED": again,
        "NO_ADVICE": tr("That could not be worked out. Try it once more."),
        "NO_ROOM": tr("There is no room left here to save the match."),
        "UNREADABLE": tr("This match needs a newer app."),
        "TOO_LARGE": tr("That is more than can be sent at once."),
        "CLIENT_TOO_OLD": tr("This app is too old for the server. Update it, then go on."),
        "INTERNAL": tr("Something went wrong on the server."),
    }
