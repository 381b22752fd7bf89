"""`python -m services.matchmaking`: settings come from the environment, see `--help`."""

import sys

from services.common.command import run_service
from services.matchmaking.service import serve
from services.matchmaking.settings import MatchmakingSettings

if __name__ == "__main__":
    summary = "Signs players in, brings them together at tables, starts their matches."
    sys.exit(run_service("matchmaking", summary, MatchmakingSettings, serve))
