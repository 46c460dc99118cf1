"""Facilitators verify and settle payments: three kinds with the same two calls."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from apps.access.paywall.x402.checks import SIGNATURE_FAULT, find_payment_fault, is_plain_signature
from apps.access.paywall.x402.payment_parser import Payment
from apps.access.paywall.x402.terms import Terms

SANDBOX = "sandbox"
# reason of a failed settlement: money may have moved nevertheless, sent to the chain by somebody
# who saw the authorization first
DOUBTFUL = frozenset(
    {
        "settlement_pending",
        "transaction_failed",
        "invalid_exact_evm_nonce_already_used",
        "unexpected_settle_error",
    }
)


class SettlementOutcome(StrEnum):
    """How a settlement ended."""

    SETTLED = "SETTLED"
    FAILED = "FAILED"
    # while it is unknown whether money moved, asking the payer to sign again could take it twice
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Settlement:
    """A facilitator's answer to a settlement: its transaction if one is known."""

    outcome: SettlementOutcome
    transaction: str = ""
    reason: str = ""


class FacilitatorUnreachable(Exception):
    """The facilitator gave no usable answer, and nothing was settled by this call."""


class Facilitator(Protocol):
    """A service that verifies and settles; `name` is written into receipts."""

    name: str

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Return why the payment is refused, or an empty text; raises FacilitatorUnreachable."""
        ...

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Take the payment; the result is UNKNOWN if money may have moved.

        Raises FacilitatorUnreachable if it certainly has not.
        """
        ...


class SandboxFacilitator:
    """Take no money: run the checks that need no chain, and report `sandbox`.

    The claim, not this class, ensures that a nonce is used once.
    """

    name = SANDBOX

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Return the result of the checks; a contract wallet's signature cannot be checked here."""
        if not is_plain_signature(payment):
            return SIGNATURE_FAULT
        return find_payment_fault(payment=payment, terms=terms, now=now)

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Return a made-up transaction, marked as such: the same for the same payment."""
        if reason := self.verify(payment=payment, terms=terms, now=now):
            return Settlement(SettlementOutcome.FAILED, reason=reason)
        # derived from the nonce, so that settling again gives the same transaction, as a chain
        # would
        text = f"{terms.network.caip2}:{terms.network.asset}:{payment.payer}:{payment.nonce}"
        digest = hashlib.sha256(text.lower().encode()).hexdigest()
        return Settlement(SettlementOutcome.SETTLED, transaction=f"{SANDBOX}-0x{digest}")


Post = Callable[[str, Mapping[str, Any]], Any]


class CallNotSent(Exception):
    """A call was not sent at all."""


class NoUsableAnswer(Exception):
    """A call was sent, but the answer is not usable."""


class RemoteFacilitator:
    """A facilitator over HTTP; `post(path, document)` sends JSON and returns parsed JSON.

    `post` raises CallNotSent or NoUsableAnswer. Fails closed: only a clear yes counts as one.
    """

    name = "http"

    def __init__(self, post: Post) -> None:
        self._post = post

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Ask the facilitator; a malformed answer raises FacilitatorUnreachable."""
        try:
            answer = self._post("/verify", _build_request(payment, terms))
        except (CallNotSent, NoUsableAnswer) as error:
            raise FacilitatorUnreachable(str(error)) from None
        # fail closed: an answer in another form is no yes and no no
        if not isinstance(answer, Mapping) or not isinstance(answer.get("isValid"), bool):
            raise FacilitatorUnreachable("the facilitator's answer has no isValid")
        if not answer["isValid"]:
            return str(answer.get("invalidReason") or "unexpected_verify_error")[:120]
        # optional in the protocol; if present, it must be the signer that we read ourselves
        payer = answer.get("payer")
        if payer is not None and str(payer).lower() != payment.payer:
            raise FacilitatorUnreachable("the facilitator names another payer")
        return ""

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Ask the facilitator to settle; the result is UNKNOWN unless it clearly states another."""
        try:
            answer = self._post("/settle", _build_request(payment, terms))
        except CallNotSent as error:
            raise FacilitatorUnreachable(str(error)) from None
        # the call went out: the facilitator may have sent the transaction before it failed
        except NoUsableAnswer:
            return Settlement(SettlementOutcome.UNKNOWN, reason="unexpected_settle_error")
        if not isinstance(answer, Mapping):
            return Settlement(SettlementOutcome.UNKNOWN, reason="unexpected_settle_error")
        return parse_settlement(answer, payment=payment, terms=terms)


def _build_request(payment: Payment, terms: Terms) -> dict[str, Any]:
    return {
        "x402Version": 2,
        "paymentPayload": payment.document(terms),
        "paymentRequirements": terms.offer_v2(),
    }


def parse_settlement(
    settlement: Mapping[str, Any], *, payment: Payment, terms: Terms
) -> Settlement:
    """Parse a settlement response (camelCase, of either version)."""
    transaction = str(settlement.get("transaction") or "")[:130]
    reason = str(settlement.get("errorReason") or "")[:120]
    if settlement.get("success") is True:
        network, payer = str(settlement.get("network", "")), settlement.get("payer")
        # a yes without a transaction, or for another chain, is not evidence that we were paid
        fits = terms.network.is_named(network) and transaction
        if fits and (payer is None or str(payer).lower() == payment.payer):
            return Settlement(SettlementOutcome.SETTLED, transaction=transaction)
        return Settlement(SettlementOutcome.UNKNOWN, transaction, "unexpected_settle_error")
    # a no counts only if it is plain: with a reason, without a transaction, and of a kind that
    # excludes a transfer
    if settlement.get("success") is not False or transaction or not reason or reason in DOUBTFUL:
        return Settlement(
            SettlementOutcome.UNKNOWN, transaction, reason or "unexpected_settle_error"
        )
    return Settlement(SettlementOutcome.FAILED, reason=reason)
