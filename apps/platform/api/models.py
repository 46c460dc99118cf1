"""Answered idempotent calls."""

from typing import Any, ClassVar

from django.db import models


class IdempotentCall(models.Model):
    """An answered (or running) call under an Idempotency-Key, kept for 24 hours."""

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=255)
    # SHA-256 of the request in hexadecimal
    fingerprint = models.CharField(max_length=64)
    # None while the call runs
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)
    lease_until = models.DateTimeField()
    created_at = models.DateTimeField(db_index=True)
    # the answer is money's worth: without a valid MAC it is not returned
    mac_key = models.CharField(max_length=20, blank=True)
    mac = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotent_once_per_owner")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.key}"
