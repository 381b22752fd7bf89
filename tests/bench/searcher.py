"""Searches Breakthrough as it is told on standard input, on the kernels of its environment."""

from __future__ import annotations

import json
import sys
import time

from services.engine.core.generator import generator
from tests.bench.breakthrough import kernel
from tests.bench.breakthrough.search import DEEPEST, new_tree, search


def main() -> None:
    """For each line [simulations, searches, seed] one line with the seconds they took."""
    for line in sys.stdin:
        simulations, searches, seed = json.loads(line)
        tree, work = new_tree(simulations), kernel.start()
        path, out = kernel.room(DEEPEST), kernel.room(kernel.MOST_ACTIONS)
        root, rng = kernel.start(), generator(seed)
        begin = time.process_time()
        for _ in range(searches):
            search(root, tree, work, path, out, rng, simulations)
        sys.stdout.write(json.dumps(time.process_time() - begin) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
