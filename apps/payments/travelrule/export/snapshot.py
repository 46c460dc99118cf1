"""One state of the database for as long as an export is read."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def open_snapshot() -> Iterator[None]:
    """Read from one snapshot, without writing: concurrent writes are not visible.

    Inside an open transaction this is that transaction's snapshot.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        # inside a transaction, querysets are streamed by a cursor of the server; outside, that
        # cursor is WITH HOLD, for which the server first copies the whole result
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _open_sqlite_snapshot():
            yield


@contextmanager
def _open_sqlite_snapshot() -> Iterator[None]:
    """Read in a transaction while others write."""
    # not `atomic`, whose BEGIN IMMEDIATE (config/env.py) takes the lock on writing: one export
    # would stop every other process
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
