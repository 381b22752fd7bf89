"""Accounts and lists of players as messages."""

from __future__ import annotations

from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts_pb
from oddsocks.matchmaking.v1 import friends_service_pb2 as friends_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.matchmaking import convert
from services.matchmaking.people.model import Account, Known


def player_to_message(account: Account) -> pb.Player:
    """What others may see of an account."""
    return convert.player_to_message(account.person, account.picture)


def profile_to_message(account: Account) -> accounts_pb.Profile:
    """What its owner sees of an account."""
    return accounts_pb.Profile(player=player_to_message(account), language=account.language)


def known_to_message(known: Known) -> friends_pb.KnownPlayer:
    """Somebody on a list."""
    return friends_pb.KnownPlayer(player=player_to_message(known.account), since_ms=known.since_ms)
