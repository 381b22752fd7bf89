"""What stops a command: one line for the person who typed it."""

from __future__ import annotations


class Problem(Exception):
    """Something to be told in one line: what is wrong and what to do."""
