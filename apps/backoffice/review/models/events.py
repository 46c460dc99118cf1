"""The ledger of what officers did with cases."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.backoffice.review.models.case_choices import Outcome
from apps.backoffice.review.models.cases import Case
from apps.platform.ledger.records import LedgerRecord


class Action(models.TextChoices):
    OPENED = "OPENED", "Opened"
    CLAIMED = "CLAIMED", "Claimed"
    RELEASED = "RELEASED", "Released"
    PROPOSED = "PROPOSED", "First decision"
    RETURNED = "RETURNED", "Returned by the second officer"
    ASSIGNED = "ASSIGNED", "Assigned"
    ESCALATED = "ESCALATED", "Escalated to senior officers"
    SNOOZED = "SNOOZED", "Snoozed"
    MERGED = "MERGED", "Merged as a duplicate"
    SPLIT = "SPLIT", "Merge undone"
    DECIDED = "DECIDED", "Decided"
    RETIRED = "RETIRED", "Retired: nothing is left to decide"


class DecisionEvent(LedgerRecord):
    """One step of a case. What officers wrote is in the payload, and nowhere else."""

    LEDGER: ClassVar[str] = "decisions"
    YEARS: ClassVar[int] = 10  # as long as the screens that they decide: 31 CFR 501.601
    STEPS_OF: ClassVar[str] = "case"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="events")
    action = models.CharField(max_length=10, choices=Action)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    outcome = models.CharField(max_length=7, choices=Outcome, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="decision_action_known", condition=Q(action__in=Action.values)
            ),
            models.CheckConstraint(
                # opening, the escalation of an overdue case and retirement have no user
                name="decision_by_somebody",
                condition=Q(action__in=["OPENED", "ESCALATED", "RETIRED"]) | Q(by__isnull=False),
            ),
            models.CheckConstraint(
                name="decision_outcome_when_due",
                condition=Q(action__in=["PROPOSED", "DECIDED"], outcome__in=["APPROVE", "REJECT"])
                | (~Q(action__in=["PROPOSED", "DECIDED"]) & Q(outcome="")),
            ),
            models.UniqueConstraint(
                fields=["case"], condition=Q(action="OPENED"), name="decision_opened_once"
            ),
            models.UniqueConstraint(
                fields=["case"], condition=Q(action="DECIDED"), name="decision_decided_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["by", "-recorded_at"], name="decision_by_officer"),
            # the payload of an opening is the digest of what was known, and nothing else: the
            # search of every page finds a case by it
            models.Index(fields=["payload"], condition=Q(action="OPENED"), name="decision_opening"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: case {self.case_id}"
