"""Cases that nobody has to decide any more: what they ask was answered by what happened since."""

from datetime import datetime

from apps.review.actions.claims import AWAKE, UNCLAIMED
from apps.review.actions.groups import MERGED
from apps.review.actions.opening import record
from apps.review.models import UNDECIDED, Action, Case, Status


def locked_undecided(*, kind: str, ref: str) -> Case | None:
    """Return the undecided case of a domain record, None where there is none, and keep it so.

    Nobody decides it while the transaction lasts. A decision locks its case before the record that
    it is about: whoever retires a case locks in the same order, or both wait for each other.
    """
    waits = Case.objects.filter(kind=kind, ref=ref, status__in=UNDECIDED)
    return waits.select_for_update().first()


def retire(*, case: Case, why: str, now: datetime) -> bool:
    """End a case of `locked_undecided`, in that transaction, by nobody's decision: `why` is told.

    A first decision that waited is void, and the case goes with no other one any more; both stay
    on record. False where other cases were merged into it: their decision still waits in it.
    """
    if MERGED.first(case.pk) is not None:
        return False
    change = {"status": Status.RETIRED, "merged_into": None, "bulk": None}
    waits = Case.objects.filter(pk=case.pk, status__in=UNDECIDED)
    if not waits.update(**change, **UNCLAIMED, **AWAKE):
        return False
    record(case, Action.RETIRED, None, now, {"note": why, "digest": case.facts_digest()})
    return True
