"""Figures of the quality samples: by month and risk, how many were closed, sampled, looked at."""

from dataclasses import dataclass

from django.db.models import Count, Q

from apps.oversight.models import Sample, Verdict
from apps.review.models import Risk

MONTHS = 12


@dataclass(frozen=True, slots=True)
class Line:
    """One month and risk; `disagreed_percent` is of the looks taken, None before the first."""

    month: str
    risk: str
    sampled: int
    looked: int
    disagreed: int

    @property
    def risk_words(self) -> str:
        """The risk as people read it."""
        return str(Risk(self.risk).label)

    @property
    def disagreed_percent(self) -> int | None:
        return round(100 * self.disagreed / self.looked) if self.looked else None


def lines() -> list[Line]:
    """Return the lines of the last twelve sampled months, the newest first."""
    newest = list(
        Sample.objects.order_by("-month").values_list("month", flat=True).distinct()[:MONTHS]
    )
    rows = (
        Sample.objects.filter(month__in=newest)
        .values("month", "risk")
        .annotate(
            sampled=Count("pk"),
            looked=Count("looked_by"),
            disagreed=Count("pk", filter=Q(verdict=Verdict.DISAGREE)),
        )
        .order_by("-month", "risk")
    )
    return [Line(**row) for row in rows]
