"""Retire cases that later events have answered, so that they need no decision."""

from datetime import datetime

from apps.backoffice.review.models import UNDECIDED, Action, Case, CaseQuerySet, Status
from apps.backoffice.review.services.claims import NOT_SNOOZED, UNCLAIMED
from apps.backoffice.review.services.decision_events import record_decision_event
from apps.backoffice.review.services.decision_scope import MERGED


def lock_undecided_case(*, kind: str, ref: str) -> Case | None:
    """Return the undecided case of a domain record, or None; it stays so in this transaction.

    Call it before locking the record.
    """
    # a decision locks its case before the record that it is about: retiring a case must lock in the
    # same order, or the two wait for each other
    waits = Case.objects.filter(kind=kind, ref=ref, status__in=UNDECIDED)
    return waits.select_for_update().first()


def retire_superseded_cases(cases: CaseQuerySet, *, why: str, now: datetime) -> list[Case]:
    """End the undecided ones of some cases whose record is locked already; return them."""
    # a case that is being decided at this moment is skipped: its decision waits for the record that
    # this transaction holds, and will find that it moved on. Waiting for it would be a deadlock.
    waiting = cases.filter(status__in=UNDECIDED).order_by("pk").select_for_update(skip_locked=True)
    return [case for case in waiting if retire_case(case=case, why=why, now=now)]


def retire_case(*, case: Case, why: str, now: datetime) -> bool:
    """Close a case that is locked and undecided, without a decision; in that transaction.

    `why` is shown to officers. A waiting first decision becomes void, and the case leaves its
    group; both stay on record. False if other cases were merged into it.
    """
    # the cases that were merged into it are decided with it
    if MERGED.first(case.pk) is not None:
        return False
    change = {"status": Status.RETIRED, "merged_into": None, "bulk": None}
    waits = Case.objects.filter(pk=case.pk, status__in=UNDECIDED)
    if not waits.update(**change, **UNCLAIMED, **NOT_SNOOZED):
        return False
    record_decision_event(
        case, Action.RETIRED, None, now, {"note": why, "digest": case.facts_digest()}
    )
    return True
