"""What is wrong with what can be seen: targets too small, texts cut off, buttons out of reach."""

from __future__ import annotations

from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label

from tests.mobile.ui import PHONE, PHONE_WIDE, SIZES, SMALL, Hands, on_show, scrolls

Sizes = tuple[tuple[int, int], ...]
LOOKS: tuple[tuple[float, Sizes], ...] = ((1.3, (SMALL, *SIZES)), (1.0, (PHONE, PHONE_WIDE)))
"""Font scales, and sizes in dp to look at with each."""


async def wrong_at(hands: Hands, name: str, sizes: Sizes) -> list[str]:
    """What is wrong in each of these sizes; ends in the first of them."""
    wrong: list[str] = []
    for size in sizes:
        await hands.turn_to(size)
        wrong += wrong_on(hands, f"{name} at {size[0]}x{size[1]}")
    await hands.turn_to(sizes[0])
    return wrong


def wrong_on(hands: Hands, name: str) -> list[str]:
    """Targets under 48 dp, texts cut off, and buttons outside the window."""
    wrong: list[str] = []
    for widget in on_show(hands.app.root):
        label = getattr(widget, "text", "") or getattr(widget, "label", "")
        what = f"{name}: {type(widget).__name__} '{label}'"
        if isinstance(widget, ButtonBehavior):
            if min(widget.width, widget.height) < dp(48) - 1:
                wrong.append(f"{what} is {widget.width:.0f}x{widget.height:.0f} px")
            x, y = widget.to_window(*widget.pos)
            inside = x >= -1 and x + widget.width <= Window.width + 1
            if not scrolls(widget):
                inside = inside and y >= -1 and y + widget.height <= Window.height + 1
            if not inside:
                wrong.append(f"{what} reaches out of the window at {x:.0f}, {y:.0f}")
        cut = isinstance(widget, Label) and (
            widget.texture_size[0] > widget.width + dp(2)
            or (widget.texture_size[1] > widget.height + dp(2) and _is_read(widget))
        )
        if cut and widget.text and not widget.shorten:
            wrong.append(f"{what} is cut: {widget.texture_size} in {widget.size}")
    return wrong


def _is_read(label: Label) -> bool:
    """Whether all lines of a label are to be read: those of words and buttons, not of boards."""
    return label.size_hint_y is None
