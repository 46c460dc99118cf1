"""The next case of an officer, and the cases that they skip."""

from datetime import datetime, time
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.backoffice.review import case_types
from apps.backoffice.review.desk_hours import load_working_hours
from apps.backoffice.review.models import Case, Passed
from apps.backoffice.review.services.claims import (
    CaseNotHeld,
    EscalatedToSeniors,
    claim_case,
    release_case,
)
from apps.platform.common.problems import Conflict

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# cases that colleagues may claim first before the officer is told that none is waiting
MOST_TRIED = 10


def claim_next_case(*, by: "User", now: datetime, skip: int | None = None) -> Case | None:
    """Claim the case that is due first among those no other officer holds; None if there is none.

    Cases that the officer skipped today wait; `skip` is a case to leave out now.
    """
    others = [
        name for name, kind in case_types.load_case_types().items() if not by.has_perm(kind.decides)
    ]
    waiting = Case.objects.open_to(by, now).exclude(pk=skip or 0)
    passed = Passed.objects.filter(case=OuterRef("pk"), officer=by, at__gte=_get_start_of_day(now))
    waiting = waiting.exclude(Exists(passed))
    # the columns that a claim reads: evidence is long, and only one of these cases is shown
    waiting = waiting.only("kind", "status", "first_by", "escalation")
    for case in (waiting.exclude(kind__in=others) if others else waiting)[:MOST_TRIED]:
        try:
            return claim_case(case=case, by=by, now=now)
        # a colleague was faster: try the next one
        except (Conflict, EscalatedToSeniors):
            continue
    return None


@transaction.atomic
def skip_case(*, case: Case, by: "User", now: datetime) -> None:
    """Leave a case for later: it is released, and does not come back today."""
    Passed.objects.filter(officer=by, at__lt=_get_start_of_day(now)).delete()
    Passed.objects.update_or_create(officer=by, case=case, defaults={"at": now})
    try:
        release_case(case=case, by=by, now=now)
    except CaseNotHeld:
        return  # it was only viewed


def clear_skipped_cases(*, by: "User", keep: int | None = None) -> bool:
    """Delete what an officer skipped, except `keep`; returns whether there was anything."""
    forgotten, _ = Passed.objects.filter(officer=by).exclude(case=keep or 0).delete()
    return bool(forgotten)


def _get_start_of_day(now: datetime) -> datetime:
    """Return when the working day began, where the desk is."""
    zone = load_working_hours().zone
    return datetime.combine(now.astimezone(zone).date(), time.min, zone)
