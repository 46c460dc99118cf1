"""Clients that never finish their request hold up nobody else.

Needs a sandbox that runs (`./run`); PORT and VAR_DIR say which.

    ./run attack slow-clients [CLIENTS]
"""

import contextlib
import socket
import sys
import time
from urllib.parse import urlsplit

from tests.attacks.client import target

HALF = b"POST /compliance/compliance/screen HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n"
PATIENCE = 5.0  # seconds within which an ordinary call is answered


def main(arguments: list[str]) -> int:
    """Return 0 where ordinary calls are answered while many others hang."""
    on = target()
    place = urlsplit(on.url)
    with contextlib.ExitStack() as exit_stack:
        for _ in range(int(arguments[0]) if arguments else 200):
            client = socket.create_connection((place.hostname, place.port or 80), timeout=5)
            exit_stack.enter_context(contextlib.closing(client))
            client.sendall(HALF)
        slowest = 0.0
        for _ in range(10):
            began = time.monotonic()
            status, _ = on.post(
                "/compliance/compliance/screen",
                {"name": "Ada Noor", "country": "NO", "amount": 5},
                **{"X-API-Key": on.keys["subscription"]},
            )
            slowest = max(slowest, time.monotonic() - began)
            if status != 200:
                print(f"an ordinary call was answered {status}", file=sys.stderr)
                return 1
    print(f"slowest ordinary call: {slowest:.2f} s")
    return 0 if slowest < PATIENCE else 1
