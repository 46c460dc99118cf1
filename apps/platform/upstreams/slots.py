"""Slots: at most half of a host's workers may wait for upstreams while clients wait for them.

A slot is a lock on a file: the kernel releases it when a process dies.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings


@contextmanager
def reserve_slot(somebody: bool) -> Iterator[bool]:
    """Yield whether the call may go out; calls without a waiting client need no slot."""
    if not somebody:
        yield True
        return
    handle = _take_slot()
    try:
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _take_slot() -> int | None:
    folder = settings.VAR_DIR / "slots"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(max(1, settings.WEB_WORKERS // 2)):
        # one file for each slot; the kernel releases the
        # lock when the process dies, however it dies
        handle = os.open(folder / str(number), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            continue
        return handle
    return None
