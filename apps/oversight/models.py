"""Ledgers of who read and exported what, and the closed cases that were looked at again."""

from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.core.ledger import LedgerRecord
from apps.core.models import Heartbeat
from apps.review.models import Case, Risk

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHO = settings.AUTH_USER_MODEL


class ReadEvent(LedgerRecord):
    """That somebody opened personal data; where, and what was searched for, is in the payload."""

    LEDGER: ClassVar[str] = "reads"
    YEARS: ClassVar[int] = 5  # no law asks for longer: EU 2024/1624 Art. 77 keeps five

    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=60, help_text="The model, as `review.case`")
    ref = models.CharField(max_length=100, blank=True, help_text="Its id; empty for a list")

    class Meta:
        verbose_name = "read"
        verbose_name_plural = "reads of personal data"
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["by", "-recorded_at"], name="read_by_reader"),
            models.Index(fields=["what", "ref"], name="read_what_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.ref}".strip()


class Phase(models.TextChoices):
    STARTED = "STARTED", "Started"
    FINISHED = "FINISHED", "Finished"


class ExportEvent(LedgerRecord):
    """That somebody exported records: once as it starts and, with its hash, when it is whole."""

    LEDGER: ClassVar[str] = "exports"
    YEARS: ClassVar[int] = 10  # as long as the records that left

    export_id = models.UUIDField()
    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=20)
    phase = models.CharField(max_length=8, choices=Phase)

    class Meta:
        verbose_name = "export"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("export_records", "Can export records")]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["export_id", "phase"], name="export_once_per_phase"),
            models.CheckConstraint(name="export_phase_known", condition=Q(phase__in=Phase.values)),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.export_id}"


class Verdict(models.TextChoices):
    AGREE = "AGREE", "Agree"
    DISAGREE = "DISAGREE", "Disagree"


class SampleQuerySet(models.QuerySet["Sample"]):
    def waiting(self) -> Self:
        """Return the samples that nobody has looked at."""
        return self.filter(looked_by=None)

    def open_to(self, user: "User") -> Self:
        """Return the samples that somebody may look at: not of their own decisions."""
        mine = Q(first_by=user) | Q(second_by=user, second_by__isnull=False)
        return self.waiting().exclude(mine).order_by("month", "pk")


class Sample(models.Model):
    """A closed case that an officer who did not decide it looks at again."""

    case = models.OneToOneField(Case, on_delete=models.PROTECT, related_name="+")
    month = models.CharField(max_length=7)
    risk = models.CharField(max_length=6, choices=Risk)
    first_by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    second_by = models.ForeignKey(WHO, null=True, on_delete=models.PROTECT, related_name="+")
    sampled_at = models.DateTimeField()
    looked_by = models.ForeignKey(WHO, null=True, on_delete=models.PROTECT, related_name="+")
    looked_at = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True)

    objects = SampleQuerySet.as_manager()

    class Meta:
        verbose_name = "quality sample"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("look_sample", "Can take second looks")]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="sample_other_officer",
                condition=Q(looked_by=None)
                | (
                    ~Q(looked_by=F("first_by")) & (Q(second_by=None) | ~Q(looked_by=F("second_by")))
                ),
            ),
            models.CheckConstraint(
                name="sample_look_whole",
                condition=Q(looked_by=None, looked_at=None, verdict="")
                | Q(looked_by__isnull=False, looked_at__isnull=False, verdict__in=Verdict.values),
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["month", "risk"], name="sample_month_risk"),
            models.Index(fields=["looked_by", "month"], name="sample_waiting"),
        ]

    def __str__(self) -> str:
        return f"Sample of case {self.case_id}"


class SecondLook(LedgerRecord):
    """What an officer found of a colleague's decision; the note is in the payload."""

    LEDGER: ClassVar[str] = "second_looks"
    YEARS: ClassVar[int] = 10  # as long as the decisions that they are about

    sample = models.OneToOneField(Sample, on_delete=models.PROTECT, related_name="look")
    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=8, choices=Verdict)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(name="look_verdict", condition=Q(verdict__in=Verdict.values))
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: sample {self.sample_id}"


class Health(Heartbeat):
    """What the health address says, as a page for operators."""

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = "health"
        default_permissions = ("view",)
