"""Verify bank rows against the ledger of their events.

An attacker who can write the database can rewrite a row, but cannot record the change: such a row
is neither processed nor shown.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from django.apps import apps
from django.db.models import Q

from apps.payments.banking.models import BankEvent, Kept
from apps.platform.common.batches import iter_chunks
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records

AT_ONCE = 500
INTEGRITY_DETAIL = "Integrity check failed for this record. Contact the operator."
Row = TypeVar("Row", bound=Kept)
logger = logging.getLogger(__name__)


class BankRowIntegrityError(Unavailable):
    """Integrity check failed for this row: it was altered."""

    code, title = "bank_row_unproved", "Bank record integrity check failed"


def verify_rows(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows that agree with their last events; raises BankRowIntegrityError (503)."""
    # one altered row is enough: nothing is done with any of them
    for why in find_row_faults(rows).values():
        logger.error("%s", why)
        raise BankRowIntegrityError(INTEGRITY_DETAIL)
    return rows


def verify_bank_rows(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault for each row that differs from its last event, or is missing."""
    for model in apps.get_app_config("banking").get_models():
        if issubclass(model, Kept):
            for piece in iter_chunks(
                model._default_manager.order_by("pk").iterator(AT_ONCE), AT_ONCE
            ):
                yield from find_row_faults(piece).values()
                progress(len(piece))
            yield from _find_missing_rows(model)


def _find_missing_rows(model: type[Kept]) -> Iterator[str]:
    """Yield a fault for each missing row that has events."""
    # each row has exactly one first event, so these name every row that ever existed
    begun = BankEvent.objects.filter(subject__startswith=f"{model.THING}:", number=1)
    for piece in iter_chunks(begun.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        named = ((event.subject.partition(":")[2], event) for event in piece)
        by_number = {int(number): event for number, event in named if number.isdecimal()}
        present = model._default_manager.filter(pk__in=by_number).values_list("pk", flat=True)
        for number in sorted(by_number.keys() - set(present)):
            yield f"{by_number[number].subject} is gone: event {by_number[number].pk} began it"


def find_row_faults(rows: Sequence[Kept]) -> dict[int, str]:
    """Return how rows of one kind differ from their last events, by number.

    One query, and one more if rows have newer events than they say.
    """
    since = Q()
    for row in rows:
        # by (subject, number), which is unique: one index look-up for each row, in one query
        since |= Q(subject=row.subject, number__gte=row.steps)
    bank_events = filter_verified_records(BankEvent.objects.filter(since)) if rows else []
    events_by_step = {(event.subject, event.number): event for event in bank_events}
    newest: dict[str, int] = {}
    for subject, number in events_by_step:
        newest[subject] = max(number, newest.get(subject, number))
    # a row that was moved after it was read has the newest step by now; one that was set back to an
    # earlier step matches the event of that step, and would go from there a second time
    ahead = [row.pk for row in rows if newest.get(row.subject, 0) > row.steps]
    moved = type(rows[0])._default_manager.filter(pk__in=ahead) if ahead else None
    steps = dict(moved.values_list("pk", "steps")) if moved is not None else {}
    faults = {}
    for row in rows:
        last = newest.get(row.subject, 0)
        if last > max(row.steps, steps.get(row.pk, 0)):
            faults[row.pk] = f"{row.subject} was set back: it has an event {last} of ours"
        elif why := _describe_row_fault(row, events_by_step.get((row.subject, row.steps))):
            faults[row.pk] = why
    return faults


def _describe_row_fault(row: Kept, event: BankEvent | None) -> str:
    if event is None:
        return f"{row.subject} has no event {row.steps} of ours"
    # after retention the event has no digest any more, and the row was blanked with it
    if not event.purged and event.data["stands"] != row.stands:
        return f"{row.subject} differs from event {event.pk}"
    return ""
