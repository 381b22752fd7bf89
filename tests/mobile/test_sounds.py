"""Sounds: everything that happens has one, all are short and whole, and none is in the way."""

from __future__ import annotations

import wave
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kivy.clock import Clock

from app.boards import house_motion
from app.boards.motion import made, style
from app.model.settings import Preferences
from app.model.sounds import Sound
from app.net.fake import FakeGateway
from app.sound import synth
from app.sound.player import FOLDER, Player, _loaded
from tests.mobile.positions import NEARLY, SEATS, TURN
from tests.mobile.test_sock_monsters_touch import position as house
from tests.mobile.ui import Hands, playing

LONGEST_S = 1.2
SHORT_S = 0.7
"""What belongs to a motion is over soon after it."""


@pytest.mark.parametrize("sound", Sound)
def test_a_sound_is_short_whole_and_not_clipped(sound: Sound, tmp_path: Path) -> None:
    synth.write(tmp_path, (sound,))
    with wave.open(str(tmp_path / f"{sound.value}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        seconds = file.getnframes() / file.getframerate()
        samples = array("h", file.readframes(file.getnframes()))
    long = sound in (Sound.GOAL, Sound.WIN, Sound.OVER)
    assert 0.05 <= seconds <= (LONGEST_S if long else SHORT_S)
    assert 0.5 <= max(map(abs, samples)) / 32768 <= 0.75
    assert abs(samples[0]) < 200  # No click where it begins, and none where it ends.
    assert abs(samples[-1]) < 200
    assert abs(sum(samples) / len(samples)) < 200
    assert synth.made(sound) == samples


def test_no_two_sounds_are_the_same() -> None:
    assert len({synth.made(sound).tobytes() for sound in Sound}) == len(Sound)


# --- what is heard when ---------------------------------------------------------------------------


@contextmanager
def listening() -> Iterator[list[Sound]]:
    """Everything that is to be heard meanwhile."""
    heard: list[Sound] = []

    def hear(_style: object, sound: Sound) -> None:
        heard.append(sound)

    style.bind(on_sound=hear)
    try:
        yield heard
    finally:
        style.unbind(on_sound=hear)


async def sat(hands: Hands, game: str, position: str, **options: Any) -> str:
    """A match at rest; its id."""
    match_id = hands.gateway.start(game, SEATS, options, " ".join(position.split()))
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    await rest(hands, match_id)
    await hands.settle()
    return match_id


async def rest(hands: Hands, match_id: str) -> None:
    """Until the board shows what the server has."""
    board = hands.part.ids.board
    await hands.until(
        lambda: board.hand.view.position == hands.position(match_id) and hands.part.resting
    )


ROLLED = house(
    "monsters b3 b2 f6 a6 | pawns a3 c5 | tokens cwdb cwdb | socks r b | pairs - - | "
    "lairs r - - - | turn 2 1 0 | shown - | phase move red 0"
)
LIFT = house(
    "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r b | pairs - - | "
    "lairs - - - - | turn 2 1 0 | shown - | phase pawn"
)
PAIRING = house(
    "monsters a1 f1 f6 a6 | pawns b1 c5 | tokens cwdb cwdb | socks r b | pairs bb,vv - | "
    "lairs r - - - | turn 2 0 0 | shown - | phase act 0"
)
CARDS = "hide_and_seek/1 2 types=3 | Ab,Ba,BB,*,Ca/Aa,Ac,Bc,Cb,Cc | piles - - | turns 6 | idle 0"
HEARD: dict[str, tuple[str, str, tuple[str, ...], set[Sound]]] = {
    "steps": (
        "socker",
        TURN.replace("south:1/3", "north:1/3"),
        ("f7-f6", "end"),
        {Sound.STEP, Sound.TURN},
    ),
    "kick": ("socker", TURN, ("d3*d4",), {Sound.KICK}),
    "goal": ("socker", NEARLY, ("e9*e10",), {Sound.KICK, Sound.GOAL, Sound.WIN}),
    "monster": ("sock_monsters", ROLLED, ("move:b4",), {Sound.HOP, Sound.DICE}),
    "elf": ("sock_monsters", LIFT, ("pawn:d5", "lift"), {Sound.STEP, Sound.FLIP, Sound.TURN}),
    "pair": ("sock_monsters", PAIRING, ("lair:red:red",), {Sound.FLY, Sound.PAIR, Sound.WIN}),
    "cards": (
        "hide_and_seek",
        f"{CARDS} | first 0",
        ("flip:c2", "flip:a2"),
        {Sound.FLIP},
    ),
    "candy": ("hide_and_seek", f"{CARDS} | first 0", ("candy:d2",), {Sound.CANDY, Sound.FLY}),
}


@pytest.mark.parametrize("what", HEARD)
async def test_everything_that_happens_is_heard(tmp_path: Path, what: str) -> None:
    game, position, acts, wanted = HEARD[what]
    options = {"types": 3} if game == "hide_and_seek" else {}
    async with playing(tmp_path) as hands:
        match_id = await sat(hands, game, position, **options)
        with listening() as heard:
            for act in acts:
                hands.gateway.play_as(match_id, act)
            await rest(hands, match_id)
            if Sound.WIN in wanted:
                await hands.until(lambda: hands.screen.over)
            await hands.until(lambda: wanted <= set(heard))
            if Sound.TURN in wanted:
                assert heard[-1] is Sound.TURN  # After all that led to it.


async def test_placing_pairs_and_losing_are_heard(tmp_path: Path) -> None:
    setup = "socker/1 2 | 9/9/9/9/9/4o4/9/9/4S4/9/9 setup:south"
    async with playing(tmp_path) as hands:
        match_id = await sat(hands, "socker", setup)
        with listening() as heard:
            hands.gateway.play_as(match_id, "@a1")
            await rest(hands, match_id)
        assert Sound.LAND in heard
        match_id = await sat(hands, "hide_and_seek", f"{CARDS} | first 0", types=3)
        with listening() as heard:
            for act in ("flip:a1", "flip:b2"):
                hands.gateway.play_as(match_id, act)
            await rest(hands, match_id)
            await hands.until(lambda: Sound.PAIR in heard)
        lost = "socker/1 2 | 9/9/9/9/9/9/9/9/4N4/4o4/9 north:0/3"
        match_id = await sat(hands, "socker", lost)
        with listening() as heard:
            hands.gateway.play_as(match_id, "e3*e2")
            await hands.until(lambda: hands.screen.over)
        assert heard[-1] is Sound.OVER


async def test_what_is_skipped_is_not_heard(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(house_motion, "STEP_S", 1000.0)
    async with playing(tmp_path) as hands:
        match_id = await sat(hands, "sock_monsters", LIFT)
        with listening() as heard:
            hands.gateway.play_as(match_id, "pawn:d5")
            await hands.until(lambda: not hands.part.resting)
            hands.part.skip()
            await rest(hands, match_id)
        assert heard == []


def test_with_less_motion_the_end_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = made(1.0, lambda _share: None, (0.5, Sound.STEP), (1.0, Sound.LAND))
    monkeypatch.setattr(style, "less", True)
    calm = made(1.0, lambda _share: None, (0.5, Sound.STEP), (1.0, Sound.LAND))
    with listening() as heard:
        for before, now in ((-1.0, 0.0), (0.0, 0.4), (0.4, 0.5), (0.5, 1.0)):
            motion.sound(before, now)
        assert heard == [Sound.STEP, Sound.LAND]
        calm.sound(-1.0, 0.0)
        calm.sound(0.0, 1.0)
        assert heard[2:] == [Sound.LAND]


# --- the player -----------------------------------------------------------------------------------


class Tape:
    """A loaded sound that remembers what was done with it."""

    def __init__(self, fails: bool = False) -> None:
        self.volume, self.played, self._fails = -1.0, 0, fails

    def play(self) -> None:
        if self._fails:
            raise OSError("no device")
        self.played += 1

    def stop(self) -> None:
        """Nothing."""


def loaded(player: Player, tape: Callable[[Path], Any]) -> Player:
    """`player` after all frames in which it loads."""
    player._load = tape
    player.use(Preferences())
    while player._load_next(0.0):
        pass
    return player


def test_sounds_are_as_loud_as_is_set_and_can_be_switched_off() -> None:
    tapes = {f"{sound.value}.wav": Tape() for sound in Sound}
    player = loaded(Player(), lambda path: tapes[path.name])
    dice = tapes["dice.wav"]
    assert dice.volume == 0.7
    player.play(Sound.DICE)
    assert dice.played == 1
    player.use(Preferences(loudness=20))
    assert dice.volume == 0.2
    player.use(Preferences(sound=False))
    player.play(Sound.DICE)
    assert dice.played == 1
    player.use(Preferences())
    player.play(Sound.DICE)
    assert dice.played == 2
    player.close()


def test_silence_loads_nothing_and_loading_takes_one_a_frame() -> None:
    asked: list[Path] = []

    def load(path: Path) -> Tape:
        asked.append(path)
        return Tape()

    player = Player(load)
    player.use(Preferences(sound=False))
    Clock.tick()
    assert asked == []
    player.use(Preferences())
    for frame in range(1, 4):
        Clock.tick()
        assert len(asked) == frame
    player.close()
    Clock.tick()
    assert len(asked) == 3


def test_a_device_without_a_loudspeaker_is_silent() -> None:
    player = loaded(Player(), lambda _path: None)
    player.play(Sound.WIN)
    player = loaded(Player(), lambda _path: Tape(fails=True))
    player.play(Sound.WIN)
    player.play(Sound.WIN)

    def broken(_path: Path) -> Tape:
        raise OSError("no driver")

    player = loaded(Player(), broken)
    player.play(Sound.WIN)


def test_kivy_plays_what_was_made() -> None:
    found = _loaded(FOLDER / "pair.wav")
    assert found is not None
    found.volume = 0.5
    found.play()
    found.stop()


async def test_the_app_plays_what_its_boards_say(tmp_path: Path) -> None:
    async with playing(tmp_path, FakeGateway(agents_play=False)) as hands:
        tape = Tape()
        hands.app.player = loaded(Player(), lambda _path: tape)
        style.dispatch("on_sound", Sound.FLIP)
        assert tape.played == 1
        hands.app.session.settings.change(sound=False)
        style.dispatch("on_sound", Sound.FLIP)
        assert tape.played == 1
    style.dispatch("on_sound", Sound.FLIP)
    assert tape.played == 1
