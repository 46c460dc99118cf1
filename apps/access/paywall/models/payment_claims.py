"""One row for each signed payment, claimed before anything is done with it."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from apps.platform.common.money import MoneyField


class State(models.TextChoices):
    """The state of a payment; UNKNOWN is final for a while, and so is SETTLED until the answer.

    OWED is money that came, bought nothing, and must be refunded.
    """

    CLAIMED = "CLAIMED", "Claimed"
    VERIFIED = "VERIFIED", "Verified"
    SETTLING = "SETTLING", "Being settled"
    SETTLED = "SETTLED", "Settled"
    FAILED = "FAILED", "Failed"
    UNKNOWN = "UNKNOWN", "Outcome not known"
    OWED = "OWED", "Owed back"


class PaymentClaimQuerySet(models.QuerySet["PaymentClaim"]):
    def as_held(self, claim: "PaymentClaim", *states: State) -> Self:
        """Return the claim's row if it is still in one of the states, under the same lease."""
        # the lease says whose call it is: one that was replaced meanwhile changes nothing any more
        return self.filter(pk=claim.pk, state__in=states, lease_until=claim.lease_until)

    def unanswered(self) -> Self:
        """Return payments whose money came, but that were not answered."""
        return self.filter(state=State.SETTLED, answered_at=None)


class PaymentClaim(models.Model):
    """The right to one call, bought by one authorization (EIP-3009).

    A token contract accepts `(chain_id, asset, payer, nonce)` only once; so does this table.
    `fingerprint` identifies the request. `sealed` is the signed payment while it may have to be
    settled again, `answer` the answer, encrypted under the payment itself.
    """

    chain_id = models.BigIntegerField()
    asset = models.CharField(max_length=42)
    payer = models.CharField("wallet", max_length=42)
    nonce = models.CharField(max_length=66)
    version = models.PositiveSmallIntegerField()
    # the name that the payer used, of either version
    network = models.CharField(max_length=40)
    pay_to = models.CharField("paid to", max_length=42)
    amount = MoneyField("amount (USDC)")
    resource = models.CharField(max_length=100)
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices)
    facilitator = models.CharField(max_length=20)
    # a hash has 66 characters; sandbox transactions have a prefix
    transaction = models.CharField(max_length=130, blank=True)
    reason = models.CharField(max_length=120, blank=True)
    valid_before = models.DateTimeField()
    claimed_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    sealed = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = PaymentClaimQuerySet.as_manager()

    class Meta:
        verbose_name = "payment"
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["chain_id", "asset", "payer", "nonce"], name="payment_once"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_positive"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="payment_state_known"),
            models.CheckConstraint(
                condition=Q(status=None) | Q(state=State.SETTLED), name="payment_answer_settled"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["-claimed_at", "-id"], name="payment_newest"),
            models.Index(fields=["state", "lease_until"], name="payment_open"),
            models.Index(fields=["settled_at"], name="payment_settled"),
            # partial, because almost no money is unanswered
            models.Index(
                fields=["settled_at"],
                condition=Q(state="SETTLED", answered_at=None),
                name="payment_unanswered",
            ),
            # of those whose answer is still stored: the sweep looks for old ones each minute
            models.Index(
                fields=["answered_at"], condition=~Q(answer=""), name="payment_answer_stored"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} USDC for {self.resource}"

    @property
    def owner(self) -> str:
        """The reference to the payer in other tables."""
        return f"payer:{self.payer}"
