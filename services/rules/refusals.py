"""The engine's errors as refusals that reach the caller."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import InvalidNotation, InvalidOption, UnknownGame
from services.engine.core.errors import clip


@contextlib.contextmanager
def as_refusals() -> Iterator[None]:
    """Around the reading of what a caller sent: unreadable notation, options, games."""
    try:
        yield
    except InvalidNotation as error:
        reason = ErrorReason.ERROR_REASON_INVALID_NOTATION
        raise RefusedError(reason, str(error), action=clip(error.text)) from error
    except InvalidOption as error:
        reason = ErrorReason.ERROR_REASON_INVALID_OPTION
        raise RefusedError(reason, str(error), option=clip(error.name)) from error
    except UnknownGame as error:
        reason = ErrorReason.ERROR_REASON_GAME_NOT_FOUND
        raise RefusedError(reason, str(error)) from error


def match_not_found() -> RefusedError:
    """The refusal for a match that is not there, or not the caller's to know of."""
    return RefusedError(ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match")


def match_running() -> RefusedError:
    """The refusal of what only a finished match has."""
    return RefusedError(ErrorReason.ERROR_REASON_MATCH_RUNNING, "the match is not over yet")


def not_your_seat(seat: int) -> RefusedError:
    """The refusal for a seat of the caller's match that is somebody else's, or nobody's."""
    return RefusedError(
        ErrorReason.ERROR_REASON_NOT_YOUR_SEAT, f"seat {seat} is not yours", seat=seat
    )


def sitter_plays(seat: int) -> RefusedError:
    """The refusal of an action by somebody whose sitter plays."""
    return RefusedError(
        ErrorReason.ERROR_REASON_SITTER_PLAYS,
        f"an agent plays seat {seat}: take it back first",
        seat=seat,
    )
