"""Recipients that institutions saved, and the payments to them."""

import json
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.banking import encryption
from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.rules.lifecycle import states_of
from apps.platform.common.money import MoneyField
from apps.platform.crypto import macs

PURGED_MARK = "purged"


class Recipient(Kept):
    """A person or firm that an institution pays by the bank.

    `details` is the given routing, e-mail and address, encrypted; `tail` the last four characters
    of the account. `token` is a keyed digest of routing and account number, by which the same
    account is recognised. `bank_id` is the bank's, empty until it is saved there.
    """

    THING: ClassVar[str] = "recipient"
    LOOSE: ClassVar[frozenset[str]] = frozenset({"trouble"})

    recipient_id = models.UUIDField("recipient")
    owner = models.CharField(max_length=80, help_text="The institution, as `account:7`")
    kind = models.CharField(max_length=4)
    name = models.CharField(max_length=300)
    country = models.CharField(max_length=2, blank=True)
    details = models.TextField()
    tail = models.CharField(max_length=4)
    token = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    bank_id = models.CharField(max_length=100, blank=True)
    trouble = models.CharField(max_length=300, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        verbose_name = "recipient at the bank"
        verbose_name_plural = "recipients at the bank"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=Q(state__in=states_of("recipient")), name="bank_recipient_state"
            ),
            models.UniqueConstraint(fields=["owner", "recipient_id"], name="bank_recipient_once"),
            models.UniqueConstraint(
                fields=["bank_id"], condition=~Q(bank_id=""), name="bank_recipient_saved_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} …{self.tail}"

    @property
    def bound(self) -> str:
        """The context that its encrypted details are bound to."""
        return f"recipient {self.owner} {self.recipient_id}"

    @property
    def once(self) -> list[str]:
        """A value that no other recipient ever has."""
        return [self.owner, str(self.recipient_id)]

    @property
    def bank_key(self) -> str:
        """The key of requests to the bank, the same for every repeat; no other recipient has it."""
        return macs.keyed_digest(what="recipient at the bank", of=[*self.once, self.fingerprint])

    def opened(self) -> dict[str, Any]:
        """Return the decrypted details; DecryptionFailed."""
        document: dict[str, Any] = json.loads(
            encryption.decrypt_bytes(self.details, bound=self.bound)
        )
        return document

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the identity of the recipient."""
        cls.objects.filter(pk=number).update(name=PURGED_MARK, details="", tail="", token="")


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
            models.Index(fields=["due_at"], condition=Q(state="TAKEN"), name="bank_send_due"),
        ]

    def __str__(self) -> str:
        return f"{self.send_id} {self.state}"

    @property
    def once(self) -> list[str]:
        """A value that no other payment ever has."""
        return [self.owner, self.way, self.key]

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the texts that were written with it."""
        cls.objects.filter(pk=number).update(note="", additional_info="")
