"""Ledgers of who read and exported what, and the closed cases that get a second look."""

from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from apps.backoffice.review.models import Action, Case, DecisionEvent, Risk
from apps.platform.jobs.models import Heartbeat
from apps.platform.ledger.records import LedgerRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHO = settings.AUTH_USER_MODEL
# an officer with one of these has judged the case, even if another decision ended it later
JUDGING = (Action.PROPOSED, Action.RETURNED, Action.DECIDED)


class ReadEvent(LedgerRecord):
    """A user opened personal data; the payload says where, and what was searched for."""

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
    """A user exported records: written at the start and, with the hash, on completion."""

    LEDGER: ClassVar[str] = "exports"
    YEARS: ClassVar[int] = 10  # as long as the records that left

    export_id = models.UUIDField()
    by = models.ForeignKey(WHO, null=True, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=20)
    phase = models.CharField(max_length=8, choices=Phase)
    # null for an export of the desk, whose record says who signed in
    caller = models.CharField(max_length=80, null=True, help_text="Owner of the key: account:7")

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


class LookVerdict(models.TextChoices):
    """The verdict of a second look: first one's own, then whether one agrees."""

    BLIND = "BLIND", "Own verdict"
    AGREE = "AGREE", "Agree"
    DISAGREE = "DISAGREE", "Disagree"


class Agreement(models.TextChoices):
    """How an officer's own verdict compares with the decision that they did not know."""

    SAME = "SAME", "Same outcome and reason"
    REASON = "REASON", "Same outcome, another reason"
    OUTCOME = "OUTCOME", "Another outcome"


class SampleQuerySet(models.QuerySet["Sample"]):
    def waiting(self) -> Self:
        """Return the samples that have not been reviewed."""
        return self.filter(looked_by=None)

    def open_to(self, user: "User") -> Self:
        """Return the samples that a user may review: not of cases that they have judged."""
        judged = DecisionEvent.objects.filter(by=user, action__in=JUDGING)
        # a merged case was decided with the other one: its officers judged both
        itself, whole = OuterRef("case"), OuterRef("case__merged_into")
        return (
            self.waiting()
            .exclude(Exists(judged.filter(case=itself)) | Exists(judged.filter(case=whole)))
            .order_by("month", "pk")
        )


class Sample(models.Model):
    """A closed case that an officer who did not decide it reviews."""

    case = models.OneToOneField(Case, on_delete=models.PROTECT, related_name="+")
    month = models.CharField(max_length=7)
    risk = models.CharField(max_length=6, choices=Risk)
    first_by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    second_by = models.ForeignKey(WHO, null=True, on_delete=models.PROTECT, related_name="+")
    sampled_at = models.DateTimeField()
    looked_by = models.ForeignKey(WHO, null=True, on_delete=models.PROTECT, related_name="+")
    looked_at = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True)
    agreement = models.CharField(max_length=8, choices=Agreement, blank=True)

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
            models.CheckConstraint(
                name="sample_agreement_known",
                condition=Q(agreement="")
                | Q(agreement__in=Agreement.values, looked_by__isnull=False),
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["month", "risk"], name="sample_month_risk"),
            models.Index(fields=["looked_by", "month"], name="sample_waiting"),
        ]

    def __str__(self) -> str:
        return f"Sample of case {self.case_id}"

    def is_open_to(self, user: "User") -> bool:
        """Tell whether a user never judged the case, or the one that it was merged into."""
        if user.pk in (self.first_by_id, self.second_by_id):
            return False
        cases = [pk for pk in (self.case_id, self.case.merged_into_id) if pk]
        judged = DecisionEvent.objects.filter(case__in=cases, by=user, action__in=JUDGING)
        return not judged.exists()


class SecondLook(LedgerRecord):
    """What an officer found of a colleague's decision.

    First their own verdict (BLIND), while they do not know the decision: outcome, reason and note
    are in the payload, and when they had opened the case before. Then whether they agree, and why.
    Each names the `case` that was sampled.
    """

    LEDGER: ClassVar[str] = "second_looks"
    YEARS: ClassVar[int] = 10  # as long as the decisions that they are about

    sample = models.ForeignKey(Sample, on_delete=models.PROTECT, related_name="looks")
    by = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=8, choices=LookVerdict)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="look_verdict", condition=Q(verdict__in=LookVerdict.values)
            ),
            models.UniqueConstraint(
                fields=["sample"], condition=~Q(verdict="BLIND"), name="look_taken_once"
            ),
            models.UniqueConstraint(
                fields=["sample", "by"], condition=Q(verdict="BLIND"), name="look_blind_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: sample {self.sample_id}"


class Health(Heartbeat):
    """What the health address says, as a page for operators."""

    class Meta:
        proxy = True
        verbose_name = verbose_name_plural = "health"
        default_permissions = ("view",)
