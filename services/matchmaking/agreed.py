"""What is agreed at a table beside the game's options: read, kept as JSON, shown. Pure.

Matchmaking passes it on; what it means is for rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from google.protobuf import json_format

from oddsocks.play.v1 import play_pb2
from services.common.errors import invalid_field
from services.matchmaking.model import Pace
from services.wire.table_rules import InvalidTableRules, check

_PACES: Final[Mapping[int, Pace]] = {
    play_pb2.PACE_UNSPECIFIED: Pace.LIVE,
    play_pb2.PACE_LIVE: Pace.LIVE,
    play_pb2.PACE_DAYS: Pace.DAYS,
}


def read_rules(message: play_pb2.TableRules, pace: int) -> tuple[str, Pace]:
    """What is agreed, as JSON, and the pace: of the rules, or else the one said beside them.

    The same agreement always gives the same text. Raises `RefusedError` INVALID_FIELD.
    """
    try:
        check(message, pace)
    except InvalidTableRules as error:
        raise invalid_field(error.field, str(error)) from error
    known = play_pb2.TableRules()
    known.CopyFrom(message)
    known.pace = message.pace or play_pb2.Pace.ValueType(pace) or play_pb2.PACE_LIVE
    known.DiscardUnknownFields()
    fields = json_format.MessageToDict(known, preserving_proto_field_name=True)
    return json.dumps(fields, sort_keys=True), _PACES[known.pace]


@lru_cache(maxsize=1_000)
def rules_message(rules: str, pace: Pace) -> play_pb2.TableRules:
    """What is agreed, as a message, to be copied: most tables agree on the same.

    `pace` counts for tables from before there were rules.
    """
    message = json_format.Parse(rules, play_pb2.TableRules())
    message.pace = play_pb2.PACE_DAYS if pace is Pace.DAYS else play_pb2.PACE_LIVE
    return message


def sitter(rules: str) -> str:
    """The agent that plays for somebody absent; empty: the server's choice."""
    return str(json.loads(rules).get("sitter", ""))


def spectators(rules: str) -> bool:
    """Whether strangers may watch."""
    return json.loads(rules).get("spectators", False) is True
