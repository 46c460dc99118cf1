"""Credentials that were issued: one that is not here was not issued by this platform."""

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from apps.compliance.agents.models.agents import Agent
from apps.compliance.agents.models.mandates import Mandate


class Credential(models.Model):
    """One credential; what it says is in the ledger."""

    APPEND_ONLY: ClassVar[bool] = True

    jti = models.UUIDField("credential", default=uuid.uuid4, unique=True, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="credentials")
    mandate = models.ForeignKey(Mandate, null=True, on_delete=models.PROTECT, related_name="+")
    level = models.CharField(max_length=10)
    audience = models.CharField(max_length=200)
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("issued_at")), name="credential_ends_later"
            )
        ]

    def __str__(self) -> str:
        return f"Credential {self.jti}"
