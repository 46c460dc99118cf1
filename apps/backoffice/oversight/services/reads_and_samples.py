"""Records of reads, and samples of closed cases."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.db import transaction

from apps.backoffice.oversight import rules
from apps.backoffice.oversight.models import ReadEvent, Sample
from apps.backoffice.review.models import Case, Status
from apps.backoffice.sar.models import SarRead
from config.oversight import QA_PERCENT

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SAR_PREFIX = "sar."


def _get_read_ledger(what: str) -> type[SarRead] | type[ReadEvent]:
    return SarRead if what.startswith(SAR_PREFIX) else ReadEvent


def record_reads(
    *, by: "User", what: str, refs: Sequence[str], now: datetime, address: str = "", query: str = ""
) -> None:
    """Record for each of `refs` that a user opened it, on a page that shows several."""
    model = _get_read_ledger(what)
    rows = [{"by": by, "what": what[:60], "ref": ref[:100]} for ref in refs]
    model.write_many(payload={"address": address, "query": query}, now=now, rows=rows)


def record_read(
    *, by: "User", what: str, ref: str, now: datetime, address: str = "", query: str = ""
) -> None:
    """Record that a user opened personal data: `what` is a model's label, `ref` its id.

    Reads of the SAR log go into a separate ledger, because they disclose it.
    """
    model = _get_read_ledger(what)
    payload = {"address": address, "query": query}
    model.write(payload=payload, now=now, by=by, what=what[:60], ref=ref[:100])


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
    Sample.objects.bulk_create(samples, ignore_conflicts=True)
    return len(samples)


def _get_start_of_next_month(first: date) -> datetime:
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return datetime(year, month, 1, tzinfo=UTC)
