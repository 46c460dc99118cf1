"""Webhook deliveries of the bank, as they came."""

from typing import Any, ClassVar

from django.db import models

from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.models.transactions import MAX_ID_LENGTH


class Delivery(Kept):
    """One delivery of the bank's webhook, as received; it never changes.

    `body` is encrypted. `came_as` is a keyed digest of the raw bytes. `rule` and `answer` are the
    decision and the answer of that time.
    """

    THING: ClassVar[str] = "delivery"

    delivery_id = models.CharField("delivery", max_length=MAX_ID_LENGTH, unique=True)
    resource_type = models.CharField(max_length=40)
    resource_id = models.CharField(max_length=MAX_ID_LENGTH)
    operation = models.CharField(max_length=12)
    version = models.BigIntegerField()
    occurred_at = models.CharField(max_length=40, blank=True)
    body = models.TextField(blank=True)
    came_as = models.CharField(max_length=64)
    rule = models.CharField(max_length=8)
    answer = models.JSONField()
    received_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "deliveries"
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["resource_type", "resource_id"], name="bank_delivery_of")
        ]

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.rule}"

    @property
    def once(self) -> list[str]:
        """A value that no other delivery ever has."""
        return [self.delivery_id]

    @property
    def bound(self) -> str:
        """The context that its encrypted body is bound to."""
        return f"delivery {self.delivery_id}"

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the delivered content."""
        # `came_as` stays: a repeated id is still recognised after the content is gone
        cls.objects.filter(pk=number).update(body="", answer={})
