"""Messages on their way to counterparties, and each attempt."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.travelrule.models.records import TravelRecord


class Transmission(models.Model):
    """One message that is sent, or was: a record has one for each time that it was PENDING.

    `body` are its bytes, encrypted under the record's key: each attempt sends the same. `tries`
    counts its attempts, each before anything is sent. `due_at` is when the next is due, or when
    the lease of the present one ends; null once it has ended.
    """

    record = models.ForeignKey(TravelRecord, on_delete=models.PROTECT, related_name="sendings")
    number = models.PositiveSmallIntegerField(help_text="The step by which the record was PENDING")
    lei = models.CharField("LEI of the VASP", max_length=20)
    body = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sending = models.BooleanField(default=False)
    due_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["record", "number"], name="tr_sending_once")
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(
                fields=["due_at"], condition=Q(due_at__isnull=False), name="tr_sending_due"
            )
        ]

    def __str__(self) -> str:
        return f"transmission {self.number} of record {self.record_id}"


class TravelAttempt(models.Model):
    """One attempt and how it ended: written once it has, or once it counts as lost."""

    APPEND_ONLY: ClassVar[bool] = True

    transmission = models.ForeignKey(Transmission, on_delete=models.PROTECT, related_name="log")
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField("sent")
    host = models.CharField(max_length=270, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    status = models.PositiveSmallIntegerField("HTTP status", null=True)
    latency_ms = models.PositiveIntegerField("milliseconds", null=True)
    error = models.CharField(max_length=20, blank=True)
    receiver_id = models.CharField(max_length=100, blank=True)

    class Meta:
        default_permissions = ()
        ordering: ClassVar[list[str]] = ["transmission", "number"]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["transmission", "number"], name="tr_attempt_once")
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of transmission {self.transmission_id}"
