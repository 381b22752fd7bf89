"""About the app: what it is, what it keeps, and whose work it stands on."""

from __future__ import annotations

from kivy.factory import Factory
from kivy.properties import StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.model.licences import licence_text, part, parts
from app.screens.base import OddScreen, load_kv
from app.widgets import Card


class PartRow(ButtonBehavior, Card):
    """Something the app brings along; a touch shows its licence."""

    name = StringProperty("")
    licence = StringProperty("")


class AboutScreen(OddScreen):
    """The app and the list of its parts."""

    def open(self) -> None:
        self.ids.parts.clear_widgets()
        for one in parts():
            row = PartRow(name=one.name, licence=one.licence)
            row.bind(on_release=lambda row: self.app.navigator.go("licence", part=row.name))
            self.ids.parts.add_widget(row)


class LicenceScreen(OddScreen):
    """The licence of one part, in the words of its authors."""

    title = StringProperty("")

    def open(self) -> None:
        one = part(self.params.get("part", ""))
        self.title = one.name
        self.ids.text.clear_widgets()
        for paragraph in licence_text(one):
            self.ids.text.add_widget(Factory.Dim(text=paragraph, fits=False))
        self.ids.scroll.scroll_y = 1


load_kv(__file__)
