"""Agents: their stated owners, the verified level, and whether they may still act."""

import hmac
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

# characters of a secret that find its row
LOOKUP_LENGTH = 12


class Level(models.TextChoices):
    """How much is known of the owner (document 1 section 2.10)."""

    ANONYMOUS = "ANONYMOUS", "Anonymous"
    REGISTERED = "REGISTERED", "Registered"
    VERIFIED = "VERIFIED", "Verified"


class Status(models.TextChoices):
    """Whether an agent may act; a revoked one never may again."""

    ACTIVE = "ACTIVE", "Active"
    REVOKED = "REVOKED", "Revoked"


class Agent(models.Model):
    """One agent; `lookup` finds it by its secret, `digest` proves the secret, which is not stored.

    The statements never change: new facts need a new agent. `level` and the columns beside it are
    from the last check of the LEI. The owner's e-mail is only in the ledger, with its retention.
    """

    agent_id = models.CharField("agent", max_length=32, unique=True, editable=False)
    lookup = models.CharField(max_length=LOOKUP_LENGTH, unique=True)
    digest = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    framework = models.CharField(max_length=100, blank=True)
    protocols = models.JSONField(default=list)
    owner_entity = models.CharField("owner", max_length=300, blank=True)
    has_email = models.BooleanField("owner's e-mail stated", default=False)
    owner_lei = models.CharField("owner's LEI", max_length=20, blank=True, db_index=True)
    level = models.CharField(max_length=10, choices=Level.choices)
    note = models.CharField(max_length=1000, help_text="Reason for this level")
    lei_status = models.CharField("LEI status", max_length=40, blank=True)
    lei_entity = models.CharField("entity of the LEI", max_length=500, blank=True)
    looked_at = models.DateTimeField("level judged")
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.ACTIVE)
    registered_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    owner_proved_at = models.DateTimeField("owner proved", null=True, blank=True)
    # as long as the `wallet` of OwnerProof
    owner_wallet = models.CharField("wallet of the proof", max_length=130, blank=True)
    key_thumbprint = models.CharField("key of the agent", max_length=64, blank=True)

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("revoke_agent", "Can revoke agents")]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(level__in=Level.values), name="agent_level_known"),
            models.CheckConstraint(
                condition=Q(status="ACTIVE", revoked_at=None)
                | Q(status="REVOKED", revoked_at__isnull=False),
                name="agent_revoked_says_when",
            ),
            models.CheckConstraint(
                condition=~Q(level="VERIFIED") | ~Q(owner_lei=""), name="agent_verified_by_lei"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.agent_id})"

    @property
    def ref(self) -> str:
        """How other tables name this caller."""
        return f"agent:{self.agent_id}"

    @property
    def revoked(self) -> bool:
        """Whether it may act no more."""
        return self.status == Status.REVOKED

    @property
    def owner_verified(self) -> bool:
        """Whether control of the LEI was proved, and the LEI still verifies the owner."""
        return self.owner_proved_at is not None and self.level == Level.VERIFIED

    def matches(self, digest: str) -> bool:
        """Compare a presented secret's digest in constant time."""
        return hmac.compare_digest(self.digest, digest)


class Revocation(models.Model):
    """That an agent was revoked: its place is its place in the published list."""

    APPEND_ONLY: ClassVar[bool] = True

    agent = models.OneToOneField(Agent, on_delete=models.PROTECT, related_name="revocation")
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.agent_id} {self.at:%F %T}"
