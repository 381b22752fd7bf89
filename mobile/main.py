"""Where python-for-android, kivy-ios and `python mobile/main.py` start."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
if (_HERE.parent / "proto" / "gen").is_dir():
    # In the repository; on a phone everything lies flat beside this file.
    sys.path[:0] = [str(_HERE), str(_HERE.parent), str(_HERE.parent / "proto" / "gen")]

from app.main import main  # noqa: E402  # the path has to be right first

if __name__ == "__main__":
    main()
