"""Deliveries of events, and each attempt at one."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from apps.payments.callbacks.models.endpoints import LONGEST_URL, Endpoint
from apps.payments.callbacks.models.events import LONGEST_OWNER, Event

LONGEST_EXCERPT = 1000


class State(models.TextChoices):
    """The state of a delivery; the specification calls it `webhook_status`."""

    PENDING = "PENDING", "Waiting"
    SENDING = "SENDING", "Being sent"
    DELIVERED = "DELIVERED", "Delivered"
    FAILED = "FAILED", "Failed"
    PAUSED = "PAUSED", "Paused"


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, now: datetime) -> Self:
        """Return the deliveries that should be sent now."""
        return self.filter(state=State.PENDING, due_at__lte=now)

    def lapsed(self, now: datetime) -> Self:
        """Return the deliveries whose sender died while sending."""
        return self.filter(state=State.SENDING, due_at__lte=now)

    def of(self, owner: str) -> Self:
        """Return the deliveries of a tenant."""
        return self.filter(owner=owner)


class Delivery(models.Model):
    """One event on its way to one address.

    `due_at` is when the next attempt is due; during an attempt, when that counts as lost. `tries`
    counts the attempts of the current series, at most four; `attempts` counts all of them, and is
    increased before anything is sent.
    """

    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="delivery")
    owner = models.CharField(max_length=LONGEST_OWNER)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="deliveries")
    url = models.CharField(max_length=LONGEST_URL)
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    resends = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=100, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = "callback"
        verbose_name_plural = "callbacks"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(
                fields=["state", "due_at"],
                # partial: nearly all rows have ended, and runs look ten times a second
                condition=Q(state__in=["PENDING", "SENDING"]),
                name="callback_due",
            ),
            models.Index(fields=["owner", "id"], name="callback_owner"),
            models.Index(fields=["owner", "state", "id"], name="callback_owner_state"),
            models.Index(fields=["state", "id"], name="callback_state"),
            models.Index(fields=["endpoint", "state", "id"], name="callback_endpoint_state"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(state__in=["PENDING", "SENDING"], due_at__isnull=False)
                | Q(state__in=["DELIVERED", "FAILED", "PAUSED"], due_at__isnull=True),
                name="callback_due_while_open",
            )
        ]

    def __str__(self) -> str:
        return f"Callback {self.event_id}"


class Attempt(models.Model):
    """One attempt and its result: written once it has ended, or counts as lost."""

    APPEND_ONLY: ClassVar[bool] = True
    # the receiver's text may hold personal data; the rest of the log stays
    PURGEABLE: ClassVar[tuple[str, ...]] = ("excerpt",)

    delivery = models.ForeignKey(Delivery, on_delete=models.PROTECT, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField("sent")
    status = models.PositiveSmallIntegerField("HTTP status", null=True)
    latency_ms = models.PositiveIntegerField("milliseconds", null=True)
    error = models.CharField(max_length=100, blank=True)
    excerpt = models.CharField(max_length=LONGEST_EXCERPT, blank=True)

    class Meta:
        default_permissions = ()
        ordering: ClassVar[list[str]] = ["number"]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["delivery", "number"], name="callback_attempt_once")
        ]

    def __str__(self) -> str:
        return f"Attempt {self.number} of callback {self.delivery_id}"
