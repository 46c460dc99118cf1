"""The steps of one payment through one call: shared by X402Authentication and plain views.

take → (the work is prepared) → settle → keep, or free when the call fails.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.http import HttpResponse

from apps.access.paywall import problems
from apps.access.paywall.models import PaymentClaim, State
from apps.access.paywall.services import payment_claims
from apps.access.paywall.services.payment_claims import Purchase, StoredAnswer
from apps.access.paywall.x402.checks import SOONEST, find_payment_fault
from apps.access.paywall.x402.facilitators import (
    Facilitator,
    FacilitatorUnreachable,
    Settlement,
    SettlementOutcome,
)
from apps.access.paywall.x402.headers import MalformedHeader
from apps.access.paywall.x402.payment_parser import RECEIPTS, Payment, read_sent_payment
from apps.access.paywall.x402.receipt_header import build_receipt_header
from apps.access.paywall.x402.terms import Terms
from apps.platform.common.money import from_micro
from apps.platform.common.problems import DomainError

REPLAYED_HEADERS = {"Idempotent-Replayed": "true"}
# headers that are stored with an answer; a declared operation's answer is JSON without its own
KEPT_HEADERS = ("Content-Type", "Content-Disposition", "Content-Language", "Location")
BYTES = "latin-1"  # one character for each byte: content need not be text


def parse_presented_payment(headers: Mapping[str, str]) -> Payment | None:
    """Return the payment of a request, or None; MalformedPayment (400) for an invalid one."""
    try:
        return read_sent_payment(headers)
    except MalformedHeader as error:
        raise problems.MalformedPayment(f"The payment cannot be read: {error}.") from None


def build_payment_required(terms: Terms, *, keys: Sequence[str] = ()) -> DomainError:
    """Return the 402 for a caller who sent no payment; `keys` are headers of accepted keys.

    It explains each step: its reader may be a person, or an agent that does not know x402.
    """
    steps = (
        f"This call costs {from_micro(terms.amount)} USDC. Let a wallet sign one of `accepts` "
        "and send the same request again with the signed payment in the header X-PAYMENT (x402 "
        "version 1); or sign the requirements in the header PAYMENT-REQUIRED, and send the "
        f"payment in PAYMENT-SIGNATURE (version 2, on {terms.network.caip2}). An x402 client "
        "does either automatically."
    )
    others = [name for name in terms.network.names if name != terms.network_name]
    if others:
        steps += (
            f" A client of version 1 that knows no network {terms.network_name} may call it "
            f"{' or '.join(others)}; version 2 has one name for it."
        )
    if keys:
        steps += f" Or send a key in {' or '.join(keys)}, and no payment."
    return problems.build_terms_problem(
        problems.PaymentRequired, terms, error="payment_required", detail=steps
    )


def serialize_answer(response: HttpResponse) -> str:
    """Serialize an answer for storage: its headers in one line of JSON, then its content."""
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    return json.dumps(headers) + "\n" + response.content.decode(BYTES)


@dataclass(slots=True)
class CallPayment:
    """Take one payment for one call; `headers` report it to the payer."""

    payment: Payment
    facilitator: Facilitator
    headers: dict[str, str] = field(default_factory=dict)
    wanted: Purchase | None = None
    claim: PaymentClaim | None = None

    def take(
        self, *, terms: Terms, resource: str, fingerprint: str, kept: timedelta, now: datetime
    ) -> HttpResponse | None:
        """Verify the payment and claim it; returns the stored answer if there is one.

        Raises PaymentRefused (402), PaymentUsed and PaymentInProgress (409), OutcomeUnknown and
        PaymentsUnavailable (503); after an exception nothing stays claimed.
        """
        name = self.facilitator.name
        purchase = Purchase(self.payment, terms, resource, fingerprint, kept, name)
        self.wanted = purchase
        moment = int(now.timestamp())
        # a payment that was sent before does not expire
        good_until = self.payment.valid_before - SOONEST
        judged_at = (
            good_until
            if moment > good_until and payment_claims.is_payment_known(purchase)
            else moment
        )
        # before the claim: an invalid payment leaves no row and never reaches the facilitator
        if reason := find_payment_fault(payment=self.payment, terms=terms, now=judged_at):
            raise self._refused(reason)
        payment = payment_claims.claim_payment(wanted=purchase, now=now)
        if isinstance(payment, StoredAnswer):
            self._receipt(payment.claim)
            head, line, content = payment.text.partition("\n")
            # the answer of a declared operation: JSON, stored without headers
            if not line:
                return HttpResponse(
                    payment.text,
                    status=payment.status,
                    headers=REPLAYED_HEADERS,
                    content_type="application/json",
                )
            return HttpResponse(
                content.encode(BYTES),
                status=payment.status,
                headers=json.loads(head) | REPLAYED_HEADERS,
            )
        self.claim = payment
        # paid for by a call that then failed on our side: answered without settling again
        if payment.state == State.SETTLED:
            self._receipt(payment)
            return None
        self._verify(payment, moment)
        return None

    def _verify(self, claim: PaymentClaim, moment: int) -> None:
        assert self.wanted is not None
        try:
            reason = self.facilitator.verify(
                payment=self.payment, terms=self.wanted.terms, now=moment
            )
            if reason:
                raise self._refused(reason)
            payment_claims.mark_verified(claim)
        except FacilitatorUnreachable:
            payment_claims.forget_claim(claim)
            raise problems.PaymentsUnavailable(
                "Payments cannot be verified now; nothing was taken."
            ) from None
        # whatever happened, the payer may try again at once
        except BaseException:
            payment_claims.forget_claim(claim)
            raise

    def settle(self, *, now: datetime) -> None:
        """Settle; raises PaymentRefused (402), OutcomeUnknown, PaymentsUnavailable (503).

        A payment that was settled for an earlier call that failed on our side is not settled again.
        """
        assert self.wanted is not None and self.claim is not None
        if self.claim.state == State.SETTLED:
            return
        # committed before the facilitator is called: if this process dies now, the sweep finds the
        # row
        payment_claims.mark_settling(self.claim, self.payment)
        try:
            settlement = self.facilitator.settle(
                payment=self.payment, terms=self.wanted.terms, now=int(now.timestamp())
            )
        except FacilitatorUnreachable:  # nothing was sent: the payment is still unused
            payment_claims.forget_unsent_settlement(self.claim)
            raise problems.PaymentsUnavailable(
                "Payments cannot be settled now; nothing was taken."
            ) from None
        written = payment_claims.record_settlement(self.claim, settlement, now)
        self._report_settlement(settlement)
        # not written: the lease ran out, and another process records the outcome
        if not written or settlement.outcome is SettlementOutcome.UNKNOWN:
            raise problems.build_unknown_outcome(settlement.transaction)
        if settlement.outcome is SettlementOutcome.FAILED:
            raise self._refused(settlement.reason)

    def keep(self, *, text: str, status: int, now: datetime) -> None:
        """Store the answer, last in the transaction of the work."""
        assert self.claim is not None
        payment_claims.record_answer(
            self.claim, text=text, status=status, proof=self.payment.signature, now=now
        )

    def free(self, *, now: datetime) -> None:
        """Release what is held, because the call failed: unsettled money stays the payer's."""
        if self.claim is None:
            return
        if self.claim.state == State.SETTLED:
            payment_claims.free_settled_claim(self.claim, now)
        else:
            payment_claims.forget_claim(self.claim)

    def _refused(self, reason: str) -> DomainError:
        assert self.wanted is not None
        refusal = problems.build_terms_problem(
            problems.PaymentRefused,
            self.wanted.terms,
            error=reason,
            detail=f"The payment was not accepted: {reason}.",
        )
        # a settlement that failed has its receipt header already, with the transaction if there was
        # one
        if RECEIPTS[self.payment.version] not in self.headers:  # nothing was settled
            self._report_settlement(Settlement(SettlementOutcome.FAILED, reason=reason))
        return refusal

    def _report_settlement(self, settlement: Settlement) -> None:
        assert self.wanted is not None
        self.headers |= build_receipt_header(
            version=self.payment.version,
            network=self.payment.network,
            payer=self.payment.payer,
            terms=self.wanted.terms,
            settlement=settlement,
            by=self.facilitator.name,
        )

    def _receipt(self, claim: PaymentClaim) -> None:
        self._report_settlement(Settlement(SettlementOutcome.SETTLED, claim.transaction))
