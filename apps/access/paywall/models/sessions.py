"""Stream sessions: credit that is paid for in advance and used bit by bit."""

import hmac
import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from apps.access.paywall.models.payment_claims import PaymentClaim
from apps.platform.common.money import MoneyField

# characters of a secret that find its row
LOOKUP_LENGTH = 12


class StreamSession(models.Model):
    """One bucket of credit; `lookup` finds it, `digest` proves its secret, which is not stored.

    `refundable` is the credit that was left when it was closed or expired.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", "Open"
        CLOSED = "CLOSED", "Closed"
        EXPIRED = "EXPIRED", "Expired"

    session_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    claim = models.OneToOneField(PaymentClaim, on_delete=models.PROTECT, verbose_name="payment")
    lookup = models.CharField(max_length=LOOKUP_LENGTH, unique=True)
    digest = models.CharField(max_length=64)
    payer = models.CharField("wallet", max_length=42)
    unit_type = models.CharField("unit", max_length=6)
    unit_price = MoneyField("price of a unit (USDC)")
    credit = MoneyField("paid (USDC)")
    balance = MoneyField("left (USDC)")
    refundable = MoneyField("refundable (USDC)", null=True, blank=True)
    reference = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "stream session"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                # last line of defence: a bug in the compare-and-set fails instead of overdrawing
                condition=Q(balance__gte=0) & Q(balance__lte=F("credit")),
                name="session_never_below_zero",
            ),
            models.CheckConstraint(
                condition=Q(state="OPEN", refundable=None, closed_at=None)
                | (~Q(state="OPEN") & Q(refundable__isnull=False, closed_at__isnull=False)),
                name="session_closed_says_rest",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["-opened_at", "-id"], name="session_newest"),
            models.Index(fields=["state", "expires_at"], name="session_expiring"),
        ]

    def __str__(self) -> str:
        return f"Session {self.session_id}"

    @property
    def owner(self) -> str:
        """The reference to the session's user in other tables."""
        return f"session:{self.session_id}"

    def matches(self, digest: str) -> bool:
        """Compare a presented secret's digest in constant time."""
        return hmac.compare_digest(self.digest, digest)

    def usable(self, now: datetime) -> bool:
        """Tell whether credit can be taken from it at `now`."""
        return self.state == self.State.OPEN and self.expires_at > now


class Tick(models.Model):
    """One use of a session's credit: units that were ticked, or a call that it paid for."""

    APPEND_ONLY: ClassVar[bool] = True

    session = models.ForeignKey(StreamSession, on_delete=models.PROTECT, related_name="ticks")
    tick_id = models.CharField(max_length=64)
    unit = models.CharField(max_length=6)
    count = models.BigIntegerField()
    amount = MoneyField("amount (USDC)")
    balance = MoneyField("left (USDC)")
    resource = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["session", "tick_id"], name="tick_once"),
            models.CheckConstraint(
                condition=Q(count__gt=0) & Q(amount__gte=0) & Q(balance__gte=0),
                name="tick_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.unit}"
