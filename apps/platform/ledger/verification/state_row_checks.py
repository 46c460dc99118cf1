"""Rows held against the last sealed event of each: what projections of state machines share.

Whoever can write the database can rewrite a row, but not record that. Were such a row carried on,
the next event would bear it out: so it is neither moved nor told.
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
from apps.platform.ledger.verification.hash_chain import filter_verified_records
from apps.platform.ledger.verification.projections import iter_missing_rows

AT_ONCE = 500
Row = TypeVar("Row", bound=models.Model)
Event = TypeVar("Event", bound=LedgerRecord)
logger = logging.getLogger(__name__)


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


@dataclass(frozen=True, kw_only=True)
class StateRowCheck(Generic[Row, Event]):
    """Holds the rows of a state machine against the last event of each.

    `of` is the events' column of the row; a fault calls the row by it. `error`, with `detail`, is
    raised for a row that is not as recorded. `gone` is told of events whose row is gone, `further`
    returns what else is wrong with a row that is as its event has it. An `exempt` row may have no
    events at all. `related` are rows that are read with each.
    """

    rows: type[Row]
    events: type[Event]
    of: str
    error: type[Unavailable]
    detail: str
    gone: str = "is recorded, and is gone"
    further: Callable[[Row], str] = lambda _: ""
    exempt: Callable[[Row], bool] = lambda _: False
    related: tuple[str, ...] = ()

    def verify(self, row: Row) -> Row:
        """Return a row as it stands now, which is as its last event has it; one query.

        Raises `error` (503) where it is not.
        """
        event = self._load_last_events([row]).get(row.pk)
        if why := self.describe_fault(row.pk, event):
            logger.error("%s", why)
            raise self.error(self.detail)
        found: Row = getattr(event, self.of)
        return found

    def select_verified(self, rows: Sequence[Row]) -> list[Row]:
        """Return those that are as their last events have them, in their order; a query for 500."""
        found = []
        for piece in iter_chunks(rows, AT_ONCE):
            last = self._load_last_events(piece)
            for one in piece:
                if why := self.describe_fault(one.pk, last.get(one.pk)):
                    logger.error("%s", why)
                else:
                    found.append(getattr(last[one.pk], self.of))
        return found

    def find_faults(self, rows: Sequence[Row]) -> dict[int, str]:
        """Return in words what differs between rows and their last events, by number; one query."""
        last = self._load_last_events(rows)
        held = [row for row in rows if row.pk in last or not self.exempt(row)]
        found = {one.pk: self.describe_fault(one.pk, last.get(one.pk)) for one in held}
        return {number: why for number, why in found.items() if why}

    def compare(self, progress: Callable[[int], None]) -> Iterator[str]:
        """Yield a fault in words for each row that is not as its last event has it, or is gone.

        `progress` is told how many rows each batch has.
        """
        rows = self.rows._default_manager.order_by("pk")
        for piece in iter_chunks(rows.iterator(AT_ONCE), AT_ONCE):
            yield from self.find_faults(piece).values()
            progress(len(piece))
        events = self.events._default_manager.all()
        for number in iter_missing_rows(self.rows, events, of=f"{self.of}_id"):
            yield f"{self.of} {number} {self.gone}"

    def describe_fault(self, number: int, event: Event | None) -> str:
        """Return in words how the row of a number differs from its last event, or an empty text."""
        if event is None:
            return f"{self.of} {number} has no event of ours for its last step"
        row: Any = getattr(event, self.of)
        if (event.number, event.state) != (row.steps, row.state):  # type: ignore[attr-defined]
            return f"{self.of} {number} went on: its last event is {event.pk}"
        if is_changed_since(event, row.stands):
            return f"{self.of} {number} is not as event {event.pk} has it"
        why = self.further(row)
        return f"{self.of} {number} {why}" if why else ""

    def _load_last_events(self, rows: Sequence[Row]) -> dict[int, Event]:
        events = self.events._default_manager.filter(**{f"{self.of}__in": [r.pk for r in rows]})
        return load_last_events(events.select_related(self.of, *self.related), of=self.of)
