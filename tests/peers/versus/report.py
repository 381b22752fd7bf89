"""What docs/peers.md says of the matches against OpenSpiel's bots."""

from __future__ import annotations


def report() -> str:
    """The section, from its heading on."""
    return "## Against OpenSpiel\n\nNot measured yet."
