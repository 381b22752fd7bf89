"""The sounds, made by instructions: soft knocks, plucks and rustles, as of wool and wood.

    python -m app.sound.synth FOLDER

Writes one WAV file a sound: mono, 16 bit, and the same each time. Staging does this for phones;
running from a checkout, the app does it once.
"""

from __future__ import annotations

import math
import os
import random
import sys
import wave
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeAlias

from app.model.sounds import Sound

RATE: Final = 22_050
"""Samples a second."""
PEAK: Final = 0.7
"""How loud the loudest moment of a sound is, of 1: several may be heard at once."""
FADE_S: Final = 0.012
"""Within this time each sound ends, so that it does not click."""

Samples: TypeAlias = "array[float]"

C5, D5, E5, G5, A5, C6, E6, G6 = 523.25, 587.33, 659.26, 783.99, 880.0, 1046.5, 1318.5, 1568.0


def silence(seconds: float) -> Samples:
    """Nothing, for so long."""
    return array("d", bytes(8 * int(seconds * RATE)))


def pluck(into: Samples, at_s: float, pitch: float, fall_s: float, loud: float = 1.0) -> None:
    """A note that dies away within about `fall_s`, of a small wooden bar: its fourth partial rings
    briefly."""
    start = int(at_s * RATE)
    for i in range(min(len(into) - start, int(fall_s * 3 * RATE))):
        t = i / RATE
        attack = min(1.0, t / 0.004)
        ring = math.sin(2 * math.pi * pitch * t) * math.exp(-t / fall_s * 2.2)
        ring += 0.25 * math.sin(2 * math.pi * pitch * 3.93 * t) * math.exp(-t / fall_s * 9)
        into[start + i] += loud * attack * ring


def knock(into: Samples, at_s: float, pitch: float, fall_s: float, loud: float = 1.0) -> None:
    """A blow on something soft: its pitch drops while it dies away."""
    start, phase = int(at_s * RATE), 0.0
    for i in range(min(len(into) - start, int(fall_s * 3 * RATE))):
        t = i / RATE
        phase += 2 * math.pi * pitch * (0.55 + 0.45 * math.exp(-t / fall_s * 4)) / RATE
        into[start + i] += loud * min(1.0, t / 0.003) * math.sin(phase) * math.exp(-t / fall_s * 3)


def rustle(
    into: Samples, at_s: float, seconds: float, bright: float, loud: float = 1.0, seed: int = 1
) -> None:
    """Noise that swells and goes; `bright` 0 to 1 is how much of its treble is left."""
    rng, start, kept = random.Random(seed), int(at_s * RATE), 0.0
    count = min(len(into) - start, int(seconds * RATE))
    for i in range(count):
        kept += (rng.uniform(-1, 1) - kept) * (0.05 + 0.6 * bright)
        into[start + i] += loud * kept * math.sin(math.pi * i / count) ** 2


def _step() -> Samples:
    made = silence(0.09)
    knock(made, 0, 210, 0.05)
    rustle(made, 0, 0.05, 0.3, 0.25)
    return made


def _hop() -> Samples:
    made = silence(0.16)
    knock(made, 0, 130, 0.09)
    rustle(made, 0.01, 0.08, 0.15, 0.35)
    return made


def _kick() -> Samples:
    made = silence(0.22)
    knock(made, 0, 190, 0.07)
    rustle(made, 0.02, 0.18, 0.25, 0.4)
    return made


def _sock() -> Samples:
    made = silence(0.3)
    knock(made, 0, 240, 0.05)
    rustle(made, 0.03, 0.12, 0.3, 0.35)
    knock(made, 0.14, 105, 0.1, 0.9)
    return made


def _land() -> Samples:
    made = silence(0.14)
    knock(made, 0, 165, 0.08)
    pluck(made, 0.01, C5, 0.05, 0.15)
    return made


def _dice() -> Samples:
    made, rng = silence(0.62), random.Random(5)
    at_s = 0.0
    for number in range(9):
        knock(made, at_s, rng.uniform(480, 760), 0.03, 0.9 - 0.05 * number)
        at_s += 0.035 + 0.006 * number + rng.uniform(0, 0.014)
    knock(made, at_s, 330, 0.08)
    return made


def _flip() -> Samples:
    made = silence(0.16)
    rustle(made, 0, 0.1, 0.8, 0.5)
    knock(made, 0.09, 300, 0.04, 0.8)
    return made


def _fly() -> Samples:
    made = silence(0.3)
    rustle(made, 0, 0.28, 0.35)
    return made


def _candy() -> Samples:
    made, rng = silence(0.4), random.Random(9)
    for number in range(14):
        rustle(made, rng.uniform(0, 0.32), 0.035, 1.0, rng.uniform(0.4, 1.0), number)
    pluck(made, 0.28, E6, 0.06, 0.5)
    return made


def _notes(seconds: float, *notes: tuple[float, float]) -> Samples:
    made = silence(seconds)
    for at_s, pitch in notes:
        pluck(made, at_s, pitch, 0.22)
    return made


_MADE: dict[Sound, Callable[[], Samples]] = {
    Sound.STEP: _step,
    Sound.HOP: _hop,
    Sound.KICK: _kick,
    Sound.SOCK: _sock,
    Sound.LAND: _land,
    Sound.DICE: _dice,
    Sound.FLIP: _flip,
    Sound.FLY: _fly,
    Sound.CANDY: _candy,
    Sound.PAIR: lambda: _notes(0.5, (0, G5), (0.09, C6)),
    Sound.GOAL: lambda: _notes(0.75, (0, C5), (0.1, E5), (0.2, G5), (0.32, C6)),
    Sound.TURN: lambda: _notes(0.4, (0, A5), (0.08, E5)),
    Sound.WIN: lambda: _notes(
        1.15, (0, C5), (0.12, E5), (0.24, G5), (0.36, C6), (0.54, A5), (0.66, C6), (0.66, G6)
    ),
    Sound.OVER: lambda: _notes(0.8, (0, G5), (0.15, E5), (0.3, D5), (0.45, C5)),
}


def made(sound: Sound) -> array[int]:
    """The samples of a sound, 16 bit."""
    samples = _MADE[sound]()
    mean = sum(samples) / len(samples)
    loudest = max(abs(sample - mean) for sample in samples)
    fade = int(FADE_S * RATE)
    scale = 32_767 * PEAK / loudest
    return array(
        "h",
        (
            round((sample - mean) * scale * min(1.0, (len(samples) - 1 - i) / fade, i / 24))
            for i, sample in enumerate(samples)
        ),
    )


def write(folder: Path, sounds: Iterable[Sound] = tuple(Sound)) -> None:
    """Write the files of `sounds`; one that is there already stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for sound in sounds:
        path = folder / f"{sound.value}.wav"
        if path.exists():
            continue
        samples = made(sound)
        if sys.byteorder == "big":
            samples.byteswap()
        half = path.with_suffix(f".{os.getpid()}")
        with wave.open(str(half), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.tobytes())
        half.replace(path)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
