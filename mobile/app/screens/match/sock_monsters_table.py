"""Where everything lies on the screen in Sock Monsters: numbers only, all in pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.screens.match.laying import BACK_DP, GAP_DP, Box, Laid, Seating, head

NARROWEST_DP = 62
"""So narrow a choice may be before they take a second row."""
CHOICE_DP = 92
LEAST_CHOICE_DP = 56
LINE_DP = 46
"""The height of the bag, and of two lines of words: a prompt of one moves nothing."""


@dataclass(frozen=True, slots=True)
class Table(Laid):
    """The rectangle of each thing."""

    choices: Box
    bag: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Seating):
    """What the table is laid for."""

    choices: int
    words: Callable[[float], float]
    """The height of the prompt's words when they have so much width."""
    narrowest: float = 0.0
    """How wide a choice has to be for what it is called, pixels."""


def rows_for(count: int, width: float, dp: float, narrowest: float = 0.0) -> int:
    """How many rows so many choices need, each `narrowest` pixels wide or more."""
    least = max(dp * NARROWEST_DP, narrowest)
    at_once = max(1, int((width + dp * GAP_DP) // (least + dp * GAP_DP)))
    return math.ceil(count / at_once)


def upright(setting: Setting) -> Table:
    """The board as wide as the screen, the own placard under the thumb, the others above."""
    room, dp = setting.room, setting.dp
    gap = dp * GAP_DP
    small = room.height < dp * 660
    strip, own = (dp * 74, dp * 74) if small else (dp * 104, dp * 116)
    top = room.top - dp * 2
    placards, back = head(setting, sorted(setting.others), strip)
    inside = room.width - 2 * gap
    placards[setting.mine] = Box(room.x + gap, room.y + gap, inside, own)
    low, high = room.y + gap + own + gap, top - strip - gap
    words_width = room.width - dp * 72
    words = max(setting.words(words_width), dp * LINE_DP)
    rows = max(1, rows_for(setting.choices, inside, dp, setting.narrowest))
    least = words + rows * (dp * LEAST_CHOICE_DP + gap) + gap
    side = min(room.width, high - low - least)
    wanted = words + rows * (dp * CHOICE_DP + gap) + gap
    top = high - side - gap - max(0.0, high - side - low - wanted) / 2
    bag = dp * LINE_DP
    return Table(
        board=Box(room.x, high - side, room.width, side),
        placards=placards,
        prompt=Box(room.x + dp * 60, top - words, words_width, words),
        choices=Box(room.x + gap, low, inside, top - words - gap - low),
        bag=Box(room.x + gap, top - words / 2 - bag / 2, bag, bag),
        back=back,
    )


def beside(setting: Setting) -> Table:
    """On a phone that lies: the others to the left of the board, oneself and the choices to the
    right; on a very small one all players are to the left. For left hands the other way round."""
    room, dp = setting.room, setting.dp
    gap, back = dp * GAP_DP, dp * BACK_DP
    side = min(room.height - 2 * gap, room.width - 2 * dp * 150)
    column = (room.width - side) / 2 - 2 * gap
    left, right = room.x + gap, room.x + room.width - gap - column
    there = sorted(setting.others)
    low = room.y + gap
    placards: dict[int, Box] = {}
    if room.height < dp * 360:
        there.append(setting.mine)  # There is no room for both it and the choices.
    else:
        placards[setting.mine] = Box(right, low, column, min(dp * 116, room.height * 0.3))
        low = placards[setting.mine].top + gap
    height = min(dp * 112, (room.height - back - gap) / max(1, len(there)) - gap)
    for number, seat in enumerate(there):
        bottom = room.top - back - (number + 1) * (height + gap)
        placards[seat] = Box(left, bottom, column, height)
    bag = dp * LINE_DP
    words = setting.words(column)
    top = room.top - gap
    table = Table(
        board=Box(room.x + (room.width - side) / 2, room.y + (room.height - side) / 2, side, side),
        placards=placards,
        prompt=Box(right, top - words, column, words),
        choices=Box(right, low, column, top - words - gap - low),
        bag=Box(room.x + back + gap, room.top - bag - dp * 6, bag, bag),
        back=Box(room.x, room.top - back - dp * 2, back, back),
    )
    return table.mirrored(setting) if setting.left else table


def around(setting: Setting) -> Table:
    """The board in the middle, everybody beside the lair of their colour."""
    room, dp = setting.room, setting.dp
    if room.height < dp * 500:
        return beside(setting)
    gap, back = dp * GAP_DP, dp * BACK_DP
    side = min(room.height - 2 * gap, room.width - 2 * dp * (204 if room.width > dp * 900 else 176))
    column = (room.width - side) / 2 - 2 * gap
    lefts = (room.x + gap, room.x + room.width - gap - column)
    placards: dict[int, Box] = {}
    for seat in range(setting.seats):
        height = min(dp * 190, room.height * (0.3 if seat == setting.mine else 0.27))
        bottom = room.y + gap if seat in (0, 1) else room.top - gap - height
        if seat == 3:
            bottom -= back
        placards[seat] = Box(lefts[seat in (1, 2)], bottom, column, height)
    right = setting.mine in (1, 2)
    low, high = room.y + gap, room.top - gap - (0 if right else back)
    for seat, box in placards.items():
        if (seat in (1, 2)) == right and seat in (0, 1):
            low = max(low, box.top + gap)
        elif (seat in (1, 2)) == right:
            high = min(high, box.y - gap)
    words = setting.words(column)
    rows = rows_for(setting.choices, column, dp, setting.narrowest)
    # As close to the own placard as the choices need.
    height = min(high - low - words - gap, max(1, rows) * (dp * CHOICE_DP + gap))
    foot = low if setting.mine in (0, 1) else high - words - gap - height
    bag = min(dp * 64, room.height * 0.15)
    middle = lefts[not right] + column / 2
    return Table(
        board=Box(room.x + (room.width - side) / 2, room.y + (room.height - side) / 2, side, side),
        placards=placards,
        prompt=Box(lefts[right], foot + height + gap, column, words),
        choices=Box(lefts[right], foot, column, height),
        bag=Box(middle - bag / 2, room.y + (room.height - bag) / 2, bag, bag),
        back=Box(room.x, room.top - back - dp * 2, back, back),
    )
