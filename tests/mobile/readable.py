"""What of a screen can't be read, measured from the textures that its labels have drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from tests.mobile.ui import on_show, scrolls

SLACK_DP = 2


@contextmanager
def undrawn() -> Iterator[None]:
    """Lay screens out without drawing them, which takes most of the time and measures nothing."""
    drawing, Window.on_draw = Window.on_draw, lambda *_: None
    try:
        yield
    finally:
        Window.on_draw = drawing


def labels_on(root: Widget) -> Iterator[Label]:
    """Every label that can be seen."""
    for widget in on_show(root):
        if isinstance(widget, Label) and widget.text and widget.opacity > 0:
            yield widget


def unreadable(root: Widget) -> list[str]:
    """Texts that are cut off, shortened or broken within a word, and sheets beyond the window."""
    return [f"{fault}: '{label.text}'" for label in labels_on(root) for fault in faults(label)]


def faults(label: Label) -> Iterator[str]:
    """What is wrong with one label, in words."""
    width, height = label.texture_size
    slack = dp(SLACK_DP)
    if label.is_shortened:
        yield "shortened"
    if width > label.width + slack:
        yield f"{width} px wide in {label.width:.0f}"
    if height > label.height + slack:
        yield f"{height} px high in {label.height:.0f}"
    if width == 0 and label.text.strip():
        yield "has no room at all"
    if label.text_size[0] and getattr(label, "fits", True):
        room = label.text_size[0] - label.padding[0] - label.padding[2]
        yield from (f"broken within '{word}'" for word in broken(label, room))
    if not scrolls(label):
        x, y = label.to_window(*label.center)
        if x - width / 2 < -slack or y - height / 2 < -slack:
            yield f"lies at {x - width / 2:.0f}, {y - height / 2:.0f}"
        if x + width / 2 > Window.width + slack or y + height / 2 > Window.height + slack:
            yield f"reaches to {x + width / 2:.0f}, {y + height / 2:.0f}"


def broken(label: Label, room: float) -> Iterator[str]:
    """The words of a label that are wider than a line."""
    pen = CoreLabel(font_name=label.font_name, font_size=label.font_size, bold=label.bold)
    for word in label.text.split():
        if pen.get_extents(word)[0] > room:
            yield word


def hard_to_touch(root: Widget) -> list[str]:
    """Targets that are smaller than a finger: 48 dp both ways."""
    return [
        f"{widget.width:.0f}x{widget.height:.0f} px: {getattr(widget, 'text', '') or widget}"
        for widget in on_show(root)
        if isinstance(widget, ButtonBehavior) and min(widget.size) < dp(48) - 1
    ]
