"""Where callbacks go, and by which secrets they are signed."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q

from apps.payments.callbacks.models.events import LONGEST_OWNER

LONGEST_URL = 2000


class Pause(models.TextChoices):
    """Why an endpoint is called no more."""

    GONE = "GONE", "It answered 410 Gone"
    FAILING = "FAILING", "It failed for days"
    STAFF = "STAFF", "Paused by staff"


class Endpoint(models.Model):
    """An address of an owner: scheme, host, port and path, without what follows a question mark.

    A query may hold a token, or the number of a payment: it is part of a delivery alone. So all
    deliveries of an owner to one path share one history, and a pause stops that path alone.
    """

    uid = models.UUIDField("endpoint", unique=True, default=uuid4, editable=False)
    owner = models.CharField(max_length=LONGEST_OWNER)
    address = models.CharField(max_length=LONGEST_URL)
    digest = models.CharField("SHA-256 of owner and address", max_length=64, unique=True)
    host = models.CharField("host and port", max_length=270, db_index=True)
    created_at = models.DateTimeField()
    # the first failure after the last success, and how many attempts failed since
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    last_attempt_at = models.DateTimeField(null=True, blank=True)
    last_ok_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=100, blank=True)
    # its last attempt ran out of time: it gets less of what sends, until one does not
    slow = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_why = models.CharField(max_length=7, choices=Pause, blank=True)
    # failures before this do not pause it anew; `failing_since` is told all the same
    resumed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "endpoint of callbacks"
        verbose_name_plural = "endpoints of callbacks"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("send_callback", "Can resend callbacks, and pause and resume their endpoints"),
            ("issue_secret", "Can issue signing secrets of callbacks"),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "id"], name="callback_endpoint_owner"),
            models.Index(
                fields=["paused_at"],
                condition=Q(paused_at__isnull=False),
                name="callback_endpoint_paused",
            ),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True, paused_why="")
                | (Q(paused_at__isnull=False) & ~Q(paused_why="")),
                name="callback_endpoint_paused_why",
            )
        ]

    def __str__(self) -> str:
        return self.address

    @property
    def place(self) -> str:
        """Host and port, as people write them."""
        return self.host.removesuffix(":443")


class Secret(models.Model):
    """A generation of an owner's signing secret; the secret itself is derived, and never kept.

    An owner without any is signed for by the platform's key. The newest signs beside its
    predecessor until it takes over (callbacks/signing_secrets.py). `fingerprint` tells whether it
    is still derived as it was: another SECRET_KEY makes others.
    """

    owner = models.CharField(max_length=LONGEST_OWNER)
    generation = models.PositiveIntegerField()
    fingerprint = models.CharField(max_length=12)
    issued_at = models.DateTimeField()
    issued_by = models.CharField(max_length=150)
    # when the predecessor stops signing, the platform's key included; both sign until then
    takes_over_at = models.DateTimeField()

    class Meta:
        verbose_name = "signing secret of callbacks"
        verbose_name_plural = "signing secrets of callbacks"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["owner", "generation"], name="callback_secret_generation_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.owner} generation {self.generation}"


class Step(models.Model):
    """What staff did about callbacks, and why: append-only, told to nobody outside."""

    APPEND_ONLY: ClassVar[bool] = True

    class What(models.TextChoices):
        """What was done."""

        RESENT = "RESENT", "Sent again"
        ALL_RESENT = "ALL_RESENT", "All failed ones sent again"
        PAUSED = "PAUSED", "Paused"
        RESUMED = "RESUMED", "Resumed"
        ISSUED = "ISSUED", "Secret issued"
        ENDED = "ENDED", "Rotation ended"

    what = models.CharField(max_length=10, choices=What)
    owner = models.CharField(max_length=LONGEST_OWNER)
    ref = models.CharField(max_length=80)  # `delivery:7`, `endpoint:7`, `secret:7`
    by = models.CharField(max_length=150)
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering: ClassVar[list[str]] = ["-pk"]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["ref", "id"], name="callback_step_ref"),
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()} {self.ref}"
