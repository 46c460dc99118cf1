"""Who should look at a case, and when: assigning, escalating, putting aside.

Nothing here moves the due time.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User as Users
from django.db import transaction

from apps.core.problems import DomainError
from apps.core.shapes import iso
from apps.desk.rules import note_fault
from apps.review.actions.claims import (
    AWAKE,
    UNCLAIMED,
    NotAllowed,
    fresh,
    is_senior,
    may,
    why_lost,
    within,
)
from apps.review.actions.opening import record
from apps.review.models import Action, Case, CaseQuerySet, Escalation, Passed, Status
from apps.review.rules.hours import snooze_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BATCH = 200


class BadRouting(DomainError):
    """What a step needs to be told is missing or does not fit."""

    status, code, title = 400, "invalid_step", "The step is not complete"


def officers() -> list[Users]:
    """Return the people a case can be assigned to."""
    found = Users.objects.with_perm(
        "review.claim_case",
        include_superusers=False,
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return list(found.filter(is_staff=True).order_by("username"))


@transaction.atomic
def assign(*, case: Case, to: "User", by: "User", now: datetime) -> Case:
    """Put a case on an officer's desk; an officer's escalation ends with it.

    That it is past due stays: the seniors were told of it and are not told again. A claim of
    somebody else ends too: who assigns has the say. Raises AlreadyDecided, Merged,
    NotAllowed.
    """
    may(by, "review.assign_case", "assign cases")
    if not (to.is_active and to.has_perm("review.claim_case")):
        raise NotAllowed(f"{to.get_username()} does not work on cases.")
    if case.status == Status.AWAITING_SECOND and (
        case.first_by_id == to.pk or not to.has_perm("review.approve_second")
    ):
        raise NotAllowed(f"{to.get_username()} may not be the second officer of this case.")
    escalation = fresh(case).escalation
    overdue = escalation == Escalation.OVERDUE
    ended = {} if overdue else {"escalation": "", "escalated_at": None}
    standing = _standing(case).filter(within(case, by), first_at=case.first_at)
    change = {"assigned_to": to} | ended | UNCLAIMED | AWAKE
    if not standing.filter(escalation=escalation).update(**change):
        raise why_lost(case, by, now)
    told = {"to": to.get_username()} | ({"overdue": True} if overdue else {})
    Passed.objects.filter(case=case).delete()  # whoever has it now has not passed over that
    record(case, Action.ASSIGNED, by, now, told)
    return fresh(case)


@transaction.atomic
def escalate(*, case: Case, by: "User", note: str, now: datetime) -> Case:
    """Pass an open case to the seniors, with a sentence why; it leaves everybody else's queue.

    Raises BadRouting, AlreadyDecided, ClaimedByOther, Merged, NotAllowed.
    """
    may(by, "review.claim_case", "escalate cases")
    _sentence(note)
    change = {"escalation": Escalation.OFFICER, "escalated_at": now, "assigned_to": None}
    open_now = _open(case).free_for(by, now).exclude(escalation=Escalation.OFFICER)
    if not open_now.update(**change, **UNCLAIMED, **AWAKE):
        if fresh(case).escalation == Escalation.OFFICER:
            raise BadRouting("This case was escalated already.")
        raise why_lost(case, by, now)
    Passed.objects.filter(case=case).delete()
    record(case, Action.ESCALATED, by, now, {"note": note.strip(), "cause": Escalation.OFFICER})
    return fresh(case)


@transaction.atomic
def snooze(*, case: Case, by: "User", until: datetime, note: str, now: datetime) -> Case:
    """Put an open case aside until a moment, with a sentence why; its due time keeps running.

    What is past due only a senior puts aside: nobody else hides it from them. Raises
    BadRouting, AlreadyDecided, ClaimedByOther, Merged, NotAllowed.
    """
    may(by, "review.claim_case", "put cases aside")
    if fault := snooze_fault(until=until, now=now):
        raise BadRouting(fault, errors=[{"field": "until", "message": fault}])
    _sentence(note)
    if past_due(case, now) and not is_senior(case, by):
        raise BadRouting("This case is past due: only a senior officer puts it aside.")
    same = {"due_at": case.due_at, "escalation": case.escalation}
    free = _open(case).filter(within(case, by), **same).free_for(by, now)
    if not free.update(snoozed_until=until, **UNCLAIMED):
        raise why_lost(case, by, now)
    record(case, Action.SNOOZED, by, now, {"note": note.strip(), "until": iso(until)})
    return fresh(case)


def escalate_overdue(*, now: datetime) -> int:
    """Bring every case that is past due before the seniors, once; returns how many.

    What is aside wakes: its time is over. Safe to run twice, and by two workers at once.
    """
    total = 0
    while done := _escalate_batch(now):
        total += done
    return total


@transaction.atomic
def _escalate_batch(now: datetime) -> int:
    waiting = Case.objects.late(now).filter(escalation="").select_for_update(skip_locked=True)
    cases = list(waiting.only("pk", "due_at").order_by("pk")[:BATCH])
    change = {"escalation": Escalation.OVERDUE, "escalated_at": now}
    Case.objects.filter(pk__in=[case.pk for case in cases]).update(**change, **AWAKE)
    for case in cases:
        payload = {"cause": Escalation.OVERDUE, "due": iso(case.due_at)}
        record(case, Action.ESCALATED, None, now, payload)
    return len(cases)


def past_due(case: Case, now: datetime) -> bool:
    """Tell whether the time of a case ran out, or the seniors were told that it did."""
    return case.due_at < now or case.escalation == Escalation.OVERDUE


def _standing(case: Case) -> CaseQuerySet:
    return Case.objects.undecided().filter(pk=case.pk, status=case.status)


def _open(case: Case) -> CaseQuerySet:
    return Case.objects.undecided().filter(pk=case.pk, status=Status.OPEN)


def _sentence(note: str) -> None:
    if fault := note_fault(note):
        raise BadRouting(fault, errors=[{"field": "note", "message": fault}])
