"""Emptying the database after a test that commits: append-only tables must let go of their rows.

In production `flush` is refused like any other DELETE; only tests step aside, here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.backends.base.operations import BaseDatabaseOperations

from apps.core import appendonly


@contextmanager
def allowed() -> Iterator[None]:
    """Let flushes drop the append-only triggers, and put them back right after."""
    real = BaseDatabaseOperations.execute_sql_flush
    if getattr(real, "steps_aside", False):
        yield
        return

    def without_triggers(self: Any, sql_list: list[str]) -> Any:
        connection = self.connection
        if connection.vendor == "postgresql":
            # on tables that are nearly empty, DELETE takes a tenth of the time of TRUNCATE
            tables = connection.introspection.django_table_names(only_existing=True)
            deletes = [f'DELETE FROM "{table}"' for table in tables]
            return real(self, ["SET LOCAL session_replication_role = replica", *deletes])
        off, on = drops_and_statements(connection)
        return real(self, [*off, *sql_list, *on])

    without_triggers.steps_aside = True  # type: ignore[attr-defined]
    BaseDatabaseOperations.execute_sql_flush = without_triggers  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = real  # type: ignore[method-assign]


def drops_and_statements(connection: Any) -> tuple[list[str], list[str]]:
    """Return the SQL that takes every append-only trigger away, and that makes them anew."""
    off, on = [], []
    for model in appendonly.protected_models():
        table = model._meta.db_table
        columns = [field.column for field in model._meta.concrete_fields]
        purgeable = list(getattr(model, "PURGEABLE", ()))
        at = f' ON "{table}"' if connection.vendor == "postgresql" else ""
        off += [f'DROP TRIGGER "{n}"{at}' for n in appendonly.names(table, connection.vendor)]
        on += appendonly.statements(connection.vendor, table, columns, purgeable)
    return off, on
