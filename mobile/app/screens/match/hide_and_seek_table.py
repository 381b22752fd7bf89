"""Where everything lies on the screen in Monster Hide and Seek: numbers only, all in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from app.boards.seek_layout import cell_side
from app.screens.match.laying import BACK_DP, GAP_DP, Box, Laid, Seating, head

STOP_DP = 112
LOW_DP = 540
"""Lower than this is a small phone's room under the strip of a match with people elsewhere: the
cards, which are touched, get what placards and words can spare."""
PLACARD_DP = ((660, 72), (LOW_DP, 58), (0, 48))
"""How high a placard above or below the board is, in a room of this height or more."""


@dataclass(frozen=True, slots=True)
class Table(Laid):
    """The rectangle of each thing."""

    beside: Box
    """The prompt while there is a button to stop."""
    stop: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Seating):
    """What the table is laid for."""

    grid: tuple[int, int]
    """Columns and rows."""
    stops: bool
    """Whether there can be a button to stop."""
    words: float
    """The height of two lines of words."""


def lay(setting: Setting) -> Table:
    """Placards above and below the board, or on both sides: whichever leaves the larger cards."""
    one, other = above_and_below(setting), on_both_sides(setting)
    return one if _card(one, setting) >= _card(other, setting) else other


def _card(table: Table, setting: Setting) -> float:
    across, up = setting.grid
    width, height = table.board.width, table.board.height
    return max(cell_side(width, height, across, up), cell_side(width, height, up, across))


def above_and_below(setting: Setting) -> Table:
    """The others above, the prompt and the own placard below, under the thumb."""
    room, dp = setting.room, setting.dp
    gap, back = dp * GAP_DP, dp * BACK_DP
    strip = dp * next(high for least, high in PLACARD_DP if room.height >= dp * least)
    top = room.top - dp * 2
    placards, corner = head(setting, setting.others, strip, dp * 320)
    first, last = placards[setting.others[0]], placards[setting.others[-1]]
    # In the middle, like one's own, where they don't fill the screen.
    aside = room.x + (room.width - last.right + first.x) / 2 - first.x
    if last.right + aside < room.right - back and first.x + aside > room.x + back:
        placards = {seat: box._replace(x=box.x + aside) for seat, box in placards.items()}
    inside = min(room.width - 2 * gap, dp * 620)
    own = Box(room.x + (room.width - inside) / 2, room.y + gap, inside, strip)
    placards[setting.mine] = own
    line = inside - dp * 8
    words = max(setting.words, back if setting.stops else 0.0)
    low = own.top + gap / 2
    board = low + words + gap / 2
    stop = own.x if setting.left else own.right - dp * STOP_DP
    beside = stop + dp * STOP_DP + gap if setting.left else own.x + dp * 4
    return Table(
        board=Box(room.x, board, room.width, top - strip - gap / 2 - board),
        placards=placards,
        prompt=Box(own.x + dp * 4, low, line, words),
        beside=Box(beside, low, line - dp * STOP_DP - gap, words),
        stop=Box(stop, low + (words - back) / 2, dp * STOP_DP, back),
        back=corner,
    )


def on_both_sides(setting: Setting) -> Table:
    """The others on the left, oneself and what is to be done on the right; for left hands the
    other way round."""
    room, dp = setting.room, setting.dp
    gap, back = dp * GAP_DP, dp * BACK_DP
    column = min(max(dp * 112, room.width * 0.19), dp * 240)
    left, right = room.x + gap, room.right - gap - column
    there = setting.others
    height = min(dp * 92, (room.height - back - 2 * gap) / max(1, len(there)) - gap)
    # From the foot up, level with one's own: nobody hangs alone in a corner.
    placards = {
        seat: Box(left, room.y + gap + number * (height + gap), column, height)
        for number, seat in enumerate(reversed(there))
    }
    own = Box(right, room.y + gap, column, min(dp * 92, room.height * 0.3))
    placards[setting.mine] = own
    stop = Box(right, own.top + gap, column, back)
    low = stop.top if setting.stops else own.top
    words = min(room.top - 2 * gap - low, 3 * setting.words)
    prompt = Box(right, low + gap, column, words)
    board = left + column + gap
    table = Table(
        board=Box(board, room.y, right - gap - board, room.height),
        placards=placards,
        prompt=prompt,
        beside=prompt,
        stop=stop,
        back=Box(room.x, room.top - back - dp * 2, back, back),
    )
    return table.mirrored(setting) if setting.left else table
