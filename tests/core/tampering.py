"""What an attacker with the database's own password can do: take the triggers away and write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from apps.core import appendonly


def sql(statement: str, *params: Any) -> int:
    """Run raw SQL and return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return int(cursor.rowcount)


@contextmanager
def without_triggers() -> Iterator[None]:
    """Take every append-only trigger away for a moment."""
    off, on = drops_and_statements(connection)
    for statement in off:
        run(statement)
    yield
    for statement in on:
        run(statement)


def run(statement: str) -> None:
    """Run one statement in which percent signs mean themselves."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


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


def copied(record: Any, **changed: Any) -> int:
    """Insert a record's row again by SQL, with some columns changed; returns the new id."""
    fields = [field for field in record._meta.concrete_fields if not field.primary_key]
    row = {
        field.column: field.get_db_prep_save(
            changed.get(field.attname, getattr(record, field.attname)), connection
        )
        for field in fields
    }
    columns = ", ".join(f'"{column}"' for column in row)
    marks = ", ".join(["%s"] * len(row))
    table = record._meta.db_table
    sql(f'INSERT INTO "{table}" ({columns}) VALUES ({marks})', *row.values())
    newest = type(record)._default_manager.order_by("-pk").values_list("pk", flat=True)
    return int(newest[0])
