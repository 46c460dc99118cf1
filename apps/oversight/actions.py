"""Records of reads, samples of closed cases, and second looks at them."""

from collections import defaultdict
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.db import transaction

from apps.core.problems import Conflict, DomainError
from apps.desk.rules import note_fault
from apps.oversight import rules
from apps.oversight.models import ReadEvent, Sample, SecondLook, Verdict
from apps.review.models import Case, Status
from apps.sar.models import SarRead
from config.oversight import QA_PERCENT

if TYPE_CHECKING:
    from django.contrib.auth.models import User

HUSHED = "sar."


class NotAllowed(DomainError):
    """The officer may not take this second look."""

    status, code, title = 403, "not_allowed", "Not allowed"


class BadLook(DomainError):
    """Verdict or note are missing."""

    code, title = "invalid_look", "The second look is not complete"


class AlreadyLooked(Conflict):
    """Another officer took the second look."""

    code, title = "already_looked", "Another officer looked at it"


def record_read(
    *, by: "User", what: str, ref: str, now: datetime, address: str = "", query: str = ""
) -> None:
    """Record that somebody opened personal data: `what` is a model's label, `ref` its id.

    Reads of the SAR log go into a ledger of their own, because they tell of it.
    """
    model = SarRead if what.startswith(HUSHED) else ReadEvent
    payload = {"address": address, "query": query}
    model.write(payload=payload, now=now, by=by, what=what[:60], ref=ref[:100])


@transaction.atomic
def sample_month(*, month: str, now: datetime) -> int:
    """Sample the cases that were closed in a month (`2026-10`); returns how many were added.

    The month must be over: what is picked then never changes, and running again adds nothing.
    """
    start = datetime(int(month[:4]), int(month[5:]), 1, tzinfo=UTC)
    end = _next_month(start.date())
    if now < end:
        raise ValueError(f"{month} is not over yet")
    closed = Case.objects.filter(
        status=Status.DECIDED, decided_at__gte=start, decided_at__lt=end
    ).values_list("pk", "risk")
    by_risk: dict[str, list[int]] = defaultdict(list)
    for pk, risk in closed.iterator():
        by_risk[risk].append(pk)
    key = f"{settings.SECRET_KEY}:{month}".encode()
    chosen = rules.pick(cases=by_risk, percent=QA_PERCENT, key=key)
    known = set(Sample.objects.filter(month=month).values_list("case_id", flat=True))
    cases = Case.objects.filter(pk__in=chosen - known).only("pk", "risk", "first_by", "second_by")
    made = [
        Sample(
            case=case,
            month=month,
            risk=case.risk,
            first_by_id=cast(int, case.first_by_id),  # a decided case has one
            second_by_id=case.second_by_id,
            sampled_at=now,
        )
        for case in cases
    ]
    Sample.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def _next_month(first: date) -> datetime:
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return datetime(year, month, 1, tzinfo=UTC)


@transaction.atomic
def look(*, sample: Sample, by: "User", verdict: str, note: str, now: datetime) -> SecondLook:
    """Record what an officer finds of a colleague's decision.

    Raises NotAllowed for who decided the case or has no permission, BadLook, AlreadyLooked.
    """
    if not (by.is_active and by.has_perm("oversight.look_sample")):
        raise NotAllowed("Your account may not take second looks.")
    if by.pk in (sample.first_by_id, sample.second_by_id):
        raise NotAllowed("You decided this case: another officer looks at it.")
    if verdict not in Verdict.values:
        raise BadLook("Choose whether you agree.", errors=[{"field": "verdict", "message": ""}])
    if fault := note_fault(note):
        raise BadLook(fault, errors=[{"field": "note", "message": fault}])
    free = Sample.objects.waiting().filter(pk=sample.pk)
    if not free.update(looked_by=by, looked_at=now, verdict=verdict):
        raise AlreadyLooked("Another officer looked at this case meanwhile.")
    found: SecondLook = SecondLook.write(
        payload={"note": note.strip()}, now=now, sample=sample, by=by, verdict=verdict
    )
    return found
