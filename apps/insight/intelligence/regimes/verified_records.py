"""Verify many records at once: a process checks each of them only once."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.verified_reads import filter_verified_records

BATCH_SIZE = 500
Extracted = TypeVar("Extracted")
# extracted data by ledger, id and MAC; None for a record that failed its check
_RECORD_MEMORY: dict[str, dict[tuple[int, str | None], Any]] = {}


def load_verified_records(
    model: type[LedgerRecord], now: datetime, extract: Callable[[Any], Extracted], **having: Any
) -> list[Extracted]:
    """Return the data of the records up to a moment with a valid MAC, the oldest first."""
    records = model._default_manager.filter(recorded_at__lte=now, **having).order_by("pk")
    keys = list(records.values_list("pk", "mac"))
    remembered = _RECORD_MEMORY.setdefault(model.LEDGER, {})
    for chunk in iter_chunks(
        [missing_key for missing_key in keys if missing_key not in remembered], BATCH_SIZE
    ):
        # None first, so that a record that fails its check is not verified again on each call
        remembered.update(dict.fromkeys(chunk))
        rows = model._default_manager.filter(pk__in=[pk for pk, _ in chunk])
        remembered.update(
            {(row.pk, row.mac): extract(row) for row in filter_verified_records(rows)}
        )
    first: dict[str | None, Extracted] = {}
    for key in keys:
        if remembered[key] is not None:
            # by MAC, which does not cover the id: a copied row would count a second time
            first.setdefault(key[1], remembered[key])
    return list(first.values())


def clear_record_memory() -> None:
    """Empty this process's memory."""
    _RECORD_MEMORY.clear()
