"""Reports as they were sold, each sealed with everything that it rests on."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db import models

from apps.insight.reports.rules.findings import LEVELS
from apps.platform.ledger.records import LedgerRecord
from apps.reference.signals.quality_labels import LABELS

KINDS = ("climate", "macro", "esg", "compliance", "treasury")


def _build_choices(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value.capitalize()) for value in values]


class PaidReport(LedgerRecord):
    """One report, which serves everybody who sends the same request for 60 minutes.

    `subject` is a digest of the subject, and `edition` counts the reports on it. `owner` is the
    party whose own figures it shows, an institution as `account:7` or a wallet as `payer:0x…`;
    empty if there is none. Payload: `asked` (the query), `title` (the subject in words), `body`
    (text, JSON as sent), `inputs` (by part, the basis: records, versions of lists, rules).
    """

    LEDGER: ClassVar[str] = "paid_reports"
    # years; as long as the screens that a compliance report contains
    YEARS: ClassVar[int] = 10

    report_id = models.UUIDField("reportId", unique=True)
    kind = models.CharField(max_length=20, choices=_build_choices(KINDS))
    subject = models.CharField(max_length=64)
    edition = models.PositiveIntegerField()
    owner = models.CharField(max_length=80, blank=True)
    period = models.CharField(max_length=10)
    level = models.CharField(max_length=10, choices=_build_choices(LEVELS))
    quality = models.CharField(max_length=10, choices=_build_choices(LABELS))
    rules = models.CharField(max_length=20)

    class Meta:
        verbose_name = "report"
        verbose_name_plural = "sold reports"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                # two workers may make the same edition at once: the first to commit wins, and the
                # other serves its report
                fields=["kind", "subject", "edition"],
                name="report_edition_once",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="report_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.recorded_at:%d %b %Y %H:%M} UTC"
