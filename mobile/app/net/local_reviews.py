"""Reviews of finished matches as they are kept with them on the device.

The message that the ai service would send, packed: newer apps read what older ones have kept, and
what was damaged does not unpack.
"""

from __future__ import annotations

import base64
import zlib

from google.protobuf.message import DecodeError

from app.model.advice import Review
from app.net import convert_advice
from app.net.local_match import LocalMatch
from oddsocks.ai.v1 import advice_pb2 as pb


def packed(message: pb.Review) -> str:
    """A review as it is kept."""
    return base64.b64encode(zlib.compress(message.SerializeToString())).decode("ascii")


def kept(match: LocalMatch, seat: int) -> Review | None:
    """The review that is kept of a match with the eyes of a seat. None where there is none, or one
    that is damaged or of another match: then it is to be made again."""
    try:
        packed_bytes = base64.b64decode(match.reviews.get(seat, ""), validate=True)
        message = pb.Review.FromString(zlib.decompress(packed_bytes))
    except (ValueError, zlib.error, DecodeError):
        return None
    return convert_advice.review(message) if _fits(message, match, seat) else None


def _fits(message: pb.Review, match: LocalMatch, seat: int) -> bool:
    seats = len(match.setting.seats)
    revisions = [point.revision for point in message.curve]
    return bool(
        match.outcome is not None
        and (message.match_id, message.seat) == (match.match_id, seat)
        and tuple(message.hints_used) == match.hints_used()
        and sorted(one.seat for one in message.luck) == list(range(seats))
        and all(len(point.expected_permille) == seats for point in message.curve)
        and revisions
        and revisions == sorted(revisions)
        and revisions[-1] == match.revision
        and all(0 <= one.revision < match.revision for one in message.decisions)
    )
