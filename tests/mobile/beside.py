"""What every gateway promises beside the game, where all people of a match sit on this device.

A subclass gives the fixture `gateway`, as for the promises of the game itself.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from dataclasses import replace

import pytest

from app.model import dice, statistics
from app.model.dice import Witness
from app.model.gateway import Gateway, Refused
from app.model.terms import OfferEnd, Resign, Said, SeatState, Undo, Wish
from app.model.values import Applied, Event, Finished, Here, Match, MatchStatus
from tests.mobile.gateways import (
    BOTH,
    LONGEST_S,
    SHORT,
    act,
    begun,
    events_of,
    fresh,
    legal,
    opened,
    watched,
)

SHOWS = {"lift", "peek", "flip", "both", "candy"}
"""First words of actions by which somebody learns something."""


async def wish(gateway: Gateway, match: Match, wanted: Wish, request_id: str = "") -> Applied:
    """Want something beside the game, for whoever is to act."""
    assert match.actor is not None
    return await gateway.control(match.match_id, match.actor, request_id or fresh(), wanted)


def stands(match: Match) -> Match:
    """What an undo brings back: a match without its counters and times."""
    views = tuple(replace(view, may_undo=False) for view in match.views)
    return replace(match, revision=0, clock=None, views=views)


def may_undo(match: Match) -> bool:
    """What the seat to act is told."""
    view = match.acting_view
    return view is not None and view.may_undo


class BesidePromises:
    """What people of one device may do beside the game, wherever the match is kept."""

    @pytest.mark.field(3)
    @pytest.mark.parametrize("game", sorted(SHORT))
    async def test_ones_own_actions_are_undone_and_nothing_that_showed_something(
        self, gateway: Gateway, game: str
    ) -> None:
        """What may be undone is told here from the words of the actions alone."""
        rng = random.Random(8)
        match = await begun(gateway, game)
        undone = refused = 0
        for _ in range(30):
            if match.status is not MatchStatus.RUNNING:
                break
            before, actor = match, match.actor
            chosen = rng.choice(legal(match))
            await act(gateway, match, chosen)
            match = await gateway.get_match(match.match_id)
            if match.status is not MatchStatus.RUNNING:
                break
            last = (await gateway.list_events(match.match_id))[-1]
            text = last.notation.partition(":")[0]
            if match.actor != actor or last.actor != actor or text in SHOWS:
                assert not may_undo(match)
                with pytest.raises(Refused) as error:
                    await wish(gateway, match, Undo(match.revision))
                assert error.value.reason == "CANNOT_UNDO"
                refused += 1
            elif may_undo(match):
                applied = await wish(gateway, match, Undo(match.revision))
                assert applied == Applied(match.revision, match.revision + 1)
                after = await gateway.get_match(match.match_id)
                assert stands(after) == stands(before)
                event = (await gateway.list_events(match.match_id))[-1]
                assert (event.said, event.actor, event.to_revision) == (
                    Said.UNDO,
                    actor,
                    before.revision,
                )
                undone += 1
                await act(gateway, after, chosen)  # once more, so that play goes on
                match = await gateway.get_match(match.match_id)
                ply = await gateway.get_ply(match.match_id, match.revision)
                assert [one.view for one in ply.views] == [one.view for one in match.views]
        assert (undone > 0, refused > 0) == (game != "hide_and_seek", True)

    @pytest.mark.field(3)
    async def test_an_undo_goes_back_one_by_one_and_not_past_the_turn(
        self, gateway: Gateway
    ) -> None:
        match = await begun(gateway)
        stood = [match]
        for _ in range(3):  # Sockers are placed by one side after the other, five by each.
            await act(gateway, stood[-1], legal(stood[-1])[0])
            stood.append(await gateway.get_match(match.match_id))
        assert [may_undo(one) for one in stood] == [False, True, True, True]
        for expected in reversed(stood[:-1]):
            now = await gateway.get_match(match.match_id)
            await wish(gateway, now, Undo(now.revision))
            assert stands(await gateway.get_match(match.match_id)) == stands(expected)
        now = await gateway.get_match(match.match_id)
        assert (now.revision, may_undo(now)) == (match.revision + 6, False)
        with pytest.raises(Refused) as refused:
            await wish(gateway, now, Undo(now.revision))
        assert refused.value.reason == "CANNOT_UNDO"

    @pytest.mark.field(2)
    async def test_a_wish_counts_once_per_request(self, gateway: Gateway) -> None:
        match = await begun(gateway)
        for _ in range(2):
            await act(gateway, match, legal(match)[0])
            match = await gateway.get_match(match.match_id)
        request_id, undo = fresh(), Undo(match.revision)
        first = await wish(gateway, match, undo, request_id)
        assert await wish(gateway, match, undo, request_id) == first
        now = await gateway.get_match(match.match_id)
        assert now.revision == match.revision + 1
        for other in (Undo(now.revision), Resign()):
            with pytest.raises(Refused) as refused:
                await wish(gateway, now, other, request_id)
            assert refused.value.reason == "REQUEST_ID_REUSED"
        with pytest.raises(Refused) as refused:
            await wish(gateway, now, undo)
        assert refused.value.reason == "STALE_REVISION"
        assert (await gateway.get_match(match.match_id)).revision == now.revision

    @pytest.mark.parametrize(
        ("wanted", "reason", "said"),
        [
            (Resign(), "resigned", [Said.RESIGN]),
            (OfferEnd(), "agreed", [Said.OFFER_END, Said.END]),
        ],
    )
    async def test_a_match_is_ended_before_its_time(
        self, gateway: Gateway, wanted: Wish, reason: str, said: list[Said]
    ) -> None:
        table = await opened(gateway)
        watching = asyncio.create_task(watched(gateway, table.match_id))
        match = await gateway.get_match(table.match_id)
        await act(gateway, match, legal(match)[0])
        match, request_id = await gateway.get_match(table.match_id), fresh()
        assert match.actor is not None
        first = await wish(gateway, match, wanted, request_id)
        over = await gateway.get_match(table.match_id)
        assert over.status is MatchStatus.FINISHED
        assert over.outcome is not None
        winners = (1 - match.actor,) if reason == "resigned" else ()
        assert (over.outcome.reason, over.outcome.winners) == (reason, winners)
        assert await wish(gateway, match, wanted, request_id) == first
        with pytest.raises(Refused) as refused:
            await wish(gateway, match, wanted)
        assert refused.value.reason == "MATCH_FINISHED"
        with pytest.raises(Refused) as refused:
            await act(gateway, replace(match, revision=over.revision), legal(match)[0])
        assert refused.value.reason == "MATCH_FINISHED"
        updates = await watching
        assert [event.said for event in events_of(updates) if event.said] == said
        assert updates[-1] == Finished(over.outcome)
        mine = (await gateway.list_my_matches())[0]
        assert (mine.status, mine.outcome) == (MatchStatus.FINISHED, over.outcome)
        record = await gateway.export_match(table.match_id)
        events = await gateway.list_events(table.match_id)
        assert dice.check(record, table.match_id, Witness(match.promise), events) is None
        again = await gateway.get_match((await gateway.rematch(fresh(), table.match_id)).match_id)
        assert again.status is MatchStatus.RUNNING

    async def test_of_three_one_gives_up_and_a_stand_in_plays_on_until_nobody_is_left(
        self, gateway: Gateway
    ) -> None:
        seats = (*BOTH, Here("Tom"))
        table = await opened(gateway, "hide_and_seek", seats)
        match = await gateway.get_match(table.match_id)
        gone = match.actor
        assert gone is not None
        await wish(gateway, match, Resign())
        async with (
            asyncio.timeout(LONGEST_S),
            aclosing(gateway.watch_match(table.match_id, 0)) as news,
        ):
            async for update in news:
                if isinstance(update, Match) and update.actor not in (gone, None):
                    match = update
                    break
        assert match.seats[gone].state is SeatState.GIVEN_UP
        assert match.seats[gone].sitter
        events = await gateway.list_events(table.match_id)
        assert gone in {event.actor for event in events if event.said is None}
        with pytest.raises(Refused) as refused:
            await gateway.control(table.match_id, gone, fresh(), Resign())
        assert refused.value.reason == "NOT_YOUR_SEAT"
        for seat in {0, 1, 2} - {gone}:
            await gateway.control(table.match_id, seat, fresh(), Resign())
        over = await gateway.get_match(table.match_id)
        assert over.status is MatchStatus.FINISHED
        assert over.outcome is not None
        assert (over.outcome.reason, over.outcome.winners) == ("abandoned", ())

    @pytest.mark.parametrize("game", ["socker", "sock_monsters"])
    async def test_numbers_and_dice_are_right_in_spite_of_undone_actions(
        self, gateway: Gateway, game: str
    ) -> None:
        rng, stood = random.Random(6), list[Event]()
        match = await begun(gateway, game)
        promise, undone, again = match.promise, 0, False
        while match.status is MatchStatus.RUNNING:
            before = len(await gateway.list_events(match.match_id))
            await act(gateway, match, rng.choice(legal(match)))
            match = await gateway.get_match(match.match_id)
            fresh_ones = (await gateway.list_events(match.match_id))[before:]
            again = may_undo(match) and not again  # every other one, so that play goes on
            if again:
                await wish(gateway, match, Undo(match.revision))
                match = await gateway.get_match(match.match_id)
                undone += 1
            else:
                stood += fresh_ones
        events = await gateway.list_events(match.match_id)
        assert undone
        toss = [event for event in events[: events.index(stood[0])] if event.said is None]
        assert statistics.standing(events)[-len(stood) :] == tuple(stood)
        assert statistics.rows(match, events) == statistics.rows(match, [*toss, *stood])
        record = await gateway.export_match(match.match_id)
        assert dice.check(record, match.match_id, Witness(promise), events) is None
