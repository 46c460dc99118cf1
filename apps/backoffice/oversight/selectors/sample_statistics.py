"""Figures of the quality samples by month and risk: closed, sampled and reviewed cases."""

from dataclasses import dataclass

from django.db.models import Count, Q

from apps.backoffice.oversight.models import Agreement, Sample, Verdict
from apps.backoffice.review.models import Risk

MONTHS = 12


@dataclass(frozen=True, slots=True)
class SampleStatistics:
    """One month and risk: how own verdicts lay beside the decision, and who then disagreed.

    Percents are of the looks taken (`alike_percent` of those that began with a verdict of their
    own), None before the first.
    """

    month: str
    risk: str
    sampled: int
    looked: int
    disagreed: int
    same: int = 0
    reason: int = 0
    outcome: int = 0

    @property
    def risk_words(self) -> str:
        """The risk as people read it."""
        return str(Risk(self.risk).label)

    @property
    def disagreed_percent(self) -> int | None:
        return round(100 * self.disagreed / self.looked) if self.looked else None

    @property
    def alike_percent(self) -> int | None:
        judged = self.same + self.reason + self.outcome
        return round(100 * self.same / judged) if judged else None


def load_sample_statistics() -> list[SampleStatistics]:
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
            same=Count("pk", filter=Q(agreement=Agreement.SAME)),
            reason=Count("pk", filter=Q(agreement=Agreement.REASON)),
            outcome=Count("pk", filter=Q(agreement=Agreement.OUTCOME)),
        )
        .order_by("-month", "risk")
    )
    return [SampleStatistics(**row) for row in rows]
