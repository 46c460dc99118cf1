"""State transitions of payments: each step is one compare-and-set.

CLAIMED → VERIFIED → SETTLING → SETTLED | FAILED | UNKNOWN. A payment that is not settled yet when
our side fails is forgotten, and so is unused again. From SETTLING on nothing is forgotten.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.access.paywall import encryption, problems, record_guards
from apps.access.paywall.models import PaymentClaim, PaymentStep, Receipt, State
from apps.access.paywall.x402.facilitators import Settlement, SettlementOutcome
from apps.access.paywall.x402.headers import encode_header
from apps.access.paywall.x402.networks import Network
from apps.access.paywall.x402.payment_parser import Payment
from apps.access.paywall.x402.terms import Terms
from apps.platform.common.money import from_micro, to_micro
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.jobs.job_queue import enqueue_job

LEASE = timedelta(seconds=90)  # longer than a facilitator may take to verify and settle
KEPT = timedelta(hours=24)
# Anyone who reads the chain can reconstruct a settled payment, and would get the answer to a
# request that they guess: without an Idempotency-Key an answer is repeated only for this long, and
# one that holds a secret never.
KEPT_BARE, NOT_KEPT = timedelta(minutes=15), timedelta(0)
# the job of tasks.reconcile_payment, by its key: tasks.py imports this module
RECONCILE = "paywall.reconcile"
ANSWERED = PaymentStep.Step.ANSWERED
LATEST = 253_402_300_799  # the end of the year 9999


@dataclass(frozen=True, slots=True)
class Purchase:
    """The purchase: `fingerprint` identifies the request, `resource` is the endpoint's name.

    `kept` is for how long the answer is repeated when the payment is sent again.
    """

    payment: Payment
    terms: Terms
    resource: str
    fingerprint: str
    kept: timedelta
    facilitator: str


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The stored answer of a payment."""

    text: str
    status: int
    claim: PaymentClaim


def claim_payment(*, wanted: Purchase, now: datetime) -> PaymentClaim | StoredAnswer:
    """Claim a payment for one request, or return its stored answer; committed at once.

    A claim that comes back SETTLED was paid for by a call that then failed on our side: it is
    answered without settling again, if a receipt confirms it. Raises PaymentUsed, PaymentInProgress
    (409), OutcomeUnknown and PaidCallIntegrityError (503); RuntimeError inside a transaction, whose
    rollback would undo the claim but not the payment.
    """
    claim = _build_claim(wanted, now)
    try:
        with transaction.atomic(durable=True):
            claim.save(force_insert=True)
    except IntegrityError:
        return _resume_claim(claim, wanted, now)
    return claim


def _build_claim(purchase: Purchase, now: datetime) -> PaymentClaim:
    payment, terms = purchase.payment, purchase.terms
    return PaymentClaim(
        chain_id=terms.network.chain_id,
        # addresses in lower case everywhere: the unique row must not depend on a checksum's
        # capitals
        asset=terms.network.asset.lower(),
        payer=payment.payer,
        nonce=payment.nonce,
        version=payment.version,
        network=payment.network,
        pay_to=terms.pay_to.lower(),
        amount=from_micro(terms.amount),
        resource=purchase.resource,
        fingerprint=purchase.fingerprint,
        state=State.CLAIMED,
        facilitator=purchase.facilitator,
        # 256 bits on the wire; datetime ends with the year 9999
        valid_before=datetime.fromtimestamp(min(payment.valid_before, LATEST), UTC),
        claimed_at=now,
        lease_until=now + LEASE,
    )


def _resume_claim(
    payment_claim: PaymentClaim, purchase: Purchase, now: datetime
) -> PaymentClaim | StoredAnswer:
    """Decide what to do with a payment that was sent before."""
    key = {name: getattr(payment_claim, name) for name in ("chain_id", "asset", "payer", "nonce")}
    row = PaymentClaim.objects.filter(**key).first()
    # the first call failed and deleted its claim between the insert and this look
    if row is None:
        raise problems.PaymentInProgress("The first call has just ended.", retry_after=1)
    if row.state == State.OWED:
        raise problems.PaymentUsed("This payment bought nothing, and is recorded as owed back.")
    if row.state == State.FAILED:  # it bought nothing, and may be valid by now
        return _restart_claim(row, payment_claim, now)
    # the answer belongs to one request: a captured payment must not buy another of equal price
    if row.fingerprint != purchase.fingerprint:
        raise problems.PaymentUsed("This payment was sent with another request.")
    if row.answered_at is not None:
        return _load_stored_answer(row, purchase, now)
    expired = row.lease_until <= now
    # never a fresh 402: the payer would sign again and might pay twice
    if row.state == State.UNKNOWN or (row.state == State.SETTLING and expired):
        raise problems.build_unknown_outcome(row.transaction)
    if not expired:
        raise problems.PaymentInProgress(
            "The first call with this payment is still running.", retry_after=1
        )
    # settled, unanswered, and no call holds it: this one may go on
    if row.state == State.SETTLED:
        return _take_over_claim(row, now)
    return _restart_claim(row, payment_claim, now)


def _load_stored_answer(row: PaymentClaim, purchase: Purchase, now: datetime) -> StoredAnswer:
    if not purchase.kept:
        raise problems.NeverKept(
            "This payment was answered with a secret, which is returned only once."
        )
    if row.answered_at is None or row.answered_at <= now - purchase.kept or not row.answer:
        raise problems.PaymentUsed("This payment was answered, and the answer is no longer stored.")
    try:
        text = encryption.decrypt_text(
            row.answer,
            purpose=encryption.ANSWERS,
            bound=row.nonce,
            proof=purchase.payment.signature,
        )
    except DecryptionFailed:
        raise problems.PaymentUsed("This payment was sent with another signature.") from None
    return StoredAnswer(text, row.status or 200, row)


def _take_over_claim(row: PaymentClaim, now: datetime) -> PaymentClaim:
    """Take over a payment whose money came but whose answer did not."""
    # the row was put back to unanswered; the ledger knows better
    _require_unanswered_money(row)
    if not PaymentClaim.objects.as_held(row, State.SETTLED).update(lease_until=now + LEASE):
        raise problems.PaymentInProgress(
            "Another call with this payment came first.", retry_after=1
        )
    row.lease_until = now + LEASE
    return row


def _require_unanswered_money(row: PaymentClaim) -> None:
    """Raise unless the records, too, say that a payment's money came and bought nothing yet.

    PaymentUsed (409), PaidCallIntegrityError (503).
    """
    if PaymentStep.objects.filter(claim_id=row.pk, step=ANSWERED).exists():
        raise problems.PaymentUsed("This payment was answered: the answer is recorded.")
    record_guards.require_paid(row)


def _restart_claim(row: PaymentClaim, payment_claim: PaymentClaim, now: datetime) -> PaymentClaim:
    """Restart a payment that bought nothing, by compare-and-set."""
    names = ("version", "network", "pay_to", "amount", "resource", "fingerprint", "facilitator",
             "valid_before", "claimed_at", "lease_until", "state")  # fmt: skip
    fresh = {name: getattr(payment_claim, name) for name in names} | {
        "reason": "",
        "transaction": "",
    }
    # compare-and-set on what was read: of two that resend at once one goes on
    before = PaymentClaim.objects.filter(
        pk=row.pk, state=row.state, lease_until=row.lease_until, claimed_at=row.claimed_at
    )
    if not before.update(**fresh):
        raise problems.PaymentInProgress(
            "Another call with this payment came first.", retry_after=1
        )
    payment_claim.pk = row.pk
    return payment_claim


def mark_verified(claim: PaymentClaim) -> None:
    """Record that the facilitator verified the payment."""
    _transition_claim(claim, State.CLAIMED, State.VERIFIED)


def mark_settling(claim: PaymentClaim, payment: Payment) -> None:
    """Record that money may move from now on; the row lets the work resume if this process dies."""
    # all that is needed to settle again; encrypted, because a signed payment is money
    document = encode_header({"version": payment.version, "payload": dict(payment.payload)})
    sealed = encryption.encrypt_text(document, purpose=encryption.PAYMENTS, bound=claim.nonce)
    _transition_claim(claim, State.VERIFIED, State.SETTLING, sealed=sealed)


def _transition_claim(claim: PaymentClaim, before: State, after: State, **more: str) -> None:
    if not PaymentClaim.objects.as_held(claim, before).update(state=after, **more):
        raise problems.PaymentInProgress("This call took too long; another call has replaced it.")
    claim.state = after


@transaction.atomic
def record_settlement(claim: PaymentClaim, settlement: Settlement, now: datetime) -> bool:
    """Record how a settlement ended, with its receipt or the job that will ask again.

    False if another process recorded it already.
    """
    state = State(settlement.outcome.value)
    changes = {
        "state": state,
        "transaction": settlement.transaction or claim.transaction,
        "reason": settlement.reason,
    }
    if settlement.outcome is not SettlementOutcome.UNKNOWN:
        changes["sealed"] = ""  # a signed payment is kept no longer than it is needed
    if settlement.outcome is SettlementOutcome.SETTLED:
        changes["settled_at"] = now  # type: ignore[assignment]
    unresolved = PaymentClaim.objects.as_held(claim, State.SETTLING, State.UNKNOWN)
    # the call and the job may both have asked; the first answer is recorded, and one receipt
    if not unresolved.update(**changes):
        return False
    for name, value in changes.items():
        setattr(claim, name, value)
    if settlement.outcome is SettlementOutcome.SETTLED:
        write_receipt(claim, now)
    elif settlement.outcome is SettlementOutcome.UNKNOWN:
        enqueue_job(job=RECONCILE, key=str(claim.pk), now=now, eta=now + timedelta(seconds=5))
    return True


def write_receipt(claim: PaymentClaim, now: datetime) -> None:
    """Append the receipt of a settled payment."""
    Receipt.write(
        payload={"payer": claim.payer, "payTo": claim.pay_to, "asset": claim.asset,
                 "nonce": claim.nonce, "chainId": claim.chain_id,
                 "fingerprint": claim.fingerprint},
        now=now,
        kind=Receipt.Kind.PAYMENT,
        claim_id=claim.pk,
        resource=claim.resource,
        amount=claim.amount,
        network=f"eip155:{claim.chain_id}",
        facilitator=claim.facilitator,
        transaction=claim.transaction,
    )  # fmt: skip


def write_refund_receipt(
    claim: PaymentClaim, amount: Decimal, *, now: datetime, **facts: object
) -> None:
    """Append the receipt of a refund owed for a payment; `facts` say why."""
    Receipt.write(
        payload={"payer": claim.payer, **facts},
        now=now,
        kind=Receipt.Kind.REFUND_DUE,
        claim_id=claim.pk,
        resource=claim.resource,
        amount=amount,
        network=f"eip155:{claim.chain_id}",
        facilitator=claim.facilitator,
        transaction="",
    )


def record_answer(
    claim: PaymentClaim, *, text: str, status: int, proof: str, now: datetime
) -> None:
    """Store the answer of a payment; call it in the transaction that does the work.

    Raises PaymentInProgress, which rolls the work back, when another call has taken over.
    """
    sealed_answer = encryption.encrypt_text(
        text, purpose=encryption.ANSWERS, bound=claim.nonce, proof=proof
    )
    mine = PaymentClaim.objects.as_held(claim, State.SETTLED).filter(answered_at=None)
    # another call has taken the payment over: its work and this one's must not both be kept
    if not mine.update(answer=sealed_answer, status=status, answered_at=now):
        raise problems.PaymentInProgress("This call took too long; another call has replaced it.")
    PaymentStep.write(
        payload={"status": status, "fingerprint": claim.fingerprint},
        now=now,
        claim_id=claim.pk,
        session=None,
        step=ANSWERED,
        amount=from_micro(to_micro(claim.amount)),  # as the database returns it
    )


def forget_claim(claim: PaymentClaim) -> None:
    """Release a payment that bought nothing: it is unused again."""
    PaymentClaim.objects.as_held(claim, State.CLAIMED, State.VERIFIED).delete()


def free_settled_claim(claim: PaymentClaim, now: datetime) -> None:
    """Let a payment whose money came be sent again at once: its call failed on our side."""
    mine = PaymentClaim.objects.as_held(claim, State.SETTLED).filter(answered_at=None)
    # the lease ends now instead of 90 s after the claim
    mine.update(lease_until=now)


@transaction.atomic
def record_owed_back(claim: PaymentClaim, now: datetime) -> bool:
    """Record the refund of an unanswered payment; False if it has been answered since.

    Raises PaymentUsed and PaidCallIntegrityError if the records say otherwise than the row.
    """
    # a refund receipt on an altered row would confirm what somebody wrote into the database
    _require_unanswered_money(claim)
    mine = PaymentClaim.objects.as_held(claim, State.SETTLED).filter(answered_at=None)
    if not mine.filter(lease_until__lte=now).update(state=State.OWED):
        return False
    write_refund_receipt(claim, claim.amount, now=now, unanswered=True)
    return True


def forget_unsent_settlement(claim: PaymentClaim) -> None:
    """Forget a settlement that was never sent."""
    PaymentClaim.objects.as_held(claim, State.SETTLING).delete()


def is_payment_known(wanted: Purchase) -> bool:
    """Tell whether the payment was sent before: then its stored outcome counts, not its age."""
    return select_claim(wanted.payment, wanted.terms.network).exists()


def is_payment_received(*, payment: Payment, network: Network) -> bool:
    """Tell whether the money of a payment was received."""
    return select_claim(payment, network).filter(state__in=(State.SETTLED, State.OWED)).exists()


def select_claim(payment: Payment, network: Network) -> QuerySet[PaymentClaim]:
    """Return the claim of a payment, or none."""
    return PaymentClaim.objects.filter(
        chain_id=network.chain_id,
        asset=network.asset.lower(),
        payer=payment.payer,
        nonce=payment.nonce,
    )
