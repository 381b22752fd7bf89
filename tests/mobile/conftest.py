"""No test module may import Kivy before its settings are made."""

from collections.abc import Iterator

import pytest

import tests.mobile.headless  # noqa: F401  # settings that Kivy reads when it is imported
from app.i18n import use_language


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Whatever language a test leaves in use, the next one starts with English."""
    yield
    use_language("en")
