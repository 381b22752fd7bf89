"""No test module may import Kivy before its settings are made; and nobody looks at the pixels."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import tests.mobile.headless  # noqa: F401  # settings that Kivy reads when it is imported
from app.i18n import use_language
from tests.mobile.garbage import collected_as_usual


@pytest.fixture(scope="module", autouse=True)
def _garbage() -> Iterator[None]:
    """Only while a module is at its apps is garbage left lying."""
    yield
    collected_as_usual()


@pytest.fixture(autouse=True)
def _one_pixel(request: pytest.FixtureRequest) -> Iterator[None]:
    """Everything is drawn into one pixel, unless the test is marked `every_pixel`."""
    if "kivy.core.window" not in sys.modules or request.node.get_closest_marker("every_pixel"):
        yield
        return
    from tests.mobile.ui import one_pixel

    with one_pixel():
        yield


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Whatever language a test leaves in use, the next one starts with English."""
    yield
    use_language("en")
