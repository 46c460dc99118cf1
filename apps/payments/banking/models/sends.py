"""Outgoing bank payments."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.banking.models.recipients import Recipient
from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.rules.transitions import states_of
from apps.platform.common.money import MoneyField


class Send(Kept):
    """One payment out of an account at the bank. The row exists before the bank is called.

    `way` is how it came: `send`, `ach` or `wire`; `key` is the caller's, unique per institution and
    way. `bank_key` is the key at the bank, the same for every repeat. `unclear` says that a call
    got no clear answer: money may have left.
    """

    THING: ClassVar[str] = "send"
    LOOSE: ClassVar[frozenset[str]] = frozenset(
        {"tries", "trouble", "due_at", "calling_until", "unclear"}
    )

    send_id = models.UUIDField("payment", unique=True)
    owner = models.CharField(max_length=80, help_text="The institution, as `account:7`")
    way = models.CharField(max_length=4)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    # drawn once, when the row is made: a retry must not look like a new payment to the bank
    bank_key = models.UUIDField(unique=True)
    recipient = models.ForeignKey(Recipient, on_delete=models.PROTECT, related_name="sends")
    account_id = models.UUIDField("account")
    amount = MoneyField()
    method = models.CharField(max_length=20)
    note = models.CharField(max_length=300, blank=True)
    category = models.CharField(max_length=40, blank=True)
    additional_info = models.CharField(max_length=300, blank=True)
    svc_route = models.BooleanField(default=False)
    bank_id = models.CharField("at the bank", max_length=100, blank=True)
    bank_status = models.CharField(max_length=20, blank=True)
    asked_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    due_at = models.DateTimeField(null=True)
    calling_until = models.DateTimeField(null=True)
    unclear = models.BooleanField(default=False)

    class Meta:
        verbose_name = "payment by the bank"
        verbose_name_plural = "payments by the bank"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(state__in=states_of("send")), name="bank_send_state"
            ),
            models.UniqueConstraint(fields=["owner", "way", "key"], name="bank_send_once"),
            models.UniqueConstraint(
                fields=["bank_id"], condition=~Q(bank_id=""), name="bank_paid_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["state", "-id"], name="bank_send_listed"),
            models.Index(fields=["owner", "-id"], name="bank_send_owner"),
            # partial: the sweep reads it each minute, and nearly every row is past TAKEN
            models.Index(fields=["due_at"], condition=Q(state="TAKEN"), name="bank_send_due"),
        ]

    def __str__(self) -> str:
        return f"{self.send_id} {self.state}"

    @property
    def once(self) -> list[str]:
        """A value that no other payment ever has."""
        return [self.owner, self.way, self.key]

    @classmethod
    def rows_in_use(cls, *, before: datetime) -> "models.QuerySet[Any]":
        """Return the payments that have not ended."""
        return cls._default_manager.filter(state__in=("TAKEN", "HELD", "UNCLEAR"))

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the texts that were written with it."""
        cls.objects.filter(pk=number).update(note="", additional_info="")
