"""One payment on its way through one call: what the gate of rows and plain views both use.

take → (the work is prepared) → settle → keep, or free when the call fails.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.http import HttpResponse

from apps.core.problems import DomainError
from apps.paywall import claims, problems
from apps.paywall.claims import Stored, Wanted
from apps.paywall.models import PaymentClaim, State
from apps.paywall.x402.checks import SOONEST, fault
from apps.paywall.x402.facilitators import Facilitator, Outcome, Settlement, Unreachable
from apps.paywall.x402.payment import RECEIPTS, Payment, sent
from apps.paywall.x402.receipts import receipt
from apps.paywall.x402.terms import Terms
from apps.paywall.x402.wire import Malformed

AGAIN = {"Idempotent-Replayed": "true"}
# what belongs to an answer that is told again; a row's is JSON, and has none of its own
BELONGS = ("Content-Type", "Content-Disposition", "Content-Language", "Location")
BYTES = "latin-1"  # a character for each byte: content need not be text
SENT = "Send a payment: the body says what is asked to clients of x402 version 1, the header "
SENT += "PAYMENT-REQUIRED to those of version 2."


def presented(headers: Mapping[str, str]) -> Payment | None:
    """Return the payment of a request, or None; MalformedPayment (400) for one that is none."""
    try:
        return sent(headers)
    except Malformed as error:
        raise problems.MalformedPayment(f"The payment cannot be read: {error}.") from None


def asked(terms: Terms) -> DomainError:
    """Return the 402 that asks a caller who sent no payment."""
    return problems.asking(problems.PaymentRequired, terms, error="payment_required", detail=SENT)


def whole(response: HttpResponse) -> str:
    """Return an answer as it is kept: its headers in one line of JSON, then its content."""
    told = {name: response.headers[name] for name in BELONGS if name in response.headers}
    return json.dumps(told) + "\n" + response.content.decode(BYTES)


def _again(found: Stored) -> HttpResponse:
    """Return what was kept: of a view by `whole`, of a row its JSON in one line."""
    head, line, content = found.text.partition("\n")
    if not line:
        return HttpResponse(
            found.text, status=found.status, headers=AGAIN, content_type="application/json"
        )
    return HttpResponse(
        content.encode(BYTES), status=found.status, headers=json.loads(head) | AGAIN
    )


@dataclass(slots=True)
class Till:
    """Takes one payment for one call; `headers` are what the payer is told of it."""

    payment: Payment
    facilitator: Facilitator
    headers: dict[str, str] = field(default_factory=dict)
    wanted: Wanted | None = None
    claim: PaymentClaim | None = None

    def take(
        self, *, terms: Terms, resource: str, fingerprint: str, kept: timedelta, now: datetime
    ) -> HttpResponse | None:
        """Judge the payment and claim it; returns what it was answered before, if it was.

        Raises PaymentRefused (402), PaymentUsed and PaymentInProgress (409), OutcomeUnknown and
        PaymentsUnavailable (503); what it raises leaves nothing held.
        """
        name = self.facilitator.name
        wanted = Wanted(self.payment, terms, resource, fingerprint, kept, name)
        self.wanted = wanted
        moment = int(now.timestamp())
        if reason := fault(payment=self.payment, terms=terms, now=self._judged_at(wanted, moment)):
            raise self._refused(reason)
        found = claims.take(wanted=wanted, now=now)
        if isinstance(found, Stored):
            return self._stored(found)
        self.claim = found
        if found.state == State.SETTLED:
            self._receipt(found)
            return None
        self._verify(found, moment)
        return None

    def _judged_at(self, wanted: Wanted, moment: int) -> int:
        """Return when a payment is judged: one that was sent before does not grow too old."""
        good_until = self.payment.valid_before - SOONEST
        return good_until if moment > good_until and claims.known(wanted) else moment

    def _verify(self, claim: PaymentClaim, moment: int) -> None:
        assert self.wanted is not None
        try:
            reason = self.facilitator.verify(
                payment=self.payment, terms=self.wanted.terms, now=moment
            )
            if reason:
                raise self._refused(reason)
            claims.verified(claim)
        except Unreachable:
            claims.forget(claim)
            raise problems.PaymentsUnavailable(
                "Payments cannot be verified now; nothing was taken."
            ) from None
        except BaseException:
            claims.forget(claim)
            raise

    def settle(self, *, now: datetime) -> None:
        """Take the money; raises PaymentRefused (402), OutcomeUnknown, PaymentsUnavailable (503).

        A payment that was settled for an earlier call, which failed on our side, is taken as it is.
        """
        assert self.wanted is not None and self.claim is not None
        if self.claim.state == State.SETTLED:
            return
        claims.settling(self.claim, self.payment)
        try:
            settlement = self.facilitator.settle(
                payment=self.payment, terms=self.wanted.terms, now=int(now.timestamp())
            )
        except Unreachable:  # nothing was sent: it is as good as before
            claims.unsettled(self.claim)
            raise problems.PaymentsUnavailable(
                "Payments cannot be settled now; nothing was taken."
            ) from None
        written = claims.ended(self.claim, settlement, now)
        self._told(settlement)
        if not written or settlement.outcome is Outcome.UNKNOWN:
            raise problems.unknown(settlement.transaction)
        if settlement.outcome is Outcome.FAILED:
            raise self._refused(settlement.reason)

    def keep(self, *, text: str, status: int, now: datetime) -> None:
        """Store the answer, last in the transaction of the work."""
        assert self.claim is not None
        claims.answered(self.claim, text=text, status=status, proof=self.payment.signature, now=now)

    def free(self, *, now: datetime) -> None:
        """Give back what is held, because the call failed: unsettled money stays the payer's."""
        if self.claim is None:
            return
        if self.claim.state == State.SETTLED:
            claims.unanswered(self.claim, now)
        else:
            claims.forget(self.claim)

    def _refused(self, reason: str) -> DomainError:
        assert self.wanted is not None
        refusal = problems.asking(
            problems.PaymentRefused,
            self.wanted.terms,
            error=reason,
            detail=f"The payment was not taken: {reason}.",
        )
        if RECEIPTS[self.payment.version] not in self.headers:  # nothing was settled
            self._told(Settlement(Outcome.FAILED, reason=reason))
        return refusal

    def _told(self, settlement: Settlement) -> None:
        assert self.wanted is not None
        self.headers |= receipt(
            version=self.payment.version,
            network=self.payment.network,
            payer=self.payment.payer,
            terms=self.wanted.terms,
            settlement=settlement,
            by=self.facilitator.name,
        )

    def _receipt(self, claim: PaymentClaim) -> None:
        self._told(Settlement(Outcome.SETTLED, claim.transaction))

    def _stored(self, found: Stored) -> HttpResponse:
        self._receipt(found.claim)
        return _again(found)
