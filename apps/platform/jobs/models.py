"""Background jobs, their attempts and schedules, and the heartbeat of the workers."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from apps.platform.jobs.registry import job_title
from apps.platform.ledger.records import LedgerRecord


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
        """Return the failed jobs that no later job of the same name and key has made good."""
        later = Job.objects.filter(name=OuterRef("name"), key=OuterRef("key"), state=JobState.DONE)
        # not by finished_at: clocks may have been set back in between
        good = later.filter(pk__gt=OuterRef("pk"))
        return self.filter(~Exists(good), state=JobState.FAILED)


class Job(models.Model):
    """A piece of background work; the row precedes the task, so that a lost task loses no work."""

    name = models.CharField(max_length=60)
    key = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.PENDING)
    eta = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    # in a row; `attempts` counts every run, and also numbers it
    failures = models.PositiveIntegerField(default=0)
    # when its task was last sent, or will be
    nudged_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    last_error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[Any]] = [
            # enqueueing joins the pending run of the same name and key
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
        moment = at.get(JobState(self.state))
        return moment is not None and moment <= now


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
    """A periodic job: created from what apps register; the operator sets its interval."""

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
    """A user's change of a schedule. Kept permanently."""

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
    """When a task of this name last ran; the task writes it itself, so it proves the workers."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
