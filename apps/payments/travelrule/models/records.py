"""The current state of a travel-rule record; earlier states are in its events."""

import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

import orjson
from django.db import models
from django.db.models import Q

from apps.payments.travelrule.models.parties import Party
from apps.payments.travelrule.rules.record_status import DIRECTIONS
from apps.payments.travelrule.rules.transitions import STATUSES
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_text, format_decimal


class TravelRecord(models.Model):
    """One transfer under the travel rule (document 2 section 2.3). Nothing here is personal data.

    The IVMS 101 message is encrypted in its first event, under the record's own key. `steps` counts
    its events, and every change compares it. `originator` and `beneficiary` are its search
    keys. `amount` is as the message has it; `amount_usd` is null where it cannot be valued.
    """

    record_id = models.UUIDField("id", unique=True)
    payment_id = models.UUIDField("paymentId", null=True)
    owner = models.CharField(max_length=80, blank=True, help_text="The institution: account:7")
    direction = models.CharField(max_length=8)
    status = models.CharField(max_length=8)
    steps = models.PositiveSmallIntegerField(default=1)
    applies = models.BooleanField()
    reason = models.CharField(max_length=24)
    rule = models.CharField(max_length=8)
    rules = models.CharField(max_length=16)
    threshold_usd = MoneyField()
    amount_usd = MoneyField(null=True)
    amount = models.CharField(max_length=40)
    currency = models.CharField(max_length=12)
    # as text with all its digits: the rate of a yen has zeros before them
    rate = models.CharField(max_length=60, blank=True)
    rate_on = models.DateField(null=True)
    rate_source = models.CharField(max_length=20, blank=True)
    originator = models.ForeignKey(
        Party, null=True, on_delete=models.SET_NULL, related_name="sent", db_index=False
    )
    beneficiary = models.ForeignKey(
        Party, null=True, on_delete=models.SET_NULL, related_name="received", db_index=False
    )
    counterparty = models.CharField(max_length=100, blank=True)
    counterparty_lei = models.CharField(max_length=20, blank=True)
    network = models.CharField(max_length=40, blank=True)
    tx_hash = models.CharField(max_length=128, blank=True)
    dialect = models.CharField(max_length=20, blank=True)
    sender = models.CharField(max_length=80, blank=True)
    # keyed digest of the received bytes: the same message again is the same record
    came_as = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    retain_until = models.DateTimeField()

    class Meta:
        verbose_name = "travel-rule record"
        ordering: ClassVar[list[str]] = ["-created_at", "-id"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("export_travelrecord", "Can take records away")]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(condition=Q(status__in=STATUSES), name="tr_status_known"),
            models.CheckConstraint(condition=Q(direction__in=DIRECTIONS), name="tr_direction"),
            # any number of inbound messages may name a payment, but it is recorded once
            models.UniqueConstraint(
                fields=["payment_id"], condition=Q(direction="OUTBOUND"), name="tr_one_outbound"
            ),
            models.UniqueConstraint(
                fields=["sender", "came_as"], condition=~Q(came_as=""), name="tr_message_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["created_at", "id"], name="tr_time"),
            models.Index(fields=["status", "created_at", "id"], name="tr_status"),
            models.Index(fields=["owner", "created_at", "id"], name="tr_owner"),
            models.Index(fields=["owner", "reason", "created_at", "id"], name="tr_owner_reason"),
            models.Index(fields=["reason", "created_at", "id"], name="tr_reason"),
            models.Index(fields=["amount_usd", "created_at", "id"], name="tr_amount"),
            models.Index(fields=["payment_id"], name="tr_payment"),
            models.Index(fields=["tx_hash"], condition=~Q(tx_hash=""), name="tr_hash"),
            models.Index(fields=["originator", "created_at", "id"], name="tr_originator"),
            models.Index(fields=["beneficiary", "created_at", "id"], name="tr_beneficiary"),
        ]

    def __str__(self) -> str:
        return f"{self.record_id} {self.direction} {self.status}"

    @property
    def stands(self) -> str:
        """A digest of its state, as its last event has it."""
        return digest_state([getattr(self, name) for name in list_state_columns()])

    def stands_as(self, digest: str) -> bool:
        """Tell whether its state is that of its last event."""
        return is_state_digest([getattr(self, name) for name in list_state_columns()], digest)

    @property
    def standing(self) -> dict[str, Any]:
        """Its state: every column but those of the search index."""
        return {name: getattr(self, name) for name in list_state_columns()}


@cache
def list_state_columns() -> tuple[str, ...]:
    """Return the columns of a record that make up its state, sorted."""
    left = ("id", "originator_id", "beneficiary_id")
    fields = TravelRecord._meta.concrete_fields
    return tuple(sorted(field.attname for field in fields if field.attname not in left))


@cache
def _list_json_keys() -> tuple[str, ...]:
    return tuple(f'"{name}":' for name in list_state_columns())


def digest_state(values: Sequence[Any]) -> str:
    """Return the digest of a record's state from the values of `list_state_columns`."""
    # canonical_digest of the columns by name, written out: it runs for every record of a ledger
    text = ",".join(
        [key + canonical_text(value) for key, value in zip(_list_json_keys(), values, strict=True)]
    )
    return hashlib.sha256(f"{{{text}}}".encode()).hexdigest()


def is_state_digest(values: Sequence[Any], digest: str) -> bool:
    """Tell whether `digest` is that of a state, from the values of `list_state_columns`."""
    # The encoder in C takes a tenth of the time of `digest_state`. Where it writes another text, as
    # it may, the slow one decides.
    named = dict(zip(list_state_columns(), values, strict=True))
    try:
        serialized = orjson.dumps(named, default=_format_decimal)
    except TypeError:
        serialized = b""
    return hashlib.sha256(serialized).hexdigest() == digest or digest_state(values) == digest


def _format_decimal(value: Any) -> str:
    if isinstance(value, Decimal):
        return format_decimal(value)
    raise TypeError(f"{type(value).__name__} is left to its canonical form")


class RecordRow(NamedTuple):
    """A record as the values of its row, for lists and tables: an instance costs ten times that.

    They are `list_state_columns`, and its number.
    """

    amount: str
    amount_usd: Decimal | None
    applies: bool
    came_as: str
    counterparty: str
    counterparty_lei: str
    created_at: datetime
    currency: str
    dialect: str
    direction: str
    network: str
    owner: str
    payment_id: UUID | None
    rate: str
    rate_on: date | None
    rate_source: str
    reason: str
    record_id: UUID
    retain_until: datetime
    rule: str
    rules: str
    sender: str
    status: str
    steps: int
    threshold_usd: Decimal
    tx_hash: str
    pk: int

    def stands_as(self, digest: str) -> bool:
        """Tell whether its state is that of its last event."""
        return is_state_digest(self[:-1], digest)


class RecordKey(models.Model):
    """The key of one record's personal data, wrapped; without this row nothing can read it."""

    record = models.OneToOneField(TravelRecord, on_delete=models.PROTECT, related_name="key")
    wrapped = models.CharField(max_length=100)
    under = models.CharField(max_length=20, help_text="The key of TRAVEL_RULE_KEYS that wraps it")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"key of record {self.record_id}"
