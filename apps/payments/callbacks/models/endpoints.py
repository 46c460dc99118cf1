"""The endpoints of callbacks, and the secrets that sign them."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import Q

from apps.payments.callbacks.models.events import LONGEST_OWNER

LONGEST_URL = 2000


class Pause(models.TextChoices):
    """Why an endpoint is paused."""

    GONE = "GONE", "It answered 410 Gone"
    FAILING = "FAILING", "It failed for days"
    STAFF = "STAFF", "Paused by staff"


class Endpoint(models.Model):
    """An address of an owner: scheme, host, port and path, without the query.

    A query may hold a token, or the number of a payment, so it is stored only with the delivery.
    All deliveries of an owner to one path therefore share one history, and a pause affects only
    that path.
    """

    uid = models.UUIDField("endpoint", unique=True, default=uuid4, editable=False)
    owner = models.CharField(max_length=LONGEST_OWNER)
    address = models.CharField(max_length=LONGEST_URL)
    # the unique key of an address: short, however long the address is
    digest = models.CharField("SHA-256 of owner and address", max_length=64, unique=True)
    host = models.CharField("host and port", max_length=270, db_index=True)
    created_at = models.DateTimeField()
    # the first failure after the last success, and the number of failed attempts since
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    last_attempt_at = models.DateTimeField(null=True, blank=True)
    last_ok_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=100, blank=True)
    # its last attempt timed out: it gets fewer parallel attempts until one does not
    slow = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_why = models.CharField(max_length=7, choices=Pause, blank=True)
    # failures before this do not pause it again; `failing_since` is shown nevertheless
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
        """Host and port, in readable form."""
        return self.host.removesuffix(":443")


class Secret(models.Model):
    """A generation of an owner's signing secret; the secret itself is derived, and never stored.

    The platform's key signs for an owner without any. The newest generation signs beside its
    predecessor until it takes over (callbacks/signing_secrets.py). `fingerprint` shows whether it
    is still derived the same: a different SECRET_KEY gives different secrets.
    """

    owner = models.CharField(max_length=LONGEST_OWNER)
    generation = models.PositiveIntegerField()
    fingerprint = models.CharField(max_length=12)
    issued_at = models.DateTimeField()
    issued_by = models.CharField(max_length=150)
    # when the predecessor, which may be the platform's key, stops signing; both sign until then
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
    """An action of staff on callbacks, with the reason: append-only, never shown outside."""

    APPEND_ONLY: ClassVar[bool] = True

    class What(models.TextChoices):
        """The kind of action."""

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
