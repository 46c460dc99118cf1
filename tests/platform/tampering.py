"""What an attacker with the database's own password can do: take the triggers away and write."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from apps.platform.db import append_only
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS, compute_link_digest, ledger_models

# What is written into a ledger, and the words of the faults that name it: {t} is its table, {l} its
# name, {s} the table of seals, {id} and {position} are of one of its records.
TAMPERINGS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("a payload gets a letter more",
     'UPDATE "{t}" SET payload = payload || \'x\' WHERE id = {id}', ("altered",)),
    ("a salt is altered", 'UPDATE "{t}" SET salt = \'x\' WHERE id = {id}', ("altered",)),
    ("a record gets another time",
     'UPDATE "{t}" SET recorded_at = \'2020-01-01 00:00:00+00\' WHERE id = {id}', ("altered",)),
    ("a MAC is altered", 'UPDATE "{t}" SET mac = \'x\' WHERE id = {id}', ("MAC does not hold",)),
    ("a record is gone", 'DELETE FROM "{t}" WHERE id = {id}', ("missing",)),
    ("a seal is gone",
     "DELETE FROM {s} WHERE ledger = '{l}' AND position = {position}", ("broken or reordered",)),
    ("a seal gets another content",
     "UPDATE {s} SET content = 'x' WHERE ledger = '{l}' AND position = {position}", ("altered",)),
    ("a seal gets another time",
     "UPDATE {s} SET sealed_at = '2020-01-01 00:00:00+00' WHERE ledger = '{l}' AND "
     "position = {position}", ("altered",)),
    ("a seal gets another digest",
     "UPDATE {s} SET digest = 'x' WHERE ledger = '{l}' AND position = {position}",
     ("altered", "broken")),
    ("a seal is of another record",
     "UPDATE {s} SET record_id = 999999 WHERE ledger = '{l}' AND position = {position}",
     ("missing",)),
    ("a payload is blanked",
     'UPDATE "{t}" SET payload = \'\', salt = \'\' WHERE id = {id}', ("no purge is recorded",)),
    ("a payload is blanked but for its salt",
     'UPDATE "{t}" SET payload = \'\' WHERE id = {id}', ("altered",)),
    ("the last seal is gone",
     "DELETE FROM {s} WHERE ledger = '{l}' AND position = (SELECT MAX(position) FROM {s} WHERE "
     "ledger = '{l}')", ("its seals are missing",)),
    ("all seals are gone", "DELETE FROM {s} WHERE ledger = '{l}'", ("its seals are missing",)),
)  # fmt: skip


def sql(statement: str, *params: Any) -> int:
    """Run raw SQL and return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return int(cursor.rowcount)


@contextmanager
def without_triggers(models: Iterable[Any] | None = None) -> Iterator[None]:
    """Take the append-only triggers of some tables, or of all, away for a moment."""
    off, on = drops_and_statements(connection, models)
    for statement in off:
        run(statement)
    yield
    for statement in on:
        run(statement)


def run(statement: str) -> None:
    """Run one statement in which percent signs mean themselves."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def drops_and_statements(
    connection: Any, models: Iterable[Any] | None = None
) -> tuple[list[str], list[str]]:
    """Return the SQL that takes append-only triggers away, and that makes them anew."""
    off, on = [], []
    for model in append_only.protected_models() if models is None else models:
        table = model._meta.db_table
        columns = [field.column for field in model._meta.concrete_fields]
        purgeable = list(getattr(model, "PURGEABLE", ()))
        at = f' ON "{table}"' if connection.vendor == "postgresql" else ""
        off += [
            f'DROP TRIGGER "{n}"{at}' for n in append_only.trigger_names(table, connection.vendor)
        ]
        on += append_only.trigger_statements(connection.vendor, table, columns, purgeable)
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


def hash_anew(ledger: str) -> None:
    """Chain all records of a ledger anew as they are, and set the bookmark: all but their MACs."""
    model, previous = ledger_models()[ledger], GENESIS
    for seal in list(Seal.objects.filter(ledger=ledger).order_by("position")):
        record = model._default_manager.get(pk=seal.record_id)
        content = seal.content if record.purged else record.content_hash()
        known = {"position": seal.position, "previous": previous, "content": content}
        digest = compute_link_digest(
            ledger=ledger, record=record, sealed_at=seal.sealed_at, **known
        )
        sql(
            f"UPDATE {Seal._meta.db_table} SET previous = %s, content = %s, digest = %s "
            "WHERE id = %s", previous, content, digest, seal.pk,
        )  # fmt: skip
        previous = digest
    LedgerHead.objects.filter(ledger=ledger).update(digest=previous)
