"""One state of the database for as long as an export is read."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def open_snapshot() -> Iterator[None]:
    """Read from one snapshot, without writing: concurrent writes are not visible.

    PostgreSQL: REPEATABLE READ, so that rows come by a cursor of the server. SQLite: a transaction
    that reads while others write. Inside an open transaction, that transaction's snapshot.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _open_sqlite_snapshot():
            yield


@contextmanager
def _open_sqlite_snapshot() -> Iterator[None]:
    """Begin without the lock on writing that transactions of ours take (config/env.py)."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
