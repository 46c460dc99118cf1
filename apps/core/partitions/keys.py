"""Rules of uniqueness over all partitions: a table of keys for each, which a trigger fills.

A partition cannot know what another holds. A row whose key is there already is refused by the key's
own table, as the rule of the whole table would have refused it.
"""
# ruff: noqa: S608 - names are those of our models

from collections.abc import Callable

from apps.core.ledger import LedgerRecord
from apps.core.partitions.standing import rows, run, unique_rules

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
        given = ", ".join(f'NEW."{one}"' for one in columns)
        run(
            # whoever may write the ledger need not be let into the keys
            f'CREATE OR REPLACE FUNCTION "{name}_kept"() RETURNS trigger LANGUAGE plpgsql'
            f" SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN"
            f' INSERT INTO "{name}" VALUES ({given}); RETURN NULL; END $$'
        )
    watch(model)


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


def _quoted(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{one}"' for one in columns)
