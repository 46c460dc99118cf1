"""Gives back the disk of months whose payloads were purged.

Their rows stay: seals and chain are over them. Only the partition of a past month is rewritten
(VACUUM FULL), so that nobody who writes or reads this month waits. What a legal hold keeps was not
purged, and stays as it is.
"""
# ruff: noqa: S608 - names are those of our models

from dataclasses import dataclass
from datetime import datetime

from apps.core.ledger import LedgerRecord
from apps.core.partitions.months import Month
from apps.core.partitions.standing import partitioned, partitions, rows, run


@dataclass(frozen=True, slots=True)
class Past:
    """A partition of months that are over: how many rows it has, and how many are purged."""

    table: str
    rows: int
    purged: int


def reclaimable(model: type[LedgerRecord], *, now: datetime) -> list[Past]:
    """Return the past partitions of which half of the rows or more are purged."""
    table = model._meta.db_table
    if not partitioned(table):
        return []
    found = []
    for one in partitions(table):
        if one.below <= Month.of(now).begins:
            told = f"SELECT count(*), count(*) FILTER (WHERE payload = '') FROM \"{one.table}\""
            found.append(Past(one.table, *rows(told)[0]))
    return [one for one in found if one.rows and 2 * one.purged >= one.rows]


def reclaim(one: Past) -> int:
    """Rewrite a partition; returns how many bytes of disk came back. Not in a transaction."""
    before = _size(one)
    run(f'VACUUM (FULL, ANALYZE) "{one.table}"')
    return before - _size(one)


def _size(one: Past) -> int:
    return int(rows("SELECT pg_total_relation_size(to_regclass(%s))", f'"{one.table}"')[0][0])
