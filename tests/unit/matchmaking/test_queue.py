"""Who is seated with whom: the pairing as a pure function."""

from __future__ import annotations

import dataclasses
import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from services.matchmaking.finding.queue import (
    SILENCE_MS,
    Hope,
    Proposal,
    Ticket,
    TicketStatus,
    changed,
    propose,
    window,
)
from services.matchmaking.model import Fill, Pace

NOW = 10_000_000_000
TWO = Hope("socker", (("goals", 1),), "{}", 2, Pace.LIVE)
FOUR = dataclasses.replace(TWO, game="sock_monsters", seats=4)
LONG = 3_600_000


def ticket(
    name: str,
    skill: int = 1_500,
    waited_ms: int = 0,
    *,
    hope: Hope = TWO,
    fill: Fill | None = None,
    silent_ms: int = 0,
) -> Ticket:
    return Ticket(name, f"player {name}", hope, fill, skill, NOW - waited_ms, NOW - silent_ms)


def names(proposals: list[Proposal]) -> list[str]:
    """Who sits together, e.g. "ab"; a plus stands for an agent."""
    return sorted(
        "".join(sorted(t.ticket_id for t in p.tickets)) + ("+" if p.agent else "")
        for p in proposals
    )


def test_those_nearest_in_skill_meet() -> None:
    skills = {"a": 1_500, "b": 1_800, "c": 1_520, "d": 1_790}
    tickets = [ticket(name, skill, LONG) for name, skill in skills.items()]
    assert names(propose(tickets, NOW, {})) == ["ac", "bd"]


def test_who_has_waited_longest_chooses_first() -> None:
    tickets = [ticket("a", 1_500, 5_000), ticket("b", 1_510, 9_000), ticket("c", 1_520, 5_000)]
    assert names(propose(tickets, NOW, {})) == ["ab"]
    tickets[2] = ticket("c", 1_520, 10_000)
    assert names(propose(tickets, NOW, {})) == ["bc"]


def test_both_must_have_waited_long_enough_for_their_distance() -> None:
    far = ticket("a", 2_000, LONG)
    assert names(propose([far, ticket("b", 1_500)], NOW, {})) == []
    assert names(propose([far, ticket("b", 1_500, LONG)], NOW, {})) == ["ab"]


def test_the_window_only_widens_until_anybody_will_do() -> None:
    for pace in Pace:
        hope = dataclasses.replace(TWO, pace=pace)
        widths = [window(ticket("a", waited_ms=s * 1_000, hope=hope), NOW) for s in range(30_000)]
        assert widths[0] == 100
        assert widths[-1] is None
        known = [width for width in widths if width is not None]
        assert known == sorted(known)
        assert widths == known + [None] * (len(widths) - len(known))


def test_only_the_same_hopes_meet() -> None:
    others = [
        dataclasses.replace(TWO, game="other"),
        dataclasses.replace(TWO, options=(("goals", 2),)),
        dataclasses.replace(TWO, rules='{"pace": "PACE_LIVE"}'),
        dataclasses.replace(TWO, seats=3),
        dataclasses.replace(TWO, pace=Pace.DAYS),
        TWO,
    ]
    tickets = [ticket(str(n), waited_ms=LONG, hope=hope) for n, hope in enumerate(others)]
    assert propose(tickets, NOW, {}) == []


def test_silent_live_tickets_are_not_there() -> None:
    there, ghost = ticket("a"), ticket("b", silent_ms=SILENCE_MS)
    assert names(propose([there, ghost], NOW, {})) == []
    assert names(propose([there, ticket("b", silent_ms=SILENCE_MS - 1)], NOW, {})) == ["ab"]
    slow = dataclasses.replace(TWO, pace=Pace.DAYS)
    asleep = [ticket(n, hope=slow, silent_ms=9 * 24 * LONG) for n in "ab"]
    assert names(propose(asleep, NOW, {})) == ["ab"]


def test_blocks_and_the_same_player_keep_apart() -> None:
    a, b = ticket("a", waited_ms=LONG), ticket("b", waited_ms=LONG)
    for blocked in ({"player a": {"player b"}}, {"player b": {"player a"}}):
        assert propose([a, b], NOW, blocked) == []
    twin = dataclasses.replace(b, player_id=a.player_id)
    assert propose([a, twin], NOW, {}) == []


def test_a_block_among_the_nearest_does_not_keep_the_others_waiting() -> None:
    # The nearest to "a" gets on with nobody else: the others must find each other all the same.
    loner = ticket("l", 1_500, LONG, hope=FOUR)
    others = [
        ticket(n, 1_500 + 50 * k, LONG + 1 - k, hope=FOUR) for k, n in enumerate("abcd", start=1)
    ]
    blocked = {loner.player_id: {f"player {n}" for n in "bcd"}}
    assert names(propose([loner, *others], NOW, blocked)) == ["abcd"]


def test_agents_come_when_their_time_has_come() -> None:
    fill = Fill("random", 10_000)
    assert names(propose([ticket("a", waited_ms=9_999, fill=fill)], NOW, {})) == []
    (proposal,) = propose([ticket("a", waited_ms=10_000, fill=fill)], NOW, {})
    assert (names([proposal]), proposal.agent) == (["a+"], "random")
    # With too few people those who take agents come along, and nobody else.
    due = ticket("a", waited_ms=10_000, fill=fill, hope=FOUR)
    early = ticket("b", waited_ms=5_000, fill=Fill("searcher", 60_000), hope=FOUR)
    never = ticket("c", waited_ms=5_000, hope=FOUR)
    assert names(propose([due, early, never], NOW, {})) == ["ab+"]
    assert names(propose([due, early, never, ticket("d", hope=FOUR)], NOW, {})) == ["abcd"]


def test_another_wish_waits_anew_and_the_same_one_goes_on() -> None:
    old = ticket("a", waited_ms=50_000, silent_ms=20_000)
    same = changed(old, TWO, Fill("random", 1_000), NOW)
    assert (same.opened_at_ms, same.seen_at_ms) == (old.opened_at_ms, NOW)
    assert changed(old, FOUR, None, NOW).opened_at_ms == NOW


hopes = st.sampled_from([TWO, FOUR, dataclasses.replace(TWO, pace=Pace.DAYS)])
tickets = st.lists(
    st.builds(
        ticket,
        st.just("?"),
        st.integers(1_000, 2_200),
        st.integers(0, 200_000),
        hope=hopes,
        fill=st.none() | st.builds(Fill, st.just("random"), st.integers(0, 100_000)),
        silent_ms=st.sampled_from([0, SILENCE_MS - 1, SILENCE_MS]),
    ),
    max_size=14,
)


@given(tickets, st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13))), st.randoms())
def test_whoever_waits_proposals_keep_all_promises(
    found: list[Ticket], blocks: set[tuple[int, int]], order: random.Random
) -> None:
    queue = [
        dataclasses.replace(one, ticket_id=f"{n:02}", player_id=f"p{n}")
        for n, one in enumerate(found)
    ]
    blocked = {f"p{a}": {f"p{b}" for x, b in blocks if x == a} for a, _ in blocks}

    def fit(one: Ticket, other: Ticket) -> bool:
        apart = abs(one.skill - other.skill)
        widths = [window(t, NOW) for t in (one, other)]
        near = all(width is None or apart <= width for width in widths)
        hates = other.player_id in blocked.get(one.player_id, set())
        hated = one.player_id in blocked.get(other.player_id, set())
        return one.hope == other.hope and near and not (hates or hated)

    proposals = propose(queue, NOW, blocked)
    shuffled = list(queue)
    order.shuffle(shuffled)
    assert propose(shuffled, NOW, blocked) == proposals, "the order of the rows means nothing"
    seated = [one for proposal in proposals for one in proposal.tickets]
    assert len({one.ticket_id for one in seated}) == len(seated), "nobody sits twice"
    for proposal in proposals:
        people = proposal.tickets
        assert all(fit(one, other) for one, other in itertools.combinations(people, 2))
        assert (len(people) < people[0].hope.seats) == (proposal.agent is not None)
        if proposal.agent is not None:
            assert all(one.fill is not None for one in people)
            due = [one for one in people if (one.agents_at_ms or NOW) <= NOW]
            assert due, "agents came before their time"
    live = [one for one in queue if one.hope.pace is Pace.DAYS or NOW - one.seen_at_ms < SILENCE_MS]
    assert set(seated) <= set(live), "a ghost was seated"
    left = [one for one in live if one not in seated]
    for pair in itertools.combinations([one for one in left if one.hope.seats == 2], 2):
        assert not fit(*pair), "two who fit were left waiting"
    for four in itertools.combinations([one for one in left if one.hope.seats == 4], 4):
        pairs = itertools.combinations(four, 2)
        assert not all(fit(*pair) for pair in pairs), "four who fit were left waiting"
    assert not [one for one in left if one.fill and (one.agents_at_ms or 0) <= NOW]


def test_tickets_that_wait_no_more_are_not_seated() -> None:
    for status in TicketStatus:
        one = dataclasses.replace(ticket("a"), status=status)
        waits = status is TicketStatus.WAITING
        assert bool(propose([one, ticket("b")], NOW, {})) == waits
