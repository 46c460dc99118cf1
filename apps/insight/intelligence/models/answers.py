"""Answers that were computed: one for each product, subject and slot of its cache."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class IntelligenceAnswer(LedgerRecord):
    """One computed answer, which serves until its slot ends.

    `slot` counts periods of the product's cache time since 1970; the first of two workers that
    compute the same slot wins. Payload: `body` (text, JSON as the wire has it), `inputs` (day,
    vintage and source of every series that counted), by which it can be computed again.
    """

    LEDGER: ClassVar[str] = "intelligence_answers"
    YEARS: ClassVar[int] = 5

    product = models.CharField(max_length=40)
    subject = models.CharField(max_length=66, blank=True)
    slot = models.PositiveBigIntegerField()
    version = models.CharField(max_length=20)
    quality = models.CharField(max_length=10)

    class Meta:
        verbose_name = "computed answer"
        verbose_name_plural = "computed answers"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["product", "subject", "slot", "version"], name="intelligence_answer_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product} of {self.recorded_at:%d %b %Y %H:%M} UTC"
