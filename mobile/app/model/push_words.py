"""What a server's call says. It brings keys; these are the words, which the stage puts where the
device finds them while the app is closed."""

from __future__ import annotations

from app.i18n import tr


def push_words() -> dict[str, str]:
    """The words by their keys, in the language in use. They name nobody."""
    return {
        "push_turn_title": tr("It is your turn"),
        "push_turn_body": tr("Somebody is waiting for your move."),
        "push_short_title": tr("Your time is nearly up"),
        "push_short_body": tr("A match is still waiting for your move."),
        "push_invited_title": tr("An invitation"),
        "push_invited_body": tr("A friend would like to play with you."),
    }
