"""Matches between levels of computer opponents, for docs/levels.md: `python -m tools.arena`."""
