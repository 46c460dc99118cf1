"""Merge duplicates: a case that asks the same question is decided with the other one."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.review.models import Action, Case, Status
from apps.backoffice.review.rules.bulk_and_merge import find_merge_fault
from apps.backoffice.review.services.case_routing import InvalidCaseStep
from apps.backoffice.review.services.claims import (
    NOT_SNOOZED,
    UNCLAIMED,
    build_lost_step_error,
    reload_case,
    require_decider,
    require_permission,
)
from apps.backoffice.review.services.decision_events import record_decision_event
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class CasesNotMergeable(Conflict):
    """The two cases cannot go together."""

    code, title = "no_duplicate", "The cases cannot be merged"


@transaction.atomic
def merge_case(*, duplicate: Case, into: Case, by: "User", note: str, now: datetime) -> Case:
    """Merge an open case into another open one of the same party: one decision for both.

    Only an officer who may decide each of them now may merge them. The earlier due time
    counts. Raises InvalidCaseStep, CasesNotMergeable, AlreadyDecided, ClaimedByOther,
    StepNotAllowed.
    """
    require_permission(by, "review.decide_case", "merge cases")
    if fault := find_note_fault(note):
        raise InvalidCaseStep(fault, errors=[{"field": "note", "message": fault}])
    target, joining = _lock_both_cases(into, duplicate)
    require_decider(target, by)
    require_decider(joining, by)
    if target.status != Status.OPEN or target.merged_into_id is not None:
        raise CasesNotMergeable(f"Case {target.pk} is no longer open.")
    if not Case.objects.same_party(duplicate).filter(pk=target.pk).exists():
        raise CasesNotMergeable(f"Case {target.pk} is about a different party.")
    if fault := find_merge_fault(duplicate=joining.likeness(), into=target.likeness()):
        raise CasesNotMergeable(fault)
    # one level only: a decision closes the cases merged into its own, and none behind those
    if duplicate.merged.exists():
        raise CasesNotMergeable("Other cases were merged into this one: merge the other way round.")
    ready = Case.objects.undecided().filter(pk=duplicate.pk, status=Status.OPEN).free_for(by, now)
    if not ready.update(merged_into=target, assigned_to=None, **UNCLAIMED, **NOT_SNOOZED):
        raise build_lost_step_error(duplicate, by, now)
    # merging must not give the earlier one more time
    Case.objects.filter(pk=target.pk).update(due_at=min(target.due_at, joining.due_at))
    record_decision_event(
        duplicate, Action.MERGED, by, now, {"into": target.pk, "note": note.strip()}
    )
    return reload_case(duplicate)


@transaction.atomic
def split_merged_case(*, case: Case, by: "User", now: datetime) -> Case:
    """Take a case out of the one it was merged into, as long as that is open.

    Only who may decide each of them may; the due time that they shared stays. Raises
    CasesNotMergeable, AlreadyDecided, StepNotAllowed.
    """
    require_permission(by, "review.decide_case", "take cases out of a merge")
    if case.merged_into_id is None:
        raise CasesNotMergeable("This case is not merged into another.")
    target, leaving = _lock_both_cases(Case(pk=case.merged_into_id), case)
    require_decider(target, by)
    require_decider(leaving, by)
    if target.status == Status.AWAITING_SECOND:
        raise CasesNotMergeable(
            f"Case {target.pk} has a first decision waiting for confirmation. "
            "Have it returned first."
        )
    apart = Case.objects.filter(pk=case.pk, status=Status.OPEN, merged_into=target)
    if not apart.update(merged_into=None):
        raise build_lost_step_error(case, by, now)
    record_decision_event(case, Action.SPLIT, by, now, {"from": target.pk})
    return reload_case(case)


def _lock_both_cases(case: Case, other: Case) -> tuple[Case, Case]:
    """Return two cases, locked against decisions while this transaction lasts."""
    # by id: two officers who merge them in opposite directions must not wait for each other
    both = Case.objects.select_for_update().filter(pk__in=[case.pk, other.pk]).order_by("pk")
    cases_by_pk = {locked_case.pk: locked_case for locked_case in both}
    return cases_by_pk[case.pk], cases_by_pk[other.pk]
