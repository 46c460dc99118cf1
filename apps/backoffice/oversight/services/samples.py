"""Draw the month's sample of closed cases, whose decisions get a second look."""

from collections import defaultdict
from datetime import UTC, date, datetime
from typing import cast

from django.conf import settings
from django.db import transaction

from apps.backoffice.oversight import rules
from apps.backoffice.oversight.models import Sample
from apps.backoffice.review.models import Case, Status
from config.oversight import QA_PERCENT

SAR_PREFIX = "sar."


@transaction.atomic
def sample_month(*, month: str, now: datetime) -> int:
    """Sample the cases that were closed in a month (`2026-10`); returns how many were added.

    The month must be over: what is picked then never changes, and running again adds nothing.
    """
    start = datetime(int(month[:4]), int(month[5:]), 1, tzinfo=UTC)
    end = _get_start_of_next_month(start.date())
    if now < end:
        raise ValueError(f"{month} is not over yet")
    key = f"{settings.SECRET_KEY}:{month}".encode()
    closed = Case.objects.filter(
        status=Status.DECIDED, decided_at__gte=start, decided_at__lt=end
    ).values_list("pk", "risk")
    by_risk: dict[str, list[int]] = defaultdict(list)
    for pk, risk in closed.iterator():
        by_risk[risk].append(pk)
    chosen = rules.pick_samples(cases=by_risk, percent=QA_PERCENT, key=key)
    known = set(Sample.objects.filter(month=month).values_list("case_id", flat=True))
    cases = Case.objects.filter(pk__in=chosen - known).only("pk", "risk", "first_by", "second_by")
    samples = [
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
    # a case is sampled once, whoever runs at the same time
    Sample.objects.bulk_create(samples, ignore_conflicts=True)
    return len(samples)


def _get_start_of_next_month(first: date) -> datetime:
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return datetime(year, month, 1, tzinfo=UTC)
