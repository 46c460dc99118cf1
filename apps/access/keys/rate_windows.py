"""Count calls in windows of a minute, exactly for all processes of a host, without disk waits.

The counts are in a side database in VAR_DIR that is never synced: a crash of the machine may lose a
window, a crash of a process does not. Several hosts count together in Redis (settings.REDIS_URL).
"""

import contextlib
import os
import sqlite3
import threading
import time
from functools import lru_cache
from pathlib import Path

import redis

from apps.platform.common.problems import Unavailable

WINDOW = 60  # seconds
# seconds after which old windows are deleted; only the current one is read
KEPT = 10 * WINDOW
# seconds to wait for another process that writes, and between tries to switch to WAL
BUSY_SECONDS, BUSY_PAUSE = 2.0, 0.005
# seconds: a call waits for its count
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
    """Calls cannot be counted: without counts every call is refused."""


class SideDatabase:
    """The windows of one host: a connection per process and thread, opened on demand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()

    def count(self, *, bucket: str, starts: int) -> int:
        """Count a call and return the bucket's count in that window, including this one."""
        try:
            return self._count(bucket, starts)
        except sqlite3.OperationalError as error:  # locked, full or read-only: not ours to undo
            raise CallsUncounted("Calls cannot be counted now.") from error
        except sqlite3.DatabaseError:
            # start a new file: only the counts in the damaged one are lost
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            self._local.connection = None
            if connection is not None:
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
            # a log without its database, or the reverse, would be damaged again
            for suffix in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            return self._count(bucket, starts)

    def forget(self) -> None:
        """Drop every window, as a restart of the machine may."""
        self._connection().execute("DELETE FROM hits")

    def _count(self, bucket: str, starts: int) -> int:
        connection = self._connection()
        calls_counted = connection.execute(_COUNT, (bucket, starts)).fetchone()[0]
        if calls_counted == 1:  # a new window: delete the old ones
            connection.execute("DELETE FROM hits WHERE starts < ?", (starts - KEPT,))
        return int(calls_counted)

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None or self._local.process != os.getpid():  # never shared across a fork
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # isolation_level None: each statement commits by itself, so no lock outlives a count
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            _switch_to_write_ahead_log(connection)
            # a count that a power cut loses is worth less than the disk wait on each call
            for line in ("PRAGMA synchronous=OFF", _SCHEMA):
                connection.execute(line)
            self._local.connection, self._local.process = connection, os.getpid()
        return connection


def _switch_to_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch a file to WAL; while another process is doing so, SQLite fails without waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(BUSY_PAUSE)


@lru_cache(maxsize=4)
def open_side_database(path: Path) -> SideDatabase:
    """Return the windows that are kept in a file."""
    return SideDatabase(path)


def count_in_redis(*, url: str, bucket: str, starts: int) -> int:
    """Count a call in Redis; raises redis.RedisError if it does not answer in half a second."""
    name = f"rate:{bucket}:{starts}"
    # one transaction: a counter never exists without its expiry
    with _connect_redis(url).pipeline(transaction=True) as steps:
        steps.incr(name)
        # longer than the window, so that no call still counts in it
        steps.expire(name, 2 * WINDOW)
        return int(steps.execute()[0])


@lru_cache(maxsize=2)
def _connect_redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT
    )
