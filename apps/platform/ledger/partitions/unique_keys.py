"""Rules of uniqueness over all partitions: a table of keys for each, which a trigger fills.

A partition cannot know what another holds. A row whose key is there already is refused by the key's
own table, as the rule of the whole table would have refused it.
"""
# ruff: noqa: S608 - names are those of our models

from collections.abc import Callable, Iterator

from django.db import transaction

from apps.platform.ledger.partitions.catalog import (
    LOCK_TIMEOUT,
    fetch_rows,
    list_partitions,
    list_unique_rules,
    run_statements,
)
from apps.platform.ledger.records import LedgerRecord

AT_ONCE = 50_000
LONGEST = 63  # bytes of a name in PostgreSQL


def key_table_name(table: str, columns: tuple[str, ...]) -> str:
    """Return what the table of a rule's keys is called."""
    return f"{table}_{'_'.join(columns)}_once"[:LONGEST]


def create_key_tables(model: type[LedgerRecord]) -> None:
    """Make the tables of keys, and have every new row kept in them; again is harmless."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        name, told = key_table_name(table, columns), _quote_columns(columns)
        run_statements(
            f'CREATE TABLE IF NOT EXISTS "{name}" AS SELECT {told} FROM "{table}" WITH NO DATA'
        )
        if not fetch_rows("SELECT 1 FROM pg_index WHERE indrelid = to_regclass(%s)", f'"{name}"'):
            run_statements(f'ALTER TABLE "{name}" ADD PRIMARY KEY ({told})')
    install_key_functions(model)
    with transaction.atomic():
        run_statements(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        attach_key_triggers(model)


def install_key_functions(model: type[LedgerRecord]) -> None:
    """Make, or renew, what the triggers do.

    Whoever may write the ledger need not be let into the keys: it runs with its owner's rights. So
    it names the keys' own table, and no temporary one of the writer stands in its place.
    """
    for columns in list_unique_rules(model):
        name = key_table_name(model._meta.db_table, columns)
        given = ", ".join(f'NEW."{column}"' for column in columns)
        run_statements(
            f'CREATE OR REPLACE FUNCTION "{name}_kept"() RETURNS trigger LANGUAGE plpgsql'
            f" SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ BEGIN"
            f" INSERT INTO {_qualified_name(name)} VALUES ({given}); RETURN NULL; END $$"
        )


def find_key_faults(model: type[LedgerRecord]) -> Iterator[str]:
    """Yield in words where keys are not those of the rows, or new ones would not be kept."""
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
            yield f"the keys are gone: {name}"
            continue
        told = _quote_columns(columns)
        # one look, so that nobody writes between the two counts
        records, keys, common = fetch_rows(
            f'SELECT (SELECT count(*) FROM "{table}"), (SELECT count(*) FROM "{name}"),'
            f' (SELECT count(*) FROM "{table}" JOIN "{name}" USING ({told}))'
        )[0]
        if not records == keys == common:
            yield f"{name}: {keys} keys are kept of {records} records, and {common} fit"


def attach_key_triggers(model: type[LedgerRecord]) -> None:
    """Put the triggers onto the table as it stands, partitioned or not."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        name = key_table_name(table, columns)
        run_statements(
            f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"',
            f'CREATE TRIGGER "{name}" AFTER INSERT ON "{table}" FOR EACH ROW'
            f' EXECUTE FUNCTION "{name}_kept"()',
        )


def detach_key_triggers(model: type[LedgerRecord]) -> None:
    """Take the triggers off, inside the transaction that puts them onto another table."""
    table = model._meta.db_table
    for columns in list_unique_rules(model):
        run_statements(f'DROP TRIGGER IF EXISTS "{key_table_name(table, columns)}" ON "{table}"')


def fill_key_tables(model: type[LedgerRecord], progress: Callable[[int], None]) -> None:
    """Keep the keys of all rows that were there before; one that was cut off is run again."""
    table = model._meta.db_table
    last = fetch_rows(f'SELECT coalesce(max(id), 0) FROM "{table}"')[0][0]
    for columns in list_unique_rules(model):
        name, told, at = key_table_name(table, columns), _quote_columns(columns), 0
        while at < last:
            end = fetch_rows(
                f'SELECT max(id) FROM (SELECT id FROM "{table}" WHERE id > %s ORDER BY id'
                " LIMIT %s) AS piece",
                at,
                AT_ONCE,
            )[0][0]
            run_statements(
                f'INSERT INTO "{name}" SELECT {told} FROM "{table}" WHERE id > {at}'
                f" AND id <= {end} ON CONFLICT DO NOTHING"
            )
            at = end
            progress(at)


def _qualified_name(table: str) -> str:
    """Return the name of a table with that of its schema."""
    rows = fetch_rows(
        "SELECT format('%%I.%%I', nspname, relname) FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass(%s)",
        f'"{table}"',
    )
    return str(rows[0][0])


def _quote_columns(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
