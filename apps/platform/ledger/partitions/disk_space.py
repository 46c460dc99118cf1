"""Gives back the disk of months whose payloads were purged.

Their rows stay: seals and chain are over them. Only the partition of a past month is rewritten
(VACUUM FULL), so that nobody who writes or reads this month waits. What a legal hold keeps was not
purged, and stays as it is.
"""
# ruff: noqa: S608 - names are those of our models

from dataclasses import dataclass
from datetime import datetime

from apps.platform.ledger.partitions.catalog import (
    fetch_rows,
    is_partitioned,
    list_partitions,
    run_statements,
)
from apps.platform.ledger.partitions.months import Month
from apps.platform.ledger.records import LedgerRecord


@dataclass(frozen=True, slots=True)
class PastPartition:
    """A partition of months that are over: how many rows it has, and how many are purged."""

    table: str
    rows: int
    purged: int


def find_reclaimable_partitions(model: type[LedgerRecord], *, now: datetime) -> list[PastPartition]:
    """Return the past partitions of which half of the rows or more are purged."""
    table = model._meta.db_table
    if not is_partitioned(table):
        return []
    found = []
    for partition in list_partitions(table):
        if partition.below <= Month.of(now).begins:
            told = (
                f"SELECT count(*), count(*) FILTER (WHERE payload = '') FROM \"{partition.table}\""
            )
            found.append(PastPartition(partition.table, *fetch_rows(told)[0]))
    return [one for one in found if one.rows and 2 * one.purged >= one.rows]


def reclaim_disk_space(one: PastPartition) -> int:
    """Rewrite a partition; returns how many bytes of disk came back. Not in a transaction."""
    before = _partition_size(one)
    run_statements(f'VACUUM (FULL, ANALYZE) "{one.table}"')
    return before - _partition_size(one)


def _partition_size(past_partition: PastPartition) -> int:
    return int(
        fetch_rows("SELECT pg_total_relation_size(to_regclass(%s))", f'"{past_partition.table}"')[
            0
        ][0]
    )
