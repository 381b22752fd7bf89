"""The process: `python -m services.ai` (settings from the environment, see `--help`)."""

from __future__ import annotations

import sys

from services.ai.service import serve
from services.ai.settings import AiSettings
from services.common.command import run_service

if __name__ == "__main__":
    sys.exit(run_service("ai", "Computer opponents.", AiSettings, serve))
