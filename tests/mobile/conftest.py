"""No test module may import Kivy before its settings are made."""

import tests.mobile.headless  # noqa: F401  # settings that Kivy reads when it is imported
