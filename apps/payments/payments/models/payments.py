"""The current state of a payment, and an institution's settled volume of a month."""

from functools import cached_property
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.compliance.payees.wallets import LONGEST_WALLET
from apps.payments.callbacks.models.endpoints import LONGEST_URL
from apps.payments.payments.instructions import (
    LONGEST_ACCOUNT,
    LONGEST_REFERENCE,
    Instruction,
    instruction_from_record,
)
from apps.payments.payments.rules.transitions import MOVING, STATES
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_digest

LONGEST_KEY = 120


class Payment(models.Model):
    """One payment. Only `record_transition` changes its state, and writes an event of
    each step.

    `steps` counts its events and is compared by every transition, so one of two concurrent ones
    wins. `instruction` is the canonical instruction, `found` the results of the checks, `price` the
    locked rate and fee, `said` what the API returns of the checks (document 2 section 2.2, `vop`
    and `compliance`). `stands` is a digest of its state, compared with the last event.
    """

    payment_id = models.UUIDField("svcPaymentId", unique=True)
    owner = models.CharField(max_length=80, help_text="The institution, as `account:7`")
    reference = models.CharField("tmsReference", max_length=LONGEST_REFERENCE)
    fingerprint = models.CharField(max_length=64)
    instruction = models.JSONField()
    state = models.CharField(max_length=20)
    steps = models.PositiveSmallIntegerField(default=1)
    amount = MoneyField()
    currency = models.CharField(max_length=3)
    asset = models.CharField(max_length=8)
    # search keys: names folded, the rest unchanged
    creditor_key = models.CharField(max_length=LONGEST_KEY, db_index=True)
    debtor_key = models.CharField(max_length=LONGEST_KEY, db_index=True)
    creditor_lei = models.CharField(max_length=20, blank=True)
    debtor_lei = models.CharField(max_length=20, blank=True)
    creditor_wallet = models.CharField(max_length=LONGEST_WALLET)
    debtor_wallet = models.CharField(max_length=LONGEST_WALLET, blank=True)
    sender_account = models.CharField(
        max_length=LONGEST_ACCOUNT, help_text="Whom the AML screen has as the sender"
    )
    message_id = models.CharField(max_length=35, blank=True)
    tx_hash = models.CharField(max_length=128, blank=True)
    tx_place = models.PositiveIntegerField(default=0, help_text="Of the transfer, among its logs")
    callback_url = models.CharField(max_length=LONGEST_URL, blank=True)
    found = models.JSONField(default=dict, blank=True)
    price = models.JSONField(default=dict, blank=True)
    said = models.JSONField(default=dict, blank=True)
    error = models.CharField(max_length=300, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    submitted_at = models.DateTimeField()
    due_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "institution’s payment"
        verbose_name_plural = "institutions’ payments"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "reference"], name="pay_reference_once"),
            models.CheckConstraint(condition=Q(state__in=STATES), name="pay_state_known"),
            models.CheckConstraint(
                condition=Q(state="SETTLED", settled_at__isnull=False)
                | (~Q(state="SETTLED") & Q(settled_at=None)),
                name="pay_settled_when",
            ),
            models.UniqueConstraint(
                # one transfer settles one payment, whatever two rails or workers say
                fields=["tx_hash", "tx_place"],
                condition=~Q(tx_hash=""),
                name="pay_transfer_once",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="pay_owner"),
            models.Index(fields=["state", "-id"], name="pay_state"),
            # partial: the sweep and health read the few that are under way
            models.Index(fields=["due_at"], condition=Q(state__in=sorted(MOVING)), name="pay_due"),
            models.Index(fields=["reference"], name="pay_reference"),
            models.Index(fields=["creditor_wallet"], name="pay_creditor_wallet"),
            models.Index(
                fields=["creditor_lei"], condition=~Q(creditor_lei=""), name="pay_creditor_lei"
            ),
            models.Index(fields=["debtor_lei"], condition=~Q(debtor_lei=""), name="pay_debtor_lei"),
            models.Index(fields=["debtor_wallet"], condition=~Q(debtor_wallet=""), name="pay_from"),
            models.Index(
                # read before each check (services/sender_order.py)
                fields=["sender_account"],
                condition=Q(state="SUBMITTED"),
                name="pay_unchecked",
            ),
            models.Index(
                fields=["creditor_wallet"], condition=Q(state="SUBMITTED"), name="pay_unchecked_to"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reference} {self.state}"

    @cached_property
    def instructed(self) -> Instruction:
        """The instruction of the payment."""
        return instruction_from_record(self.instruction)

    @property
    def subject(self) -> str:
        """The name of the payment in feeds and callbacks."""
        return str(self.payment_id)

    @property
    def stands(self) -> str:
        """A digest of its state, as its last event has it."""
        return canonical_digest(
            {
                "paymentId": self.payment_id,
                "owner": self.owner,
                "reference": self.reference,
                "fingerprint": self.fingerprint,
                "state": self.state,
                "steps": self.steps,
                "amount": self.amount,
                "currency": self.currency,
                "asset": self.asset,
                "to": self.creditor_wallet,
                "callback": self.callback_url,
                "found": self.found,
                "price": self.price,
                "said": self.said,
                "error": self.error,
                "txHash": self.tx_hash,
                "settledAt": self.settled_at,
            }
        )


class MonthVolume(models.Model):
    """An institution's settled volume of a month, in USD: it sets the volume tier of its fees."""

    owner = models.CharField(max_length=80)
    month = models.DateField(help_text="Its first day")
    settled_usd = MoneyField(default=0)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "month"], name="pay_volume_once")
        ]

    def __str__(self) -> str:
        return f"{self.owner} {self.month:%b %Y}: {self.settled_usd}"
