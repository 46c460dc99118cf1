"""Recipients of bank payments, as institutions saved them."""

import json
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.payments.banking import encryption
from apps.payments.banking.models.recorded_row import Kept
from apps.payments.banking.rules.transitions import states_of
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
        # derived, not stored: a retry after a crash has the same key without another column
        return macs.keyed_digest(what="recipient at the bank", of=[*self.once, self.fingerprint])

    def opened(self) -> dict[str, Any]:
        """Return the decrypted details; DecryptionFailed."""
        document: dict[str, Any] = json.loads(
            encryption.decrypt_bytes(self.details, bound=self.bound)
        )
        return document

    @classmethod
    def rows_in_use(cls, *, before: datetime) -> "models.QuerySet[Any]":
        """Return the recipients that are to be saved at the bank, or were paid since."""
        return cls._default_manager.filter(Q(state="NEW") | Q(sends__asked_at__gte=before))

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear the identity of the recipient."""
        # state and bank_id stay, so that payments to it can still be explained
        cls.objects.filter(pk=number).update(name=PURGED_MARK, details="", tail="", token="")
