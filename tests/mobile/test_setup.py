"""The way to a match on this device, touched; and what a table in the making knows."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from app.i18n import LANGUAGES, SOURCE, use_language
from app.model.games import knobs, offer, offer_of, offers
from app.model.people import People
from app.model.places import is_here
from app.model.setup import Plan, With, first_plan
from app.model.store import Store
from app.model.values import Agent, Here, SeatWish
from app.model.words import portrait
from app.net import local_thinking
from app.script import act_by_touch
from services.engine.agents import agent_names, monster
from services.engine.core.options import resolve
from services.engine.core.registry import game_names, ruleset
from tests.mobile.test_local import Thoughtful
from tests.mobile.ui import PHONE_WIDE, Hands, hands_on, playing, session_on

PIP = Agent("pip", "socker", 1)
HILDA = Agent("hilda", "socker", 4)
NAMES = ["Mia", "Tom", "Zoe"]


def plan(key: str, kind: With) -> Plan:
    return first_plan(offer(key), kind, (PIP, HILDA), NAMES)


# --- what is offered ----------------------------------------------------------------------------


def test_every_game_on_the_shelf_is_offered() -> None:
    assert {one.game for one in offers()} == set(game_names())
    for one in offers():
        assert one.most == ruleset(one.game).max_seats


@pytest.mark.parametrize("key", [one.key for one in offers()])
def test_every_choice_can_be_played_and_the_first_one_is_the_usual(key: str) -> None:
    rules = ruleset(offer(key).game)
    usual = resolve(rules.option_specs, offer(key).options)
    for knob in knobs(key):
        assert knob.title
        assert knob.about
        assert usual | dict(knob.choices[0].options) == usual
        for index in range(len(knob.choices)):
            options = plan(key, With.COMPUTER).choose(knob, index).options
            for seats in range(rules.min_seats, rules.max_seats + 1):
                rules.initial(resolve(rules.option_specs, options), seats)


def test_a_match_knows_the_offer_it_was_started_from() -> None:
    for one in offers():
        whole = resolve(ruleset(one.game).option_specs, one.options)
        assert offer_of(one.game, whole) == one
    assert offer_of("chess", {}) is None


@pytest.mark.parametrize("kind", list(With))
@pytest.mark.parametrize("key", [one.key for one in offers()])
def test_the_first_plan_could_start_at_once(key: str, kind: With) -> None:
    made = plan(key, kind)
    assert made.seats[0] is SeatWish.ME
    assert made.least <= len(made.seats) <= made.most
    assert made.needs_server == (kind in (With.FRIEND, With.ANYBODY))


def test_seats_come_and_go_between_the_fewest_and_the_most() -> None:
    made = plan("sock_monsters", With.HERE)
    for _ in range(5):
        made = made.add(made.next_wish(With.HERE, (PIP,), NAMES))
    assert made.seats == (SeatWish.ME, Here("Mia"), Here("Tom"), Here("Zoe"))
    for _ in range(5):
        made = made.remove(0)
    assert made.seats == (Here("Tom"), Here("Zoe"))


def test_nobody_sits_on_two_seats_but_the_computer() -> None:
    made = plan("sock_monsters", With.HERE)
    assert made.sit(1, SeatWish.ME).seats == (Here("Mia"), SeatWish.ME)
    assert made.sit(0, PIP).sit(1, PIP).seats == (PIP, PIP)


# --- by touch -----------------------------------------------------------------------------------


async def test_from_home_to_a_match_against_the_computer_without_a_network(
    tmp_path: Path,
) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("play")
        await hands.choose("socker")
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.board.hand.may_act)
        match = hands.screen.live.match
        assert is_here(match.match_id)
        assert match.seats[1].agent == "pip"
        # It is in the list, and home offers to go on with it.
        hands.app.navigator.home()
        await hands.until(lambda: hands.screen.continued == "Go on with Pip")
        await hands.press("matches")
        await hands.until(lambda: hands.screen.ids.rows.data)
        assert hands.screen.ids.rows.data[0]["title"] == "Pip"
        assert not hands.screen.trouble


@pytest.mark.field(30)
async def test_a_match_on_this_phone_comes_back_after_a_kill(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("here")
        await hands.choose("socker")
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.board.hand.may_act)
        before = hands.screen.live.match.revision
        await act_by_touch(hands.screen, hands.board.hand.legal[0])
        await hands.until(lambda: hands.screen.live.match.revision == before + 1)
        match = hands.screen.live.match
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.on("match")
        await hands.until(lambda: hands.screen.live.match is not None)
        assert hands.screen.live.match == match
        await hands.until(lambda: hands.board.hand.view.position == match.position)


@pytest.mark.field(30)
async def test_a_pause_stops_the_opponents_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Thoughtful()
    monkeypatch.setattr(local_thinking, "agent", lambda _: agent)
    async with hands_on(session_on(tmp_path)) as hands:
        here = hands.app.session.here
        table = await here.open_table("r", "socker", (PIP, SeatWish.ME), {})
        hands.app.navigator.go("match", match_id=table.match_id)
        await hands.on("match")
        # The toss decides who begins: place until it is the opponent's turn.
        while (await here.get_match(table.match_id)).actor == 1:
            await hands.until(lambda: hands.board.hand.may_act)
            revision = hands.screen.live.match.revision
            await act_by_touch(hands.screen, hands.board.hand.legal[0])
            await hands.until(partial(_past, hands, revision))
        await hands.until(agent.thinking.is_set)
        assert hands.app.on_pause()
        # From here on the loop of a paused app stands still.
        assert agent.stopped.wait(30)
        agent.thinking.clear()
        hands.app.on_resume()
        await hands.until(agent.thinking.is_set)
        agent.may_answer.set()


def _past(hands: Hands, revision: int) -> bool:
    return bool(hands.screen.live.match.revision > revision)


async def test_another_opponent_and_other_rules_are_chosen_by_touch(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("play")
        await hands.choose("socker")
        await hands.press("unfold")
        hands.tap(hands.screen.chip("length", 2))
        await hands.settle()
        assert hands.screen.ids.unfold.text == "Rules of your own"
        await take_seat(hands, 1, "Hilda")
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.screen.live.match is not None)
        match = hands.screen.live.match
        assert match.seats[1].agent == "hilda"
        assert match.options["turn_limit"] == 15


async def test_two_people_share_a_phone(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("here")
        await hands.choose("socker")
        rows = [row.title for row in reversed(hands.screen.ids.seats.children)]
        assert rows == [f"You ({hands.app.session.people.me})", "Mum"]
        await take_seat(hands, 1, "Grandpa")
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.screen.live.match is not None)
        match = hands.screen.live.match
        assert [seat.display_name for seat in match.seats] == [
            hands.app.session.people.me,
            "Grandpa",
        ]
        assert len(match.views) == 2
        # In Socker nothing is private: no curtain.
        assert not hands.screen.ids.curtain.closed
        # Whoever played here is offered first the next time.
        assert hands.app.session.people.offered()[0] == "Grandpa"


async def test_a_name_may_be_typed_but_need_not(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path), size=PHONE_WIDE) as hands:
        await hands.press("here")
        await hands.choose("sock_monsters")
        hands.screen.ids.sheet.ask(hands.screen, 1)
        hands.screen.ids.sheet.ids.name.text = "  Zoë  "
        await hands.settle()
        hands.tap(hands.screen.ids.sheet.ids.typed)
        await hands.settle()
        assert hands.screen.plan.seats == (SeatWish.ME, Here("Zoë"))
        # On one's own seat it is what the owner of the phone is called from then on.
        hands.screen.ids.sheet.ask(hands.screen, 0)
        hands.screen.ids.sheet.ids.name.text = "Ada"
        await hands.settle()
        hands.tap(hands.screen.ids.sheet.ids.typed)
        await hands.settle()
        assert hands.screen.plan.seats == (SeatWish.ME, Here("Zoë"))
        assert hands.screen.ids.seats.children[-1].title == "You (Ada)"
        assert People(Store(tmp_path)).me == "Ada"


async def test_a_fourth_player_comes_and_goes(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("here")
        await hands.choose("sock_monsters")
        assert not hands.screen.ids.seats.children[0].removable
        await hands.press("add")
        await hands.press("add")
        assert len(hands.screen.plan.seats) == 4
        assert hands.screen.ids.add.gone
        await hands.settle()
        row = hands.screen.ids.seats.children[0]
        hands.tap(row.ids.off)
        await hands.settle()
        assert len(hands.screen.plan.seats) == 3


@pytest.mark.field(32)
async def test_back_closes_the_sheet_before_it_leaves(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("here")
        await hands.choose("socker")
        hands.tap(hands.screen.ids.seats.children[0])
        await hands.settle()
        sheet = hands.screen.ids.sheet
        assert sheet.shown
        assert hands.back_key()
        assert not sheet.shown
        assert hands.screen.name == "setup"
        assert hands.back_key()
        assert hands.screen.name == "choose"


async def test_a_table_that_is_asked_for_again_is_the_same(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("friend")
        await hands.press("invite")
        await hands.choose("socker")
        hands.gateway.offline = True
        await hands.press("play")
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "The server doesn't answer."
        hands.gateway.offline = False
        await hands.press("play")
        await hands.on("table")
        assert len(hands.gateway.tables) == 1


async def test_my_matches_lists_those_of_this_device_also_when_the_server_is_away(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path) as hands:
        session = hands.app.session
        there = await session.online.open_table("r", "socker", (SeatWish.ME, PIP), {})
        here = await session.here.open_table("r", "socker", (SeatWish.ME, HILDA), {})
        await hands.press("matches")
        await hands.until(lambda: len(hands.screen.ids.rows.data) == 2)
        listed = {row["match_id"] for row in hands.screen.ids.rows.data}
        assert listed == {there.match_id, here.match_id}
        hands.app.navigator.home()
        hands.gateway.offline = True
        await hands.press("matches")
        await hands.until(lambda: hands.screen.trouble)
        # What came in before is still known.
        listed = {row["match_id"] for row in hands.screen.ids.rows.data}
        assert listed == {there.match_id, here.match_id}
        await hands.settle()
        rows = hands.screen.ids.rows.children[0].children
        hands.tap(next(row for row in rows if row.match_id == here.match_id))
        await hands.on("match")
        await hands.until(lambda: hands.screen.live.match is not None)
        assert hands.screen.live.match.match_id == here.match_id
        assert not hands.app.offline


async def test_a_match_with_the_computer_may_be_kept_on_the_server(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("play")
        await hands.choose("socker")
        await hands.press("unfold")
        hands.tap(hands.screen.chip("where", 1))
        await hands.settle()
        await hands.press("play")
        await hands.on("match")
        assert not is_here(hands.screen.match_id)
        assert hands.screen.match_id in hands.gateway.matches


async def test_without_a_server_friends_are_told_why(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        await hands.press("friend")
        assert hands.screen.trouble == "No server is chosen yet: see the settings."


async def take_seat(hands: Hands, seat: int, name: str) -> None:
    """Put somebody called `name` on a seat, by touch."""
    hands.tap(hands.screen.ids.seats.children[::-1][seat])
    await hands.settle()
    sheet = hands.screen.ids.sheet
    card = next(card for card in sheet.ids.wishes.children if card.title == name)
    sheet.ids.scroll.scroll_to(card, animate=False)
    await hands.settle()
    hands.tap(card)
    await hands.settle()
    assert not sheet.shown


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_monsters_are_introduced_in_each_language(spoken: str) -> None:
    use_language(spoken)
    try:
        for game in game_names():
            for name in agent_names(game):
                who, words = monster(name), portrait(Agent(name, game, 1))
                assert words.about != ""
                if who is not None:
                    assert words.name == getattr(who.name, spoken)
                    assert words.about == getattr(who.character, spoken)
    finally:
        use_language(SOURCE)
