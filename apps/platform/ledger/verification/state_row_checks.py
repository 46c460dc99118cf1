"""Compare rows with the last sealed event of each: shared by projections of state machines.

An attacker who can write the database can rewrite a row, but cannot record the change. If such a
row were processed, its next event would confirm the change: so it is neither moved nor shown.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import F

from apps.platform.common.batches import iter_chunks
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.projection_checks import iter_missing_rows
from apps.platform.ledger.verification.verified_reads import filter_verified_records

AT_ONCE = 500
Row = TypeVar("Row", bound=models.Model)
Event = TypeVar("Event", bound=LedgerRecord)
logger = logging.getLogger(__name__)


def load_last_events(
    events: "models.QuerySet[Event]", *, of: str, whole: bool = False
) -> dict[int, Event]:
    """Return the last authentic event of each row, by the row's number; one query.

    `of` is the events' column of the row, whose `steps` counts like the events' `number`. Events
    beyond that count are returned as well: a row that was set back has more than it says. With
    `whole` each comes with its row as read by the same query.
    """
    # in ascending order, so that the last one wins in the mapping
    rows = events.filter(number__gte=F(f"{of}__steps")).order_by("number")
    verified_records = filter_verified_records(rows.select_related(of) if whole else rows)
    return {getattr(event, f"{of}_id"): event for event in verified_records}


def is_changed_since(event: LedgerRecord, stands: str) -> bool:
    """Tell whether a row, by the digest of its state, differs from its event."""
    return not event.purged and event.data["stands"] != stands


@dataclass(frozen=True, kw_only=True)
class StateRowCheck(Generic[Row, Event]):
    """Compare the rows of a state machine with the last event of each.

    `of` is the events' column of the row; faults name the row by it. `error`, with `detail`, is
    raised for a row that is not as recorded. `gone` is the fault of events whose row is missing,
    `further` returns other faults of a row that matches its event. An `exempt` row may have no
    events at all. `related` are rows that are loaded with each.
    """

    rows: type[Row]
    events: type[Event]
    of: str
    error: type[Unavailable]
    detail: str
    gone: str = "is recorded, but its row is missing"
    further: Callable[[Row], str] = lambda _: ""
    exempt: Callable[[Row], bool] = lambda _: False
    related: tuple[str, ...] = ()

    def verify(self, row: Row) -> Row:
        """Return a row in its current state if it matches its last event; one query.

        Raises `error` (503) if it does not.
        """
        event = self._load_last_events([row]).get(row.pk)
        if why := self.describe_fault(row.pk, event):
            logger.error("%s", why)
            raise self.error(self.detail)
        row_of_event: Row = getattr(event, self.of)
        return row_of_event

    def select_verified(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows that match their last events, in order; a query for 500."""
        verified = []
        for piece in iter_chunks(rows, AT_ONCE):
            last = self._load_last_events(piece)
            for row in piece:
                if why := self.describe_fault(row.pk, last.get(row.pk)):
                    logger.error("%s", why)
                else:
                    verified.append(getattr(last[row.pk], self.of))
        return verified

    def find_faults(self, rows: Sequence[Row]) -> dict[int, str]:
        """Return the differences of rows from their last events, by number; one query."""
        last = self._load_last_events(rows)
        compared = [row for row in rows if row.pk in last or not self.exempt(row)]
        faults = {row.pk: self.describe_fault(row.pk, last.get(row.pk)) for row in compared}
        return {number: why for number, why in faults.items() if why}

    def compare(self, progress: Callable[[int], None]) -> Iterator[str]:
        """Yield a fault for each row that differs from its last event, or is missing.

        `progress` gets the number of rows in each batch.
        """
        rows = self.rows._default_manager.order_by("pk")
        for piece in iter_chunks(rows.iterator(AT_ONCE), AT_ONCE):
            yield from self.find_faults(piece).values()
            progress(len(piece))
        events = self.events._default_manager.all()
        for number in iter_missing_rows(self.rows, events, of=f"{self.of}_id"):
            yield f"{self.of} {number} {self.gone}"

    def describe_fault(self, number: int, event: Event | None) -> str:
        """Describe how the row of a number differs from its last event, or return an empty text."""
        if event is None:
            return f"{self.of} {number} has no authentic event for its last step"
        row: Any = getattr(event, self.of)
        if (event.number, event.state) != (row.steps, row.state):  # type: ignore[attr-defined]
            return f"{self.of} {number} has a newer event: {event.pk}"
        if is_changed_since(event, row.stands):
            return f"{self.of} {number} differs from event {event.pk}"
        why = self.further(row)
        return f"{self.of} {number} {why}" if why else ""

    def _load_last_events(self, rows: Sequence[Row]) -> dict[int, Event]:
        events = self.events._default_manager.filter(**{f"{self.of}__in": [r.pk for r in rows]})
        return load_last_events(events.select_related(self.of, *self.related), of=self.of)
