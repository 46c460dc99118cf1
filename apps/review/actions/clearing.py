"""Several cases at once: claim and assign; and clearing one listed party's, by two officers."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.core.problems import Conflict
from apps.review import kinds
from apps.review.actions.claims import NotAllowed, claim
from apps.review.actions.deciding import BadDecision, confirm, decide, send_back
from apps.review.actions.routing import assign
from apps.review.models import BulkClear, Case, Outcome, Status
from apps.review.rules.together import MOST, bulk_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Refused = list[tuple[Case, str]]


class NotTogether(Conflict):
    """These cases cannot be worked on together."""

    code, title = "not_together", "The cases cannot be cleared together"


def claim_many(*, cases: Sequence[Case], by: "User", now: datetime) -> Refused:
    """Claim each case that is free; returns those that were refused, and why."""
    return _each(cases, lambda case: claim(case=case, by=by, now=now))


def assign_many(*, cases: Sequence[Case], to: "User", by: "User", now: datetime) -> Refused:
    """Assign each case that is undecided; returns those that were refused, and why."""
    return _each(cases, lambda case: assign(case=case, to=to, by=by, now=now))


def _each(cases: Sequence[Case], step: Callable[[Case], Case]) -> Refused:
    if len(cases) > MOST:
        raise NotTogether(f"Choose at most {MOST} cases.")
    refused: Refused = []
    for case in cases:
        try:
            step(case)
        except (Conflict, NotAllowed) as error:
            refused.append((case, error.detail))
    return refused


def most_together(cases: Sequence[Case]) -> int:
    """Return how many cases may be cleared at once; 0 where their kind clears one by one."""
    bulk = kinds.named(cases[0].kind).bulk if cases else None
    return bulk.cap if bulk else 0


def clear_fault(cases: Sequence[Case]) -> str:
    """Return why these cases cannot be cleared together, or an empty text."""
    bulk = kinds.named(cases[0].kind).bulk if cases else None
    risks = bulk.risks if bulk else frozenset[str]()
    alike = [case.likeness() for case in cases]
    return bulk_fault(alike, cap=most_together(cases), risks=risks)


@transaction.atomic
def propose_clear(
    *, cases: Sequence[Case], by: "User", reason_code: str, note: str, now: datetime
) -> BulkClear:
    """Propose that cases of one listed party are approved, all or none of them.

    Nothing is cleared by it: a second, different officer confirms, whatever the stakes of a
    single case. Raises NotTogether, and as `decide` for any of the cases.
    """
    if fault := clear_fault(cases):
        raise NotTogether(fault)
    shared = kinds.named(cases[0].kind).shared(cases[0].refs)
    if reason_code not in {one.code for one in shared}:
        raise BadDecision("Choose a reason that holds for all of them.")
    bulk = BulkClear.objects.create(entity_key=cases[0].entity_key, proposed_by=by, proposed_at=now)
    for case in cases:
        decide(
            case=case,
            by=by,
            outcome=Outcome.APPROVE,
            reason_code=reason_code,
            note=note,
            now=now,
            bulk=bulk,
        )
    return bulk


@transaction.atomic
def confirm_clear(
    *, bulk: BulkClear, seen: Sequence[int], by: "User", reason_code: str, note: str, now: datetime
) -> int:
    """Confirm what waits of a bulk, all or none; returns how many cases were closed.

    `seen` are the cases that the officer looked at: NotTogether when others wait by now.
    """
    waiting = _waiting(bulk, seen)
    for case in waiting:
        confirm(case=case, by=by, reason_code=reason_code, note=note, now=now)
    return len(waiting)


@transaction.atomic
def return_clear(
    *, bulk: BulkClear, seen: Sequence[int], by: "User", note: str, now: datetime
) -> int:
    """Return what waits of a bulk to the queue, all or none; returns how many cases."""
    waiting = _waiting(bulk, seen)
    for case in waiting:
        send_back(case=case, by=by, note=note, now=now)
    return len(waiting)


def _waiting(bulk: BulkClear, seen: Sequence[int]) -> list[Case]:
    found = list(Case.objects.filter(bulk=bulk, status=Status.AWAITING_SECOND).order_by("pk"))
    if not found:
        raise NotTogether("Nothing of it waits any more.")
    if {case.pk for case in found} != set(seen):
        raise NotTogether("The cases changed while you read; look again.")
    return found
