"""Records that prove themselves, read many at once: a process looks at each of them once."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.hash_chain import filter_verified_records

BATCH_SIZE = 500
Extracted = TypeVar("Extracted")
_RECORD_MEMORY: dict[str, dict[tuple[int, str | None], Any]] = {}


def load_verified_records(
    model: type[LedgerRecord], now: datetime, told: Callable[[Any], Extracted], **having: Any
) -> list[Extracted]:
    """Return what is told of the records up to a moment whose MAC holds, the oldest first.

    One that is not ours counts for nothing, and neither does a copy of one that is.
    """
    made = model._default_manager.filter(recorded_at__lte=now, **having).order_by("pk")
    keys = list(made.values_list("pk", "mac"))
    held = _RECORD_MEMORY.setdefault(model.LEDGER, {})
    for some in iter_chunks([one for one in keys if one not in held], BATCH_SIZE):
        held.update(dict.fromkeys(some))
        rows = model._default_manager.filter(pk__in=[pk for pk, _ in some])
        held.update({(row.pk, row.mac): told(row) for row in filter_verified_records(rows)})
    first: dict[str | None, Extracted] = {}
    for key in keys:
        if held[key] is not None:
            first.setdefault(key[1], held[key])
    return list(first.values())


def clear_record_memory() -> None:
    """Empty this process's memory."""
    _RECORD_MEMORY.clear()
