"""A facilitator in this process, based on that of the `x402` package: it sends transactions.

It holds the key of a wallet that pays for gas, and remembers what it sent only until the process
ends: for tests on a local chain and for small installations, not with many workers.
"""

from functools import cached_property
from typing import Any

from apps.access.paywall.x402.facilitators import (
    FacilitatorUnreachable,
    Settlement,
    parse_settlement,
)
from apps.access.paywall.x402.payment_parser import Payment
from apps.access.paywall.x402.terms import Terms


class OnChainFacilitator:
    """Verifies and settles by a node's JSON-RPC at `rpc_url`, gas paid by `key` (hex)."""

    name = "chain"

    def __init__(self, *, rpc_url: str, key: str, caip2: str, patience: float = 20.0) -> None:
        self._rpc_url, self._key, self._caip2, self._patience = rpc_url, key, caip2, patience

    @cached_property
    def _facilitator(self) -> Any:
        # imported at the first payment: loads web3, about a second and 40 MB
        from x402 import x402FacilitatorSync
        from x402.mechanisms.evm import FacilitatorWeb3Signer
        from x402.mechanisms.evm.exact import register_exact_evm_facilitator

        facilitator = x402FacilitatorSync()
        signer = FacilitatorWeb3Signer(
            self._key, self._rpc_url, confirmation_timeout_seconds=self._patience
        )
        register_exact_evm_facilitator(facilitator, signer, networks=self._caip2)
        return facilitator

    def verify(self, *, payment: Payment, terms: Terms, now: int) -> str:
        """Ask the chain: signature (contract wallets too), balance, nonce, a simulated transfer."""
        try:
            verified = self._facilitator.verify(*_build_x402_models(payment, terms))
        except Exception as error:  # any exception of the node or the package means: not verified
            raise FacilitatorUnreachable(type(error).__name__) from None
        return (
            "" if verified.is_valid else str(verified.invalid_reason or "unexpected_verify_error")
        )

    def settle(self, *, payment: Payment, terms: Terms, now: int) -> Settlement:
        """Send the transfer and wait for it to be mined."""
        try:
            response = self._facilitator.settle(*_build_x402_models(payment, terms))
        except Exception:
            # it may have been sent before the node failed: UNKNOWN, never FAILED
            return parse_settlement({"success": None}, payment=payment, terms=terms)
        settlement: dict[str, Any] = response.model_dump(by_alias=True, exclude_none=True)
        return parse_settlement(settlement, payment=payment, terms=terms)


def _build_x402_models(payment: Payment, terms: Terms) -> tuple[Any, Any]:
    from x402.schemas import PaymentPayload, PaymentRequirements

    return (
        PaymentPayload.model_validate(payment.document(terms)),
        PaymentRequirements.model_validate(terms.offer_v2()),
    )
