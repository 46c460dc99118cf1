"""Engagements of examiners: who may see which records, from when until when."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.platform.desk.models import Proposal, ProposalEvent, four_eyes_constraints

WHO = settings.AUTH_USER_MODEL


class Engagement(Proposal):
    """An examiner's time at the desk: one senior officer proposes it, another approves it.

    The account opens nothing before `starts_at`, from `ends_at` on, and once it was ended early.
    It sees records made on the days from `records_from` to `records_to`, both included, in UTC, of
    `institutions` (`account:7`); none named are all.
    """

    DECIDER: ClassVar[str] = "senior officer"

    examiner = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    authority = models.CharField(max_length=120, help_text="For whom they examine")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    records_from = models.DateField()
    records_to = models.DateField()
    institutions = models.JSONField(default=list, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        WHO, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_why = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("examine", "Has access only under an engagement"),
            ("propose_engagement", "Can propose an engagement of an examiner"),
            ("decide_engagement", "Can approve, reject or end an engagement"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("engagement"),
            models.CheckConstraint(
                condition=Q(starts_at__lt=F("ends_at")), name="engagement_has_time"
            ),
            models.CheckConstraint(
                condition=Q(records_from__lte=F("records_to")), name="engagement_has_records"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False, state="APPROVED"),
                name="engagement_ended_by_one",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["examiner", "state"], name="engagement_examiner")
        ]

    def __str__(self) -> str:
        return f"{self.examiner.get_username()} for {self.authority}"

    def event_columns(self) -> dict[str, Any]:
        return {"examiner": self.examiner.get_username(), "ends_at": self.ends_at}

    def stands_at(self, moment: datetime) -> bool:
        """Tell whether its examiner has access at a moment."""
        lasts = self.starts_at <= moment < self.ends_at
        return self.state == self.State.APPROVED and self.ended_at is None and lasts


class EngagementEvent(ProposalEvent):
    """A step of an engagement, kept permanently."""

    change = models.ForeignKey(Engagement, on_delete=models.PROTECT, related_name="events")
    examiner = models.CharField(max_length=150)
    ends_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.examiner}: {self.state} by {self.by}"
