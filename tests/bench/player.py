"""Plays what it is told on standard input, on the kernels that its environment gives it."""

from __future__ import annotations

import json
import sys
import time

from tools.playouts import Match, Playouts


def main() -> None:
    """For each line of input one line [actions, checksum, seconds of processor time]."""
    for line in sys.stdin:
        game, seats, options, method, matches, seed = json.loads(line)
        playouts = Playouts(Match(game, seats, options), seed, by_list=method == "list")
        actions = checksum = 0
        seconds = 0.0
        for _ in range(matches):
            buffer = playouts.start()
            begin = time.process_time()
            played, one = playouts.play(buffer)
            seconds += time.process_time() - begin
            actions += played
            checksum = (checksum * 31 + one) & 0x7FFFFFFF
        result = [actions, checksum, seconds]
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
