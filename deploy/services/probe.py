"""Health checks that run inside the containers.

python probe.py grpc HOST:PORT         the service says that it is serving
python probe.py pulse FILE SECONDS     the worker has touched its pulse file that recently
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

SERVING = b"\x08\x01"
"""grpc.health.v1.HealthCheckResponse with status SERVING, on the wire. Spelt out, since loading
the stubs would be most of the probe's work, and it runs every few seconds."""


def serves(address: str) -> bool:
    """Whether the gRPC health service at `address` answers SERVING within eight seconds."""
    import grpc

    with grpc.insecure_channel(address) as channel:
        check: grpc.UnaryUnaryMultiCallable[bytes, bytes]
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            return check(b"", timeout=8) == SERVING
        except grpc.RpcError:
            return False


def beats(file: str, seconds: str) -> bool:
    """Whether the file was touched within the last `seconds`."""
    try:
        return time.time() - Path(file).stat().st_mtime < float(seconds)
    except FileNotFoundError:
        return False


def main(arguments: list[str]) -> int:
    """0 if healthy, 1 if not, 2 for an unknown check."""
    match arguments:
        case ["grpc", address]:
            return 0 if serves(address) else 1
        case ["pulse", file, seconds]:
            return 0 if beats(file, seconds) else 1
        case _:
            sys.stderr.write(__doc__ or "")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
