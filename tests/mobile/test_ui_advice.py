"""Hints and looking back, touched: lit on the board, never played, dropped in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.model.advice import Point, Progress, Reason
from app.model.advice_words import reason_words
from app.model.gateway import Offline, Refused
from app.model.hide_and_seek import HideAndSeekAct
from app.model.hide_and_seek import Kind as SeekKind
from app.model.sock_monsters import Kind as HouseKind
from app.model.sock_monsters import SockMonstersAct
from app.model.socker import Kind, SockerAct
from app.model.terms import USUAL
from app.model.values import Here, Occupant, SeatWish
from app.net.fake import ME
from app.screens.review.curve import MOST_POINTS, thinned
from tests.mobile.looking_back import finished, review_of, went
from tests.mobile.positions import SEATS, TURN, cell
from tests.mobile.test_sock_monsters_touch import position as house_position
from tests.mobile.ui import Hands, answer, hands_on, menu, playing, session_on, tap_widget

HOUSE = """monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r gb | pairs - bb |
    lairs r - gv - | turn 2 0 0 | shown - | phase pawn"""
SEEK = "hide_and_seek/1 2 types=3 | Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc | piles - - | turns 6 | idle 0"
KICK = SockerAct(Kind.KICK, cell("d3"), cell("d4"))


async def hinted(hands: Hands) -> None:
    """Ask for a hint from the menu, and wait for it."""
    assert "hint" in await menu(hands)
    await answer(hands, "hint")
    note = hands.screen.ids.hint
    await hands.until(lambda: note.on and not note.thinks)
    await hands.settle()


async def thinking(hands: Hands) -> asyncio.Event:
    """Ask for a hint that is thought about until the event is set."""
    done = hands.gateway.thinking = asyncio.Event()
    await menu(hands)
    await answer(hands, "hint")
    await hands.until(lambda: hands.gateway.hints_asked)
    return done


async def shown(hands: Hands, game: str, position: str) -> str:
    """Open a match of any game that stands at a position."""
    match_id = hands.gateway.start(game, SEATS, {}, " ".join(position.split()))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.on("match")
    await hands.until(lambda: hands.screen.look is not None and hands.part.resting)
    await hands.settle()
    return match_id


async def test_a_hint_lights_up_and_only_a_touch_plays_it(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.suggests, hands.gateway.why = KICK.notation, (Reason.MUCH_BETTER,)
        await hinted(hands)
        assert hands.gateway.hints_asked == [(match_id, 0, 0)]
        hand, note = hands.board.hand, hands.screen.ids.hint
        assert (hand.proposed, hand.picked, hand.lit) == (KICK, cell("d3"), (KICK,))
        assert note.text == f"{reason_words(Reason.MUCH_BETTER)}\n1 hint so far."
        assert note.top <= hands.screen.top
        # The same position once more, as after a lost connection, takes nothing away.
        hands.gateway.beside(match_id, watchers=1)
        await hands.until(lambda: hands.screen.ids.strip.line)
        assert hands.board.hand.proposed == KICK
        assert hands.gateway.matches[match_id].events == []
        hands.touch("d4")
        await hands.counted(match_id, 1)
        assert hands.gateway.matches[match_id].events[0].act == KICK
        assert not note.on
        assert hands.board.hand.proposed is None


async def test_another_touch_takes_the_light_away(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        hands.gateway.suggests = KICK.notation
        await hinted(hands)
        hands.touch("e4")
        await hands.settle()
        assert hands.board.hand.proposed is None
        assert not hands.screen.ids.hint.on


async def test_to_end_the_turn_can_be_a_hint_too(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        hands.gateway.suggests = SockerAct(Kind.END_TURN).notation
        await hinted(hands)
        assert hands.part.ids.end.kind == "main"
        hands.touch("d3")
        assert hands.part.ids.end.kind == "plain"


async def test_a_hint_in_the_house_aims_as_the_first_touch_does(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await shown(hands, "sock_monsters", house_position(HOUSE))
        board = hands.part.board
        walk = next(act for act in board.hand.legal if act.kind is HouseKind.PAWN)
        assert isinstance(walk, SockMonstersAct)
        hands.gateway.suggests = walk.notation
        await hinted(hands)
        assert board.hand.aimed == walk
        assert hands.gateway.matches[match_id].events == []


async def test_a_hint_among_the_cards_marks_them(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await shown(hands, "hide_and_seek", f"{SEEK} | first 0")
        board = hands.part.board
        flip = next(act for act in board.hand.legal if act.kind is SeekKind.FLIP)
        hands.gateway.suggests = flip.notation
        await hinted(hands)
        assert board.hand.proposed == flip
        candy = next(act for act in board.hand.legal if act.kind is SeekKind.CANDY)
        board.propose(candy)
        assert (board.hand.proposed, board.hand.aimed) == (candy, candy.cell)
        board.propose(HideAndSeekAct(SeekKind.STOP))  # is not legal here
        assert board.hand.proposed == candy
        assert hands.gateway.matches[match_id].events == []


async def test_whoever_plays_on_needs_no_hint_any_more(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        done = await thinking(hands)
        assert hands.screen.ids.hint.thinks
        hands.touch("d3")
        assert hands.screen.ids.hint.on
        hands.touch("d4")
        await hands.until(lambda: hands.gateway.hints_dropped)
        assert not hands.screen.ids.hint.on
        done.set()
        await hands.counted(match_id, 1)
        assert hands.board.hand.proposed is None


async def test_a_hint_about_a_position_that_is_gone_is_dropped(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        await thinking(hands)
        hands.gateway.play_as(match_id, KICK.notation)  # on another device of the same player
        await hands.counted(match_id, 1)
        await hands.until(lambda: hands.gateway.hints_dropped)
        assert not hands.screen.ids.hint.on
        assert hands.board.hand.proposed is None


async def test_a_hint_that_can_not_be_had_is_said(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await hands.play_position(TURN)
        await menu(hands)
        hands.gateway.refuses = Refused("NO_ADVICE", "", {})
        await answer(hands, "hint")
        toast = hands.app.root.ids.toast
        await hands.until(lambda: toast.text == "That could not be worked out. Try it once more.")
        assert not hands.screen.ids.hint.on


async def test_a_table_without_hints_offers_none(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await hands.play_position(TURN)
        hands.gateway.beside(match_id, terms=replace(USUAL, hints=False))
        await hands.until(lambda: not hands.screen.look.match.terms.hints)
        assert "hint" not in await menu(hands)


async def test_a_hint_is_for_whoever_holds_the_device(tmp_path: Path) -> None:
    mia = Occupant(player_id=ME.player_id, display_name="Mia")
    async with playing(tmp_path) as hands:
        seats = (SEATS[0], mia)
        match_id = hands.gateway.start(
            "sock_monsters", seats, {}, " ".join(house_position(HOUSE).split())
        )
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.ids.curtain.closed)
        assert not hands.screen.hinting.offered
        hands.screen.hinting.ask()
        await hands.settle()
        assert hands.gateway.hints_asked == []
        await hands.take_phone()
        await hands.until(lambda: hands.part.resting)
        assert hands.screen.hinting.offered


@pytest.mark.parametrize("hints", [True, False])
async def test_on_this_device_the_table_says_whether_there_are_hints(
    tmp_path: Path, *, hints: bool
) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        hands.app.navigator.go("setup", key="socker", whom="here")
        await hands.until(lambda: hands.screen.ready)
        await hands.press("unfold")
        if not hints:
            await hands.reach(hands.screen.chip("hints", 1))
            assert not hands.screen.usual
        await hands.press("play")
        await hands.on("match")
        await hands.until(lambda: hands.screen.look is not None)
        await hands.settle()
        assert hands.screen.look.match.terms.hints is hints
        assert ("hint" in await menu(hands)) is hints


async def test_a_hint_of_this_device_comes_from_its_own_search(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path)) as hands:
        here = hands.app.session.here
        table = await here.open_table("r", "hide_and_seek", (SeatWish.ME, Here("Mia")), {})
        hands.app.navigator.go("match", match_id=table.match_id)
        await hands.on("match")
        await hands.until(lambda: hands.screen.look is not None and hands.part.resting)
        await hands.settle()
        await menu(hands)
        await answer(hands, "hint")
        note = hands.screen.ids.hint
        await hands.until(lambda: note.on and not note.thinks)
        proposed = hands.part.board.hand.proposed
        assert proposed in hands.part.board.hand.legal
        assert note.text.endswith("\n1 hint so far.")
        assert hands.screen.live.match.revision == hands.screen.look.match.revision


# --- looking back ---------------------------------------------------------------------------


async def looking_back(hands: Hands, steps: Sequence[object] | None = None) -> str:
    """Open the look back on a match that is over from its result."""
    match_id = finished(hands.gateway)
    said = [review_of(hands.gateway, match_id)] if steps is None else list(steps)
    hands.gateway.reviews = said  # type: ignore[assignment]  # they are what it takes
    hands.app.navigator.go("match", match_id=match_id)
    await hands.on("match")
    await hands.until(lambda: hands.screen.over)
    await hands.settle()
    tap_widget(hands.screen.ids.result.ids.back)
    await hands.on("review")
    return match_id


async def test_how_it_went_is_shown_and_leads_to_the_board_and_back(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await looking_back(hands)
        await hands.until(lambda: hands.screen.ready)
        await hands.settle()
        screen = hands.screen
        assert hands.gateway.reviews_asked == [(match_id, 0)]
        assert screen.luck == "Luck helped you a bit."
        assert [row.name for row in reversed(screen.ids.legend.children)] == ["You", "Ben"]
        rows = list(reversed(screen.ids.costly.children))
        assert [row.move for row in rows] == ["Your move 3", "Your move 8", "Your move 12"]
        assert screen.hints == "Hints: You 2"
        await hands.reach(rows[0])
        moment = screen.ids.moment
        await hands.until(lambda: moment.shown)
        await hands.settle()
        one = rows[0].decision
        board = moment.picture.board
        assert board.hand.proposed == one.best
        tap_widget(moment.ids.done)
        await hands.settle()
        assert moment.picture.board.hand.proposed == one.played
        assert hands.back_key()
        assert not moment.shown
        assert screen.name == hands.screen.name == "review"
        assert hands.back_key()
        await hands.on("match")


async def test_a_look_back_says_how_far_it_is_and_is_let_go(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        await looking_back(hands, [Progress(3, 12), asyncio.Event()])
        await hands.until(lambda: hands.screen.done == 0.25)
        assert hands.screen.waits
        assert not hands.screen.ready
        hands.app.navigator.back()
        await hands.on("match")
        assert not hands.app.offline


async def test_a_lost_connection_is_waited_for_and_a_refusal_said(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        match_id = await looking_back(hands, [Progress(1, 4), Refused("NO_ADVICE", "", {})])
        await hands.until(lambda: hands.screen.trouble)
        assert hands.screen.trouble == "That could not be worked out. Try it once more."
        review = review_of(hands.gateway, match_id, losses=())
        hands.gateway.reviews = [Progress(1, 4), Offline("cut"), review]
        await hands.press("again")
        await hands.until(lambda: hands.screen.ready)
        assert hands.screen.trouble == ""
        assert hands.screen.flawless
        assert not hands.app.offline


async def test_several_people_on_one_device_look_back_one_by_one(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        mia = Occupant(player_id=ME.player_id, display_name="Mia")
        match_id = hands.gateway.start("hide_and_seek", (SEATS[0], mia), {}, "")
        played = hands.gateway.matches[match_id]
        while played.actor is not None:
            legal = played.rules.legal_actions(played.state)
            action = hands.gateway.rng.choice(legal)
            hands.gateway.play_as(match_id, played.rules.format_action(action))
        hands.gateway.reviews = [review_of(hands.gateway, match_id)]
        hands.app.navigator.go("review", match_id=match_id)
        await hands.until(lambda: hands.screen.ready)
        await hands.settle()
        chips = {chip.text: chip for chip in hands.screen.ids.who.children}
        assert set(chips) == {"Ada", "Mia"}
        assert chips["Ada"].chosen
        tap_widget(chips["Mia"])
        await hands.until(lambda: hands.gateway.reviews_asked[-1] == (match_id, 1))
        assert chips["Mia"].chosen
        assert not chips["Ada"].chosen


def test_of_many_points_the_line_keeps_its_course_and_its_end() -> None:
    curve = tuple(Point(step, (step, 1000 - step)) for step in range(1000))
    line = thinned((*curve, Point(1000, (1000, 0))), 0)
    assert len(line) <= MOST_POINTS + 1
    assert line[-1] == (1.0, 1.0)
    assert line == sorted(line)
    assert all(abs(x - y) < 0.001 for x, y in line)
    assert thinned((), 0) == []
    assert thinned(went(2)[-1:], 1) == [(0.0, 0.0)]
