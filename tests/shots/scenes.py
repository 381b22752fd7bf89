"""What there is to see: the states of the app that pictures are taken of.

Every screen of `app.shell.SCREENS` and every game of the match screen joins by itself, as it looks
when it is opened; here are the states that somebody should look at beyond that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from kivy.clock import Clock

from app.model.advice import Progress, Reason
from app.model.gateway import Refused
from app.model.online import Rating, Standing
from app.model.session import fresh_id
from app.model.sock_monsters import Kind as HouseKind
from app.model.terms import Clock as TurnClock
from app.model.terms import SeatClock, SeatState, Terms
from app.model.values import Here, Occupant, SeatWish, Table, TableStatus
from app.net.fake import ME
from app.net.fake_people import CODE, FRIEND, STRANGER
from app.screens.match.parts import PARTS
from app.shell import SCREENS
from services.engine.core.registry import ruleset
from tests.mobile.looking_back import finished, review_of
from tests.mobile.positions import NEARLY, SEATS, SETUP, TURN
from tests.mobile.test_sock_monsters_touch import position as house_position
from tests.mobile.ui import Hands, tap_widget

Show = Callable[[Hands], Awaitable[None]]

ADA, BEN = SEATS
CHRIS = Occupant(player_id="p-chris", display_name="Chris")
PIP = Occupant(agent="random", display_name="random")
MIA_HERE = Occupant(player_id=ME.player_id, display_name="Mia")


@dataclass(frozen=True, slots=True)
class Scene:
    """A state of a screen, and the way to it from home."""

    screen: str
    name: str
    show: Show


def scenes() -> tuple[Scene, ...]:
    """All of them, screen by screen in the order in which the app names them."""
    found: list[Scene] = []
    for screen in SCREENS:
        written = [scene for scene in _WRITTEN if scene.screen == screen]
        found += written or [Scene(screen, screen, _opened(screen))]
    played = {game for scene in found for game in _GAMES if scene.name.startswith(game)}
    found += [Scene("match", game, _first(game)) for game in PARTS if game not in played]
    return tuple(found)


_WRITTEN: list[Scene] = []
_GAMES = tuple(PARTS)


def scene(screen: str, name: str = "") -> Callable[[Show], Show]:
    """Register the way to a state of `screen`."""

    def add(show: Show) -> Show:
        _WRITTEN.append(Scene(screen, name or screen, show))
        return show

    return add


def _opened(screen: str) -> Show:
    async def show(hands: Hands) -> None:
        hands.app.navigator.go(screen)
        await rested(hands)

    return show


def _first(game: str) -> Show:
    async def show(hands: Hands) -> None:
        await match(hands, game, "", (ADA, BEN))

    return show


async def rested(hands: Hands) -> None:
    """Until a screen has what it asked for."""
    await hands.until(lambda: not hands.screen.busy or hands.screen.name in ("table", "match"))
    await frames(hands)


async def frames(hands: Hands, count: int = 3) -> None:
    """Let so many frames pass, in which layouts settle."""
    end = Clock.frames + count
    await hands.until(lambda: Clock.frames >= end)


async def match(
    hands: Hands, game: str, position: str, seats: tuple[Occupant, ...], **options: Any
) -> str:
    """A match that stands at `position`, at rest; its id."""
    match_id = hands.gateway.start(game, seats, options, " ".join(position.split()))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    await at_rest(hands)
    return match_id


async def at_rest(hands: Hands) -> None:
    """Nothing moves any more; motions are cut short."""
    for _ in range(3):
        hands.part.skip()
        await frames(hands, 2)
    await hands.until(lambda: hands.part.resting)


async def over(hands: Hands) -> None:
    """Until the result is there; what moves before it is cut short."""

    def there() -> bool:
        hands.part.skip()
        return bool(hands.screen.over)

    await hands.until(there)
    await frames(hands, 4)


# --- before a match -------------------------------------------------------------------------------


@scene("home")
async def home(hands: Hands) -> None:
    hands.app.navigator.home()
    await rested(hands)


@scene("home", "home-with-a-match")
async def home_with_a_match(hands: Hands) -> None:
    await hands.app.session.here.open_table(fresh_id(), "socker", (SeatWish.ME, Here("Mia")), {})
    hands.app.navigator.home()
    await hands.until(lambda: hands.screen.continued)
    await frames(hands)


@scene("choose")
async def choose(hands: Hands) -> None:
    hands.app.navigator.go("choose", whom="computer")
    await rested(hands)


@scene("setup")
async def setup(hands: Hands) -> None:
    hands.app.navigator.go("setup", key="sock_monsters", whom="computer")
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@scene("setup", "setup-options")
async def setup_options(hands: Hands) -> None:
    await setup(hands)
    hands.screen.unfold()
    await frames(hands)


@scene("setup", "setup-who")
async def setup_who(hands: Hands) -> None:
    await setup(hands)
    hands.screen.ids.sheet.ask(hands.screen, 1)
    await frames(hands)


@scene("join")
async def join(hands: Hands) -> None:
    hands.app.navigator.go("join", code=CODE)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@scene("lobby")
async def lobby(hands: Hands) -> None:
    seats = (Occupant(FRIEND.player_id, "", FRIEND.display_name), PIP, Occupant())
    hands.gateway.lobby = [
        Table(f"t-{game}", "", game, seats, TableStatus.OPEN, "", 0)
        for game in ("sock_monsters", "hide_and_seek")
    ]
    hands.app.navigator.go("lobby")
    await hands.until(lambda: hands.screen.ids.rows.children)
    await frames(hands)


@scene("friends")
async def friends(hands: Hands) -> None:
    hands.gateway.known = [FRIEND, STRANGER]
    hands.app.navigator.go("friends")
    await hands.until(lambda: hands.screen.ids.friends.children)
    await frames(hands)


@scene("best")
async def best(hands: Hands) -> None:
    hands.gateway.standings = tuple(
        Standing(place, player, Rating("sock_monsters", "international", 1300 - 40 * place, 9))
        for place, player in enumerate((FRIEND, STRANGER, ME), 1)
    )
    hands.app.navigator.go("best")
    await rested(hands)


@scene("table")
async def table(hands: Hands) -> None:
    seats = (SeatWish.ME, SeatWish.FRIEND)
    hands.app.show_table(await hands.gateway.open_table(fresh_id(), "hide_and_seek", seats, {}))
    await rested(hands)


@scene("matches")
async def matches(hands: Hands) -> None:
    for game, seats in (
        ("sock_monsters", (ADA, BEN, CHRIS)),
        ("hide_and_seek", (PIP, ADA)),
        ("socker", (ADA, PIP)),
    ):
        hands.gateway.tables[game] = hands.gateway._table(hands.gateway.start(game, seats, {}))
    hands.app.navigator.go("matches")
    await rested(hands)


@scene("matches", "matches-none")
async def no_matches(hands: Hands) -> None:
    hands.app.navigator.go("matches")
    await rested(hands)


# --- learning -------------------------------------------------------------------------------------


@scene("rules")
async def rules_page(hands: Hands) -> None:
    hands.app.navigator.go("rules", key="sock_monsters")
    await rested(hands)


@scene("lesson")
async def lesson(hands: Hands) -> None:
    hands.app.navigator.go("lesson", key="sock_monsters", number="1")
    await frames(hands, 6)


@scene("lesson", "lesson-seek")
async def lesson_seek(hands: Hands) -> None:
    hands.app.navigator.go("lesson", key="hide_and_seek", number="0")
    await frames(hands, 6)


# --- Sock Monsters --------------------------------------------------------------------------------

FOUR = """monsters b3 b2 f6 a6 | pawns b1 c3 e5 f4 | tokens cwdb cwb wdb cwdb | socks rg rgv y gb |
    pairs bb - yy,vv - | lairs rv y - g | turn 7 0 0 | shown - | phase open yellow 1"""
GERMAN = """monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb wdb | socks r gb | pairs - bb |
    lairs r - gv - | turn 2 0 0 | shown - | phase pawn"""
LAST = """monsters a1 f1 f6 a6 | pawns b1 c5 | tokens cwdb cwdb | socks r b | pairs bb,vv gg |
    lairs r - - - | turn 2 0 0 | shown - | phase act 0"""
LIFTED = """monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r b | pairs - - |
    lairs - - - - | turn 2 1 0 | shown - | phase act 0"""


def house(rest: str, seats: int = 2, options: str = "") -> str:
    """A position of Sock Monsters with the tiles that the tests use."""
    return " ".join(house_position(rest, seats, options).split())


@scene("match", "sock_monsters-steal")
async def steal(hands: Hands) -> None:
    await match(hands, "sock_monsters", house(FOUR, 4), (ADA, BEN, CHRIS, PIP))


@scene("match", "sock_monsters-choices")
async def sock_choices(hands: Hands) -> None:
    """The longest row of choices that the rules allow."""
    text = house(FOUR.replace("rgv", "rygbv"), 4)
    await match(hands, "sock_monsters", text, (ADA, BEN, CHRIS, PIP))
    board: Any = hands.part.board
    board.choose(max(board.hand.choices, key=lambda choice: len(choice.acts)))
    await frames(hands)


@scene("match", "sock_monsters-pawn")
async def pawn(hands: Hands) -> None:
    text = house(GERMAN, options="edition=german")
    await match(hands, "sock_monsters", text, (ADA, BEN), edition="german")
    hands.part.board.touch_cell((1, 3))
    await frames(hands)


@scene("match", "sock_monsters-lifted")
async def lifted(hands: Hands) -> None:
    match_id = await match(hands, "sock_monsters", house(LIFTED), (ADA, BEN))
    hands.gateway.play_as(match_id, "lift")
    board: Any = hands.part.board
    await hands.until(lambda: board.looking_at is not None)
    board._motion.frame(0.6)
    board._ticking.cancel()
    await frames(hands)


@scene("match", "sock_monsters-result")
async def sock_result(hands: Hands) -> None:
    match_id = await match(hands, "sock_monsters", house(LAST), (ADA, BEN))
    legal = [act for act in hands.part.board.hand.legal if act.kind is HouseKind.LAIR]
    hands.gateway.play_as(match_id, legal[0].notation)
    await over(hands)


@scene("match", "sock_monsters-curtain")
async def curtain(hands: Hands) -> None:
    seats = (ADA, MIA_HERE)
    match_id = hands.gateway.start("sock_monsters", seats, {}, house(GERMAN))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.screen.ids.curtain.closed)
    await frames(hands)


# --- Socker ---------------------------------------------------------------------------------------

LIVE = Terms(turn_seconds=60, reserve_seconds=300)
CLOCK = TurnClock(400_000, 65_000, 5000, (SeatClock(0, 335_000), SeatClock(1, 200_000)))


@scene("match", "socker-setup")
async def socker_setup(hands: Hands) -> None:
    await match(hands, "socker", SETUP, SEATS)


@scene("match", "socker-turn")
async def socker_turn(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    hands.touch("d3")
    await frames(hands)


@scene("match", "socker-clock")
async def socker_clock(hands: Hands) -> None:
    match_id = await match(hands, "socker", TURN, SEATS)
    away = replace(BEN, state=SeatState.SITTER, sitter="random")
    hands.gateway.beside(match_id, seats=(ADA, away), clock=CLOCK, terms=LIVE, watchers=2)
    await hands.until(lambda: hands.screen.ids.strip.timed and hands.screen.ids.strip.line)
    await at_rest(hands)


@scene("match", "socker-result")
async def socker_result(hands: Hands) -> None:
    match_id = await match(hands, "socker", NEARLY, SEATS)
    hands.gateway.play_as(match_id, "e9*e10")
    await over(hands)


@scene("match", "socker-away")
async def away(hands: Hands) -> None:
    text = TURN.replace("south:1/3", "north:0/3")
    match_id = await match(hands, "socker", text, SEATS)
    hands.app.navigator.home()
    for act in ("f7-f6", "f6-f5", "f5-f4"):
        hands.gateway.play_as(match_id, act)
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.screen.ids.recap.shown)
    hands.screen._recap._ticking.cancel()
    await at_rest(hands)


# --- Monster Hide and Seek ------------------------------------------------------------------------

CARDS = "Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc"


@scene("match", "hide_and_seek-start")
async def seek_start(hands: Hands) -> None:
    await match(hands, "hide_and_seek", "", (ADA, BEN, CHRIS, PIP))


@scene("match", "hide_and_seek-second")
async def seek_second(hands: Hands) -> None:
    match_id = await match(hands, "hide_and_seek", "", (ADA, BEN))
    rules = ruleset("hide_and_seek")
    legal = rules.legal_actions(hands.gateway.matches[match_id].state)
    hands.gateway.play_as(match_id, rules.format_action(legal[3]))
    await at_rest(hands)


@scene("match", "hide_and_seek-candy")
async def seek_candy(hands: Hands) -> None:
    text = f"hide_and_seek/1 2 types=3 | {CARDS} | piles - - | turns 6 | idle 0 | first 0"
    await match(hands, "hide_and_seek", text, (ADA, BEN), types=3)
    hands.part.board.touch_cell((3, 1))
    await frames(hands)


@scene("match", "hide_and_seek-pile")
async def seek_pile(hands: Hands) -> None:
    cards = "..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc"
    text = f"hide_and_seek/1 2 types=3 | {cards} | piles AB,BB - | turns 6 | idle 0 | first 1"
    await match(hands, "hide_and_seek", text, (ADA, BEN), types=3)
    tap_widget(hands.part.placards[0])
    await frames(hands)


@scene("match", "hide_and_seek-result")
async def seek_result(hands: Hands) -> None:
    seats = (ADA, BEN, CHRIS)
    match_id = await match(hands, "hide_and_seek", "", seats, types=3)
    playing = hands.gateway.matches[match_id]
    while playing.actor is not None:
        legal = playing.rules.legal_actions(playing.state)
        text = playing.rules.format_action(hands.gateway.rng.choice(legal))
        hands.gateway.play_as(match_id, text)
    await over(hands)


# --- hints and looking back -----------------------------------------------------------------------


async def hinted(hands: Hands, act: str, *why: Reason) -> None:
    """A hint for the decision on show, as soon as it is there."""
    hands.gateway.suggests, hands.gateway.why = act, why
    hands.gateway.thinking = None
    hands.screen.hinting.ask()
    await hands.until(lambda: hands.screen.ids.hint.on and not hands.screen.ids.hint.thinks)
    await frames(hands)


@scene("match", "hint-menu")
async def hint_menu(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    hands.screen.beside.menu()
    await frames(hands)


@scene("match", "hint-thinking")
async def hint_thinking(hands: Hands) -> None:
    await match(
        hands,
        "sock_monsters",
        house(GERMAN, options="edition=german"),
        (ADA, BEN),
        edition="german",
    )
    hands.gateway.thinking = asyncio.Event()
    hands.screen.hinting.ask()
    await hands.until(lambda: hands.gateway.hints_asked)
    await frames(hands)


@scene("match", "hint-socker")
async def hint_socker(hands: Hands) -> None:
    await match(hands, "socker", TURN, SEATS)
    legal = [act.notation for act in hands.part.ids.board.hand.legal]
    kick = next((text for text in legal if "*" in text), legal[0])
    await hinted(hands, kick, Reason.MUCH_BETTER)


@scene("match", "hint-socker-here")
async def hint_socker_here(hands: Hands) -> None:
    await here(hands, "socker")
    board: Any = hands.part.ids.board
    board.propose(board.hand.legal[0])
    await frames(hands)


@scene("match", "hint-sock_monsters")
async def hint_house(hands: Hands) -> None:
    text = house(GERMAN, options="edition=german")
    await match(hands, "sock_monsters", text, (ADA, BEN), edition="german")
    walk = next(act for act in hands.part.board.hand.legal if act.kind is HouseKind.PAWN)
    await hinted(hands, walk.notation, Reason.MAY_SCORE, Reason.LOOKS)


@scene("match", "hint-sock_monsters-here")
async def hint_house_here(hands: Hands) -> None:
    await here(hands, "sock_monsters")


@scene("match", "hint-hide_and_seek")
async def hint_seek(hands: Hands) -> None:
    text = f"hide_and_seek/1 2 types=3 | {CARDS} | piles - - | turns 6 | idle 0 | first 0"
    await match(hands, "hide_and_seek", text, (ADA, BEN), types=3)
    await hinted(hands, "flip:a1", Reason.LOOKS, Reason.AS_GOOD)


@scene("match", "hint-hide_and_seek-here")
async def hint_seek_here(hands: Hands) -> None:
    await here(hands, "hide_and_seek")


async def here(hands: Hands, game: str) -> None:
    """A match of this device."""
    local = hands.app.session.here
    seats = (SeatWish.ME, (await local.list_agents(game))[0])
    table = await local.open_table(fresh_id(), game, seats, {})
    hands.app.navigator.go("match", match_id=table.match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    await hands.until(lambda: hands.screen.hinting.offered or hands.screen.ids.curtain.closed)
    await at_rest(hands)


async def looked_back(hands: Hands, *steps: Any) -> str:
    """The look back on a match that is over; `steps` are what the server says."""
    match_id = finished(hands.gateway)
    hands.gateway.reviews = list(steps or [review_of(hands.gateway, match_id)])
    hands.app.navigator.go("review", match_id=match_id)
    return match_id


@scene("review")
async def review(hands: Hands) -> None:
    await looked_back(hands)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@scene("review", "review-four")
async def review_four(hands: Hands) -> None:
    seats = (ADA, BEN, CHRIS, PIP)
    match_id = await match(hands, "hide_and_seek", "", seats, types=3)
    playing = hands.gateway.matches[match_id]
    while playing.actor is not None:
        legal = playing.rules.legal_actions(playing.state)
        text = playing.rules.format_action(hands.gateway.rng.choice(legal))
        hands.gateway.play_as(match_id, text)
    hands.gateway.reviews = [review_of(hands.gateway, match_id)]
    hands.app.navigator.go("review", match_id=match_id)
    await hands.until(lambda: hands.screen.ready)
    await frames(hands)


@scene("review", "review-progress")
async def review_progress(hands: Hands) -> None:
    await looked_back(hands, Progress(14, 40), asyncio.Event())
    await hands.until(lambda: hands.screen.done > 0)
    await frames(hands)


@scene("review", "review-failed")
async def review_failed(hands: Hands) -> None:
    await looked_back(hands, Refused("NO_ADVICE", "", {}))
    await hands.until(lambda: hands.screen.trouble)
    await frames(hands)


@scene("review", "review-moment")
async def review_moment(hands: Hands) -> None:
    await review(hands)
    row = hands.screen.ids.costly.children[-1]
    hands.screen.ids.scroll.scroll_to(row, animate=False)
    await frames(hands)
    tap_widget(row)
    await hands.until(lambda: hands.screen.ids.moment.shown)
    await frames(hands)
