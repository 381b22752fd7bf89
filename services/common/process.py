"""Processes that end with the one that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
# Loaded once, here, so that nothing has to be imported between fork and exec.
_libc: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent ends, however it ends.

    Linux only; elsewhere it does nothing, and an orphan lives on until its work is done. Good as
    `preexec_fn`. Mind that Linux takes the *thread* that started the process for its parent.
    """
    if _libc is None:
        return
    parent = os.getppid()
    _libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:  # it ended between the two lines
        os.kill(os.getpid(), number)
