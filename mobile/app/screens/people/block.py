"""Blocking somebody, wherever that is offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.i18n import tr
from app.widgets.dialog import Choice


def ask_block(app: Any, name: str, block: Callable[[], None]) -> None:
    """Really? `block` does it."""
    about = tr("You won't meet again, and get no invitations. They are not told.")
    app.ask(
        tr("Block {name}?", name=name), about, [Choice("block", tr("Yes, block"), block, "cross")]
    )
