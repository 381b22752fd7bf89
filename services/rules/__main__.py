"""The process: `python -m services.rules` (settings from the environment, see `--help`)."""

from __future__ import annotations

import sys

from services.common.command import run_service
from services.rules.service import serve
from services.rules.settings import RulesSettings

if __name__ == "__main__":
    sys.exit(
        run_service("rules", "Holds matches and applies actions to them.", RulesSettings, serve)
    )
