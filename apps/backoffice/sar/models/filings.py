"""What was decided on the entries of the SAR log, each step a record of its own."""

from datetime import date, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.platform.ledger.records import LedgerRecord

# years: an inquiry into a suspicion may begin long after the business ended
KEPT = 10


class FilingEvent(LedgerRecord):
    """One decision on an entry: filed, not filed, reported; who wrote what is in the payload.

    A correction `corrects` another one of the entry, or the detection where that is null: its
    payload holds in `values` what is right, and its day, where that is right of a day.
    """

    LEDGER: ClassVar[str] = "sar_filings"
    CONFIDENTIAL: ClassVar[bool] = True
    YEARS: ClassVar[int] = KEPT

    entry = models.ForeignKey(
        "sar.SarEntry", on_delete=models.DO_NOTHING, related_name="filings", db_constraint=False
    )
    number = models.PositiveIntegerField()
    action = models.CharField(
        max_length=20,
        choices=[
            *((step.action, step.title) for step in rules.STEPS),
            (rules.CORRECTED, rules.CORRECTION_TITLE),
        ],
    )
    # the day on which it was filed, reported or reviewed; null where only the record has a day
    on = models.DateField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    corrects = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )

    class Meta:
        verbose_name = "SAR filing decision"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["entry", "number"], name="filing_one_per_number"),
            models.CheckConstraint(
                name="filing_action_known",
                condition=Q(action__in=[*rules.BY_ACTION, rules.CORRECTED]),
            ),
            models.CheckConstraint(
                name="filing_corrections_alone_correct",
                condition=Q(corrects=None) | Q(action=rules.CORRECTED),
            ),
            models.UniqueConstraint(fields=["corrects"], name="filing_corrected_once"),
            models.UniqueConstraint(
                fields=["entry"],
                condition=Q(action=rules.CORRECTED, corrects=None),
                name="filing_detection_corrected_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: entry {self.entry_id}"

    def day(self, *, zone: str) -> date:
        """Return the day from which it counts: the one that it names, else that of the record."""
        return self.on or local_date(self.recorded_at, zone=zone)

    def told(self, *, zone: str) -> rules.MatterRecord:
        """Return the step as the rules need it."""
        return rules.MatterRecord(
            id=self.pk,
            action=self.action,
            day=self.day(zone=zone),
            on=self.on,
            corrects=self.corrects_id or rules.DETECTION,
        )

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        return Q(entry_id__in=list_blocked_entries(before=before))


def list_blocked_entries(*, before: datetime) -> "models.QuerySet[FilingEvent, int]":
    """Return the entries of property that is blocked, or was until `before` or later."""
    # 31 CFR 501.601: records of blocked property are kept until ten years after it was unblocked
    released = FilingEvent.objects.filter(action="RELEASED", recorded_at__lt=before)
    # the day of a release may have been corrected to a later one
    corrected = FilingEvent.objects.filter(action=rules.CORRECTED, recorded_at__gte=before)
    released = released.exclude(entry_id__in=corrected.values("entry_id"))
    blocked = FilingEvent.objects.filter(action="OFAC_BLOCKED")
    return blocked.exclude(entry_id__in=released.values("entry_id")).values_list(
        "entry_id", flat=True
    )
