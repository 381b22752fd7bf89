"""The best players of each game, and how far one has come."""

from __future__ import annotations

from functools import partial

from kivy.properties import BooleanProperty, StringProperty

from app.i18n import tr, trn
from app.model.games import Offer, offer, offers
from app.model.online import Leaderboard, Standing
from app.screens.base import OddScreen, load_kv
from app.widgets import Card, Chip
from services.engine.core.registry import ruleset


class StandingRow(Card):
    """A place, who holds it, and with how many points."""

    place = StringProperty("")
    name = StringProperty("")
    picture = StringProperty("")
    points = StringProperty("")


class BestScreen(OddScreen):
    """One list a game and edition."""

    key = StringProperty("")
    mine = StringProperty("")
    empty = BooleanProperty(False)

    def open(self) -> None:
        self.key = self.key or offers()[0].key
        self.look(self.key)

    def look(self, key: str) -> None:
        """The list of an offer."""
        self.key, self.mine, self.empty = key, "", False
        place = self.ids.games
        place.clear_widgets()
        for one in offers():
            chip = Chip(text=one.title, chosen=one.key == key, font_size="14sp")
            chip.bind(on_release=lambda _, key=one.key: self.look(key))
            place.add_widget(chip)
        self.ids.rows.clear_widgets()
        self.app.tasks.cancel(self)
        self.run(partial(self._look, offer(key)))

    async def _look(self, one: Offer) -> None:
        board = await self.app.session.online.leaderboard(one.game, edition_of(one))
        self._show(board)

    def _show(self, board: Leaderboard) -> None:
        self.ids.rows.clear_widgets()
        for standing in board.standings:
            self.ids.rows.add_widget(self._row(standing, board.mine))
        self.empty = not board.standings
        if board.mine is not None:
            self.mine = tr("You are in place {place}.", place=board.mine.place)
        elif board.standings:
            self.mine = tr("Play against people and you are on it, too.")

    def _row(self, standing: Standing, mine: Standing | None) -> StandingRow:
        points = standing.rating.points
        return StandingRow(
            place=str(standing.place),
            name=standing.player.display_name,
            picture=standing.player.picture,
            points=trn("{count} point", "{count} points", points),
            chosen=mine is not None and standing.player.player_id == mine.player.player_id,
        )


def edition_of(one: Offer) -> str:
    """The edition that ratings of an offer are kept under: the game's default where it names none;
    empty for games without one."""
    specs = {spec.name: spec.default for spec in ruleset(one.game).option_specs}
    return str(one.options.get("edition", specs.get("edition", "")))


load_kv(__file__)
