"""Checks that projections of ledgers share: compare rows with the records they follow from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from django.db import models, transaction
from django.db.models import Exists, OuterRef

from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.records import LedgerRecord

BATCH = 500
Row = TypeVar("Row", bound=models.Model)
Record = TypeVar("Record", bound=LedgerRecord)


def find_differences(shown: Mapping[str, Any], recorded: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words which columns of a row differ from their recorded values.

    Columns that were added or removed since the record are not compared.
    """
    for name, value in recorded.items():
        if name in shown and shown[name] != value:
            yield describe_difference(name.removesuffix("_id"), shown[name], value)


def describe_difference(name: str, shown: Any, recorded: Any) -> str:
    """Describe a value that differs from the recorded one."""
    return f"{name} is {_format_value(shown)}, recorded is {_format_value(recorded)}"


def _format_value(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    return "nothing" if value in (None, "", []) else str(value)


def iter_missing_rows(
    rows: type[models.Model], records: "models.QuerySet[Any]", *, of: str
) -> Iterator[int]:
    """Yield the ids of missing rows that records refer to by their column `of`."""
    there = rows._default_manager.filter(pk=OuterRef(of))
    alone = records.filter(~Exists(there)).order_by(of)
    yield from alone.values_list(of, flat=True).distinct().iterator(BATCH)


@dataclass(frozen=True, kw_only=True)
class Projection(Generic[Row, Record]):
    """A table whose rows follow from records.

    `rows` and `records` are read as they are given; `of` is the records' column that holds a row's
    id. `faults(row, records)` yields in words where a row differs from its records, the oldest
    first. Faults call a row by `name` and its id, and use `gone` if only its records exist.
    """

    name: str
    rows: "models.QuerySet[Row]"
    records: "models.QuerySet[Record]"
    of: str
    faults: Callable[[Row, Sequence[Record]], Iterable[str]]
    gone: str = "it is recorded, but its row is missing"

    def compare(self, progress: Callable[[int], None]) -> Iterator[str]:
        """Yield in words where a row is not what its records make it.

        `progress` gets the number of rows compared. Two queries for each batch.
        """
        done = 0
        for batch in iter_chunks(self.rows.order_by("pk").iterator(BATCH), BATCH):
            recorded = self._recorded([row.pk for row in batch])
            for row in batch:
                # a step may have come between the two reads: only
                # what differs under the row's lock is a fault
                if any(self.faults(row, recorded[row.pk])):
                    yield from (
                        f"{self.name} {row.pk}: {fault}" for fault in self.faults_of(row.pk)
                    )
            done += len(batch)
            progress(done)
        for pk in iter_missing_rows(self.rows.model, self.records, of=self.of):
            yield f"{self.name} {pk}: {self.gone}"

    def faults_of(self, pk: int) -> list[str]:
        """Return where one row differs from its records, while its lock excludes any step."""
        with transaction.atomic():
            locked = self.rows.model._default_manager.select_for_update()
            row: Any = locked.filter(pk=pk).first()
            return list(self.faults(row, self._recorded([pk])[pk])) if row else [self.gone]

    def _recorded(self, pks: Sequence[int]) -> dict[int, list[Record]]:
        grouped_records: dict[int, list[Record]] = defaultdict(list)
        for record in self.records.filter(**{f"{self.of}__in": pks}).order_by("pk"):
            grouped_records[getattr(record, self.of)].append(record)
        return grouped_records
