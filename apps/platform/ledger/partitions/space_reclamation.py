"""Reclaim the disk space of months whose payloads were purged.

Their rows stay, because seals and chain cover them. Only a past month's partition is rewritten
(VACUUM FULL), so that readers and writers of this month do not wait. Payloads under a legal hold
were not purged, and stay.
"""
# ruff: noqa: S608 - names are those of our models

from dataclasses import dataclass
from datetime import datetime

from apps.platform.ledger.partitions.months import Month
from apps.platform.ledger.partitions.pg_catalog import (
    fetch_rows,
    is_partitioned,
    list_partitions,
    run_statements,
)
from apps.platform.ledger.records import LedgerRecord


@dataclass(frozen=True, slots=True)
class PastPartition:
    """A partition of past months: how many rows it has, and how many are purged."""

    table: str
    rows: int
    purged: int


def find_reclaimable_partitions(model: type[LedgerRecord], *, now: datetime) -> list[PastPartition]:
    """Return the past partitions in which at least half of the rows are purged."""
    table = model._meta.db_table
    if not is_partitioned(table):
        return []
    past_partitions = []
    for partition in list_partitions(table):
        # VACUUM FULL locks what it rewrites: this month's partition is still written to
        if partition.below <= Month.of(now).begins:
            text = (
                f"SELECT count(*), count(*) FILTER (WHERE payload = '') FROM \"{partition.table}\""
            )
            past_partitions.append(PastPartition(partition.table, *fetch_rows(text)[0]))
    # below half, a rewrite moves more than it frees
    return [
        past_partition
        for past_partition in past_partitions
        if past_partition.rows and 2 * past_partition.purged >= past_partition.rows
    ]


def reclaim_disk_space(past_partition: PastPartition) -> int:
    """Rewrite a partition; returns the reclaimed bytes. Not in a transaction."""
    before = _partition_size(past_partition)
    run_statements(f'VACUUM (FULL, ANALYZE) "{past_partition.table}"')
    return before - _partition_size(past_partition)


def _partition_size(past_partition: PastPartition) -> int:
    return int(
        fetch_rows("SELECT pg_total_relation_size(to_regclass(%s))", f'"{past_partition.table}"')[
            0
        ][0]
    )
