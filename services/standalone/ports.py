"""Ports of this machine."""

from __future__ import annotations

import socket

from services.standalone.problem import Problem


def free_port(wanted: int = 0) -> int:
    """A loopback port that was free a moment ago: `wanted`, or any for 0.

    Raises `Problem` when the one wanted is taken.
    """
    with socket.socket() as probe:
        # As servers do: a port whose last connections are just fading away is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            raise Problem(
                f"can't listen on 127.0.0.1:{wanted} ({error.strerror}): taken; choose another port"
            ) from error
        return int(probe.getsockname()[1])
