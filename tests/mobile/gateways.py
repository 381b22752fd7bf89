"""What every gateway promises, tried on each of them, so that screens need not know which one.

A subclass gives the fixture `gateway`; all people of a match sit on this device.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from app.model import dice
from app.model.gateway import Gateway, Refused
from app.model.terms import USUAL
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Finished,
    Here,
    Match,
    MatchStatus,
    SeatRequest,
    SeatWish,
    Table,
    TableStatus,
    UnknownView,
    Update,
)
from services.engine.core.options import OptionValue
from services.engine.core.registry import ruleset

BOTH = (SeatWish.ME, Here("Mia"))
SHORT: dict[str, dict[str, OptionValue]] = {
    "socker": {"turn_cap": 3, "sudden_cap": 1},
    "sock_monsters": {"round_cap": 2},
    "hide_and_seek": {"types": 3, "turn_cap": 12},
}
"""Options with which random actions end a match soon."""
LONGEST_S = 60


def fresh() -> str:
    """A request id nobody has used."""
    return uuid.uuid4().hex


async def opened(
    gateway: Gateway, game: str = "socker", seats: Sequence[SeatRequest] = BOTH
) -> Table:
    """A short match of `game`."""
    return await gateway.open_table(fresh(), game, seats, SHORT[game])


async def begun(gateway: Gateway, game: str = "socker") -> Match:
    """A short match of `game` between people here, as it stands before anybody has acted."""
    return await gateway.get_match((await opened(gateway, game)).match_id)


async def act(gateway: Gateway, match: Match, chosen: Act, request_id: str = "") -> Applied:
    """Do `chosen` for whoever is to act."""
    assert match.actor is not None
    return await gateway.submit_action(
        match.match_id, match.actor, request_id or fresh(), match.revision, chosen
    )


def legal(match: Match) -> tuple[Act, ...]:
    """What may be done now."""
    view = match.acting_view
    assert view is not None
    return view.legal


def asked_at_once(match: Match) -> Match:
    """The match without the hour at which it was asked for, which differs between two looks."""
    return match if match.clock is None else replace(match, clock=replace(match.clock, now_ms=0))


async def play_out(gateway: Gateway, match_id: str, rng: random.Random) -> Match:
    """Let the people of this device do anything legal until the match is over."""
    match = await gateway.get_match(match_id)
    while match.status is MatchStatus.RUNNING:
        await act(gateway, match, rng.choice(legal(match)))
        match = await gateway.get_match(match_id)
    return match


async def watched(gateway: Gateway, match_id: str, start: int = 0) -> list[Update]:
    """Everything a stream says until the match is over."""
    async with asyncio.timeout(LONGEST_S), aclosing(gateway.watch_match(match_id, start)) as news:
        return [update async for update in news]


def events_of(updates: Sequence[Update]) -> list[Event]:
    """The events among them."""
    return [update for update in updates if isinstance(update, Event)]


class GatewayPromises:
    """Every promise is a test."""

    async def test_the_player_stays_the_same(self, gateway: Gateway) -> None:
        me = await gateway.sign_in()
        assert me.player_id
        assert me.display_name
        assert await gateway.sign_in() == me

    @pytest.mark.parametrize("game", sorted(SHORT))
    async def test_opponents_come_kindest_first(self, gateway: Gateway, game: str) -> None:
        agents = await gateway.list_agents(game)
        assert [agent.level for agent in agents] == list(range(1, len(agents) + 1))
        assert len(agents) >= 2
        assert {agent.game for agent in agents} == {game}

    async def test_a_full_table_starts_at_once(self, gateway: Gateway) -> None:
        me = await gateway.sign_in()
        table = await opened(gateway)
        assert table.status is TableStatus.STARTED
        match = await gateway.get_match(table.match_id)
        assert [seat.display_name for seat in match.seats] == [me.display_name, "Mia"]
        assert {seat.player_id for seat in match.seats} == {me.player_id}
        assert [view.seat for view in match.views] == [0, 1]
        assert match.status is MatchStatus.RUNNING
        assert match.options["turn_cap"] == 3
        assert set(match.options) == {spec.name for spec in ruleset("socker").option_specs}
        assert (await gateway.get_table(table.table_id)).match_id == table.match_id

    async def test_asking_again_for_a_table_gives_the_same_one(self, gateway: Gateway) -> None:
        request_id = fresh()
        first = await gateway.open_table(request_id, "socker", BOTH, {})
        assert (await gateway.open_table(request_id, "socker", BOTH, {})).match_id == first.match_id
        with pytest.raises(Refused) as refused:
            await gateway.open_table(request_id, "socker", BOTH, {"goals_to_win": 2})
        assert refused.value.reason == "REQUEST_ID_REUSED"

    @pytest.mark.parametrize(
        ("game", "seats", "options", "reason"),
        [
            ("chess", BOTH, {}, "GAME_NOT_FOUND"),
            ("socker", BOTH, {"goals_to_win": 0}, "INVALID_OPTION"),
            ("socker", BOTH, {"wings": True}, "INVALID_OPTION"),
            ("socker", (SeatWish.ME,), {}, "INVALID_FIELD"),
            ("socker", (SeatWish.ME, Agent("gandalf", "socker", 1)), {}, "AGENT_NOT_FOUND"),
        ],
    )
    async def test_a_table_that_can_not_be_is_refused_with_its_reason(
        self,
        gateway: Gateway,
        game: str,
        seats: Sequence[SeatRequest],
        options: dict[str, OptionValue],
        reason: str,
    ) -> None:
        before = await gateway.list_my_matches()
        with pytest.raises(Refused) as refused:
            await gateway.open_table(fresh(), game, seats, options)
        assert refused.value.reason == reason
        assert await gateway.list_my_matches() == before

    async def test_a_hint_is_legal_changes_nothing_and_counts_once(self, gateway: Gateway) -> None:
        table = await opened(gateway)
        match = await gateway.get_match(table.match_id)
        assert match.actor is not None
        assert match.terms.hints
        for _ in range(2):
            hint = await gateway.suggest(match.match_id, match.actor, match.revision)
            assert hint.act in legal(match)
            assert hint.reasons
            assert hint.used == 1
        assert asked_at_once(await gateway.get_match(match.match_id)) == asked_at_once(match)
        with pytest.raises(Refused) as refused:
            await gateway.suggest(match.match_id, match.actor, match.revision + 1)
        assert refused.value.reason == "STALE_REVISION"
        with pytest.raises(Refused) as refused:
            await anext(gateway.review(match.match_id, 0))
        assert refused.value.reason == "MATCH_RUNNING"

    async def test_a_table_may_have_no_hints(self, gateway: Gateway) -> None:
        terms = replace(USUAL, hints=False)
        table = await gateway.open_table(fresh(), "socker", BOTH, SHORT["socker"], terms)
        match = await gateway.get_match(table.match_id)
        assert match.actor is not None
        assert not match.terms.hints
        with pytest.raises(Refused) as refused:
            await gateway.suggest(match.match_id, match.actor, match.revision)
        assert refused.value.reason == "TABLE_FORBIDS"

    async def test_an_action_counts_once_per_request(self, gateway: Gateway) -> None:
        match = await begun(gateway)
        request_id, (one, other, *_) = fresh(), legal(match)
        first = await act(gateway, match, one, request_id)
        assert first.applied_revision == match.revision
        assert await act(gateway, match, one, request_id) == first
        after = await gateway.get_match(match.match_id)
        assert after.revision == first.revision
        with pytest.raises(Refused) as refused:
            await act(gateway, match, other, request_id)
        assert refused.value.reason == "REQUEST_ID_REUSED"
        assert asked_at_once(await gateway.get_match(match.match_id)) == asked_at_once(after)

    async def test_an_action_that_may_not_be_is_refused_with_its_reason(
        self, gateway: Gateway
    ) -> None:
        table = await opened(gateway)
        match = await gateway.get_match(table.match_id)
        assert match.actor is not None
        chosen, waiting = legal(match)[0], 1 - match.actor
        await act(gateway, match, chosen)
        now = await gateway.get_match(match.match_id)
        tries = {
            "STALE_REVISION": (match.actor, match.revision, chosen),
            "NOT_YOUR_TURN": (waiting, now.revision, legal(now)[0]),
            "ILLEGAL_ACTION": (match.actor, now.revision, chosen),
        }
        for reason, (seat, revision, tried) in tries.items():
            with pytest.raises(Refused) as refused:
                await gateway.submit_action(match.match_id, seat, fresh(), revision, tried)
            assert refused.value.reason == reason
        assert asked_at_once(await gateway.get_match(match.match_id)) == asked_at_once(now)

    async def test_an_opponents_seat_is_not_mine(self, gateway: Gateway) -> None:
        agent = (await gateway.list_agents("socker"))[0]
        table = await opened(gateway, seats=(SeatWish.ME, agent))
        match = await gateway.get_match(table.match_id)
        assert [view.seat for view in match.views] == [0]
        assert match.seats[1].agent == agent.name
        other = await begun(gateway)
        with pytest.raises(Refused) as refused:
            await gateway.submit_action(match.match_id, 1, fresh(), 0, legal(other)[0])
        assert refused.value.reason == "NOT_YOUR_SEAT"

    async def test_what_is_not_there_is_said(self, gateway: Gateway) -> None:
        for call, reason in (
            (gateway.get_match("here-none"), "MATCH_NOT_FOUND"),
            (gateway.list_events("m-none"), "MATCH_NOT_FOUND"),
            (gateway.rematch(fresh(), "../../settings"), "MATCH_NOT_FOUND"),
            (gateway.get_table("t-none"), "TABLE_NOT_FOUND"),
            (gateway.join_table(fresh(), "CCCCCC"), "TABLE_NOT_FOUND"),
        ):
            with pytest.raises(Refused) as refused:
                await call
            assert refused.value.reason == reason

    @pytest.mark.parametrize("game", sorted(SHORT))
    async def test_a_whole_match_ends_and_is_told_once_and_in_order(
        self, gateway: Gateway, game: str
    ) -> None:
        table = await opened(gateway, game)
        watching = asyncio.create_task(watched(gateway, table.match_id))
        match = await play_out(gateway, table.match_id, random.Random(1))
        assert match.outcome is not None
        assert not any(isinstance(view.view, UnknownView) for view in match.views)
        updates = await watching
        events = events_of(updates)
        assert [event.revision for event in events] == list(range(match.revision))
        assert updates[-1] == Finished(match.outcome)
        assert [one for one in updates if isinstance(one, Match)][-1] == match
        assert tuple(events) == await gateway.list_events(match.match_id)
        late = await watched(gateway, match.match_id, match.revision - 1)
        assert events_of(late) == events[-1:]
        mine = (await gateway.list_my_matches())[0]
        assert (mine.table.match_id, mine.status) == (match.match_id, MatchStatus.FINISHED)
        assert (mine.my_seats, mine.revision, mine.outcome) == (
            (0, 1),
            match.revision,
            match.outcome,
        )

    async def test_after_the_end_a_retry_has_its_answer_and_news_are_refused(
        self, gateway: Gateway
    ) -> None:
        match = await begun(gateway)
        request_id, chosen = fresh(), legal(match)[0]
        first = await act(gateway, match, chosen, request_id)
        end = await play_out(gateway, match.match_id, random.Random(2))
        assert await act(gateway, match, chosen, request_id) == first
        with pytest.raises(Refused) as refused:
            await gateway.submit_action(match.match_id, 0, fresh(), end.revision, chosen)
        assert refused.value.reason == "MATCH_FINISHED"

    async def test_two_watchers_see_the_same(self, gateway: Gateway) -> None:
        match_id = (await opened(gateway)).match_id
        one, other = (asyncio.create_task(watched(gateway, match_id)) for _ in range(2))
        await play_out(gateway, match_id, random.Random(3))
        assert events_of(await one) == events_of(await other)

    async def test_a_revision_that_is_not_reached_can_not_be_watched(
        self, gateway: Gateway
    ) -> None:
        match_id = (await opened(gateway)).match_id
        with pytest.raises(Refused) as refused:
            await watched(gateway, match_id, 1000)
        assert refused.value.reason == "INVALID_FIELD"

    async def test_an_opponent_plays_while_it_is_watched(self, gateway: Gateway) -> None:
        agent = (await gateway.list_agents("socker"))[0]
        table = await opened(gateway, seats=(agent, SeatWish.ME))
        async with (
            asyncio.timeout(LONGEST_S),
            aclosing(gateway.watch_match(table.match_id, 0)) as news,
        ):
            async for update in news:
                if isinstance(update, Event) and update.actor == 0:
                    break  # A toss may let us begin; the opponent's turn comes all the same.
                if isinstance(update, Match) and update.acting_view is not None:
                    await act(gateway, update, legal(update)[0])

    async def test_a_rematch_rotates_the_seats_and_is_one(self, gateway: Gateway) -> None:
        table = await opened(gateway)
        with pytest.raises(Refused) as refused:
            await gateway.rematch(fresh(), table.match_id)
        assert refused.value.reason == "MATCH_RUNNING"
        before = await play_out(gateway, table.match_id, random.Random(4))
        again = await gateway.rematch(fresh(), table.match_id)
        assert again.match_id != table.match_id
        match = await gateway.get_match(again.match_id)
        assert [seat.display_name for seat in match.seats] == [
            before.seats[1].display_name,
            before.seats[0].display_name,
        ]
        assert match.options == before.options
        assert (await gateway.rematch(fresh(), table.match_id)).match_id == again.match_id

    async def test_matches_are_listed_newest_first(self, gateway: Gateway) -> None:
        made = []
        for _ in range(3):
            made.append((await opened(gateway)).match_id)
            await asyncio.sleep(0.002)  # Times are whole milliseconds.
        listed = [mine.table.match_id for mine in await gateway.list_my_matches()]
        assert listed[:3] == made[::-1]

    async def test_a_table_that_has_started_can_not_be_left(self, gateway: Gateway) -> None:
        table = await opened(gateway)
        with pytest.raises(Refused) as refused:
            await gateway.leave_table(table.table_id)
        assert refused.value.reason == "TABLE_FULL"

    @pytest.mark.parametrize("game", sorted(SHORT))
    async def test_a_match_can_be_seen_as_it_stood(self, gateway: Gateway, game: str) -> None:
        table, rng = await opened(gateway, game), random.Random(3)
        stood = [await gateway.get_match(table.match_id)]
        for _ in range(3):
            await act(gateway, stood[-1], rng.choice(legal(stood[-1])))
            stood.append(await gateway.get_match(table.match_id))
        for then in stood:
            ply = await gateway.get_ply(table.match_id, then.revision)
            assert ply.revision == then.revision
            assert [one.view for one in ply.views] == [one.view for one in then.views]
        with pytest.raises(Refused):
            await gateway.get_ply(table.match_id, stood[-1].revision + 1)

    @pytest.mark.parametrize("game", sorted(SHORT))
    async def test_the_dice_of_a_finished_match_can_be_checked(
        self, gateway: Gateway, game: str
    ) -> None:
        table = await opened(gateway, game)
        promise = (await gateway.get_match(table.match_id)).promise
        assert len(promise) == 64
        with pytest.raises(Refused) as refused:
            await gateway.export_match(table.match_id)
        assert refused.value.reason == "MATCH_RUNNING"
        match = await play_out(gateway, table.match_id, random.Random(4))
        events = await gateway.list_events(table.match_id)
        record = await gateway.export_match(table.match_id)
        assert dice.check(record, match.match_id, dice.Witness(promise), events) is None
