"""State that any app may need: seals of ledgers, background jobs, answered idempotent calls."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from apps.platform.core.ledger.records import LedgerRecord
from config.jobs import job_title

__all__ = [
    "Heartbeat",
    "IdempotentCall",
    "Job",
    "JobAttempt",
    "LedgerHead",
    "LedgerRecord",
    "LegalHold",
    "Periodic",
    "PurgeEvent",
    "PurgeReason",
    "Seal",
]


class Seal(models.Model):
    """One link of a ledger's chain: the record's content hash and the digest over the link."""

    APPEND_ONLY: ClassVar[bool] = True

    ledger = models.CharField(max_length=40)
    position = models.BigIntegerField()
    record_id = models.BigIntegerField()
    previous = models.CharField(max_length=64)
    content = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["ledger", "position"], name="seal_one_per_position"),
            models.UniqueConstraint(fields=["ledger", "record_id"], name="seal_one_per_record"),
            # a chain has no forks
            models.UniqueConstraint(fields=["ledger", "previous"], name="seal_one_successor"),
        ]
        # a copied record has the content of another
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["ledger", "content"], name="seal_content")
        ]

    def __str__(self) -> str:
        return f"{self.ledger} {self.position}"


class LedgerHead(models.Model):
    """The sealer's lock and bookmark of one ledger; `verify` never trusts it.

    Every record with an id up to `watermark` is sealed. An id is only allocated to a record
    when it is inserted and may commit later than a higher one, so the bookmark moves to
    `candidate` no earlier than ten minutes after `candidate` was the highest id in sight.
    """

    ledger = models.CharField(max_length=40, primary_key=True)
    position = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=64)
    watermark = models.BigIntegerField(default=0)
    candidate = models.BigIntegerField(default=0)
    candidate_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.ledger} at {self.position}"


class PurgeReason(models.TextChoices):
    """Why a payload left."""

    RETENTION = "RETENTION", "Its retention ended"
    ERASURE = "ERASURE", "An erasure order"


class PurgeEvent(LedgerRecord):
    """That a payload was purged: which record's, why, by whom. Never purged itself."""

    LEDGER: ClassVar[str] = "purges"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    of_ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    reason = models.CharField(max_length=10, choices=PurgeReason.choices)
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["of_ledger", "record_id"], name="purge_once")
        ]

    def __str__(self) -> str:
        return f"{self.of_ledger} {self.record_id}"

    def is_of(self, seal: Seal) -> bool:
        """Tell whether it says that what this seal holds was purged."""
        said = self.data
        return (said.get("position"), said.get("content")) == (seal.position, seal.content)


class LegalHold(models.Model):
    """A record that must keep its payload whatever its age, until the hold is lifted."""

    ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    placed_by = models.CharField(max_length=150)
    placed_at = models.DateTimeField()
    lifted_by = models.CharField(max_length=150, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_why = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("place_legalhold", "Can place legal holds"),
            ("lift_legalhold", "Can lift legal holds"),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(
                fields=["ledger", "record_id"],
                condition=Q(lifted_at=None),
                name="hold_standing",
            )
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(lifted_at=None, lifted_by="")
                | (Q(lifted_at__isnull=False) & ~Q(lifted_by="")),
                name="hold_lifted_by_someone",
            )
        ]

    def __str__(self) -> str:
        return f"{self.ledger} {self.record_id}"


class HoldEvent(LedgerRecord):
    """That a legal hold was placed or lifted: on which record, why, by whom. Never purged."""

    LEDGER: ClassVar[str] = "holds"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    class Action(models.TextChoices):
        """What happened to a hold."""

        PLACED = "PLACED"
        LIFTED = "LIFTED"

    hold = models.BigIntegerField()  # no key: what is recorded outlives a row that went
    of_ledger = models.CharField(max_length=40)
    record_id = models.BigIntegerField()
    action = models.CharField(max_length=6, choices=Action.choices)
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["hold", "action"], name="hold_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.of_ledger} {self.record_id}"


class JobState(models.TextChoices):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"


class JobQuerySet(models.QuerySet["Job"]):
    def due(self, now: datetime) -> Self:
        """Return the jobs that should have started, or whose runner died."""
        return self.filter(
            Q(state=JobState.PENDING, eta__lte=now)
            | Q(state=JobState.RUNNING, lease_until__lte=now)
        )

    def failing(self) -> Self:
        """Return the failed jobs that no later job of the same name and key has made good.

        Later is what was written later: clocks may have been set back meanwhile.
        """
        later = Job.objects.filter(name=OuterRef("name"), key=OuterRef("key"), state=JobState.DONE)
        good = later.filter(pk__gt=OuterRef("pk"))
        return self.filter(~Exists(good), state=JobState.FAILED)


class Job(models.Model):
    """A piece of background work: a row first, a task second, so that no lost task loses it."""

    name = models.CharField(max_length=60)
    key = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.PENDING)
    eta = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    nudged_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["name", "key"], condition=Q(state="PENDING"), name="job_one_pending"
            )
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["state", "eta"], name="job_state_eta"),
            models.Index(fields=["name", "-created_at"], name="job_name_created"),
        ]

    def __str__(self) -> str:
        return f"{job_title(self.name)} {self.key}".strip()

    def due(self, now: datetime) -> bool:
        """Whether it should have started, or its runner died (`JobQuerySet.due`)."""
        at = {JobState.PENDING: self.eta, JobState.RUNNING: self.lease_until}
        found = at.get(JobState(self.state))
        return found is not None and found <= now


class JobAttempt(models.Model):
    """One run of a job and how it ended."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["job", "number"], name="attempt_one_per_number")
        ]
        indexes: ClassVar[list[Any]] = [models.Index(fields=["started_at"], name="attempt_started")]

    def __str__(self) -> str:
        return f"{self.job} #{self.number}"


class Periodic(models.Model):
    """A job that comes again: seeded from config/jobs.py, its rhythm is the operator's."""

    name = models.CharField(max_length=60, primary_key=True)
    every_seconds = models.PositiveIntegerField()
    enabled = models.BooleanField(default=True)
    next_at = models.DateTimeField()

    class Meta:
        verbose_name = "schedule"
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(every_seconds__gte=60), name="periodic_at_least_a_minute"
            )
        ]

    def __str__(self) -> str:
        return job_title(self.name)


class ScheduleRecord(LedgerRecord):
    """How somebody set a schedule. Kept for good."""

    LEDGER: ClassVar[str] = "schedules"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    name = models.CharField(max_length=60)
    enabled = models.BooleanField()
    every_seconds = models.PositiveIntegerField()
    by = models.CharField(max_length=150)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name}: {'on' if self.enabled else 'off'}"


class Heartbeat(models.Model):
    """When a task of this name last ran; written by the task itself, so it proves workers."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class IdempotentCall(models.Model):
    """An answered (or running) call under an Idempotency-Key, kept for 24 hours."""

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)
    lease_until = models.DateTimeField()
    created_at = models.DateTimeField(db_index=True)
    mac_key = models.CharField(max_length=20, blank=True)
    mac = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotent_once_per_owner")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.key}"
