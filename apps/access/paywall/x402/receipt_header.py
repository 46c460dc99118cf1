"""The header, in the payer's version, that reports a settlement or its failure."""

from typing import Any

from apps.access.paywall.x402.facilitators import Settlement, SettlementOutcome
from apps.access.paywall.x402.headers import encode_header
from apps.access.paywall.x402.payment_parser import RECEIPTS
from apps.access.paywall.x402.terms import Terms


def build_receipt_header(
    *, version: int, network: str, payer: str, terms: Terms, settlement: Settlement, by: str
) -> dict[str, str]:
    """Return the header of a receipt; `network` is the name that the payer used.

    `facilitator` says who settled: a sandbox's receipt proves nothing and says so.
    """
    receipt: dict[str, Any] = {
        "success": settlement.outcome is SettlementOutcome.SETTLED,
        "transaction": settlement.transaction,
        "network": network,
        "payer": payer,
        "facilitator": by,
    }
    if version == 2:
        receipt["amount"] = str(terms.amount)
    if settlement.outcome is SettlementOutcome.UNKNOWN:
        # x402's code for it: clients keep the payment instead of signing another
        receipt["errorReason"] = "settlement_pending"
    elif settlement.reason:
        receipt["errorReason"] = settlement.reason
    return {RECEIPTS[version]: encode_header(receipt)}
