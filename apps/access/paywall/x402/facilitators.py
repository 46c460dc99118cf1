"""Who verifies and settles a payment: one of three, each with the same two calls.

A settlement has three outcomes, and the third is why there is more here than a flag: when it is
not known whether money moved, asking the payer to sign again would take it twice.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from apps.access.paywall.x402.checks import SIGNATURE_FAULT, find_payment_fault, is_plain_signature
from apps.access.paywall.x402.payment import Payment
from apps.access.paywall.x402.terms import Terms

SANDBOX = "sandbox"
# said of a settlement that failed: money may have moved all the same, by whoever sent the
# authorization to the chain first
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
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a facilitator says of a settlement: its transaction where one is known."""

    outcome: SettlementOutcome
    transaction: str = ""
    reason: str = ""


class FacilitatorUnreachable(Exception):
    """The facilitator gave no answer to go by, and nothing was settled by this call."""


class Facilitator(Protocol):
    """Verifies and settles; `name` stands in receipts."""

    name: str

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Return why the payment is refused, or an empty text; raises FacilitatorUnreachable."""
        ...

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Take the payment; what may have happened is UNKNOWN. Raises FacilitatorUnreachable: it
        has not.
        """
        ...


class SandboxFacilitator:
    """Takes no money: judges what can be judged without a chain, and says `sandbox`.

    That a nonce is used once is kept by who claims it.
    """

    name = SANDBOX

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Return what the checks say; a contract wallet's signature cannot be judged here."""
        if not is_plain_signature(payment):
            return SIGNATURE_FAULT
        return find_payment_fault(payment=payment, terms=terms, now=now)

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Return a transaction that says what it is: the same for the same payment."""
        if reason := self.verify(payment=payment, terms=terms, now=now):
            return Settlement(SettlementOutcome.FAILED, reason=reason)
        said = f"{terms.network.caip2}:{terms.network.asset}:{payment.payer}:{payment.nonce}"
        digest = hashlib.sha256(said.lower().encode()).hexdigest()
        return Settlement(SettlementOutcome.SETTLED, transaction=f"{SANDBOX}-0x{digest}")


Post = Callable[[str, Mapping[str, Any]], Any]


class CallNotSent(Exception):
    """A call was not made at all."""


class NoUsableAnswer(Exception):
    """A call was made, and what came back is no answer."""


class RemoteFacilitator:
    """A facilitator over HTTP; `post(path, document)` sends JSON and returns parsed JSON.

    `post` raises CallNotSent or NoUsableAnswer. Fails closed: what is not plainly good is not.
    """

    name = "http"

    def __init__(self, post: Post) -> None:
        self._post = post

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Ask the facilitator; an answer that does not fit is Unreachable."""
        try:
            said = self._post("/verify", _build_request(payment, terms))
        except (CallNotSent, NoUsableAnswer) as error:
            raise FacilitatorUnreachable(str(error)) from None
        if not isinstance(said, Mapping) or not isinstance(said.get("isValid"), bool):
            raise FacilitatorUnreachable("the facilitator's answer has no isValid")
        if not said["isValid"]:
            return str(said.get("invalidReason") or "unexpected_verify_error")[:120]
        payer = said.get("payer")
        if payer is not None and str(payer).lower() != payment.payer:
            raise FacilitatorUnreachable("the facilitator names another payer")
        return ""

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Ask the facilitator to settle; whatever it did unless it says so is UNKNOWN."""
        try:
            said = self._post("/settle", _build_request(payment, terms))
        except CallNotSent as error:
            raise FacilitatorUnreachable(str(error)) from None
        except NoUsableAnswer:
            return Settlement(SettlementOutcome.UNKNOWN, reason="unexpected_settle_error")
        if not isinstance(said, Mapping):
            return Settlement(SettlementOutcome.UNKNOWN, reason="unexpected_settle_error")
        return parse_settlement(said, payment=payment, terms=terms)


def _build_request(payment: Payment, terms: Terms) -> dict[str, Any]:
    return {
        "x402Version": 2,
        "paymentPayload": payment.document(terms),
        "paymentRequirements": terms.offer_v2(),
    }


def parse_settlement(said: Mapping[str, Any], *, payment: Payment, terms: Terms) -> Settlement:
    """Return what a settlement response (camelCase, of either version) amounts to."""
    transaction = str(said.get("transaction") or "")[:130]
    reason = str(said.get("errorReason") or "")[:120]
    if said.get("success") is True:
        network, payer = str(said.get("network", "")), said.get("payer")
        fits = terms.network.is_named(network) and transaction
        if fits and (payer is None or str(payer).lower() == payment.payer):
            return Settlement(SettlementOutcome.SETTLED, transaction=transaction)
        return Settlement(SettlementOutcome.UNKNOWN, transaction, "unexpected_settle_error")
    if said.get("success") is not False or transaction or not reason or reason in DOUBTFUL:
        return Settlement(
            SettlementOutcome.UNKNOWN, transaction, reason or "unexpected_settle_error"
        )
    return Settlement(SettlementOutcome.FAILED, reason=reason)
