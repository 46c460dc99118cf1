"""Locks that a killed process gives back: an advisory one on PostgreSQL, a file's on SQLite."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from apps.platform.common.problems import Conflict


class AlreadyRunning(Conflict):
    """Another process is at the same work."""

    code, title = "busy", "Already running"


@contextmanager
def hold_database_lock(name: str) -> Iterator[None]:
    """Hold the lock `name` for all processes that share the database, or raise AlreadyRunning at
    once.
    """
    if connection.vendor != "postgresql":
        # SQLite is one host by nature, so a file's lock reaches every process that matters.
        with hold_file_lock(Path(settings.VAR_DIR) / "locks" / f"{name}.lock"):
            yield
        return
    # an advisory lock has a signed number of 64 bits for a name
    key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    # of the session, not of a transaction: an import commits many times while it holds the lock,
    # and a session that ends, however it ends, gives it back
    if not _query_lock("SELECT pg_try_advisory_lock(%s)", key):
        raise AlreadyRunning(f"{name} is being worked on by another process.")
    try:
        yield
    finally:
        _query_lock("SELECT pg_advisory_unlock(%s)", key)


@contextmanager
def hold_file_lock(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock of this host on a file; without `wait`, raise AlreadyRunning when another holds
    it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # the file stays: if it were removed, two processes could lock two files of one name
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"{path.stem} is being worked on by another process.") from None
        yield


def _query_lock(sql: str, key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(sql, [key])
        row = cursor.fetchone()
    return bool(row and row[0])
