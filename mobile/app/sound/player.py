"""Playing sounds: loaded before they are needed, and never in anybody's way.

A device without a loudspeaker, or with a broken one, is simply silent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from kivy.clock import Clock

from app.model.settings import Preferences
from app.model.sounds import Sound

log = logging.getLogger("oddsocks")

FOLDER = Path(__file__).parent.parent / "assets" / "sounds"


class Playable(Protocol):
    """A loaded sound, as Kivy has them."""

    volume: float

    def play(self) -> None:
        """Begin, and return at once."""
        ...

    def stop(self) -> None:
        """End."""
        ...


class Player:
    """Plays sounds as loud as is set. `load` gives None for what can't be played."""

    def __init__(self, load: Callable[[Path], Playable | None] | None = None) -> None:
        self._load = load or _loaded
        self._ready: dict[Sound, Playable] = {}
        self._waiting: list[Sound] = []
        self._loudness = 0.0
        self._loading: Any = None

    def use(self, now: Preferences) -> None:
        """Be as loud as is set, from now on; silence loads nothing."""
        self._loudness = now.loudness / 100 if now.sound else 0.0
        for playable in self._ready.values():
            playable.volume = self._loudness
        if self._loudness and self._loading is None:
            self._waiting = list(Sound)
            # One a frame: no frame is long (row 31).
            self._loading = Clock.schedule_interval(self._load_next, 0)

    def play(self, sound: Sound) -> None:
        """Let `sound` be heard, if it is loaded. Returns at once, and never raises."""
        playable = self._ready.get(sound)
        if playable is None or not self._loudness:
            return
        try:
            playable.stop()
            playable.play()
        except Exception as error:  # Whatever is wrong with the loudspeaker: the game goes on.
            log.info("no sound: %s", error)
            self._ready.clear()

    def close(self) -> None:
        """Nobody listens any more."""
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None
        self._waiting.clear()
        self._ready.clear()

    def _load_next(self, _passed_s: float) -> bool:
        """Load one; False, which ends the loading, when all are there."""
        if not self._waiting:
            return False
        sound = self._waiting.pop(0)
        try:
            playable = self._load(FOLDER / f"{sound.value}.wav")
        except Exception as error:  # As above: no driver, no file, no memory.
            log.info("no sound: %s", error)
            self._waiting.clear()
            return False
        if playable is not None:
            playable.volume = self._loudness
            self._ready[sound] = playable
        return True


def _loaded(path: Path) -> Playable | None:
    """A file as Kivy plays it; made first where nobody has staged it."""
    from kivy.core.audio import SoundLoader

    from app.sound import synth

    if not path.exists():
        synth.write(path.parent, (Sound(path.stem),))
    found: Playable | None = SoundLoader.load(str(path))
    return found
