"""Rules of uniqueness over all partitions: a table of keys for each, which a trigger fills.

A partition cannot know what another holds. A row whose key is there already is refused by the key's
own table, as the rule of the whole table would have refused it.
"""
# ruff: noqa: S608 - names are those of our models

from collections.abc import Callable, Iterator

from django.db import transaction

from apps.core.ledger import LedgerRecord
from apps.core.partitions.standing import WAIT, partitions, rows, run, unique_rules

AT_ONCE = 50_000
LONGEST = 63  # bytes of a name in PostgreSQL


def name_of(table: str, columns: tuple[str, ...]) -> str:
    """Return what the table of a rule's keys is called."""
    return f"{table}_{'_'.join(columns)}_once"[:LONGEST]


def make(model: type[LedgerRecord]) -> None:
    """Make the tables of keys, and have every new row kept in them; again is harmless."""
    table = model._meta.db_table
    for columns in unique_rules(model):
        name, told = name_of(table, columns), _quoted(columns)
        run(f'CREATE TABLE IF NOT EXISTS "{name}" AS SELECT {told} FROM "{table}" WITH NO DATA')
        if not rows("SELECT 1 FROM pg_index WHERE indrelid = to_regclass(%s)", f'"{name}"'):
            run(f'ALTER TABLE "{name}" ADD PRIMARY KEY ({told})')
    keep(model)
    with transaction.atomic():
        run(f"SET LOCAL lock_timeout = '{WAIT}'")
        watch(model)


def keep(model: type[LedgerRecord]) -> None:
    """Make, or renew, what the triggers do.

    Whoever may write the ledger need not be let into the keys: it runs with its owner's rights. So
    it names the keys' own table, and no temporary one of the writer stands in its place.
    """
    for columns in unique_rules(model):
        name = name_of(model._meta.db_table, columns)
        given = ", ".join(f'NEW."{one}"' for one in columns)
        run(
            f'CREATE OR REPLACE FUNCTION "{name}_kept"() RETURNS trigger LANGUAGE plpgsql'
            f" SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ BEGIN"
            f" INSERT INTO {_whole_name(name)} VALUES ({given}); RETURN NULL; END $$"
        )


def faults(model: type[LedgerRecord]) -> Iterator[str]:
    """Yield in words where keys are not those of the rows, or new ones would not be kept."""
    table = model._meta.db_table
    for columns in unique_rules(model):
        name = name_of(table, columns)
        for place in (table, *(one.table for one in partitions(table))):
            if not rows(
                "SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgname = %s"
                " AND tgenabled IN ('O', 'A')",
                f'"{place}"',
                name,
            ):
                yield f"trigger missing: {place}: {name}"
        if not rows("SELECT to_regclass(%s)", f'"{name}"')[0][0]:
            yield f"the keys are gone: {name}"
            continue
        told = _quoted(columns)
        # one look, so that nobody writes between the two counts
        records, keys, common = rows(
            f'SELECT (SELECT count(*) FROM "{table}"), (SELECT count(*) FROM "{name}"),'
            f' (SELECT count(*) FROM "{table}" JOIN "{name}" USING ({told}))'
        )[0]
        if not records == keys == common:
            yield f"{name}: {keys} keys are kept of {records} records, and {common} fit"


def watch(model: type[LedgerRecord]) -> None:
    """Put the triggers onto the table as it stands, partitioned or not."""
    table = model._meta.db_table
    for columns in unique_rules(model):
        name = name_of(table, columns)
        run(
            f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"',
            f'CREATE TRIGGER "{name}" AFTER INSERT ON "{table}" FOR EACH ROW'
            f' EXECUTE FUNCTION "{name}_kept"()',
        )


def unwatch(model: type[LedgerRecord]) -> None:
    """Take the triggers off, inside the transaction that puts them onto another table."""
    table = model._meta.db_table
    for columns in unique_rules(model):
        run(f'DROP TRIGGER IF EXISTS "{name_of(table, columns)}" ON "{table}"')


def fill(model: type[LedgerRecord], progress: Callable[[int], None]) -> None:
    """Keep the keys of all rows that were there before; one that was cut off is run again."""
    table = model._meta.db_table
    last = rows(f'SELECT coalesce(max(id), 0) FROM "{table}"')[0][0]
    for columns in unique_rules(model):
        name, told, at = name_of(table, columns), _quoted(columns), 0
        while at < last:
            end = rows(
                f'SELECT max(id) FROM (SELECT id FROM "{table}" WHERE id > %s ORDER BY id'
                " LIMIT %s) AS piece",
                at,
                AT_ONCE,
            )[0][0]
            run(
                f'INSERT INTO "{name}" SELECT {told} FROM "{table}" WHERE id > {at}'
                f" AND id <= {end} ON CONFLICT DO NOTHING"
            )
            at = end
            progress(at)


def _whole_name(table: str) -> str:
    """Return the name of a table with that of its schema."""
    found = rows(
        "SELECT format('%%I.%%I', nspname, relname) FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass(%s)",
        f'"{table}"',
    )
    return str(found[0][0])


def _quoted(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{one}"' for one in columns)
