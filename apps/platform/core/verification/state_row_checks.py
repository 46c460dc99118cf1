"""Rows held against the last sealed event of each: what projections of state machines share."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from django.db import models
from django.db.models import F

from apps.platform.core.batches import iter_chunks
from apps.platform.core.ledger.records import LedgerRecord
from apps.platform.core.verification.hash_chain import filter_verified_records

AT_ONCE = 500
Row = TypeVar("Row", bound=models.Model)
Event = TypeVar("Event", bound=LedgerRecord)


def load_last_events(
    events: "models.QuerySet[Event]", *, of: str, whole: bool = False
) -> dict[int, Event]:
    """Return the last event that is ours of each row, by the row's number; one query.

    `of` is the events' column of the row, which counts its `steps` as they count in `number`. The
    events behind that count come as well: a row that was set back has more than it says. With
    `whole` each comes with its row as it stood in that very moment.
    """
    rows = events.filter(number__gte=F(f"{of}__steps")).order_by("number")
    found = filter_verified_records(rows.select_related(of) if whole else rows)
    return {getattr(one, f"{of}_id"): one for one in found}


def is_changed_since(event: LedgerRecord, stands: str) -> bool:
    """Tell whether a row, by the digest of how it stands, is not as an event has it."""
    return not event.purged and event.data["stands"] != stands


def find_row_faults(
    rows: "models.QuerySet[Row]",
    faults: Callable[[Sequence[Row]], Iterator[str]],
    progress: Callable[[int], None],
) -> Iterator[str]:
    """Yield what `faults` finds in rows, a batch at a time; `progress` is told how many."""
    for piece in iter_chunks(rows.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        yield from faults(piece)
        progress(len(piece))
