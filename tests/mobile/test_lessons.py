"""Lessons and rule pages: the engine agrees with all of them, and touches solve them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.metrics import dp

from app.boards.motion import style
from app.boards.room import GAP_DP, Rect, clear_of
from app.model.hide_and_seek import HideAndSeekAct
from app.model.lessons import Lesson, Progress, lessons, pages
from app.model.sock_monsters import SockMonstersAct
from app.model.sock_monsters_touch import Choice
from app.model.socker import Kind, SockerAct
from app.model.store import Store
from app.net import convert
from app.net.lesson import LessonMatch, position_seen
from app.script import tap
from services.engine.core import CHANCE
from services.engine.core.registry import ruleset
from services.wire.actions import action_to_message
from tests.mobile.positions import SEATS
from tests.mobile.readable import undrawn
from tests.mobile.ui import SIZES, SMALL, TABLET, TABLET_HIGH, Hands, playing

GAMES = {
    "sock_monsters": "sock_monsters",
    "sock_monsters_german": "sock_monsters",
    "socker": "socker",
    "hide_and_seek": "hide_and_seek",
}
LESSONS = [(key, number) for key in GAMES for number in range(len(lessons(key)))]
TOUCHES_A_MINUTE = 12
"""How fast a child that reads touches: one in five seconds."""
WORDS_A_MINUTE = 60
"""How fast a child that has just learned to reads."""


def ends(key: str, lesson: Lesson) -> Iterator[tuple[str, ...]]:
    """Every way through a lesson that its data allows: the positions it leads to, in order."""
    rules = ruleset(GAMES[key])

    def walk(state: Any, number: int, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if number == len(lesson.steps):
            yield path
            return
        step = lesson.steps[number]
        legal = {rules.format_action(action) for action in rules.legal_actions(state)}
        assert rules.actor(state) == lesson.seat
        assert legal & set(step.do), f"{lesson.name}: nothing of {step.do} is legal"
        for action in legal & set(step.do):
            after = rules.apply(state, rules.parse_action(action))
            for following in step.then:
                assert rules.actor(after) != lesson.seat, lesson.name
                if rules.actor(after) == CHANCE:
                    could = {
                        rules.format_action(one.action) for one in rules.chance_outcomes(after)
                    }
                    assert following in could, f"{lesson.name}: {following}"
                after = rules.apply(after, rules.check(after, rules.parse_action(following)))
            yield from walk(after, number + 1, (*path, rules.format_state(after)))

    yield from walk(rules.parse_state(lesson.position), 0, ())


@pytest.mark.parametrize("key", list(GAMES))
def test_there_are_five_to_eight_lessons_and_their_names_differ(key: str) -> None:
    names = [lesson.name for lesson in lessons(key)]
    assert 5 <= len(names) <= 8
    assert len(set(names)) == len(names)
    assert len(pages(key)) >= 5


@pytest.mark.parametrize(("key", "number"), LESSONS)
def test_every_lesson_can_be_solved_as_it_says(key: str, number: int) -> None:
    lesson = lessons(key)[number]
    found = [path[-1] for path in ends(key, lesson)]
    there = [end for end in found if all(part in end for part in lesson.result)]
    assert there, f"{lesson.name} leads to {found}"
    for step in lesson.steps:
        assert step.say
        assert step.hint


@pytest.mark.parametrize(("key", "number"), LESSONS)
def test_no_dead_end_is_taken_for_a_solution(key: str, number: int) -> None:
    """Whatever is accepted can be gone on with: the lesson ends in its result and nowhere else."""
    lesson = lessons(key)[number]
    rules = ruleset(GAMES[key])

    def walk(done: tuple[str, ...]) -> None:
        match = LessonMatch(GAMES[key], lesson)
        for notation in done:
            assert match.make(act(rules, notation)), f"{lesson.name}: {notation} after {done}"
        if match.step is None:
            assert all(part in match.position for part in lesson.result), match.position
            return
        state = rules.parse_state(match.position)
        taken = 0
        for action in rules.legal_actions(state):
            again = LessonMatch(GAMES[key], lesson)
            for notation in done:
                again.make(act(rules, notation))
            if again.make(act(rules, rules.format_action(action))):
                taken += 1
                walk((*done, rules.format_action(action)))
            else:
                assert again.position == match.position
        assert taken, f"{lesson.name}: no way on after {done}"

    walk(())


def act(rules: Any, notation: str) -> Any:
    """An action as the app gets it."""
    return convert.act(action_to_message(rules, rules.parse_action(notation)))


@pytest.mark.parametrize("key", list(GAMES))
def test_every_lesson_takes_less_than_four_minutes(key: str) -> None:
    for lesson in lessons(key):
        said = [lesson.title, lesson.done, *(f"{step.say} {step.hint}" for step in lesson.steps)]
        words = sum(len(text.split()) for text in said)
        # Each step takes up to three touches on the board and one to put the words away.
        touches = 4 * len(lesson.steps) + 1
        assert words / WORDS_A_MINUTE + touches / TOUCHES_A_MINUTE < 4, lesson.name


@pytest.mark.parametrize("key", list(GAMES))
def test_every_page_shows_a_position_of_its_game(key: str) -> None:
    for page in pages(key):
        match = position_seen(GAMES[key], page.position, page.seat)
        assert match.views[0].view
        assert not page.touch or match.views[0].legal, page.title


def test_what_was_solved_is_kept(tmp_path: Path) -> None:
    progress = Progress(Store(tmp_path))
    assert progress.next("socker") == 0
    progress.solved("socker", "kick")
    progress.solved("socker", "sock")
    assert Progress(Store(tmp_path)).done("socker") == {"kick", "sock"}
    assert Progress(Store(tmp_path)).next("socker") == 1
    assert Progress(Store(tmp_path)).done("hide_and_seek") == frozenset()
    Store(tmp_path).write("lessons", {"socker": "nonsense", "hide_and_seek": [1, "match"]})
    assert Progress(Store(tmp_path)).done("socker") == frozenset()
    assert Progress(Store(tmp_path)).done("hide_and_seek") == {"match"}


# --- by touch ---------------------------------------------------------------------------------


async def rested(hands: Hands) -> None:
    """Wait until the lesson says something."""
    await hands.until(lambda: hands.screen.told)
    await hands.settle()


async def put_away(hands: Hands) -> None:
    """Put the words of the lesson away."""
    hands.tap(hands.screen.ids.go_on)
    await hands.until(lambda: not hands.screen.told and hands.part.resting)
    await hands.settle()


def touch(hands: Hands, cell: tuple[int, int] | None) -> None:
    """A finger on a cell of the board."""
    assert cell is not None
    board = hands.part.ids.board
    layout = getattr(board, "place", None) or board.stage.layout
    tap(*board.to_window(*layout.middle(cell)))


async def make(hands: Hands, notation: str) -> None:
    """Make an action as a person does."""
    wanted = act(ruleset(hands.part.game), notation)
    hand = hands.part.ids.board.hand
    match wanted:
        case SockerAct(kind=Kind.END_TURN):
            hands.tap(hands.part.ids.end)
        case SockerAct():
            if wanted.origin is not None and hand.picked != wanted.origin:
                touch(hands, wanted.origin)
                await hands.settle()
            touch(hands, wanted.target)
        case HideAndSeekAct():
            for _ in range(2 if wanted.cell in hand.candies else 1):
                touch(hands, wanted.cell)
                await hands.settle()
        case SockMonstersAct():
            await make_by_choice(hands, wanted)
    await hands.settle()


async def make_by_choice(hands: Hands, wanted: SockMonstersAct) -> None:
    """Aim at it and make it: on the board where it has a cell, else among the choices."""
    group = next(
        group for group, acts in hands.part.ids.board.hand.groups.items() if wanted in acts
    )
    acts = hands.part.ids.board.hand.groups[group]
    if isinstance(group, tuple):
        touch(hands, group)
        await hands.settle()
        if len(acts) == 1:
            touch(hands, group)
            return
    for _ in range(2):
        button = next(
            (one for one in hands.part.choices.children if one.choice == Choice((wanted,))),
            None,
        ) or next(one for one in hands.part.choices.children if wanted in one.choice.acts)
        tap(*button.to_window(*button.center))
        await hands.settle()


@pytest.fixture
def unseen() -> Iterator[None]:
    """Nothing is drawn and nothing moves: what is touched and said is the same."""
    style.less = True
    with undrawn():
        yield
    style.less = False


@pytest.mark.parametrize("key", list(GAMES))
async def test_every_lesson_is_solved_by_touch(tmp_path: Path, unseen: None, key: str) -> None:
    async with playing(tmp_path) as hands:
        hands.app.session.settings.change(less_motion=True)
        hands.app.navigator.go("lesson", key=key, number="0")
        for number, lesson in enumerate(lessons(key)):
            await rested(hands)
            assert hands.screen.number == number
            for count in range(len(lesson.steps)):
                await put_away(hands)
                match = hands.screen.match
                assert match.number == count
                rules = ruleset(GAMES[key])
                state = rules.parse_state(match.position)
                legal = {rules.format_action(action) for action in rules.legal_actions(state)}
                await make(hands, next(one for one in lesson.steps[count].do if one in legal))
                await rested(hands)
            assert hands.screen.solved, lesson.name
            assert hands.screen.words == lesson.done
            assert lesson.name in Progress(hands.app.session.store).done(key)
            hands.tap(hands.screen.ids.go_on)
            await hands.settle()
        # After the last one the way leads back.
        assert hands.screen.name == "home"


async def test_a_wrong_touch_says_why_and_one_beside_the_point_what_to_do(
    tmp_path: Path, unseen: None
) -> None:
    async with playing(tmp_path) as hands:
        hands.app.navigator.go("lesson", key="sock_monsters", number="1")
        await rested(hands)
        await put_away(hands)
        before = hands.screen.match.position
        touch(hands, (2, 5))
        await hands.settle()
        assert hands.part.ids.prompt.text == "Three steps at most."
        await make(hands, "pawn:c4")  # legal, but not what the lesson is about
        said = "You could, but now try this: Above the red lair, or to its right. Touch it twice."
        assert hands.app.root.ids.toast.text == said
        assert hands.screen.match.position == before
        assert not hands.screen.told
        # Whoever asks is told where to touch.
        hands.tap(hands.screen.ids.ask)
        await hands.settle()
        assert hands.screen.told
        assert "Touch it twice." in hands.screen.words
        # A touch beside the words puts them away and does nothing else.
        tap(hands.screen.center_x, hands.screen.ids.sheet.top + dp(60))
        await hands.settle()
        assert not hands.screen.told
        assert hands.screen.match.position == before
        assert hands.back_key()
        assert hands.screen.name == "home"


def drawn(hands: Hands) -> Rect:
    """Where the board is to be seen."""
    board = hands.part.ids.board
    layout = getattr(board, "place", None) or board.stage.layout
    found: Rect = layout.drawn
    return found


@pytest.mark.parametrize("key", ["socker", "sock_monsters", "hide_and_seek"])
async def test_the_words_lie_over_no_part_of_the_board(
    tmp_path: Path, unseen: None, key: str
) -> None:
    async with playing(tmp_path) as hands:
        hands.app.navigator.go("lesson", key=key, number="1")
        made_way = set()
        for size in (SMALL, SMALL[::-1], *SIZES):
            await hands.turn_to(size)
            hands.screen.restart()
            await rested(hands)
            sheet = hands.screen.ids.sheet
            x, y, width, height = small = drawn(hands)
            room = hands.part.ids.board
            assert room.x - 1 < x < x + width < room.right + 1
            assert room.y - 1 < y < y + height < room.top + 1
            beside = x + width <= sheet.x or sheet.right <= x
            assert beside or y >= sheet.top or y + height <= sheet.y, size
            await put_away(hands)
            large = drawn(hands)
            assert large[2] >= small[2]
            if large != small:
                made_way.add(size)
            hands.screen.told = True
            await hands.settle()
            assert drawn(hands) == small
        assert made_way & {TABLET, TABLET_HIGH}, "of all that there is to see nothing was covered"


def test_a_board_makes_way_only_for_what_lies_over_it() -> None:
    def clear(cover: Rect | None) -> Rect:
        return clear_of(cover, (0, 0, 400, 400), lambda rect: rect, lambda rect: rect)

    assert clear(None) == clear((500, 0, 50, 50)) == (0, 0, 400, 400)
    gap = dp(GAP_DP)
    assert clear((300, 0, 100, 80)) == (0, 80 + gap, 400, 320 - gap)
    assert clear((0, 250, 400, 150)) == (0, 0, 400, 250 - gap)
    assert clear((0, 0, 100, 400)) == (100 + gap, 0, 300 - gap, 400)
    # Where nothing is left there is no better place.
    assert clear((-10, -10, 500, 500)) == (0, 0, 400, 400)


async def test_home_leads_to_rules_and_lessons_and_back(tmp_path: Path, unseen: None) -> None:
    async with playing(tmp_path) as hands:
        await hands.press("learn")
        card = hands.screen.ids.games.children[-1]
        assert card.progress == f"0 of {len(lessons('sock_monsters'))} lessons"
        hands.tap(card.ids.rules)
        await hands.on("rules")
        assert hands.screen.title == "Sock Monsters"
        assert hands.screen.ids.picture.children, "no picture"
        for _ in range(len(pages("sock_monsters")) - 1):
            before = hands.screen.heading
            await hands.press("next")
            assert hands.screen.heading != before
        await hands.press("before")
        await hands.press("next")
        # After the last page there is something to try; the way back leaves the rules out.
        await hands.press("next")
        assert hands.screen.name == "lesson"
        assert hands.back_key()
        assert hands.screen.name == "learn"
        Progress(hands.app.session.store).solved("sock_monsters", "chest")
        hands.app.navigator.home()
        await hands.press("learn")
        card = hands.screen.ids.games.children[-1]
        assert card.done == 1
        hands.tap(card.ids.practise)
        await hands.on("lesson")
        assert hands.screen.number == 1  # The first one that waits.


async def test_a_match_leads_to_the_rules_of_its_game_and_back(
    tmp_path: Path, unseen: None
) -> None:
    async with playing(tmp_path) as hands:
        options = {"edition": "german"}
        match_id = hands.gateway.start("sock_monsters", SEATS, options)
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
        hands.screen.show_rules()
        await hands.on("rules")
        assert hands.screen.title == "Sock Monsters, German edition"
        assert hands.back_key()
        await hands.on("match")
        assert hands.screen.match_id == match_id
