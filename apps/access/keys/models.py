"""Accounts, their keys, and their usage."""

import hmac
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple, Self

from django.db import models, transaction
from django.db.models import Q

from apps.access.keys.integrity import KeyRecord, record_key_state
from apps.platform.crypto.random_secrets import SECRET_LENGTH, generate_random_text, hash_secret
from apps.platform.desk.models import Proposal, four_eyes_constraints
from apps.platform.ledger.records import LedgerRecord

# characters of a key that find its row; public, because they also show which key is meant
LOOKUP_LENGTH = 10
# how exact `last_used_at` is
SEEN_EVERY = timedelta(minutes=1)


class KeyKind(models.TextChoices):
    """The kinds of keys; the prefix shows people and secret scanners which kind it is."""

    SUBSCRIPTION = "SUBSCRIPTION", "Subscription"
    INSTITUTION = "INSTITUTION", "Institution"
    MASTER = "MASTER", "Master"
    SIGNING = "SIGNING", "Signing (administrators)"
    INTERNAL = "INTERNAL", "Internal"
    DATA = "DATA", "Data (intelligence)"


PREFIXES = {
    KeyKind.SUBSCRIPTION: "svc_sub_",
    KeyKind.INSTITUTION: "svc_inst_",
    KeyKind.MASTER: "svc_mst_",
    KeyKind.SIGNING: "svc_sig_",
    KeyKind.INTERNAL: "svc_int_",
    KeyKind.DATA: "svc_api_",
}


class Account(models.Model):
    """A tenant: the data made with its keys belongs to it, and outlives each key."""

    # unique: operators, and `issue_key --owner`, find a tenant by its name
    name = models.CharField(max_length=200, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        permissions: ClassVar[list[Any]] = [("view_usage_page", "Can see what accounts used")]

    def __str__(self) -> str:
        return self.name

    @property
    def ref(self) -> str:
        """The reference to this tenant in other tables."""
        return f"account:{self.pk}"


class IssuedKey(NamedTuple):
    """A new key and its secret, which is shown once and never stored."""

    key: "ApiKey"
    secret: str


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def usable(self, now: datetime) -> Self:
        """Return keys that are neither revoked nor expired."""
        return self.filter(Q(revoked_at=None) | Q(revoked_at__gt=now)).filter(
            Q(expires_at=None) | Q(expires_at__gt=now)
        )


class ApiKey(models.Model):
    """A key: `lookup` finds it, `digest` proves it; the key itself is not stored."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="keys")
    kind = models.CharField(max_length=12, choices=KeyKind.choices)
    label = models.CharField(max_length=100, blank=True)
    lookup = models.CharField(max_length=LOOKUP_LENGTH, unique=True)
    digest = models.CharField(max_length=64)
    rate_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="Calls per minute; empty: the platform's default."
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"
        permissions: ClassVar[list[Any]] = [
            ("issue_apikey", "Can issue and rotate keys"),
            ("revoke_apikey", "Can revoke keys"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(kind__in=KeyKind.values), name="apikey_kind_known")
        ]

    def __str__(self) -> str:
        return f"{PREFIXES[KeyKind(self.kind)]}{self.lookup}…"

    def matches(self, secret: str) -> bool:
        """Compare a presented key in constant time."""
        return hmac.compare_digest(self.digest, hash_secret(secret))

    def usable(self, now: datetime) -> bool:
        """Tell whether the key is neither revoked nor expired at `now`."""
        ended = [moment for moment in (self.revoked_at, self.expires_at) if moment is not None]
        return all(moment > now for moment in ended)

    def mark_used(self, now: datetime) -> None:
        """Note the use, at most once a minute."""
        # a write for each call would cost more than the call
        if self.last_used_at is None or now - self.last_used_at >= SEEN_EVERY:
            ApiKey.objects.filter(pk=self.pk).update(last_used_at=now)

    @transaction.atomic
    def revoke(self, *, now: datetime) -> None:
        """End the key at once; revoking again keeps the first moment."""
        # compare-and-set: of two who revoke at once one writes the moment and its record
        if ApiKey.objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=now):
            self.refresh_from_db()
            record_key_state(self, KeyRecord.Step.REVOKED, now=now)
        self.refresh_from_db()


@transaction.atomic
def issue_api_key(
    *,
    account: Account,
    kind: KeyKind,
    now: datetime,
    label: str = "",
    expires_at: datetime | None = None,
    rate_per_minute: int | None = None,
) -> IssuedKey:
    """Issue a key for an account; the secret in the result exists nowhere else."""
    lookup = generate_random_text(LOOKUP_LENGTH)
    secret = f"{PREFIXES[kind]}{lookup}{generate_random_text(SECRET_LENGTH)}"
    key = ApiKey.objects.create(
        account=account,
        kind=kind,
        label=label,
        lookup=lookup,
        digest=hash_secret(secret),
        rate_per_minute=rate_per_minute,
        created_at=now,
        expires_at=expires_at,
    )
    record_key_state(key, KeyRecord.Step.ISSUED, now=now)
    return IssuedKey(key, secret)


@transaction.atomic
def issue_successor(*, key: ApiKey, overlap: timedelta, now: datetime) -> IssuedKey:
    """Issue a successor with the same rate and end; the old key ends with the overlap."""
    issued = issue_api_key(
        account=key.account,
        kind=KeyKind(key.kind),
        now=now,
        label=key.label,
        # not extended: a key that lasts longer is issued anew, by two people in production
        expires_at=key.expires_at,
        rate_per_minute=key.rate_per_minute,
    )
    ends = now + overlap
    # an overlap shortens the old key's life and never extends it
    lasts = Q(expires_at=None) | Q(expires_at__gt=ends)
    if ApiKey.objects.filter(pk=key.pk).filter(lasts).update(expires_at=ends):
        key.refresh_from_db()
        record_key_state(key, KeyRecord.Step.ENDS, now=now)
    return issued


class KeyRequest(Proposal):
    """A request for a key that another person approves; its secret is then collected once.

    The key does not exist before: it is issued when the secret is collected.
    """

    DECIDER = "operator"

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="requests")
    kind = models.CharField(max_length=12, choices=KeyKind.choices)
    label = models.CharField(max_length=100, blank=True, help_text="What the key is for.")
    days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Days until it ends; empty: never."
    )
    rate_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="Calls per minute; empty: the platform's default."
    )
    key = models.OneToOneField(ApiKey, null=True, on_delete=models.PROTECT, related_name="asked")
    drawn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "key request"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("propose_keyrequest", "Can request a key"),
            ("decide_keyrequest", "Can approve or reject another person's request for a key"),
        ]
        constraints: ClassVar[list[Any]] = [
            *four_eyes_constraints("key_request"),
            models.CheckConstraint(
                name="key_request_kind_known", condition=Q(kind__in=KeyKind.values)
            ),
            models.CheckConstraint(
                # `key` follows `drawn_at` within one transaction, so a drawn request may lack it
                # for a moment
                name="key_request_drawn_when_approved",
                condition=Q(drawn_at__isnull=True, key__isnull=True)
                | Q(drawn_at__isnull=False, state="APPROVED"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} key for {self.account}"

    def event_columns(self) -> dict[str, Any]:
        return {"account": self.account}


class KeyEvent(models.Model):
    """An event of a key or of a request for one; append-only in the database."""

    APPEND_ONLY: ClassVar[bool] = True

    class Step(models.TextChoices):
        PROPOSED = "PROPOSED", "Requested"
        APPROVED = "APPROVED", "Approved"
        REJECTED = "REJECTED", "Rejected"
        ISSUED = "ISSUED", "Issued"
        ROTATED = "ROTATED", "Rotated"
        REVOKED = "REVOKED", "Revoked"

    state = models.CharField(max_length=8, choices=Step)
    by = models.CharField(
        max_length=150, help_text="User name, or a note that it was done at a shell"
    )
    at = models.DateTimeField()
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    key = models.ForeignKey(ApiKey, null=True, on_delete=models.PROTECT, related_name="events")
    request = models.ForeignKey(
        KeyRequest, null=True, on_delete=models.PROTECT, related_name="events"
    )
    words = models.CharField(max_length=500, blank=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.account}: {self.state} by {self.by}"


class UsageCount(models.Model):
    """Billed calls of an account in a month, in shards so that workers do not queue."""

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="usage")
    month = models.CharField(max_length=7)
    unit = models.CharField(max_length=40)
    shard = models.PositiveSmallIntegerField()
    calls = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["account", "month", "unit", "shard"], name="usage_one_per_shard"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.month} {self.unit}"


class UsageRecord(LedgerRecord):
    """The number of an account's billed calls of a month at a point in time. Kept for good."""

    LEDGER: ClassVar[str] = "usage"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    account = models.BigIntegerField()
    month = models.CharField(max_length=7)
    unit = models.CharField(max_length=40)
    calls = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        indexes: ClassVar[list[Any]] = [
            # the newest record of each count is what the next one is compared with
            models.Index(fields=["account", "month", "unit", "-id"], name="usage_record_newest")
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.month} {self.unit}: {self.calls}"


class FailedAttempt(models.Model):
    """A wrong password, under a keyed digest of the name that it was tried for."""

    subject = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()  # no page shows it

    def __str__(self) -> str:
        return f"{self.subject[:8]}… {self.at:%F %T}"
