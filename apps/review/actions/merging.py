"""Duplicates: a case that asks the same goes with the other one, and shares its end."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.core.problems import Conflict
from apps.desk.rules import note_fault
from apps.review.actions.claims import AWAKE, UNCLAIMED, fresh, may, may_decide, why_lost
from apps.review.actions.opening import record
from apps.review.actions.routing import BadRouting
from apps.review.models import Action, Case, Status
from apps.review.rules.together import merge_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class NoDuplicate(Conflict):
    """The two cases cannot go together."""

    code, title = "no_duplicate", "The cases cannot be merged"


@transaction.atomic
def merge(*, duplicate: Case, into: Case, by: "User", note: str, now: datetime) -> Case:
    """Let an open case go with another open one of the same party: one decision for both.

    Only who may decide each of them, as they stand, may let one decision end both. The earlier
    due time counts. Raises BadRouting, NoDuplicate, AlreadyDecided, ClaimedByOther, NotAllowed.
    """
    may(by, "review.decide_case", "merge cases")
    if fault := note_fault(note):
        raise BadRouting(fault, errors=[{"field": "note", "message": fault}])
    target, joining = _locked(into, duplicate)
    may_decide(target, by)
    may_decide(joining, by)
    if target.status != Status.OPEN or target.merged_into_id is not None:
        raise NoDuplicate(f"Case {target.pk} is not open any more.")
    if not Case.objects.same_party(duplicate).filter(pk=target.pk).exists():
        raise NoDuplicate(f"Case {target.pk} is about another party.")
    if fault := merge_fault(duplicate=joining.likeness(), into=target.likeness()):
        raise NoDuplicate(fault)
    if duplicate.merged.exists():
        raise NoDuplicate("Other cases were merged into this one: merge the other way round.")
    ready = Case.objects.undecided().filter(pk=duplicate.pk, status=Status.OPEN).free_for(by, now)
    if not ready.update(merged_into=target, assigned_to=None, **UNCLAIMED, **AWAKE):
        raise why_lost(duplicate, by, now)
    Case.objects.filter(pk=target.pk).update(due_at=min(target.due_at, joining.due_at))
    record(duplicate, Action.MERGED, by, now, {"into": target.pk, "note": note.strip()})
    return fresh(duplicate)


@transaction.atomic
def split(*, case: Case, by: "User", now: datetime) -> Case:
    """Take a case out of the one it was merged into, as long as that is open.

    Only who may decide each of them may; the due time that they shared stays. Raises
    NoDuplicate, AlreadyDecided, NotAllowed.
    """
    may(by, "review.decide_case", "take cases out of a merge")
    if case.merged_into_id is None:
        raise NoDuplicate("This case is not merged into another.")
    target, leaving = _locked(Case(pk=case.merged_into_id), case)
    may_decide(target, by)
    may_decide(leaving, by)
    if target.status == Status.AWAITING_SECOND:
        raise NoDuplicate(f"A first decision on case {target.pk} waits: have it returned first.")
    apart = Case.objects.filter(pk=case.pk, status=Status.OPEN, merged_into=target)
    if not apart.update(merged_into=None):
        raise why_lost(case, by, now)
    record(case, Action.SPLIT, by, now, {"from": target.pk})
    return fresh(case)


def _locked(case: Case, other: Case) -> tuple[Case, Case]:
    """Return two cases, as they stand, that nobody can decide while this transaction lasts.

    Both are locked, always in the same order: two officers who merge them either way round
    must not wait for each other.
    """
    both = Case.objects.select_for_update().filter(pk__in=[case.pk, other.pk]).order_by("pk")
    found = {one.pk: one for one in both}
    return found[case.pk], found[other.pk]
