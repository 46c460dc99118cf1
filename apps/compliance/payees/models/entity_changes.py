"""A new entity for a registered wallet: proposed by one person, decided by another."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.compliance.payees.models.registrations import Registration
from apps.compliance.payees.rules.submission_steps import COOLING_OFF
from apps.platform.desk.models import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)


class EntityChange(Proposal):
    """Who is to be behind a wallet once the cooling-off that its approval starts is over."""

    DECIDER = "registrar or a senior officer"

    registration = models.ForeignKey(Registration, on_delete=models.PROTECT, related_name="changes")
    legal_name = models.CharField(max_length=300)
    country = models.CharField(max_length=2)
    lei = models.CharField("LEI", max_length=20, blank=True)

    class Meta:
        verbose_name = "change of entity"
        verbose_name_plural = "changes of entity"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_entitychange", "Can propose another entity for a wallet"),
            ("decide_entitychange", "Can approve or reject another's proposal of an entity"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("entity_change"),
            # a second proposal would be decided without knowing of the first
            one_pending_constraint("registration", name="entity_change_one_pending"),
        ]

    def __str__(self) -> str:
        return f"{self.legal_name} for {self.registration.wallet}"

    @property
    def counts_from(self) -> datetime | None:
        """When it takes effect; None until it is approved."""
        approved = self.state == self.State.APPROVED and self.decided_at
        return self.decided_at + COOLING_OFF if approved and self.decided_at else None

    def event_columns(self) -> dict[str, Any]:
        return {"legal_name": self.legal_name, "lei": self.lei}


class EntityChangeEvent(ProposalEvent):
    """A step of a change of entity."""

    change = models.ForeignKey(EntityChange, on_delete=models.PROTECT, related_name="events")
    legal_name = models.CharField(max_length=300)
    lei = models.CharField(max_length=20, blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.legal_name}: {self.state} by {self.by}"
