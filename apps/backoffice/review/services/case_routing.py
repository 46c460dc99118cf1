"""Assign, escalate and snooze cases.

Nothing here moves the due time.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User as Users
from django.db import transaction

from apps.backoffice.review.models import Action, Case, CaseQuerySet, Escalation, Passed, Status
from apps.backoffice.review.rules.hours import find_snooze_fault
from apps.backoffice.review.services.claims import (
    NOT_SNOOZED,
    UNCLAIMED,
    StepNotAllowed,
    build_escalation_filter,
    build_lost_step_error,
    is_senior_for_case,
    reload_case,
    require_permission,
)
from apps.backoffice.review.services.decision_events import record_decision_event
from apps.platform.common.clock import format_utc
from apps.platform.common.problems import DomainError
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BATCH = 200


class InvalidCaseStep(DomainError):
    """An input of a step is missing or invalid."""

    status, code, title = 400, "invalid_step", "The step is incomplete"


def list_assignable_officers() -> list[Users]:
    """Return the people a case can be assigned to."""
    users = Users.objects.with_perm(
        "review.claim_case",
        include_superusers=False,
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return list(users.filter(is_staff=True).order_by("username"))


@transaction.atomic
def assign_case(*, case: Case, to: "User", by: "User", now: datetime) -> Case:
    """Assign a case to an officer; an escalation by an officer ends with it.

    Another officer's claim ends too. Raises AlreadyDecided, CaseMerged, StepNotAllowed.
    """
    require_permission(by, "review.assign_case", "assign cases")
    if not (to.is_active and to.has_perm("review.claim_case")):
        raise StepNotAllowed(f"{to.get_username()} does not work on cases.")
    if case.status == Status.AWAITING_SECOND and (
        case.first_by_id == to.pk or not to.has_perm("review.approve_second")
    ):
        raise StepNotAllowed(f"{to.get_username()} may not be the second officer of this case.")
    escalation = reload_case(case).escalation
    # an overdue case stays escalated: it is past due still, and the seniors know
    overdue = escalation == Escalation.OVERDUE
    ended = {} if overdue else {"escalation": "", "escalated_at": None}
    standing = (
        Case.objects.undecided()
        .filter(pk=case.pk, status=case.status)
        .filter(build_escalation_filter(case, by), first_at=case.first_at)
    )
    change = {"assigned_to": to} | ended | UNCLAIMED | NOT_SNOOZED
    if not standing.filter(escalation=escalation).update(**change):
        raise build_lost_step_error(case, by, now)
    details = {"to": to.get_username()} | ({"overdue": True} if overdue else {})
    Passed.objects.filter(case=case).delete()  # the new holder has not skipped it
    record_decision_event(case, Action.ASSIGNED, by, now, details)
    return reload_case(case)


@transaction.atomic
def escalate_case(*, case: Case, by: "User", note: str, now: datetime) -> Case:
    """Pass an open case to the seniors, with a sentence why; it leaves everybody else's queue.

    Raises InvalidCaseStep, AlreadyDecided, ClaimedByOther, CaseMerged, StepNotAllowed.
    """
    require_permission(by, "review.claim_case", "escalate cases")
    _require_note(note)
    change = {"escalation": Escalation.OFFICER, "escalated_at": now, "assigned_to": None}
    open_now = _select_open_case(case).free_for(by, now).exclude(escalation=Escalation.OFFICER)
    if not open_now.update(**change, **UNCLAIMED, **NOT_SNOOZED):
        if reload_case(case).escalation == Escalation.OFFICER:
            raise InvalidCaseStep("This case has already been escalated.")
        raise build_lost_step_error(case, by, now)
    Passed.objects.filter(case=case).delete()
    record_decision_event(
        case, Action.ESCALATED, by, now, {"note": note.strip(), "cause": Escalation.OFFICER}
    )
    return reload_case(case)


@transaction.atomic
def snooze_case(*, case: Case, by: "User", until: datetime, note: str, now: datetime) -> Case:
    """Snooze an open case until a moment, with a reason; its due time keeps running.

    Raises InvalidCaseStep, AlreadyDecided, ClaimedByOther, CaseMerged, StepNotAllowed.
    """
    require_permission(by, "review.claim_case", "snooze cases")
    if fault := find_snooze_fault(until=until, now=now):
        raise InvalidCaseStep(fault, errors=[{"field": "until", "message": fault}])
    _require_note(note)
    # an overdue case must not be hidden from the seniors
    if is_past_due(case, now) and not is_senior_for_case(case, by):
        raise InvalidCaseStep("This case is overdue: only a senior officer can snooze it.")
    same = {"due_at": case.due_at, "escalation": case.escalation}
    free = (
        _select_open_case(case).filter(build_escalation_filter(case, by), **same).free_for(by, now)
    )
    if not free.update(snoozed_until=until, **UNCLAIMED):
        raise build_lost_step_error(case, by, now)
    record_decision_event(
        case, Action.SNOOZED, by, now, {"note": note.strip(), "until": format_utc(until)}
    )
    return reload_case(case)


def escalate_overdue_cases(*, now: datetime) -> int:
    """Escalate every case that is past due to the seniors, once; returns how many.

    Safe to run twice, and by two workers at once.
    """
    total = 0
    while done := _escalate_batch(now):
        total += done
    return total


@transaction.atomic
def _escalate_batch(now: datetime) -> int:
    # `escalation=""`: each case is escalated once. A case that an officer has locked is left to the
    # next run
    waiting = Case.objects.late(now).filter(escalation="").select_for_update(skip_locked=True)
    cases = list(waiting.only("pk", "due_at").order_by("pk")[:BATCH])
    change = {"escalation": Escalation.OVERDUE, "escalated_at": now}
    # snoozed cases wake: a snooze does not move the due time
    Case.objects.filter(pk__in=[case.pk for case in cases]).update(**change, **NOT_SNOOZED)
    for case in cases:
        payload = {"cause": Escalation.OVERDUE, "due": format_utc(case.due_at)}
        record_decision_event(case, Action.ESCALATED, None, now, payload)
    return len(cases)


def is_past_due(case: Case, now: datetime) -> bool:
    """Tell whether a case is past due, or was escalated for that."""
    return case.due_at < now or case.escalation == Escalation.OVERDUE


def _select_open_case(case: Case) -> CaseQuerySet:
    return Case.objects.undecided().filter(pk=case.pk, status=Status.OPEN)


def _require_note(note: str) -> None:
    if fault := find_note_fault(note):
        raise InvalidCaseStep(fault, errors=[{"field": "note", "message": fault}])
