"""Counts calls in windows of a minute, exactly for all processes of a host, without a disk's wait.

A side database in VAR_DIR, never synced: a crash of the machine may forget a window, a crash of
a process does not. Several hosts count together in Redis (settings.REDIS_URL).
"""

import contextlib
import os
import sqlite3
import threading
from functools import lru_cache
from pathlib import Path

import redis

from apps.platform.common.problems import Unavailable

WINDOW = 60  # seconds
KEPT = 10 * WINDOW
BUSY_SECONDS = 2.0
REDIS_TIMEOUT = 0.5

_SCHEMA = """
CREATE TABLE IF NOT EXISTS hits (
    bucket TEXT NOT NULL, starts INT NOT NULL, hits INT NOT NULL, PRIMARY KEY (bucket, starts)
) WITHOUT ROWID
"""
_COUNT = (
    "INSERT INTO hits VALUES (?, ?, 1) "
    "ON CONFLICT (bucket, starts) DO UPDATE SET hits = hits + 1 RETURNING hits"
)


class CallsUncounted(Unavailable):
    """Calls cannot be counted: nobody is let in past a limit that nobody keeps."""


class SideDatabase:
    """The windows of one host: a connection for each process and thread, opened when needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()

    def count(self, *, bucket: str, starts: int) -> int:
        """Count a call and return how many the bucket has in that window, this one included."""
        try:
            return self._count(bucket, starts)
        except sqlite3.OperationalError as error:  # locked, full or read-only: not ours to undo
            raise CallsUncounted("Calls cannot be counted now.") from error
        except sqlite3.DatabaseError:
            self._start_anew()
            return self._count(bucket, starts)

    def forget(self) -> None:
        """Drop every window, as a restart of the machine may."""
        self._connection().execute("DELETE FROM hits")

    def _count(self, bucket: str, starts: int) -> int:
        connection = self._connection()
        found = connection.execute(_COUNT, (bucket, starts)).fetchone()[0]
        if found == 1:  # a new window: the old ones go
            connection.execute("DELETE FROM hits WHERE starts < ?", (starts - KEPT,))
        return int(found)

    def _connection(self) -> sqlite3.Connection:
        held: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if held is None or self._local.process != os.getpid():  # never shared across a fork
            self.path.parent.mkdir(parents=True, exist_ok=True)
            held = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            for line in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _SCHEMA):
                held.execute(line)
            self._local.connection, self._local.process = held, os.getpid()
        return held

    def _start_anew(self) -> None:
        """Forget a damaged file: what it counted is lost, nothing else is."""
        held: sqlite3.Connection | None = getattr(self._local, "connection", None)
        self._local.connection = None
        if held is not None:
            with contextlib.suppress(sqlite3.Error):
                held.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


@lru_cache(maxsize=4)
def open_side_database(path: Path) -> SideDatabase:
    """Return the windows that are kept in a file."""
    return SideDatabase(path)


def count_in_redis(*, url: str, bucket: str, starts: int) -> int:
    """Count a call in Redis; raises redis.RedisError when it does not answer in half a second."""
    name = f"rate:{bucket}:{starts}"
    # one transaction: a counter never stands without its end
    with _connect_redis(url).pipeline(transaction=True) as steps:
        steps.incr(name)
        steps.expire(name, 2 * WINDOW)
        return int(steps.execute()[0])


@lru_cache(maxsize=2)
def _connect_redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT
    )
