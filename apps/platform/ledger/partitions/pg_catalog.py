"""Read the catalog: whether a ledger's table is partitioned, its indexes and constraints."""

from dataclasses import dataclass
from typing import Any

from django.db import connection

from apps.platform.ledger.records import LedgerRecord, ledger_models
from apps.platform.ledger.table_proofs import BY_MONTH

LOCK_TIMEOUT = "5s"  # timeout for an exclusive lock: failing is better than blocking everybody
Rows = list[tuple[Any, ...]]


def fetch_rows(statement: str, *values: Any) -> Rows:
    """Return the rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def run_statements(*statements: str) -> None:
    """Run statements in which percent signs are literal."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def partitionable_models() -> list[type[LedgerRecord]]:
    """Return the models of the ledgers that may be partitioned."""
    known = ledger_models()
    return [known[name] for name in BY_MONTH]


@dataclass(frozen=True, slots=True)
class Partition:
    """A table that holds ids from `first` on; `below` is the first id that it does not hold."""

    table: str
    first: int
    below: int


def is_partitioned(table: str) -> bool:
    """Tell whether a table is partitioned; False on SQLite, and for a missing table."""
    if connection.vendor != "postgresql":
        return False
    rows = fetch_rows(
        "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(%s)", f'"{table}"'
    )
    return bool(rows and rows[0][0])


def list_partitions(table: str) -> list[Partition]:
    """Return the partitions of a table in their order."""
    rows = fetch_rows(
        # the catalog has bounds only as an expression: FOR VALUES FROM ('1') TO ('2'), or MINVALUE
        "SELECT c.relname, coalesce(substring(bounds FROM $$FROM \\('?([0-9]+)$$)::bigint, 0),"
        " substring(bounds FROM $$TO \\('?([0-9]+)$$)::bigint FROM pg_inherits"
        " JOIN pg_class c ON c.oid = inhrelid, pg_get_expr(c.relpartbound, c.oid) AS bounds"
        " WHERE inhparent = to_regclass(%s) ORDER BY 3",
        f'"{table}"',
    )
    return [Partition(*row) for row in rows]


def list_unique_rules(model: type[LedgerRecord]) -> list[tuple[str, ...]]:
    """Return the columns of each unique constraint of the model but the primary key."""
    meta = model._meta
    columns = {
        concrete_field.name: str(concrete_field.column) for concrete_field in meta.concrete_fields
    }
    unique_fields = [
        concrete_field
        for concrete_field in meta.concrete_fields
        if concrete_field.unique and not concrete_field.primary_key
    ]
    rules = [tuple(constraint.fields) for constraint in meta.total_unique_constraints]
    named = [(field.name,) for field in unique_fields] + rules
    return [tuple(columns[name] for name in rule) for rule in named]


def list_obstacles(model: type[LedgerRecord]) -> list[str]:
    """Describe what prevents partitioning of a table; nothing if it is possible."""
    table = model._meta.db_table
    rows = fetch_rows(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'f'"
        " AND (confrelid = to_regclass(%s) OR conrelid = to_regclass(%s))",
        f'"{table}"',
        f'"{table}"',
    )
    # a foreign key would stay with the old table, which becomes one of the partitions, and
    # CREATE TABLE … LIKE copies none
    against = [f"{other} has the foreign key {name}" for other, name in rows]
    # the tables of keys know no condition
    partial = fetch_rows(
        "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = to_regclass(%s)"
        " AND indisunique AND (indpred IS NOT NULL OR indexprs IS NOT NULL)",
        f'"{table}"',
    )
    return against + [f"{name} is unique under a condition" for (name,) in partial]


def find_id_sequence(table: str) -> str:
    """Return the sequence of a table's ids."""
    return str(fetch_rows("SELECT pg_get_serial_sequence(%s, 'id')", f'"{table}"')[0][0])
