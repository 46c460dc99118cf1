"""Combined screens: an append-only, sealed record of each."""

from typing import Any, ClassVar, Self

from django.db import models

from apps.core.ledger import LedgerRecord


class ScreenQuerySet(models.QuerySet["Screen"]):
    def of(self, owner: str) -> Self:
        """Return the screens of one tenant or payer; nobody sees another's."""
        return self.filter(owner=owner)


class Screen(LedgerRecord):
    """One combined screen: the envelope says what was decided, the payload for whom and why.

    Payload: `request`, `response` (as given), `evidence` (matches, chain, rates, labels),
    `versions` (lists, rules, matcher).
    """

    LEDGER: ClassVar[str] = "screens"

    screen_id = models.UUIDField(unique=True)
    owner = models.CharField(max_length=80)
    decision = models.CharField(max_length=8)
    risk_score = models.PositiveSmallIntegerField()
    rules = models.CharField(max_length=500, blank=True)
    rules_version = models.CharField(max_length=20)
    lists = models.CharField(max_length=32)
    sample = models.BooleanField()

    objects = ScreenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [models.Index(fields=["owner", "-id"], name="screen_owner")]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(decision__in=["APPROVED", "FLAGGED", "BLOCKED"]),
                name="screen_decision_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.screen_id} {self.decision}"
