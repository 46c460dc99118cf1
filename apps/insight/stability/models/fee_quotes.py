"""A quote: the price of a payment, for as long as it binds."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from apps.platform.common.money import MoneyField


class Quote(models.Model):
    """One quote (document 3 section 2.2), bound to its parameters.

    `score` in micro-points; `core` to `license` are what each component takes. `schedule` is the
    version of the fee table, `used_by` the settlement that took it.
    """

    quote_id = models.UUIDField(unique=True, editable=False)
    amount = MoneyField("amount (USD)")
    fx = models.BooleanField("crosses currencies")
    score = models.PositiveIntegerField("ESG score")
    monthly_volume = MoneyField("volume of the month (USD)")
    sandbox = models.BooleanField()
    core = MoneyField("core fee")
    fx_fee = MoneyField("exchange fee")
    esg = MoneyField("ESG fee")
    license = MoneyField("license fee")
    schedule = models.CharField(max_length=20)
    quoted_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.CharField(max_length=100, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="quote_positive"),
            models.CheckConstraint(
                # IS NOT NULL is explicit: a comparison with NULL is neither true nor false, and a
                # CHECK refuses only what is false
                condition=Q(used_at=None, used_by="")
                | (Q(used_at__isnull=False, used_at__lt=F("expires_at")) & ~Q(used_by="")),
                name="quote_used_in_time_by_somebody",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            # for the job stability.tidy, which deletes unused quotes soon and used ones after years
            models.Index(
                fields=["expires_at"], condition=Q(used_at=None), name="quote_unused_expires"
            ),
            models.Index(fields=["used_at"], condition=Q(used_at__isnull=False), name="quote_used"),
        ]

    def __str__(self) -> str:
        return f"{self.quote_id}"
