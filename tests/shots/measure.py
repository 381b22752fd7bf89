"""What a picture of the app should have: large targets, and words that are whole."""

from __future__ import annotations

from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.metrics import Metrics
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from tests.mobile.ui import on_show

SLACK_DP = 2
"""Textures are rounded up to whole pixels."""


def smallest_target(root: Widget) -> float:
    """The shorter side of the smallest thing that can be touched, dp; cells of boards are not
    among them (ADR 0032). 0 where there is nothing to touch."""
    sides = [
        min(widget.width, widget.height)
        for widget in on_show(root)
        if isinstance(widget, ButtonBehavior) and _is_inside(widget)
    ]
    return float(round(min(sides, default=0.0) / Metrics.density, 1))


def clipped_texts(root: Widget) -> list[str]:
    """The texts of which a part is missing or hidden, or that were shortened to fit."""
    return [
        widget.text
        for widget in on_show(root)
        if isinstance(widget, Label) and widget.text.strip() and _is_inside(widget)
        if _is_clipped(widget)
    ]


def _is_clipped(label: Label) -> bool:
    slack = SLACK_DP * Metrics.density
    if label.shorten and label.is_shortened:
        return True
    width, height = label.texture_size
    if width > label.width + slack or height > label.height + slack:
        return True
    box = label.text_size
    if not box[0] or not box[1]:
        return False
    # A text in a box of its own is cut there: how high would it be?
    free = CoreLabel(**{**label._label.options, "text_size": (box[0], None), "shorten": False})
    free.text = label.text
    free.refresh()
    return bool(free.texture.height > box[1] + slack)


def _is_inside(widget: Widget) -> bool:
    """Whether a widget lies on the window, and all of it where it can be scrolled there."""
    above, low, high = widget.parent, 0.0, float(Window.height)
    while above is not None and above is not above.parent:
        if isinstance(above, ScrollView):  # lists are such, too
            _, bottom = above.to_window(*above.pos)
            low, high = max(low, bottom), min(high, bottom + above.height)
        above = above.parent
    _, y = widget.to_window(*widget.pos)
    return bool(y >= low - 1 and y + widget.height <= high + 1)
