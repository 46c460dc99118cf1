"""Unique constraints across all partitions: a table of keys for each, which a trigger fills.

A partition cannot see the keys of another. A row whose key exists already is refused by the table
of keys, as the constraint of the whole table would have refused it.
"""
# ruff: noqa: S608 - names are those of our models

from collections.abc import Callable, Iterator

from django.db import transaction

from apps.platform.ledger.partitions.pg_catalog import (
    LOCK_TIMEOUT,
    fetch_rows,
    list_partitions,
    list_unique_rules,
    run_statements,
)
from apps.platform.ledger.records import LedgerRecord

AT_ONCE = 50_000  # rows of one statement: each commits by itself, so that nothing waits long
LONGEST = 63  # bytes of a name in PostgreSQL, which cuts off what is longer (NAMEDATALEN)


def key_table_name(table: str, columns: tuple[str, ...]) -> str:
    """Return the name of the key table of a constraint."""
    return f"{table}_{'_'.join(columns)}_once"[:LONGEST]


def create_key_tables(model: type[LedgerRecord]) -> None:
    """Create the key tables, and have every new row recorded in them; safe to repeat."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        name, quoted = key_table_name(table, columns), _quote_columns(columns)
        run_statements(
            f'CREATE TABLE IF NOT EXISTS "{name}" AS SELECT {quoted} FROM "{table}" WITH NO DATA'
        )
        if not fetch_rows("SELECT 1 FROM pg_index WHERE indrelid = to_regclass(%s)", f'"{name}"'):
            run_statements(f'ALTER TABLE "{name}" ADD PRIMARY KEY ({quoted})')
    install_key_functions(model)
    with transaction.atomic():
        run_statements(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        attach_key_triggers(model)


def install_key_functions(model: type[LedgerRecord]) -> None:
    """Create or replace the trigger functions."""
    # they run with their owner's rights, so that writers of the ledger need no access to the keys;
    # so they name the key table with its schema, or a writer's temporary table could replace it
    for columns in list_unique_rules(model):
        name = key_table_name(model._meta.db_table, columns)
        new_values = ", ".join(f'NEW."{column}"' for column in columns)
        rows = fetch_rows(
            "SELECT format('%%I.%%I', nspname, relname) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass(%s)",
            f'"{name}"',
        )
        run_statements(
            f'CREATE OR REPLACE FUNCTION "{name}_kept"() RETURNS trigger LANGUAGE plpgsql'
            f" SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ BEGIN"
            f" INSERT INTO {rows[0][0]!s} VALUES ({new_values}); RETURN NULL; END $$"
        )


def find_key_faults(model: type[LedgerRecord]) -> Iterator[str]:
    """Yield in words where keys differ from the rows, or where new ones would not be recorded."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        name = key_table_name(table, columns)
        for place in (table, *(partition.table for partition in list_partitions(table))):
            if not fetch_rows(
                "SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgname = %s"
                " AND tgenabled IN ('O', 'A')",
                f'"{place}"',
                name,
            ):
                yield f"trigger missing: {place}: {name}"
        if not fetch_rows("SELECT to_regclass(%s)", f'"{name}"')[0][0]:
            yield f"the keys are missing: {name}"
            continue
        quoted_columns = _quote_columns(columns)
        # one query, so that no write comes between the two counts
        records, keys, common = fetch_rows(
            f'SELECT (SELECT count(*) FROM "{table}"), (SELECT count(*) FROM "{name}"),'
            f' (SELECT count(*) FROM "{table}" JOIN "{name}" USING ({quoted_columns}))'
        )[0]
        if not records == keys == common:
            yield f"{name}: {keys} keys are stored for {records} records, and {common} match"


def attach_key_triggers(model: type[LedgerRecord]) -> None:
    """Attach the triggers to the table, partitioned or not."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        name = key_table_name(table, columns)
        run_statements(
            f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"',
            f'CREATE TRIGGER "{name}" AFTER INSERT ON "{table}" FOR EACH ROW'
            f' EXECUTE FUNCTION "{name}_kept"()',
        )


def detach_key_triggers(model: type[LedgerRecord]) -> None:
    """Detach the triggers, inside the transaction that attaches them to another table."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        run_statements(f'DROP TRIGGER IF EXISTS "{key_table_name(table, columns)}" ON "{table}"')


def fill_key_tables(model: type[LedgerRecord], progress: Callable[[int], None]) -> None:
    """Record the keys of all existing rows; if interrupted, run it again."""
    table = model._meta.db_table
    last = fetch_rows(f'SELECT coalesce(max(id), 0) FROM "{table}"')[0][0]
    for columns in list_unique_rules(model):
        name, quoted_columns, at = key_table_name(table, columns), _quote_columns(columns), 0
        while at < last:
            end = fetch_rows(
                f'SELECT max(id) FROM (SELECT id FROM "{table}" WHERE id > %s ORDER BY id'
                " LIMIT %s) AS piece",
                at,
                AT_ONCE,
            )[0][0]
            run_statements(
                f'INSERT INTO "{name}" SELECT {quoted_columns} FROM "{table}" WHERE id > {at}'
                f" AND id <= {end} ON CONFLICT DO NOTHING"
            )
            at = end
            progress(at)


def _quote_columns(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
